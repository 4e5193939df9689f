// SPDX-License-Identifier: MIT
//
// Input assembly: from a draw's vertex or index stream to the vertices that the vertex shader runs for and the
// primitives that they form.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

// What the input assembler puts into v0..v3 of one lane.
struct VertexInvocation {
  uint32_t index = 0; // value of the index, or the running number; without a base
  uint32_t instance = 0;
  uint32_t primitive = 0; // only if asked for
};

struct AssembledDraw {
  std::vector<VertexInvocation> vertices;
  std::vector<FrontPrimitive> primitives;
};

// What the primitives are for. Geometry shaders get vertices for adjacency, too, and know nothing of provoking ones.
enum class InputUse : uint8_t { Rasteriser, Geometry };

// For each vertex of an instance, its index. Errors: InvalidInput if there are fewer indices than the draw wants.
Result<std::vector<uint32_t>> vertexIndices(const Scene &scene);

// Vertices are shared between primitives, as far as their indices agree. With `primitiveIds` each primitive has its
// own, because they differ in the primitive's number. Errors: Unsupported for patches; InvalidInput if there are fewer
// indices than the draw wants.
Result<AssembledDraw> assembleInput(const Scene &scene, bool primitiveIds, InputUse use = InputUse::Rasteriser);

// The same as lanes of vertex programs.
FrontDraw makeFrontDraw(const AssembledDraw &input, const HardwareRegisters &registers);

} // namespace dovetail::emulator
