// SPDX-License-Identifier: MIT
//
// Parameters without gaps. The hardware keeps what goes from a vertex to the pixels in units of four dwords, however
// few of them a location has. Here, the components that a fragment shader reads are put side by side instead. The
// fragment shader and the last stage before rasterisation are then both compiled with this map (StageKnowledge).
//
// Only what is interpolated alike shares a parameter: an attribute of the pixel shader is flat, of vertices, of halves
// or of whole floats as a whole. What is not touched: colours that a fragment prolog reads, the point coordinate, and
// inputs that it replaces on points.
//
// Two components of 16 bits share a dword where a parameter less is needed for it, and no more of them than that:
// putting two together may cost an instruction.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/state/stage_knowledge.h"
#include <vector>

namespace dovetail {

// `exported`: what the stage before exports. spriteCoordEnable: PipelineState's. pairsHalves: whether components may
// share a dword. Empty if fewer parameters are not possible.
std::vector<PackedParameter> packParameters(const ShaderInterface &fragment,
                                            const std::vector<ParameterExport> &exported, uint32_t spriteCoordEnable,
                                            bool pairsHalves = true);

// As few parameters as a fragment shader can do with that reads these inputs of what is exported.
unsigned leastParameters(const ShaderInterface &fragment, const std::vector<ParameterExport> &exported,
                         uint32_t spriteCoordEnable);

} // namespace dovetail
