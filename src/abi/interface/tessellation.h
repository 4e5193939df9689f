// SPDX-License-Identifier: MIT
//
// A control and an evaluation shader declare the tessellator's modes together: each mode may be declared in either of
// them (SPIR-V: execution modes of both stages; GLSL: only the evaluation shader has most of them).
// combineTessellation() makes one interface of both. Source: the Vulkan specification, "Tessellation".
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

// The modes of both shaders. Where both declare one, they must agree, and the evaluation shader's is taken. A primitive
// that nobody declares stays Undeclared; spacing is equal and order counter-clockwise then, the defaults of GLSL.
// Fields that only one of them knows (output vertices, the LDS of a patch, who reads factors) are taken from that one.
TessellationInterface combineTessellation(const TessellationInterface &control,
                                          const TessellationInterface &evaluation);

// How many factors a patch has.
constexpr unsigned outerFactorCount(TessPrimitive primitive) {
  constexpr unsigned Counts[] = {0, 3, 4, 2};
  return Counts[size_t(primitive)];
}
constexpr unsigned innerFactorCount(TessPrimitive primitive) {
  constexpr unsigned Counts[] = {0, 1, 2, 0};
  return Counts[size_t(primitive)];
}

} // namespace dovetail
