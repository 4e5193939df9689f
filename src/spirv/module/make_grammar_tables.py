#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes the tables that error texts need from the SPIR-V grammar: the capabilities that bring each instruction, the names of all
# capabilities, execution models and built-ins, and the extensions.
# Usage: make_grammar_tables.py GRAMMAR.json OUT.inc
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
