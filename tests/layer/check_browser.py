#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The layer's report in a browser, for applications with errors, with long frames, and without either.
#
#   check_browser.py HEADLESS_APP LAYER_FOLDER CHROMIUM
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))
import browser


def report_of(app, layer, scenario, folder, **variables):
    output = pathlib.Path(folder) / scenario
    subprocess.run([app, scenario], check=True, stdout=subprocess.DEVNULL, env={
        **os.environ, "VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "VK_LAYER_PATH": layer,
        "VK_INSTANCE_LAYERS": "VK_LAYER_DOVETAIL_shadow", "DOVETAIL_SHADOW_OUTPUT": str(output), **variables})
    (page,) = output.glob("*.html")
    return page.read_text(encoding="utf-8")


def main():
    app, layer, chromium = sys.argv[1:]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for scenario, tables, variables in [("threads", 5, {}), ("refused", 5, {}), ("stutter", 5, {"DOVETAIL_SHADOW_COMPILE": "draw"})]:
            page = report_of(app, layer, scenario, folder, **variables)
            problems += [f"{scenario}: {problem}" for problem in browser.problems_of(chromium, page, folder, figures=3, tables=tables)]
    return browser.tell(problems)


sys.exit(main())
