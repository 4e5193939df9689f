#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Copies the given headers, and all that they include, to a folder as they are installed. In the project they include each other as
# "variants/bind/device.h", from its root; users include them as <dovetail/variants/bind/device.h>, and so do the copies. A header
# that is given as FILE=NAME is <dovetail/NAME>.
#
#   copy_headers.py ROOT FOLDER DEPFILE HEADER...
import pathlib
import re
import shutil
import sys

INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"]+)"', re.MULTILINE)


def main():
    root, folder, depfile = (pathlib.Path(name) for name in sys.argv[1:4])
    # From the name in the project to the name below <dovetail/>.
    names = dict(header.split("=") if "=" in header else (header, header) for header in sys.argv[4:])
    waiting, texts = list(names), {}
    while waiting:
        header = waiting.pop()
        if header not in texts:
            texts[header] = (root / header).read_text(encoding="utf-8")
            waiting += (name for _, name in INCLUDE.findall(texts[header]))

    # A new folder each time: a header that is not installed any more must not be left in it, and its time stamp is the build's.
    shutil.rmtree(folder, ignore_errors=True)
    for header, text in texts.items():
        copy = folder / names.get(header, header)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(INCLUDE.sub(lambda match: f"{match[1]}<dovetail/{names.get(match[2], match[2])}>", text), encoding="utf-8")
    depfile.write_text(f"{folder}: {' '.join(str(root / header) for header in sorted(texts))}\n", encoding="utf-8")


main()
