// SPDX-License-Identifier: MIT
//
// Input assembly: makes vertices for the vertex shader, and primitives of them, from a draw's vertex or index stream.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

// The input assembler's values for v0..v3 of one lane.
struct VertexInvocation {
  uint32_t index = 0; // value of the index, or running number, without a base
  uint32_t instance = 0;
  uint32_t primitive = 0; // only if asked for
};

struct AssembledDraw {
  std::vector<VertexInvocation> vertices;
  std::vector<FrontPrimitive> primitives;
};

// The consumer of the primitives. Geometry shaders get vertices for adjacency, too, but no provoking vertex.
enum class InputUse : uint8_t { Rasteriser, Geometry };

// The index of each vertex of an instance. Errors: InvalidInput if there are fewer indices than the draw wants.
Result<std::vector<uint32_t>> vertexIndices(const Scene &scene);

// Primitives share vertices with equal indices. With `primitiveIds` each primitive has vertices of its own, because
// their primitive number differs. Errors: Unsupported for patches; InvalidInput if there are fewer indices than the
// draw wants.
Result<AssembledDraw> assembleInput(const Scene &scene, bool primitiveIds, InputUse use = InputUse::Rasteriser);

// The same as lanes of vertex programs.
FrontDraw makeFrontDraw(const AssembledDraw &input, const HardwareRegisters &registers);

} // namespace dovetail::emulator
