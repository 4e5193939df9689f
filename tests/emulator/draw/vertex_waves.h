// SPDX-License-Identifier: MIT
//
// Vertex waves: runs the vertex shader, 64 vertices at a time, and takes what it exports apart.
#pragma once

#include "tests/emulator/draw/draw.h"
#include "tests/emulator/draw/input_assembly.h"
#include <span>

namespace dovetail::emulator {

constexpr unsigned MaxDistances = 8;

// The vertex shader's results, read as PA_CL_VS_OUT_CNTL says.
struct ShadedVertex {
  std::array<float, 4> position = {}; // clip space
  float pointSize = 1;
  uint32_t layer = 0, viewport = 0;
  std::array<float, MaxDistances> distances = {};  // clip and cull distances
  std::vector<std::array<uint32_t, 4>> parameters; // by export number
  uint32_t exportedParameters = 0;                 // a bit for each parameter that was exported
};

// One for each invocation, in their order. Errors: CheckFailed with the first trap's text, or with BadExport's if the
// exports are not those that SPI_SHADER_POS_FORMAT and SPI_VS_OUT_CONFIG announce; Unsupported for streamout.
Result<std::vector<ShadedVertex>> shadeVertices(Gpu &gpu, const Draw &command,
                                                std::span<const VertexInvocation> invocations);

} // namespace dovetail::emulator
