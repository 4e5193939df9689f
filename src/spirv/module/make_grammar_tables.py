#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes tables of the SPIR-V grammar. For error texts: the capabilities that bring each instruction, the names of all capabilities,
# execution models and built-ins, and the extensions. For the parser: the forms of the instructions.
# Usage: make_grammar_tables.py GRAMMAR.json TEXTS.inc FORMS.inc
import json
import sys

grammar = json.load(open(sys.argv[1]))
lines = ["// Made by make_grammar_tables.py.", "struct GrammarRow { uint32_t number; const char *text; };"]


def table(name, rows):
    lines.append(f"constexpr GrammarRow {name}[] = {{")
    seen = set()
    for number, text in rows:
        if number not in seen:
            seen.add(number)
            lines.append(f'  {{{number}u, "{text}"}},')
    lines.append("};")


table(
    "OpcodeCapabilities",
    [(i["opcode"], " or ".join(i["capabilities"])) for i in grammar["instructions"] if i.get("capabilities")],
)
kinds = {k["kind"]: k for k in grammar["operand_kinds"]}
for name, kind in (
    ("CapabilityNames", "Capability"),
    ("ExecutionModelNames", "ExecutionModel"),
    ("ExecutionModeNames", "ExecutionMode"),
    ("BuiltInNames", "BuiltIn"),
    ("StorageClassNames", "StorageClass"),
):
    table(name, [(e["value"], e["enumerant"]) for e in kinds[kind]["enumerants"]])

entries = grammar["instructions"] + [e for kind in kinds.values() for e in kind.get("enumerants", [])]
extensions = sorted({name for entry in entries for name in entry.get("extensions", []) if name != "None"})
lines.append("constexpr std::string_view Extensions[] = {")
lines += [f'  "{name}",' for name in extensions]
lines.append("};")

with open(sys.argv[2], "w") as out:
    out.write("\n".join(lines) + "\n")


# One letter for each operand behind the result: i for an id, o for a word of something else; a + repeats the letter in front of it. Masks,
# strings and pairs may have more words than letters. Of these, only image operands and pairs of ids bring ids of values.
def form(instruction):
    letters, needed = "", 0
    for operand in instruction.get("operands", []):
        kind, quantifier = operand["kind"], operand.get("quantifier", "")
        if kind in ("IdResultType", "IdResult"):
            continue
        needed += not quantifier and kind != "LiteralString"
        letters += {"IdRef": "i", "PairIdRefIdRef": "i", "ImageOperands": "oi+"}.get(kind, "o")
        letters += "+" if quantifier == "*" else ""
    return letters, needed


lines = ["// Made by make_grammar_tables.py.", "constexpr InstructionForm Forms[] = {"]
forms = {}
for instruction in grammar["instructions"]:
    kinds_of = [o["kind"] for o in instruction.get("operands", [])]
    forms[instruction["opcode"]] = ("IdResultType" in kinds_of, "IdResult" in kinds_of, *form(instruction))
for opcode, (has_type, has_result, letters, needed) in sorted(forms.items()):
    lines.append(f'  {{{opcode}, {str(has_type).lower()}, {str(has_result).lower()}, {needed}, "{letters}"}},')
lines.append("};")
with open(sys.argv[3], "w") as out:
    out.write("\n".join(lines) + "\n")
