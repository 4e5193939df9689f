// SPDX-License-Identifier: MIT
//
// Tessellation with the same number of vertices in the input and the output patch. The hardware puts vertex i of a
// patch and invocation i of its control shader into the same lane of a merged LS-HS program. So what the control shader
// reads of its own vertex (gl_in[gl_InvocationID]) need not go through LDS: it stays in the register where the vertex
// shader had it. Dwords that an invocation reads of other vertices, too, are stored to LDS for those. If there are
// none, the vertex shader stores nothing, the group needs no LDS for vertices, and its waves need not wait for each
// other.
//
// Both halves must be one function for that. The loads and stores are recognised by their marks
// (src/lgc/lowering/tessellation/hand_over_marks.h).
#pragma once

#include "src/abi/interface/interface_slots.h"
#include "src/base/error.h"
#include <bitset>
#include <llvm/IR/Module.h>

namespace dovetail {

// Dwords of a vertex, slot * 4 + component.
using VertexDwords = std::bitset<VertexSlotCount * 4>;

struct HandOver {
  VertexDwords stored;      // by the vertex shader
  VertexDwords inRegisters; // read by an invocation of its own vertex
  VertexDwords inLds;       // read, perhaps, of another one

  bool usesLds() const { return inLds.any(); }
};

// What the two functions, and those that they call, do.
HandOver findHandOver(const llvm::Function &vertex, const llvm::Function &control);

// Rewrites the function that both have become part of: calls are inlined, own vertices are handed over in registers,
// and stores that nobody reads go.
void handOverInRegisters(llvm::Function &merged, const HandOver &handOver);

// The slots that lie in LDS afterwards.
SlotMask slotsOf(const VertexDwords &dwords);

} // namespace dovetail
