#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Prints the headers that the given ones include, themselves too, as paths from the root of the project: what has to be
# installed so that the C++ API can be included.
#
#   list_headers.py ROOT HEADER...
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    waiting, found = sys.argv[2:], set()
    while waiting:
        header = waiting.pop()
        if header not in found:
            found.add(header)
            waiting += INCLUDE.findall((root / header).read_text())
    print("\n".join(sorted(found)))


main()
