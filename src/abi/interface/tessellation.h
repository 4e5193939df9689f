// SPDX-License-Identifier: MIT
//
// What control and evaluation shader say together. Each mode of the tessellator may be declared in either of them
// (SPIR-V: execution modes of both stages; GLSL: only the evaluation shader has most of them). Source: the Vulkan
// specification, "Tessellation".
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

// The modes of both; where both declare one, they must agree, and the evaluation shader's is taken. Primitives that
// nobody declares stay Undeclared; spacing is equal and order counter-clockwise then, the defaults of GLSL. What only
// one of them knows (output vertices, the LDS of a patch, who reads factors) is taken from it.
TessellationInterface combineTessellation(const TessellationInterface &control,
                                          const TessellationInterface &evaluation);

// How many factors a patch has.
unsigned outerFactorCount(TessPrimitive primitive);
unsigned innerFactorCount(TessPrimitive primitive);

} // namespace dovetail
