#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Runs tests in the manner of LLVM's lit: the lines "RUN: command" of a file are executed one after the other by a
# shell, and all must succeed. In these commands, %s is the file, %S its folder, and %t a name for temporary files of
# this test alone. A line that ends in a backslash goes on in the next. The programs are found under their names; `not
# COMMAND` succeeds if the command fails, but not if it crashes.
#
#   run_lit.py [--program NAME=PATH]... FILE|FOLDER...
#
# Names the tests that fail, with their output; the last line is "N passed, N failed".
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

RUN = re.compile(r"RUN:\s*(.*?)\s*$")
NOT = """#!/bin/bash
"$@"
status=$?
if [ "$status" -ge 126 ]; then echo "not: $1 crashed ($status)" >&2; exit 1; fi
[ "$status" -ne 0 ]
"""


def commands_of(path):
    commands, rest = [], ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if not (match := RUN.search(line)):
                continue
            rest += match[1]
            if rest.endswith("\\"):
                rest = rest[:-1]
                continue
            commands.append(rest)
            rest = ""
    return commands


def run(path, environment, folder):
    """The test's output if it failed, otherwise nothing."""
    commands = commands_of(path)
    if not commands:
        return "there is no RUN line in it\n"
    temporary = os.path.join(folder, re.sub(r"\W", "_", path))
    words = {"%s": path, "%S": os.path.dirname(path), "%t": temporary}
    for command in commands:
        command = re.sub(r"%[sSt]", lambda word: words[word[0]], command)
        try:
            result = subprocess.run(["bash", "-o", "pipefail", "-c", command], env=environment, text=True, errors="replace", timeout=120,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            return f"{command}\ntook longer than two minutes\n"
        if result.returncode != 0:
            return f"{command}\n{result.stdout}exit status {result.returncode}\n"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("tests", nargs="+")
    options = parser.parse_args()
    tests = []
    for test in options.tests:
        if os.path.isdir(test):
            tests += [os.path.join(test, name) for name in os.listdir(test) if not name.endswith((".py", ".build", ".txt"))]
        else:
            tests.append(test)
    tests = sorted(os.path.abspath(test) for test in tests if os.path.isfile(test))

    with tempfile.TemporaryDirectory() as folder:
        programs = os.path.join(folder, "programs")
        os.mkdir(programs)
        for program in options.program:
            name, path = program.split("=", 1)
            os.symlink(os.path.abspath(path), os.path.join(programs, name))
        with open(os.path.join(programs, "not"), "w", encoding="utf-8") as file:
            file.write(NOT)
        os.chmod(os.path.join(programs, "not"), 0o755)
        environment = dict(os.environ, PATH=programs + os.pathsep + os.environ["PATH"])
        with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            results = list(pool.map(lambda test: run(test, environment, folder), tests))

    failed = 0
    for test, problem in zip(tests, results):
        if problem:
            failed += 1
            print(f"FAILED {test}\n{problem}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
