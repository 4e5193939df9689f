#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# GFXReconstruct's captures of an application of our own, replayed under the layer: it follows the same draws as below the application.
#
#   check_replay.py HEADLESS_APP LAYER_FOLDER
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import layer_environment

# Counts of a report that a replay must not change.
COUNTS = ["draws", "dispatches", "pipelines", "libraries", "pipelineBinds", "stateChanges", "pushConstantBytes"]
SCENARIOS = ["static", "dynamic", "libraries", "compute", "sampled", "threads"]


def run(command, variables):
    return subprocess.run(command, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, check=False)


def check(app, layer, scenario, folder):
    """A sentence for each problem."""
    done = run([app, scenario], {**layer_environment.plain(), "VK_INSTANCE_LAYERS": "VK_LAYER_LUNARG_gfxreconstruct", "GFXRECON_CAPTURE_FILE": str(folder / "app.gfxr"),
                                 "GFXRECON_CAPTURE_FILE_TIMESTAMP": "false", "GFXRECON_LOG_LEVEL": "error"})
    captures = list(folder.glob("*.gfxr"))
    if done.returncode != 0 or len(captures) != 1:
        return [f"it is not captured: status {done.returncode}, {done.stderr.strip()[-500:]}"]
    run([app, scenario], layer_environment.layered(layer, folder / "application"))
    done = run(["gfxrecon-replay", captures[0]], layer_environment.layered(layer, folder / "replay"))
    if done.returncode != 0:
        return [f"the replay ends with {done.returncode}, {done.stderr.strip()[-500:]}"]
    wanted, found = (layer_environment.report_in(folder / name) for name in ("application", "replay"))
    if not wanted or not found:
        return ["there is no report"]
    same = [f"the variants are {found['device']['joinedVariants']}, and not {wanted['device']['joinedVariants']}"] \
        if found["device"]["joinedVariants"] != wanted["device"]["joinedVariants"] else []
    return same + layer_environment.problems_of(found, application="Quads", **{name: wanted[name] for name in COUNTS})


def main():
    app, layer = sys.argv[1:]
    if not shutil.which("gfxrecon-replay"):
        print("replay: skipped: gfxreconstruct is not installed")
        return layer_environment.SKIPPED
    problems = []
    for scenario in SCENARIOS:
        with tempfile.TemporaryDirectory() as folder:
            problems += [f"{scenario}: {problem}" for problem in check(app, layer, scenario, pathlib.Path(folder))]
    return layer_environment.tell("replay", problems, len(SCENARIOS))


sys.exit(main())
