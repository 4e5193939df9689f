// SPDX-License-Identifier: MIT
//
// Buffer and image atomics share this: the names of the hardware's operations, and the arithmetic of operations that
// the hardware does not have.
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// The operation's part of the names of atomic intrinsics ("smin"), or null if GFX9 has no such instruction.
const char *atomicSuffix(AtomicOp op);

// The new value in memory of an operation that has no instruction.
Value *atomicResult(llvm::IRBuilderBase &builder, AtomicOp op, Value *old, Value *operand);

} // namespace lgc
