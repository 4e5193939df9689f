// SPDX-License-Identifier: MIT
//
// Packs parameters without gaps. The hardware keeps the values between a vertex and the pixels in units of four dwords,
// even if a location has fewer components. So the components that a fragment shader reads are put side by side. The
// fragment shader and the last stage before rasterisation are then both compiled with this map (StageKnowledge).
//
// Only components that are interpolated alike share a parameter: an attribute of the pixel shader is flat, of vertices,
// of halves or of whole floats as a whole. These are not packed: colours that a fragment prolog reads, the point
// coordinate, and inputs that it replaces on points.
//
// Two components of 16 bits share a dword only if that saves a parameter, and only as many as needed: putting two
// together may cost an instruction.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/state/stage_knowledge.h"
#include <vector>

namespace dovetail {

// `exported`: the exports of the stage before. spriteCoordEnable: PipelineState's. pairsHalves: whether components may
// share a dword. Empty if fewer parameters are not possible.
std::vector<PackedParameter> packParameters(const ShaderInterface &fragment,
                                            const std::vector<ParameterExport> &exported, uint32_t spriteCoordEnable,
                                            bool pairsHalves = true);

// The fewest parameters with which a fragment shader with these inputs can do, given these exports.
unsigned leastParameters(const ShaderInterface &fragment, const std::vector<ParameterExport> &exported,
                         uint32_t spriteCoordEnable);

} // namespace dovetail
