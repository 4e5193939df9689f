# SPDX-License-Identifier: MIT
"""Variables for programs under the layer, on lavapipe."""
import json
import os
import pathlib

LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
SKIPPED = 77


def plain():
    names = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "DOVETAIL_", "GFXRECON_"))}
    return {**names, "VK_ICD_FILENAMES": LAVAPIPE}


def layered(layer, output, **more):
    """With reports in the folder `output`."""
    return {**plain(), "VK_LAYER_PATH": str(layer), "VK_INSTANCE_LAYERS": "VK_LAYER_DOVETAIL_shadow", "DOVETAIL_SHADOW_OUTPUT": str(output), **more}


def report_in(output):
    """The only report; None: there is none, or several."""
    found = list(pathlib.Path(output).glob("*.json"))
    return json.loads(found[0].read_text(encoding="utf-8")) if len(found) == 1 else None


def problems_of(report, **counts):
    """A sentence for each thing that the layer did not follow, and for each count that is another."""
    if report is None:
        return ["there is not one report"]
    return [f"{error['status']}: {error['text']}" for error in report["errors"]] \
        + [f"not followed: {what}" for what in report["notFollowed"]] \
        + [f"{name}: {report[name]}, and not {count}" for name, count in counts.items() if report[name] != count]


def tell(name, problems, passed):
    """Prints the problems for tools/sum-up-tests. Returns the exit status."""
    print("\n".join(problems[:40]))
    failed = len({problem.split(":")[0] for problem in problems})
    print(f"{name}: {passed - failed} passed, {failed} failed")
    return 1 if failed else 0
