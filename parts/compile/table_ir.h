// SPDX-License-Identifier: MIT
//
// Loads descriptors from the driver's tables, as LLVM IR. An SGPR holds the low half of a table's address; tables are
// in the same 4 GiB as the code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dovetail {

// The address of a table: `low` comes from its SGPR, the high half from the code's address.
llvm::Value *emitTableAddress(llvm::IRBuilderBase &builder, llvm::Value *low);

// The buffer descriptor (<4 x i32>) number `entry` of a table (GlobalTableEntry for the global one).
llvm::Value *emitDescriptorLoad(llvm::IRBuilderBase &builder, llvm::Value *table, unsigned entry);

} // namespace dovetail
