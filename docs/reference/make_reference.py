#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Makes the reference of the C API from its headers, with Doxygen. The headers have plain comments; this program shows
# them to Doxygen in Doxygen's form. A name without a comment is an error, and so is each warning of Doxygen.
#
#   make_reference.py DOXYGEN DOXYFILE VERSION OUTPUT HEADER...    writes pages to the folder OUTPUT
#   make_reference.py --mark HEADER                                prints a header in Doxygen's form
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SECTION = re.compile(r"/\* ---- (.*) ---- \*/")
# Rows of a list of calls or functions: " *   dovetail_bind()   program and state -> variant"
ROW = re.compile(r"^ \*   (\S.*?)(?:  +(.*))?$", re.MULTILINE)
# Members to which the head of dovetail.h gives their meaning.
SIZE = re.compile(r"^(  size_t size;)$", re.MULTILINE)
RESERVED = re.compile(r"^(  uint32_t reserved;)$", re.MULTILINE)
# A comment above a member that has a comment of its own is the heading of a group, which ends with an empty line, the
# next comment above a member, or the struct.
HEADING = re.compile(r"^  /\*((?:(?!\*/).)*)\*/\n(?=  [^\n]*/\*)", re.MULTILINE | re.DOTALL)
GROUP_END = re.compile(r"^(?=\n|  /\*)|\Z", re.MULTILINE)
BODY = re.compile(r"(^typedef (\w+) \w+ \{\n)(  .*?)(?=^\})", re.MULTILINE | re.DOTALL)
# Names to which Doxygen makes no link by itself: enumerations, enumerators, macros.
UNLINKED = re.compile(r"(?:^typedef enum |^  (?=DOVETAIL_\w+ = )|^#define )(\w+)", re.MULTILINE)
NAME = re.compile(r"(?<![\w#])(?:dovetail|DOVETAIL)_\w+")


def mark_groups(body, kind):
    """The members of a struct, with Doxygen's marks around groups. Enumerators have no groups, so each gets the heading."""
    pieces, at = [], 0
    while heading := HEADING.search(body, at):
        end = GROUP_END.search(body, heading.end()).start()
        name = re.sub(r"\s*\n\s*\*", "", heading[1]).strip().rstrip(".")
        lines = "\n" * heading[0].count("\n")
        members = body[heading.end():end]
        if kind == "enum":
            pieces += [body[at:heading.start()], lines, members.replace("/* ", f"/* {name}. ")]
        else:
            pieces += [body[at:heading.start()], f"  /**@name {name}*/ /**@{{*/", lines, members, "/**@}*/"]
        at = end
    return "".join(pieces) + body[at:]


def mark(header):
    """A header in Doxygen's form, with the same lines."""
    name, text = header.name, header.read_text(encoding="utf-8")
    unlinked = set(UNLINKED.findall("".join(path.read_text(encoding="utf-8") for path in header.parent.glob("dovetail*.h"))))
    sections = []

    def with_links(comment):
        return NAME.sub(lambda found: "#" + found[0] if found[0] in unlinked else found[0], comment)

    def of_comment(match):
        comment = match[0]
        if comment.startswith("/**"):
            return comment
        if section := SECTION.fullmatch(comment):
            title = "Emulator: " + section[1] if name == "dovetail_emulator.h" else section[1]
            sections.append(title)
            group = re.sub(r"\W+", "_", title).lower()
            return ("/**@}*/ " if len(sections) > 1 else "") + f"/**@defgroup {group} {title}*/ /**@{{*/"
        if match.start() == 0:
            # dovetail.h is the page that readers see first.
            comment = re.sub(r" \* \w+\.h: ", " * ", comment)
            comment = re.sub(r" \* ([A-Z]{4,})\. ", lambda heading: f" * **{heading[1].capitalize()}.** ", comment)
            comment = ROW.sub(lambda row: f" * - {row[1]}" + (f": {row[2]}" if row[2] else ""), comment)
            title = "@mainpage The C API" if name == "dovetail.h" else "@file"
            return with_links(comment).replace("/* SPDX-License-Identifier: MIT", "/** " + title, 1)
        is_behind = text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip()
        return ("/**<" if is_behind else "/**") + with_links(comment)[2:]

    text = SIZE.sub(r"\1 /**< sizeof this struct */", text)
    text = RESERVED.sub(r"\1 /**< 0 */", text)
    text = BODY.sub(lambda body: body[1] + mark_groups(body[3], body[2]), text)
    text = COMMENT.sub(of_comment, text)
    return text + ("/**@}*/\n" if sections else "")


def undocumented(folder):
    """Names without a comment, from Doxygen's XML: it does not warn of enumerators."""
    for path in sorted(folder.glob("*.xml")):
        for element in xml.etree.ElementTree.parse(path).iter():
            if element.tag in ("memberdef", "enumvalue") or element.tag == "compounddef" and element.get("kind") in ("struct", "union"):
                texts = ("".join(element.find(kind).itertext()).strip() for kind in ("briefdescription", "detaileddescription"))
                if not any(texts):
                    yield next(filter(None, map(element.findtext, ("qualifiedname", "name", "compoundname"))))


def main():
    if sys.argv[1] == "--mark":
        print(mark(pathlib.Path(sys.argv[2])), end="")
        return 0
    doxygen, doxyfile, version, output, *headers = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        options = pathlib.Path(doxyfile).read_text(encoding="utf-8") + f"""
PROJECT_NUMBER = {version}
INPUT = {' '.join(f'"{header}"' for header in headers)}
INPUT_FILTER = "{sys.executable} '{pathlib.Path(__file__).resolve()}' --mark"
STRIP_FROM_PATH = "{pathlib.Path(headers[0]).resolve().parent}"
OUTPUT_DIRECTORY = "{work}"
"""
        run = subprocess.run([doxygen, "-"], input=options, text=True, check=False)
        missing = list(undocumented(work / "xml")) if run.returncode == 0 else []
        for name in missing:
            print(f"{name} has no comment", file=sys.stderr)
        if run.returncode or missing:
            return 1
        shutil.rmtree(output, ignore_errors=True)
        shutil.copytree(work / "html", output)
    return 0


sys.exit(main())
