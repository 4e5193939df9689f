// SPDX-License-Identifier: MIT
//
// Passes around the folding of operands, which LLVM 22 gets wrong or overdoes.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// SIFoldOperands makes a move of `or x, -1`, but the move copies x. So this pass makes a move of -1 before that.
//
// Must run before each si-fold-operands.
LGC_MACHINE_PASS(FoldOrOnes, "Fold or with -1")

// Code reads and writes an element of an array in registers by an index in an SGPR. LLVM puts a constant in place of
// the SGPR (SIFoldOperands). After allocation it makes GFX9's instructions as if there were an SGPR, takes garbage for
// its number, and ends with a signal. So this pass puts the constant into an SGPR again.
//
// Must run after SIFoldOperands.
LGC_MACHINE_PASS(IndexRegisters, "Index registers by SGPRs")

// Lanes that leave a loop one after the other keep uniform values of their own rounds in VGPRs, which are copied from
// SGPRs in the loop. LLVM replaces a read of such a VGPR behind the loop by a read of the SGPR, which then has the
// value of the last round (SIFoldOperands, llvm-project #203256). So this pass adds EXEC to the operands of these
// copies, which do need it. LLVM does not fold such copies.
//
// Must run before PeepholeOptimizer and SIFoldOperands.
LGC_MACHINE_PASS(KeepLoopCopies, "Keep copies in loops")

// On GFX8, SIFoldOperands gives a saturating addition or subtraction a literal. Only the short form takes a literal,
// and the short form cannot saturate. So this pass replaces each one that would get a literal by a minimum and a plain
// operation.
//
// Must run before each si-fold-operands.
LGC_MACHINE_PASS(SaturateLiterals, "Saturate without a literal")

// LLVM makes s_bitcmp0_b32 or s_bitcmp1_b32 of an s_and_b32 with one bit and a comparison of its result. Two
// comparisons may follow one s_and_b32, and the second may ask for the opposite. Instructions between the two that read
// SCC then get the opposite, too (SIInstrInfo::optimizeCompareInstr, LLVM 22). So this pass gives each comparison an
// s_and_b32 of its own.
//
// Must run before PeepholeOptimizer.
LGC_MACHINE_PASS(TestBitsApart, "Test bits apart")

} // namespace lgc
