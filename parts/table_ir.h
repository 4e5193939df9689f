// SPDX-License-Identifier: MIT
//
// Descriptors out of the driver's tables, as LLVM IR. An SGPR holds the low half of a table's address; tables are in
// the same 4 GiB as the code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dovetail {

// Entries of the global table, 16 bytes each, of those that prologs and epilogs read.
enum GlobalTableEntry : unsigned {
  TessFactorBufferEntry = 9,
  OffchipBufferEntry = 10,
};

// The address of a table: `low` from its SGPR, the rest that of the code.
llvm::Value *emitTableAddress(llvm::IRBuilderBase &builder, llvm::Value *low);

// The buffer descriptor (<4 x i32>) number `entry` of a table.
llvm::Value *emitDescriptorLoad(llvm::IRBuilderBase &builder, llvm::Value *table, unsigned entry);

} // namespace dovetail
