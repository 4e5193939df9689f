#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Compiles GLSL with glslangValidator to one C header of SPIR-V words: textured.vert becomes the array textured_vert.
# Shaders whose names begin with "opengl" are compiled for OpenGL. Those whose names begin with "lined" tell their
# source lines.
#
#   make_shaders_header.py GLSLANG_VALIDATOR HEADER SHADER...
import pathlib
import subprocess
import sys
import tempfile

validator, header, shaders = sys.argv[1], sys.argv[2], sys.argv[3:]
text = "#include <stdint.h>\n"
with tempfile.TemporaryDirectory() as folder:
    for shader in shaders:
        name = pathlib.Path(shader).name.replace(".", "_")
        output = pathlib.Path(folder) / "words"
        options = ["-G" if name.startswith("opengl") else "-V"] + (["-g"] if name.startswith("lined") else [])
        subprocess.run([validator, *options, "-x", "-o", output, shader], check=True, stdout=subprocess.DEVNULL)
        text += f"static const uint32_t {name}[] = {{\n{output.read_text()}}};\n"
pathlib.Path(header).write_text(text)
