// SPDX-License-Identifier: MIT
//
// Passes that hide from LLVM what it would draw wrong conclusions from: values go through an empty piece of assembly.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// LLVM turns a branch on whether a ballot is 0 into a branch on the condition itself (combineBallotPattern of
// AMDGPUISelDAGToDAG). The condition may compare an extended condition with 0, so that it is the opposite of that one.
// LLVM then takes "the opposite holds for no lane" for "it holds for some lane". So this pass hides ballots that are
// compared, which costs a scalar comparison.
//
// Must run before instruction selection.
LGC_CODEGEN_PASS(HideBallots, "Hide ballots")

// During selection, LLVM may find that an unsigned bit field begins at bit 0 and how wide it is. If the value is
// sign-extended, LLVM then takes the value itself for the field, with ones above the field, too (performBFECombine,
// LLVM 22). Fields that are constant in IR become shifts before. So this pass hides the width or the offset of all
// others: it goes through an empty piece of assembly.
//
// LLVM computes a constant signed field up to bit 31 with more than 32 bits if it is negative (constantFoldBFE), and
// results that use it are wrong. Such fields become shifts. Fields that may become such during selection are hidden.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(HideFieldWidths)

// LLVM makes two mistakes with halves where it sees how they were made. So this pass hides that from LLVM: the half
// goes through an empty piece of assembly, which costs no instruction.
//
// - LLVM takes the high 16 bits of a VGPR for zero after v_min3_f16, v_max3_f16 and v_med3_f16, and leaves out the mask
//   where the half's bits are extended. On GFX9 these instructions write 16 bits and keep the others (ACO,
//   instr_is_16bit).
// - LLVM makes v_mad_mix_f32 of a product of halves that is extended and added to a float, even where the product may
//   not be contracted. The product is then not rounded to a half (visitFADDForFMACombine, which takes v_mad for exact).
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(HideHalfResults)

// On GFX9, LLVM takes a constant -0.0 in a pair of halves for 0 if the other half is no constant: it matches the
// patterns of vectors with 0 (SIInstructions.td). LLVM also turns a pair of 16-bit integers that is read as halves into
// a pair of halves, and 0x8000 into -0.0. So this pass hides these constants, each in an SGPR.
//
// Must run after all passes that make vectors, for example of arrays in private memory.
LGC_CODEGEN_PASS(HideHalfZeros, "Hide half zeros")

// LLVM makes one v_perm_b32 of an `or`, or of a sum without carries, that puts bytes together. Bytes that an arithmetic
// shift fills with the sign count as zeros, or as other bytes (matchPERM, llvm-project #198708). So this pass hides
// such shifts from LLVM: their result goes through an empty piece of assembly, which costs no instruction.
//
// Must run before instruction selection.
LGC_CODEGEN_PASS(HideSignBytes, "Hide sign bytes")

// LLVM takes 0 - x for -x where an instruction can negate its operand for free (SelectVOP3ModsImpl). But 0 - 0 is 0,
// and -(0) is -0. So this pass hides such differences from LLVM where the signs of zeros count.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(HideZeroDifferences)

// Where a load of a byte or of 16 bits is sign-extended, LLVM replaces it by another load, for which no store waits
// (performSignExtendInRegCombine, LLVM 22). A later store to the same place may then come first. So this pass hides the
// load from the extension if a later instruction of its block may write. The load goes through an empty piece of
// assembly, and the extension costs an instruction.
//
// Must run after all passes that combine instructions.
LGC_IR_PASS(OrderSignedLoads)

} // namespace lgc
