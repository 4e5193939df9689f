#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Copies the given headers, and all that they include, to a folder as they are installed. In the project they include each other as
# "variants/bind/device.h", from its root; users include them as <dovetail/variants/bind/device.h>, and so do the copies. A header
# that is given as FILE=NAME is <dovetail/NAME>. "dovetail" is the folder's name; what another folder has already, by the headers that
# follow `--beside NAME`, stays there.
#
#   copy_headers.py ROOT FOLDER DEPFILE HEADER... [--beside NAME HEADER...]
import pathlib
import re
import shutil
import sys

INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"]+)"', re.MULTILINE)


def closure(root, names):
    """The text of the headers and of all that they include, by their names in the project."""
    waiting, texts = list(names), {}
    while waiting:
        header = waiting.pop()
        if header not in texts:
            texts[header] = (root / header).read_text(encoding="utf-8")
            waiting += (name for _, name in INCLUDE.findall(texts[header]))
    return texts


def names_of(arguments):
    """From the name in the project to the name below the folder."""
    return dict(header.split("=") if "=" in header else (header, header) for header in arguments)


def main():
    root, folder, depfile = (pathlib.Path(name) for name in sys.argv[1:4])
    headers, beside = sys.argv[4:], []
    if "--beside" in headers:
        at = headers.index("--beside")
        headers, beside = headers[:at], headers[at + 1:]
    names, texts = names_of(headers), closure(root, names_of(headers))
    includes = {header: f"{folder.name}/{names.get(header, header)}" for header in texts}
    read = set(texts)
    if beside:
        other = names_of(beside[1:])
        for header in closure(root, other):
            read.add(header)
            texts.pop(header, None)
            includes[header] = f"{beside[0]}/{other.get(header, header)}"

    # A new folder each time: a header that is not installed any more must not be left in it, and its time stamp is the build's.
    shutil.rmtree(folder, ignore_errors=True)
    for header, text in texts.items():
        copy = folder / names.get(header, header)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(INCLUDE.sub(lambda match: f"{match[1]}<{includes[match[2]]}>", text), encoding="utf-8")
    # What a user would look for here.
    for header in names.keys() - texts.keys():
        (folder / names[header]).write_text(f"#pragma once\n#include <{includes[header]}>\n", encoding="utf-8")
    depfile.write_text(f"{folder}: {' '.join(str(root / header) for header in sorted(read))}\n", encoding="utf-8")


main()
