// SPDX-License-Identifier: MIT
//
// Passes around register allocation.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// LLVM's allocator takes values as they come. Values of several registers must lie side by side and leave gaps between
// them. If code takes a few VGPRs more than another wave would allow, this pass lays its values out anew, the widest
// first. It keeps the new layout if that lets another wave run.
//
// Runs between the allocation of VGPRs and its rewriting of instructions.
LGC_MACHINE_PASS(RepackRegisters, "Repack registers")

// Addresses and data of image and buffer instructions are tuples: values in registers side by side. A value may be at
// one place of one tuple and at another place of a second one. LLVM's register coalescer puts both into a tuple that
// is as wide as the two together, and then a third one with these. Such a tuple is live as a whole where one part of it
// is. The scheduler and the allocator cannot mend that, and waves are lost. So this pass gives the second tuple a move
// of the value, which the coalescer leaves alone.
//
// Must run in SSA form, before the passes that replace tuples by copies.
LGC_MACHINE_PASS(SeparateTuples, "Separate tuples")

} // namespace lgc
