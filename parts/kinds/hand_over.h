// SPDX-License-Identifier: MIT
//
// Hands vertices over in registers instead of LDS, in tessellation with the same number of vertices in the input and
// the output patch. The hardware puts vertex i of a patch and invocation i of its control shader into the same lane of
// a merged LS-HS program. So the control shader's reads of its own vertex (gl_in[gl_InvocationID]) need not go through
// LDS: the values stay in the registers where the vertex shader had them. Dwords that an invocation also reads of other
// vertices are stored to LDS for those. If there are no such dwords, the vertex shader stores nothing, the group needs
// no LDS for vertices, and its waves need not wait for each other.
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
  VertexDwords inRegisters; // invocations read it of their own vertex
  VertexDwords inLds;       // invocations read it, perhaps of another vertex

  bool usesLds() const { return inLds.any(); }
};

// Collects the hand-overs of the two functions and of the functions that they call.
HandOver findHandOver(const llvm::Function &vertex, const llvm::Function &control);

// Rewrites the function that both have become part of: calls are inlined, own vertices are handed over in registers,
// and stores that nobody reads are removed.
void handOverInRegisters(llvm::Function &merged, const HandOver &handOver);

// The slots that remain in LDS.
SlotMask slotsOf(const VertexDwords &dwords);

} // namespace dovetail
