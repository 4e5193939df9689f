#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The report of variant-bench in a browser.
#
#   check_browser.py VARIANT_BENCH CHROMIUM SHADER...
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))
import browser


def main():
    bench, chromium, *shaders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.html")
        subprocess.run([bench, *shaders, "--rounds", "1", "--vertex-inputs", "2", "--color-states", "2", "--other-states", "1",
                        "--first-uses", "5", "--known", "100", "--html", path], check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return browser.tell(browser.problems_of(chromium, file.read(), folder, figures=8, tables=2))


sys.exit(main())
