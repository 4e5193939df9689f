#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Lists every VkFormat that Vulkan has without vendor extensions: FORMAT(enumerator without VK_FORMAT_).
# Usage: make_format_names.py vulkan_core.h OUTPUT
import re
import sys

enumeration = re.search(r"typedef enum VkFormat \{(.*?)\}", open(sys.argv[1]).read(), re.DOTALL)
if not enumeration:
    sys.exit(f"{sys.argv[1]} has no enumeration VkFormat")
names = re.findall(r"VK_FORMAT_(\w+) = \d+", enumeration.group(1))  # not the older names of a format
plain = re.compile(r"(UNDEFINED|[US](NORM|SCALED|INT|FLOAT)|SRGB|BLOCK|PACK\d+)$")
with open(sys.argv[2], "w") as out:
    out.writelines(f"FORMAT({name})\n" for name in names if plain.search(name))
