// SPDX-License-Identifier: MIT
//
// Vertex waves: runs the vertex shader, 64 vertices at a time, and takes what it exports apart.
#pragma once

#include "tests/emulator/draw/front_end.h"
#include <span>

namespace dovetail::emulator {

// One vertex for each of the front's, in their order, and its primitives. Errors: CheckFailed with the first trap's
// text, or with BadExport's if the exports are not those that SPI_SHADER_POS_FORMAT and SPI_VS_OUT_CONFIG announce;
// Unsupported for streamout.
Result<ShadedDraw> shadeVertices(Gpu &gpu, const Draw &command, const FrontDraw &front);

} // namespace dovetail::emulator
