#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the text that says what Dovetail's code generators were built from: a hash of all their sources. While somebody develops
them, the version number stays as it is and the code that they make does not; the keys of parts must differ all the same.

make_build_id.py ROOT OUTPUT DEPFILE FOLDER...
"""
import hashlib
import pathlib
import sys

SOURCES = {'.cpp', '.h', '.def', '.py', '.build'}


def main():
    root, output, depfile, *folders = sys.argv[1:]
    root = pathlib.Path(root)
    folders = [root / folder for folder in folders]
    files = sorted(path for folder in folders for path in folder.rglob('*') if path.suffix in SOURCES and path.is_file())
    digest = hashlib.sha256()
    for path in files:
        name = str(path.relative_to(root)).encode()
        content = path.read_bytes()
        digest.update(b'%d %s %d ' % (len(name), name, len(content)))
        digest.update(content)
    text = f'"{digest.hexdigest()[:32]}"\n'
    output = pathlib.Path(output)
    if not output.exists() or output.read_text() != text:  # otherwise nothing is compiled again
        output.write_text(text)
    inputs = files + sorted({path.parent for path in files})
    pathlib.Path(depfile).write_text(f'{output}: ' + ' '.join(str(path).replace(' ', '\\ ') for path in inputs) + '\n')


main()
