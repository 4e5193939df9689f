// SPDX-License-Identifier: MIT
//
// The operation of a reduction or scan on two values, and its identity.
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// Takes scalars or vectors of a type that the operation allows.
llvm::Value *combineGroup(BuilderImpl &builder, GroupOp op, llvm::Value *a, llvm::Value *b);
llvm::Constant *identityOf(GroupOp op, llvm::Type *type);

} // namespace lgc
