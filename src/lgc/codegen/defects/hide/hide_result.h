// SPDX-License-Identifier: MIT
//
// Hides from instruction selection where a value comes from.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace lgc {

// The value behind an empty piece of assembly, which takes a VGPR and no time (drop_empty_assembly.h). It is an integer
// or a float of at most 64 bits, or a vector of such.
llvm::Value *hideValue(llvm::IRBuilder<> &builder, llvm::Value *value);

// Likewise for a uniform integer or float of at most 64 bits, which takes SGPRs and stays uniform.
llvm::Value *hideUniform(llvm::IRBuilderBase &builder, llvm::Value *value);

// Lets all users of an instruction read its result like that.
void hideResult(llvm::Instruction &inst);

} // namespace lgc
