// SPDX-License-Identifier: MIT
//
// Link constants in code: numbers that the join fills in (src/abi/link_constant.h).
#pragma once

#include "src/abi/link_constant.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// An i32 that is a relocation against the constant's symbol in the object file.
llvm::Value *linkConstant(llvm::IRBuilderBase &builder, dovetail::LinkConstant constant);

} // namespace lgc
