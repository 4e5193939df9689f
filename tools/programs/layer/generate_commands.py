#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the layer's functions for the commands in followed_commands.txt, from Vulkan's own registry.

    generate_commands.py VK.XML FOLLOWED_COMMANDS.TXT NEXT_COMMANDS.INC COMMAND_WRAPPERS.INC DYNAMIC_STATES.INC

next_commands.inc has a line NEXT_COMMAND(vkName) for each command. dynamic_states.inc has a line DYNAMIC_STATE(Name, VK_DYNAMIC_STATE_NAME, field) for each command of a row
`state`. command_wrappers.inc has the functions, and a table of them that is sorted by name.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

HEADER = "// Made by generate_commands.py from vk.xml and followed_commands.txt.\n"


class Command:
    """A command of the registry, as C declares it."""

    def __init__(self, element):
        self.name = element.find("proto/name").text
        self.result = element.find("proto/type").text
        self.parameters = []  # (declaration, name)
        self.types = []
        for parameter in element.findall("param"):
            if "vulkan" not in parameter.get("api", "vulkan").split(","):
                continue
            declaration = " ".join("".join(parameter.itertext()).split())
            self.parameters.append((declaration, parameter.find("name").text))
            self.types.append(parameter.find("type").text)


def read_commands(registry):
    """Commands by name, and the aliases of each."""
    commands, aliases = {}, {}
    for element in registry.find("commands"):
        if element.get("alias"):
            aliases.setdefault(element.get("alias"), []).append(element.get("name"))
        else:
            command = Command(element)
            commands[command.name] = command
    return commands, aliases


def names_in_header(registry):
    """Names of the commands that vulkan_core.h declares: those of versions, and of extensions for all platforms that are not disabled."""
    names = set()

    def add(requirements):
        for require in requirements.findall("require"):
            names.update(command.get("name") for command in require.findall("command"))

    for feature in registry.findall("feature"):
        add(feature)
    for extension in registry.findall("extensions/extension"):
        if extension.get("supported") != "disabled" and not extension.get("platform"):
            add(extension)
    return names


def read_dynamic_states(registry):
    states = set()
    for enum in registry.iter("enum"):
        if (enum.get("name") or "").startswith("VK_DYNAMIC_STATE_"):
            states.add(enum.get("name"))
    return states


def dynamic_state_of(command, states):
    """vkCmdSetDepthClampEnableEXT -> VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT"""
    words = command.removeprefix("vkCmdSet")
    vendor = "EXT" if words.endswith("EXT") else ""
    words = words.removesuffix("EXT")
    name = "VK_DYNAMIC_STATE_" + re.sub(r"(?<!^)([A-Z])", r"_\1", words).upper() + ("_EXT" if vendor else "")
    if name not in states:
        sys.exit(f"{command}: there is no {name}")
    return words, name


def read_rows(path):
    rows = []
    with open(path, encoding="utf-8") as table:
        for line in table:
            words = line.split()
            if words and not words[0].startswith("#"):
                rows.append(words)
    return rows


# Kinds of commands that the layer follows only if it executes draws.
EXECUTION_KINDS = ("execute-after", "execute-before", "fixed")


def body(kind, command, name, detail, is_checked):
    """The function's statements. `name`: the command's name or alias that the function implements. `detail`: what the row says beside the pattern."""
    names = [parameter for _, parameter in command.parameters]
    call = f"{name}({', '.join(names)})"
    short = command.name.removeprefix("vk")
    is_recorded = command.types[0] == "VkCommandBuffer"
    lines = [f"  {'Recording' if is_recorded else 'Device'} &layer = {'recordingOf' if is_recorded else 'deviceOf'}({names[0]});"]
    if is_checked:
        lines += [f"  if (const VkResult refusal = check{short}({', '.join(['layer'] + names[1:])}); refusal < VK_SUCCESS)", "    return refusal;"]
    next_call = f"layer.{'device().' if is_recorded else ''}next().{call};"
    follow = f"follow{short}({', '.join(['layer'] + names[1:])})"
    guarded = f'guarded(layer, "{command.name}", [&] {{ {follow}; }});'
    if kind in EXECUTION_KINDS:
        follow = f"track{short}({', '.join(['layer'] + names[1:])})"
        if kind == "fixed":
            follow = f"setMember(layer.tracker()->dynamic().{detail}, {names[1]})"
        condition = "tracker" if is_recorded else "execution"
        guarded = f'if (layer.{condition}()) guarded(layer, "{command.name}", [&] {{ {follow}; }});'
        kind = kind.removeprefix("execute-").replace("fixed", "before")
    if kind == "after":
        if command.result == "VkResult":
            return lines + [f"  const VkResult result = {next_call}", "  if (result >= VK_SUCCESS)", f"    {guarded}", "  return result;"]
        return lines + [f"  {next_call}", f"  {guarded}"]
    if kind == "before":
        lines.append(f"  {guarded}")
    elif kind == "state":
        lines.append(f"  layer.setDynamic(DynamicState::{detail}, static_cast<uint32_t>({names[1]}));")
    elif kind in ("draw", "dispatch"):
        lines.append(f"  layer.{kind}();")
        lines.append("  if (CommandTracker *tracker = layer.tracker()) [[unlikely]]")
        lines.append(f"    return tracker->around({names[0]}, layer.boundFor{kind.capitalize()}(), callOf{short}({', '.join(['layer'] + names[1:])}), [&] {{ {next_call} }});")
    elif kind == "draws":
        count, infos = names[1:3]
        one = ", ".join(["1", "info", *names[3:]])
        next_one = f"layer.device().next().{name}({names[0]}, {one});"
        lines.append("  layer.draw();")
        lines.append(f"  if (CommandTracker *tracker = layer.tracker(); tracker && drawsAreAlone(layer, {count})) [[unlikely]]")
        lines.append(f"    return forEachDraw({count}, {infos}, stride, [&](const auto *info) {{ tracker->around({names[0]}, layer.boundForDraw(), callOf{short}(layer, {one}), [&] {{ {next_one} }}); }});")
    elif kind == "count":
        lines.append(f'  guarded(layer, "{command.name}", [&] {{ layer.noteUnfollowed("{command.name}"); }});')
    lines.append(f"  {'' if command.result == 'void' else 'return '}{next_call}")
    return lines


def main():
    registry_path, table_path, next_path, wrappers_path, states_path = sys.argv[1:]
    registry = ElementTree.parse(registry_path).getroot()
    commands, aliases = read_commands(registry)
    declared, dynamic_states = names_in_header(registry), read_dynamic_states(registry)

    followed = {}  # name -> (kind, command, detail)
    checked = set()
    state_rows = []
    for kind, pattern, *rest in read_rows(table_path):
        found = [commands[name] for name in sorted(commands) if re.fullmatch(pattern, name)]
        if not found:
            sys.exit(f"{table_path}: no command matches {pattern}")
        for command in found:
            if kind == "check":
                checked.add(command.name)
                continue
            detail = rest[0] if rest else None
            if kind == "state":
                detail, enumerator = dynamic_state_of(command.name, dynamic_states)
                state_rows.append(f"DYNAMIC_STATE({detail}, {enumerator}, {rest[0]})")
            for name in [command.name] + aliases.get(command.name, []):
                if name in declared:
                    followed[name] = (kind, command, detail)

    names = sorted(followed)
    with open(next_path, "w", encoding="utf-8") as output:
        output.write(HEADER + "".join(f"NEXT_COMMAND({name})\n" for name in names))
    with open(states_path, "w", encoding="utf-8") as output:
        output.write(HEADER + "".join(row + "\n" for row in state_rows))
    with open(wrappers_path, "w", encoding="utf-8") as output:
        output.write(HEADER)
        for name in names:
            kind, command, detail = followed[name]
            declarations = ", ".join(declaration for declaration, _ in command.parameters)
            output.write(f"\nVKAPI_ATTR {command.result} VKAPI_CALL layer_{name}({declarations}) {{\n")
            output.write("\n".join(body(kind, command, name, detail, command.name in checked)) + "\n}\n")
        output.write("\nconstexpr Wrapper Wrappers[] = {\n")
        for name in names:
            only_executing = "true" if followed[name][0] in EXECUTION_KINDS else "false"
            output.write(f'    {{"{name}", [] {{ return reinterpret_cast<PFN_vkVoidFunction>(layer_{name}); }}, {only_executing}}},\n')
        output.write("};\n")


if __name__ == "__main__":
    main()
