// SPDX-License-Identifier: MIT
//
// How the lowering of a stage's end reads what the shader has written, whatever holds it.
#pragma once

#include "src/lgc/resource_usage.h"
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// The value (i32) that a component of an output holds at the builder's insertion point. Only for components in the
// outputs' usage.
using OutputReader =
    llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &builder, OutputSlot output, unsigned component)>;

} // namespace lgc
