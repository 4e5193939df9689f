// SPDX-License-Identifier: MIT
//
// Geometry: runs the ES and GS programs of a draw, and the copy shader for the vertices that they emit.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

// The ES program takes the front's vertices, the GS program its primitives. GFX9 runs both as one program, the one of
// the GS stage. Errors: CheckFailed with the first trap's text, StateMismatch if registers contradict each other, and
// those of VertexWaves.
Result<ShadedDraw> shadeGeometry(Gpu &gpu, const Draw &command, const FrontDraw &front);

} // namespace dovetail::emulator
