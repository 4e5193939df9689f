// SPDX-License-Identifier: MIT
//
// Writes GLSL declarations for the other side of a shader's interface.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include <string>
#include <vector>

namespace dovetail {

// Drops rows that overlap an earlier row: variables may share a place.
std::vector<spirv::InterfaceLocation> withoutOverlaps(const std::vector<spirv::InterfaceLocation> &rows);

// "v3_1": by location and first component.
std::string variableName(const spirv::InterfaceLocation &row);

// The number of components in the row's own type. Two dwords of a 64-bit type are one component.
unsigned componentsOf(const spirv::InterfaceLocation &row);

// "f16vec2", and "float16_t" for `count` 1.
std::string typeName(NumericClass numericClass, unsigned bits, unsigned count);

// "layout(location = 3, component = 1) flat in ivec2 v3_1;\n". `direction` is "in" or "out".
std::string declaration(const spirv::InterfaceLocation &row, std::string_view direction);

// "layout(location = 3, component = 1) in ivec2 v3_1[];\n", for tessellation and geometry shaders: one element for each
// vertex of a patch or primitive. Writes "patch in ivec2 v3_1;" if the row belongs to the whole patch.
std::string declarationOfPatch(const spirv::InterfaceLocation &row, std::string_view direction);

// The extensions that the rows' types need, a line each.
std::string extensionsFor(const std::vector<spirv::InterfaceLocation> &rows);

} // namespace dovetail
