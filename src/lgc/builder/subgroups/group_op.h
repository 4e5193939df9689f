// SPDX-License-Identifier: MIT
//
// What reductions and scans do with two values, and what leaves a value as it is.
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// Scalars or vectors of a type that the operation takes.
llvm::Value *combineGroup(BuilderImpl &builder, GroupOp op, llvm::Value *a, llvm::Value *b);
llvm::Constant *identityOf(GroupOp op, llvm::Type *type);

} // namespace lgc
