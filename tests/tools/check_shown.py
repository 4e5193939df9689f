#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Documents show commands and their output in blocks that begin with ```console. This program runs the commands, and
# compares. "$ " is in front of each command; below it stands its output. There, a line "..." stands for any number of
# lines, and "…" in a line for any text. Each command runs in a shell of its own.
#
#   check_shown.py DOCUMENT FOLDER [BUILD]    in this folder; BUILD is the folder that the document calls build/
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(document):
    """Pairs of a command and the lines that are shown below it."""
    commands = []
    for block in BLOCK.finditer(document):
        for line in block[1].splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


def pattern_of(lines):
    """Matches the output that these lines show."""
    def of_line(line):
        return r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.compile("".join(map(of_line, lines)))


def main():
    document, folder = pathlib.Path(sys.argv[1]), sys.argv[2]
    build = sys.argv[3] if len(sys.argv) > 3 else "build"
    commands = commands_of(document.read_text(encoding="utf-8"))
    failed = 0 if commands else 1
    for command, shown in commands:
        run = subprocess.run(["bash", "-c", command.replace("build/", build + "/")], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode or not pattern_of(shown).fullmatch(run.stdout):
            failed += 1
            print(f"{document.name}: '{command}' gives status {run.returncode} and\n{run.stdout}{run.stderr}", end="")
    print(f"{len(commands) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
