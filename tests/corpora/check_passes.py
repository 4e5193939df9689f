#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs 15 sets of spirv-opt's passes on own shaders and on Debian's, draws with the results, and compares with lavapipe, which
draws with the shaders as they are. A shader also counts as a failure if the passes make no module of it, or no valid one.

Usage: check_passes.py DOVETAIL OWN_SHADERS [SET…]. The sets are numbered from 1. Debian's shaders are those of warzone2100-data and a
sample of piglit's. Ends with `N passed, N failed, N skipped`, which counts sets.
"""
import os
import re
import subprocess
import sys
import tempfile
import zipfile

WARZONE = "/usr/share/games/warzone2100/base.wz"
PIGLIT = "/usr/lib/x86_64-linux-gnu/piglit"
PIGLIT_SHADERS = 125

SETS = (
    "-O",
    "-Os",
    "--legalize-hlsl",
    "--strip-debug --strip-nonsemantic --compact-ids",
    "--inline-entry-points-exhaustive --eliminate-dead-functions --merge-blocks",
    "--wrap-opkill --merge-return --inline-entry-points-exhaustive",
    "--convert-local-access-chains --eliminate-local-single-block --eliminate-local-single-store",
    "--inline-entry-points-exhaustive --scalar-replacement=0 --ssa-rewrite",
    "--ssa-rewrite --loop-unroll --simplify-instructions",
    # Without --loop-invariant-code-motion: in SPIRV-Tools 2023.1, it moves loads out of loops that store there.
    "--ssa-rewrite --loop-peeling --loop-unswitch --simplify-instructions",
    "--ssa-rewrite --if-conversion --simplify-instructions --redundancy-elimination",
    "--private-to-local --copy-propagate-arrays --eliminate-dead-code-aggressive --vector-dce",
    "--combine-access-chains --reduce-load-size --eliminate-dead-inserts --eliminate-dead-code-aggressive",
    "--freeze-spec-const --fold-spec-const-op-composite --unify-const --eliminate-dead-const",
    "--ssa-rewrite --ccp --cfg-cleanup --strength-reduction --code-sink --local-redundancy-elimination --eliminate-dead-branches",
)


def draw(tool, passes, *arguments):
    """(match, differ, not drawn), and the printed text."""
    done = subprocess.run([tool, "corpus", "--draw", f"--spirv-opt={passes}", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    found = re.fullmatch(r"(\d+) match, (\d+) differ, (\d+) not drawn", done.stdout.strip().split("\n")[-1])
    return (tuple(map(int, found.groups())) if found else (0, 1, 0)), done.stdout


def main():
    tool, shaders, *chosen = sys.argv[1:]
    numbers = [int(number) for number in chosen] or range(1, len(SETS) + 1)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        corpora = [[shaders]]
        if os.path.exists(WARZONE):
            with zipfile.ZipFile(WARZONE) as archive:
                for name in archive.namelist():
                    if name.endswith(".spv"):
                        archive.extract(name, folder)
            corpora.append([folder])
        if os.path.exists(PIGLIT):
            corpora.append(["--limit", str(PIGLIT_SHADERS), "--seed", "21", PIGLIT])
        for number in numbers:
            matches = differences = lost = 0
            for arguments in corpora:
                (match, differ, _), text = draw(tool, SETS[number - 1], *arguments)
                matches += match
                differences += differ
                print("".join(line + "\n" for line in re.findall(r"^differ: .*\n.*$", text, re.MULTILINE)), end="")
                for reason in re.findall(r"^not drawn: .*SPIRV-Tools' optimiser.*\n.*$", text, re.MULTILINE):
                    print(reason)
                    lost += 1
            good = differences == 0 and lost == 0 and matches >= 140
            passed += good
            failed += not good
            print(f"{number}. {SETS[number - 1]}: {matches} match, {differences} differ, {lost} lost by the passes: {'good' if good else 'BAD'}", flush=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
