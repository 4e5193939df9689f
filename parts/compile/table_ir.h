// SPDX-License-Identifier: MIT
//
// Descriptors out of the driver's tables, as LLVM IR. An SGPR holds the low half of a table's address; tables are in
// the same 4 GiB as the code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dovetail {

// The address of a table: `low` from its SGPR, the rest that of the code.
llvm::Value *emitTableAddress(llvm::IRBuilderBase &builder, llvm::Value *low);

// The buffer descriptor (<4 x i32>) number `entry` of a table (GlobalTableEntry for the global one).
llvm::Value *emitDescriptorLoad(llvm::IRBuilderBase &builder, llvm::Value *table, unsigned entry);

} // namespace dovetail
