// SPDX-License-Identifier: MIT
//
// Passes over IR that replace what LLVM compiles wrongly by something of the same meaning.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// LLVM adds numbers of 64 bits as two halves with a carry between them. If the high half of one number is a sum and
// that of the other is 0, LLVM adds the three numbers at once; the carry out is then wrong
// (performAddCarrySubCarryCombine). Saturation and overflow need that carry. So this pass makes comparisons instead.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(ExpandWideCarries)

// SIAnnotateControlFlow looks for a branch on a phi that is true from the immediate dominator and false from all other
// predecessors. It takes such a branch for the else of an if. At the head of a loop, such a phi means that the loop is
// entered and not repeated. If lanes meet in front of the loop and the branch is uniform, LLVM does not close the
// annotation and ends with "failed to annotate CFG". So this pass freezes the condition of such a branch, which is then
// no phi.
//
// Must run after all passes that change control flow.
LGC_CODEGEN_PASS(FreezeLoopEntries, "Freeze conditions of loop entries")

// StructurizeCFG moves a value that costs nothing out of a phi's incoming block. Where three or more paths meet, it
// then takes the value for the phi's value on other paths, too: `(a || b) ? x[0] : 0` is 0 in lanes for which b holds
// (llvm-project #183792). So this pass moves all such values up before StructurizeCFG can.
//
// Must run before structurizecfg.
LGC_CODEGEN_PASS(HoistFreeValues, "Hoist free values")

// LLVM combines a comparison of floats with a selection between the compared floats, and ignores NaN and the signs of
// zeros:
//
// - Where a constant is compared and selected, LLVM selects the other float instead of the constant. That float may be
//   NaN if the comparison is `one` or `ueq` (performSelectCombine, llvm-project #213029).
// - LLVM makes a minimum or maximum, which may choose either of two zeros (visitSelect, llvm-project #93414).
//
// So this pass selects the bits of such floats as integers. LLVM does not combine these.
LGC_IR_PASS(SelectByBits)

// A mask may clear, set or flip the sign of a selection's operand; LLVM turns it into a modifier of that operand. For a
// component of two numbers of 32 bits, LLVM extracts the component of the unmasked value for that. It is then too late
// to select instructions for the extraction, and LLVM ends with a signal (SelectVOP3ModsImpl). So this pass applies
// such masks to each component, as LLVM does later anyway.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(SplitSignMasks)

// LLVM folds an operation on the bits of a selection into the selection (AMDGPUCodeGenPrepare, foldBinOpIntoSelect),
// even where components are selected one by one. The result selects whole numbers by a vector of conditions. That is no
// valid instruction and gives any number. So this pass makes a selection for each component where the bits of a
// selection are read.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(SplitVectorSelects)

// LLVM selects s_xnor_b64 for ~(a ^ b) of uniform 64-bit values. If one of them turns out to be in VGPRs, LLVM makes an
// s_not_b64 of unrelated SGPRs (splitScalar64BitXnor). So this pass replaces each inversion of 64 bits by two of 32
// bits.
LGC_IR_PASS(SplitWideNots)

// LLVM drops the masks of a 64-bit product of 24-bit numbers. It then selects v_mad_u64_u32 for the product and a sum,
// which multiplies all 32 bits (llvm-project #198729). So this pass makes two halves of each such product; the hardware
// has 24-bit multiplications for them.
LGC_IR_PASS(SplitWideProducts)

} // namespace lgc
