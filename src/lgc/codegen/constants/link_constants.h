// SPDX-License-Identifier: MIT
//
// Link and layout constants in code: numbers that the join fills in (src/abi/interface/link_constant.h,
// layout_constant.h).
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/interface/link_constant.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// An i32 that is a relocation against the constant's symbol in the object file.
llvm::Value *linkConstant(llvm::IRBuilderBase &builder, dovetail::LinkConstant constant);
// An i32 likewise. If it is the whole offset from a uniform address, it ends up in the offset field of a scalar load
// (fold_offsets.h).
llvm::Value *layoutConstant(llvm::IRBuilderBase &builder, const dovetail::LayoutConstant &constant);

} // namespace lgc
