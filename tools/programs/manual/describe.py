#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes the manual page of a program, or the bash completion of several programs, from their --help. So the tables of options exist only
# once, in the programs' sources.
#
#   describe.py man SECTIONS.roff OUT PROGRAM   SECTIONS.roff: the sections behind the subcommands
#   describe.py bash OUT PROGRAM...
import os
import re
import subprocess
import sys

# CLI11 prints a flag that may have a value as "--asm{plain} :{plain,lines}". Two spaces end any other name.
CHOICE = r"\{\w+\} :\{([\w,]+)\}"
# An option whose value is one of several: "--parts TEXT:{direct,ir}=direct".
VALUE = r"[A-Z]+:\{([\w.,-]+)\}"
# An option whose value is a GPU's name: "--gpu GPU=gfx900"; LLVM prints "--mcpu=<GPU>".
GPU = re.compile(r"[ <]GPU\b")
# LLVM prints an option as "  --mcpu=<name>   - text", and below it each possible value as "    =asm   -   text".
LLVM_ROW = re.compile(r"^  (-\S+(?: <\w+>)?) +- (.+)$")
LLVM_VALUE = re.compile(r"^    =(\S+) +- +(.+)$")
ROW = re.compile(rf"^  (\S+{CHOICE}|\S.*?(?=  |$))(?: +(\S.*))?$")


def spellings(name):
    """Of "-o,--output TEXT": "-o" and "--output"."""
    return re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", re.split("[ =]", name)[0])


class Command:
    """A (sub)command: its one-line description, its usage, rows (name, text) by heading, and the options that take one of some words."""

    def __init__(self, program, *words):
        text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
        self.description, self.usage, self.rows = "", "", {}
        # The spellings of options that take one of some words, and these words ("GPU": a GPU's name). A flag's word follows "=".
        self.words, self.flag_words = [], []
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
                if flag := re.search(CHOICE, row[1]):
                    self.flag_words.append((spellings(row[1]), flag[1].split(",")))
                elif option := re.search(VALUE, row[1]):
                    self.words.append((spellings(row[1]), option[1].split(",")))
                elif GPU.search(row[1]):
                    self.words.append((spellings(row[1]), ["GPU"]))
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
        for name, _ in rows:
            if GPU.search(name):
                self.words.append((spellings(name), ["GPU"]))
            elif "|" in name:
                self.words.append((spellings(name), name.partition("=")[2].split("|")))

    def subcommands(self):
        return [name for name, _ in self.rows.get("Subcommands", [])]

    def options(self):
        """For each option, the list of its spellings."""
        return [spellings(name) for name, _ in self.rows.get("Options", [])]


def roff(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped


def rows_in_roff(command, headings):
    for heading in headings:
        for name, text in command.rows.get(heading, []):
            # "--gpu TEXT=gfx900": the option in bold, its value as it is.
            option, _, value = name.partition(" ")
            value = roff(value)
            if len(value) > 40:  # a line may break after a word
                value = value.replace("|", "|\\:")
            yield f".TP\n\\fB{roff(option)}\\fR {value}".rstrip()
            yield roff(text)


def subcommands_below(program, command, *words):
    """Each subcommand with the words that name it, and those below it."""
    for word in command.subcommands():
        subcommand = Command(program, *words, word)
        yield (*words, word), subcommand
        yield from subcommands_below(program, subcommand, *words, word)


def write_manual(sections, out, program):
    name = os.path.basename(program)
    main = Command(program)
    # Lines are not justified, because lines of long words cannot be.
    lines = [f'.\\" Made by tools/programs/manual/describe.py', f".TH {roff(name.upper())} 1", ".ad l", ".SH NAME",
             f"{roff(name)} \\- {roff(main.description.rstrip('.'))}", ".SH SYNOPSIS", f".B {roff(name)}",
             "SUBCOMMAND [OPTIONS] ..." if main.subcommands() else roff(main.usage.removeprefix(name).strip()),
             ".SH OPTIONS", *rows_in_roff(main, ["Options"])]
    for words, command in subcommands_below(program, main):
        lines += [f".SH {roff(name.upper())} {roff(' '.join(words).upper())}", roff(command.description.rstrip(".")) + ".", ".PP",
                  roff(command.usage), *rows_in_roff(command, ["Positionals", "Options"])]
    with open(sections, encoding="utf-8") as file:
        lines.append("".join(line for line in file if not line.startswith('.\\"')).rstrip())
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def gpu_names(programs):
    """The names in the output of `dovetail gpus`, one at the beginning of each line."""
    dovetail = next(program for program in programs if os.path.basename(program) == "dovetail")
    text = subprocess.run([dovetail, "gpus"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^(gfx\w+)", text, re.MULTILINE)


def words_of_options(name, command, gpus):
    """A row of a `case` for each option of a command that takes one of some words."""
    for rows, mark in (command.words, ""), (command.flag_words, "="):
        for spelt, words in rows:
            # LLVM takes an option with one dash or two.
            spelt = spelt + [option[1:] for option in spelt if name == "lgc " and option.startswith("--")]
            patterns = "|".join(f'"{name} {option}{mark}"' for option in spelt)
            yield f'    {patterns}) words="{" ".join(gpus if words == ["GPU"] else words)}" ;;'


def write_completion(out, programs):
    gpus = gpu_names(programs)
    # The options of each subcommand, or of a program without subcommands, by the beginning of the command line.
    commands = {}
    for program in programs:
        name = os.path.basename(program)
        main = Command(program)
        for subcommand in main.subcommands():
            commands[f"{name} {subcommand}"] = Command(program, subcommand)
        if not main.subcommands():
            commands[f"{name} "] = main
    lines = ["# Completion for bash, made by tools/programs/manual/describe.py.", "_dovetail_complete() {",
             "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= program=${1##*/} first= option=",
             "  COMPREPLY=()",
             '  [ "$program" = lgc ] || first=${COMP_WORDS[1]}',
             "  # The option whose value is completed. For bash, its = is a word of its own.",
             '  if [ "$word" = = ]; then',
             "    word= option=$before=",
             '  elif [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then',
             "    option=${COMP_WORDS[COMP_CWORD-2]}=",
             "  else",
             "    option=$before",
             "  fi",
             "  # Only behind a = a flag has a value; other options have it there, too.",
             '  for option in "$option" "${option%=}"; do',
             '    [ -z "$words" ] || break',
             '    case "$program $first $option" in']
    for name, command in commands.items():
        lines += words_of_options(name, command, gpus)
    lines += ["    esac", "  done",
              '  if [ -n "$words" ]; then',
              "    # Of several with commas between them, the last one.",
              "    local others=",
              '    [ "${word%,*}" = "$word" ] || others=${word%,*},',
              '    mapfile -t COMPREPLY < <(compgen -P "$others" -W "$words" -- "${word##*,}")',
              "    return", "  fi",
              '  case "$program $first" in']
    for name, command in commands.items():
        lines.append(f'    "{name}") words="{" ".join(sum(command.options(), []))}" ;;')
    lines += ["  esac", '  [ "$COMP_CWORD" -ne 1 ] || case "$program" in']
    for program in programs:
        main = Command(program)
        spelt = " ".join(main.subcommands() + sum(main.options(), []))
        lines.append(f'    {os.path.basename(program)}) words="{spelt}" ;;')
    lines += ["  esac",
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
