// SPDX-License-Identifier: MIT
//
// A wave that entered an ordered section (interlock_builder.cpp) must report that it has left the section, once, and
// before it ends: other waves wait for that. Shaders report it for their invocations, each where it leaves the section,
// even in a branch that other lanes do not take.
//
// LeaveOrderedSectionPass replaces these reports by one message for the wave. It puts the message as early as every
// path passes and no later code begins or ends a section or discards pixels. If all pixels of a wave are discarded,
// LLVM ends it in a block that all discards share. By this order, the message has not been sent there yet, and
// OrderedExitPass adds it.
//
// Source: Mesa main, pops.rst, "GFX9-10.3: Exiting the ordered section in the wave".
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// Accesses to memory end before other waves get the message.
llvm::CallInst *sendOrderedDone(llvm::IRBuilderBase &builder);

LGC_IR_PASS(LeaveOrderedSection)

// Runs after the pass that makes the block in which a wave without pixels ends.
LGC_MACHINE_PASS(OrderedExit, "Leave the ordered section at early exits")

} // namespace lgc
