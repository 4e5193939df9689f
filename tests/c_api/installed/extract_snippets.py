#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes each block of C and C++ in the given documents to a file of its own, DOCUMENT_LINE.c or .cpp, so that the build
# can compile it. Prints the number of blocks; to find none is an error.
#
#   extract_snippets.py FOLDER DOCUMENT...
import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|cpp)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    folder, count = pathlib.Path(sys.argv[1]), 0
    for name in sys.argv[2:]:
        document = pathlib.Path(name)
        text = document.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start(2)) + 1
            snippet = folder / f"{document.stem}_{line}.{block[1]}"
            # So that the compiler's messages name the place in the document.
            snippet.write_text(f'#line {line} "{document}"\n{block[2]}', encoding="utf-8")
            count += 1
    print(f"{count} snippets")
    return 0 if count else 1


sys.exit(main())
