// SPDX-License-Identifier: MIT
//
// GLSL declarations for the other side of a shader's interface.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include <string>
#include <vector>

namespace dovetail {

// A row that overlaps none before it is kept: variables may be declared at the same place twice.
std::vector<spirv::InterfaceLocation> withoutOverlaps(const std::vector<spirv::InterfaceLocation> &rows);

// "v3_1": by location and first component.
std::string variableName(const spirv::InterfaceLocation &row);

// How many components of its own type a row has: of a 64-bit type half as many as of dwords.
unsigned componentsOf(const spirv::InterfaceLocation &row);

// "f16vec2", and "float16_t" for `count` 1.
std::string typeName(NumericClass numericClass, unsigned bits, unsigned count);

// "layout(location = 3, component = 1) flat in ivec2 v3_1;\n". `direction` is "in" or "out".
std::string declaration(const spirv::InterfaceLocation &row, std::string_view direction);

// "layout(location = 3, component = 1) in ivec2 v3_1[];\n", of tessellation and geometry shaders: one for each vertex
// of a patch or primitive, or "patch in ivec2 v3_1;" if the row is of the whole patch.
std::string declarationOfPatch(const spirv::InterfaceLocation &row, std::string_view direction);

// The extensions that the rows' types need, a line each.
std::string extensionsFor(const std::vector<spirv::InterfaceLocation> &rows);

} // namespace dovetail
