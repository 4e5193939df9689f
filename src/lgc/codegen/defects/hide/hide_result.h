// SPDX-License-Identifier: MIT
//
// Hides from instruction selection how a value is made.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace lgc {

// Passes the value through an empty piece of assembly, which takes a VGPR and no time (drop_empty_assembly.cpp). The
// value is an integer or a float of at most 64 bits, or a vector of these.
llvm::Value *hideValue(llvm::IRBuilder<> &builder, llvm::Value *value);

// The same for a uniform integer or float of at most 64 bits, which takes SGPRs and stays uniform.
llvm::Value *hideUniform(llvm::IRBuilderBase &builder, llvm::Value *value);

// Makes all users of an instruction read its result through such assembly.
void hideResult(llvm::Instruction &inst);

} // namespace lgc
