// SPDX-License-Identifier: MIT
//
// Passes over accesses to memory that LLVM selects wrongly.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// Where a vector is loaded, gets an element, and is stored in its place again, instruction selection stores only the
// element. If the index is not constant, LLVM claims the vector's alignment for the element (replaceStoreOfInsertLoad,
// LLVM #215530). Alias analysis concludes that the element is the vector's first. So this pass marks such a store of a
// vector as aligned to the element only.
//
// Must run after all passes that make vectors of arrays.
LGC_CODEGEN_PASS(AlignElementStores, "Alignment of stores of elements")

// LLVM's AMDGPU back end keeps small arrays in registers (AMDGPUPromoteAlloca). It notes the index of each access and
// the value of each store, then replaces the arrays' loads and erases them. A noted value may be one of these loads, as
// in a[a[i]] or b = a. The note then refers to an erased instruction: wrong code, or a crash. So this pass freezes a
// load from private memory that is an index or is stored there. The frozen value stays, and LLVM replaces its operand.
//
// Must run after all passes that might find the freeze unnecessary.
LGC_IR_PASS(FreezeArrayLoads)

// If the index of an array in registers is uniform but in a VGPR, LLVM makes a loop over indices, which changes EXEC
// and restores it. If exact mode begins between the two, the restore lets helper lanes take part in stores, atomics and
// exports (SIWholeQuadMode, LLVM 22). So this pass reads a uniform index from the first lane, which needs no loop.
//
// Must run after all passes that change control flow or make vectors of arrays.
LGC_CODEGEN_PASS(UniformIndices, "Uniform indices")

// Accesses to buffers have an offset that must be in an SGPR. It is always uniform here (where a ring or a patch lies),
// but LLVM may not see that. An offset that is computed in a loop and also used behind it comes out of the loop through
// phis, where lanes meet that left the loop on different paths. LLVM 22.1.8 then selects an instruction with the offset
// in a VGPR, which the hardware does not have. So this pass reads such an offset from the first lane.
//
// Must run after all passes that change control flow.
LGC_CODEGEN_PASS(UniformOffsets, "Uniform offsets")

// Scalar loads from buffers have 1, 2, 4, 8 or 16 dwords. LLVM's instruction combining removes unused elements from
// llvm.amdgcn.s.buffer.load and then cannot select the rest (LLVM 22.1.8: "Cannot select", for all numbers of elements
// above 4 but 8 and 16). So this pass widens such a load to a number of elements that the hardware can load. Elements
// behind the buffer's end read as zero.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(WidenScalarLoads)

} // namespace lgc
