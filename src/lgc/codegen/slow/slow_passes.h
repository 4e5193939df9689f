// SPDX-License-Identifier: MIT
//
// Passes that spare LLVM work which grows faster than the shader.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// Tells LLVM how to count the registers of a function.
//
// For a function without calls, AMDGPUResourceUsageAnalysis asks for register after register, from the highest down,
// whether it or one of the hundreds of tuples that contain it is used. For a small shader that takes a fifteenth of its
// compile time. For a function with calls, it looks only at the registers that instructions name. A shader has no
// calls, so this pass, one of the last, marks it as ending in a tail call. No later pass looks for that call, and no
// instruction is one.
//
// Must run after prologepilog.
LGC_MACHINE_PASS(CountRegisters, "Count registers by instructions")

// LLVM structures divergent branches, and brings together values from many blocks, in a time that grows with the square
// or cube of the number of blocks. This pass changes switches that are far larger than usual, so that LLVM takes less
// time. It leaves others alone.
//
// Three kinds of large switches:
// - Many cases in a row that fall through to the next one. They become a row of conditions, `if (selector == first) …;
//   if (selector == second) …`. Falling through sets the selector to the next case.
// - More than a thousand cases. Computations with which they all begin move in front of the switch. Neighbours that
//   only compute a little share a block, which computes the values of all of them and chooses.
// - Cases of which more than a thousand still meet in one block. Their values for that block go through memory.
LGC_IR_PASS(DivideSwitches)

// For a copy of an array, LLVM would make a load and a store of each element, in a time that grows faster than their
// number. So this pass makes loops of copies of large arrays that optimisation has left, within a shader's own memory
// and from buffers into it.
LGC_IR_PASS(LoopOverCopies)

// Instruction selection copies a value in each block that uses it. LLVM's SIFoldOperands puts the value in place of
// each use of such a copy, and goes through all uses of the value each time. This pass replaces all copies by their
// value at once. It looks only at large functions, in which that counts.
LGC_MACHINE_PASS(MergeCopies, "Merge copies of values")

// LLVM takes cubic time for a loop that many blocks leave, each to a block of its own. UnifyLoopExits makes a chain of
// blocks behind the loop, one for each exit; StructurizeCFG then looks for the value of each exit's phis all the way
// back through that chain. So this pass gives such a loop one exit before code generation. A number says where a lane
// goes on from there, and a tree of comparisons takes the lane there.
LGC_IR_PASS(MergeExits)

} // namespace lgc
