// SPDX-License-Identifier: MIT
//
// Hides from instruction selection where a value comes from.
#pragma once

#include <llvm/IR/Instruction.h>

namespace lgc {

// Lets all users of an instruction read its result behind an empty piece of assembly, which takes a VGPR and no time
// (drop_empty_assembly.h). The result is an integer or a float of at most 64 bits, or a vector of such.
void hideResult(llvm::Instruction &inst);

} // namespace lgc
