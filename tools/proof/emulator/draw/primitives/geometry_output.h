// SPDX-License-Identifier: MIT
//
// From the messages of a geometry wave to the primitives of each stream.
// What is believed here: docs/hardware-facts.md.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include "tools/proof/emulator/draw/primitives/geometry_state.h"

namespace dovetail::emulator {

// Whose vertices are places in the GSVS ring, as copy shaders get them.
using StreamPrimitives = std::vector<AssembledPrimitive>;

// Adds what the wave has emitted: lane after lane, as the lanes are in the order of primitives and, for each, of
// invocations.
void collectOutput(const GeometryState &state, const Wave &wave, uint32_t gs2VsOffset, bool lastProvokes,
                   std::array<StreamPrimitives, VertexStreams> &streams);

} // namespace dovetail::emulator
