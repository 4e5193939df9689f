// SPDX-License-Identifier: MIT
//
// Passes over accesses to memory that LLVM selects wrongly.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// LLVM's AMDGPU back end keeps small arrays in registers (AMDGPUPromoteAlloca). It notes the index of each access and
// the value of each store, then replaces the arrays' loads and erases them. A noted value may be one of these loads, as
// in a[a[i]] or b = a. The note then refers to an erased instruction: wrong code, or a crash. So this pass freezes a
// load from private memory that is an index or is stored there. The frozen value stays, and LLVM replaces its operand.
//
// Must run after all passes that might find the freeze unnecessary.
LGC_IR_PASS(FreezeArrayLoads)

// Scalar loads from buffers have 1, 2, 4, 8 or 16 dwords. LLVM's instruction combining removes unused elements from
// llvm.amdgcn.s.buffer.load and then cannot select the rest (LLVM 22.1.8: "Cannot select", for all numbers of elements
// above 4 but 8 and 16). So this pass widens such a load to a number of elements that the hardware can load. Elements
// behind the buffer's end read as zero.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(WidenScalarLoads)

} // namespace lgc
