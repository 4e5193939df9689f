// SPDX-License-Identifier: MIT
//
// Makes the primitives of each stream from the messages of a geometry wave. docs/hardware-facts.md lists the
// assumptions.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include "tools/proof/emulator/draw/primitives/geometry_state.h"

namespace dovetail::emulator {

// Their vertices are places in the GSVS ring, as copy shaders get them.
using StreamPrimitives = std::vector<AssembledPrimitive>;

// Adds the output of a wave, lane after lane: lanes are in the order of primitives and, for each primitive, of
// invocations.
void collectOutput(const GeometryState &state, const Wave &wave, uint32_t gs2VsOffset, bool lastProvokes,
                   std::array<StreamPrimitives, VertexStreams> &streams);

} // namespace dovetail::emulator
