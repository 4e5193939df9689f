// SPDX-License-Identifier: MIT
//
// Passes over machine code that mend what LLVM has made.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// A condition that lanes hold as a mask of bits is put together bit by bit: s_andn2_b64 of the old mask, s_or_b64 of
// the new bits. If the old mask is undefined, the code reads an SGPR that no instruction has written. No lane's result
// depends on it, but checkImage and the emulator take such a read for a defect. So this pass makes undefined masks
// zero.
//
// Must run after si-i1-copies, in SSA form.
LGC_MACHINE_PASS(DefineMasks, "Define masks")

// LLVM makes an operand undefined if nobody needs its bits. An example is the low word in a shift of two words, where
// only bits from the high word remain. The instruction then reads a VGPR that no instruction has written. No result
// depends on it, but checkImage takes such a read for a defect. So this pass makes vector instructions read another one
// of their operands there, or 0.
//
// Two other kinds become 0. One is a read of the first lane of an undefined value, which LLVM makes for a uniform phi
// that shares an undefined value with a divergent phi. The other is phis and copies that get only each other's values.
//
// Insertions of an undefined value into a tuple become copies. LLVM would make a copy of a register that no instruction
// defines. Where two copies read one such register, the register coalescer looks at its empty live range and crashes
// (LLVM 22.1.8, applyTerminalRule).
//
// Must run after the pass that marks undefined operands (ProcessImplicitDefs), in SSA form.
LGC_MACHINE_PASS(DefineOperands, "Define operands")

// Instruction selection may find that a branch's condition is constant. The last passes then drop the branch, and with
// it the blocks that wrote a register. An instruction that reads the register may stay, where EXEC is 0. Its result
// does not matter, but checkImage refuses a read of a register that no instruction has written on any path. So this
// pass sets such registers to 0 when the function is entered.
//
// Must run after the last pass that drops branches (si-pre-emit-peephole) and before the hazard recogniser.
LGC_MACHINE_PASS(DefineReads, "Define reads")

// Values go through empty pieces of assembly to be hidden from instruction selection (hide_result.h). After register
// allocation, LLVM's passes that count instructions would count such a piece as one; it would end a clause of memory
// instructions, for example. So this pass drops these pieces.
//
// Must run after register allocation, which gives input and output the same register.
LGC_MACHINE_PASS(DropEmptyAssembly, "Drop empty assembly")

// According to LLVM (llvm-project #183839), a 64-bit shift of GFX9 may misread its amount if that is in the last VGPR
// of a wave, in front of the next block of VGPRs. So this pass makes a shader with such a shift ask for one VGPR more.
//
// Must run after all passes that change registers.
LGC_MACHINE_PASS(ShiftAmounts, "Amounts of 64-bit shifts")

// LLVM counts wait states backwards from an instruction, through all blocks in front of its own, each from its end
// (GCNHazardRecognizer). A block may end in a conditional branch and a second one behind it. On the path of the first
// branch, LLVM also counts the second, and makes one wait state too few. So this pass puts the second branch into a
// block of its own.
//
// Must run before the hazard recogniser.
LGC_MACHINE_PASS(SplitBranches, "Split branches")

// A scalar move of 64 bits has a literal of 32 bits. Some passes make such moves of constants that do not fit
// (SIFixSGPRCopies, llvm-project #200576; PeepholeOptimizer), and the encoder silently cuts these off. So this pass
// replaces each by the pseudo instruction that becomes two moves.
//
// Must run before the expansion of pseudo instructions.
LGC_MACHINE_PASS(SplitWideLiterals, "Split wide literals")

// LLVM 22 turns a scalar |a - b| into vector instructions (si-fix-sgpr-copies), and leaves an SGPR in the operand of
// the subtraction that takes only a VGPR. A later pass may swap the operands by chance. So this pass swaps them at
// once.
//
// Must run after si-fix-sgpr-copies.
LGC_MACHINE_PASS(SwapDifferences, "Swap operands of differences")

// LLVM counts wait states backwards from an instruction, and visits each block in front of it once
// (GCNHazardRecognizer, getWaitStatesSince). If two paths of different lengths lead from a block to the instruction,
// LLVM takes the first one, which may be the longer. It then misses wait states that the other path lacks. So this pass
// counts once more, on the shortest path to each block, and adds the missing wait states. Its rules are LLVM's rules
// for GFX8 and GFX9 that need more than one wait state. For a rule of one wait state, a path that is too short leads
// through no other block.
//
// Must run after the hazard recogniser.
LGC_MACHINE_PASS(WaitOnAllWays, "Wait on all ways")

} // namespace lgc
