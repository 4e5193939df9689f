#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes the manual page of a program, or the completion of several for bash, from what the programs say about themselves with
# --help: the tables of their options stand once, in their sources.
#
#   describe.py man SECTIONS.roff OUT PROGRAM   SECTIONS.roff: what goes behind the subcommands
#   describe.py bash OUT PROGRAM...
import os
import re
import subprocess
import sys

# A flag that may have a value is "--asm{plain} :{plain,lines}" in CLI11's words. Otherwise two spaces end the name.
CHOICE = r"\{\w+\} :\{([\w,]+)\}"
# An option whose value is one of several: "--parts TEXT:{direct,ir}=direct".
VALUE = r"TEXT:\{([\w,-]+)\}"
# The same in LLVM's words: "  --mcpu=<name>   - text", and below it what a value may be, "    =asm   -   text".
LLVM_ROW = re.compile(r"^  (-\S+(?: <\w+>)?) +- (.+)$")
LLVM_VALUE = re.compile(r"^    =(\S+) +- +(.+)$")
ROW = re.compile(rf"^  (\S+{CHOICE}|\S.*?(?=  |$))(?: +(\S.*))?$")


class Command:
    """A (sub)command: its one-line description, its usage, and rows (name, text) by heading."""

    def __init__(self, program, *words):
        text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
        self.description, self.usage, self.rows = "", "", {}
        if text.startswith("OVERVIEW: "):
            self.read_llvm_help(text)
            return
        rows = []
        for line in text.splitlines():
            if line.startswith("Usage: "):
                self.usage = line[len("Usage: "):]
            elif line.endswith(":") and not line.startswith(" "):
                rows = self.rows.setdefault(line[:-1], [])
            elif rows and line.startswith("      "):  # the rest of a row
                rows[-1] = (rows[-1][0], " ".join((rows[-1][1] + " " + line.strip()).split()))
            elif row := ROW.match(line):
                name = re.sub(CHOICE, lambda values: f"[={values[1].replace(',', '|')}]", row[1])
                name = re.sub(VALUE, lambda values: values[1].replace(',', '|'), name)
                rows.append((name, row[3] or ""))
            elif line and not self.usage:
                self.description = line
        if not self.usage:
            sys.exit(f"{program} {' '.join(words)} --help says nothing about its usage")

    def read_llvm_help(self, text):
        rows = self.rows.setdefault("Options", [])
        for line in text.splitlines():
            if line.startswith("OVERVIEW: "):
                self.description = line[len("OVERVIEW: "):]
            elif line.startswith("USAGE: "):
                self.usage = line[len("USAGE: "):]
            elif row := LLVM_ROW.match(line):
                rows.append((row[1].replace("=<value>", ""), row[2]))
            elif value := LLVM_VALUE.match(line):
                name, text = rows[-1]
                name += ("|" if "=" in name else "=") + value[1]
                rows[-1] = (name, f"{text}; {value[1]}: {value[2]}")

    def subcommands(self):
        return [name for name, _ in self.rows.get("Subcommands", [])]

    def options(self):
        """Each as the list of its spellings."""
        return [re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", re.split("[ =]", name)[0]) for name, _ in self.rows.get("Options", [])]


def roff(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped


def rows_in_roff(command, headings):
    for heading in headings:
        for name, text in command.rows.get(heading, []):
            # "--gpu TEXT=gfx900": the option in bold, what it takes as it is.
            option, _, value = name.partition(" ")
            yield f".TP\n\\fB{roff(option)}\\fR {roff(value)}".rstrip()
            yield roff(text)


def write_manual(sections, out, program):
    name = os.path.basename(program)
    main = Command(program)
    lines = [f'.\\" Made by tools/manual/describe.py', f".TH {roff(name.upper())} 1", ".SH NAME",
             f"{roff(name)} \\- {roff(main.description.rstrip('.'))}", ".SH SYNOPSIS", f".B {roff(name)}",
             "SUBCOMMAND [OPTIONS] ..." if main.subcommands() else roff(main.usage.removeprefix(name).strip()),
             ".SH OPTIONS", *rows_in_roff(main, ["Options"])]
    for word in main.subcommands():
        command = Command(program, word)
        lines += [f".SH {roff(name.upper())} {roff(word.upper())}", roff(command.description.rstrip(".")) + ".", ".PP",
                  roff(command.usage), *rows_in_roff(command, ["Positionals", "Options"])]
    with open(sections, encoding="utf-8") as file:
        lines.append("".join(line for line in file if not line.startswith('.\\"')).rstrip())
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_completion(out, programs):
    lines = ["# Completion for bash, made by tools/manual/describe.py.", "_dovetail_complete() {",
             '  local word=${COMP_WORDS[COMP_CWORD]} words=', '  case "${1##*/} ${COMP_WORDS[1]}" in']
    for program in programs:
        name = os.path.basename(program)
        main = Command(program)
        for subcommand in main.subcommands():
            options = sum(Command(program, subcommand).options(), [])
            lines.append(f'    "{name} {subcommand}") words="{" ".join(options)}" ;;')
        if not main.subcommands():
            lines.append(f'    "{name} "*) words="{" ".join(sum(main.options(), []))}" ;;')
    lines += ["  esac", '  [ "$COMP_CWORD" -ne 1 ] || case "${1##*/}" in']
    for program in programs:
        main = Command(program)
        spellings = " ".join(main.subcommands() + sum(main.options(), []))
        lines.append(f'    {os.path.basename(program)}) words="{spellings}" ;;')
    lines += ["  esac", "  COMPREPLY=()",
              "  # Options and subcommands; everything else is a file.",
              '  if [ "$COMP_CWORD" -eq 1 ] || [ "${word:0:1}" = - ]; then',
              '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")', "  fi", "}",
              "complete -o default -F _dovetail_complete " + " ".join(os.path.basename(program) for program in programs)]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    if sys.argv[1] == "man":
        write_manual(*sys.argv[2:5])
    else:
        write_completion(sys.argv[2], sys.argv[3:])


main()
