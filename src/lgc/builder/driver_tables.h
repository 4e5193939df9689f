// SPDX-License-Identifier: MIT
//
// The tables of buffer descriptors (V#, 16 bytes each) that the driver sets up: the global table, which every program
// can reach (src/abi/driver_contract.def), and the table with one entry for each transform feedback buffer.
#pragma once

#include "src/abi/driver_contract.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

using dovetail::GlobalTableEntry;

// These load a descriptor: <4 x i32>, the same in all lanes. They make HardwareValueOp and ExtendAddressOp, so only
// passes before lowerUserData may call them.
llvm::Value *loadGlobalEntry(llvm::IRBuilderBase &builder, GlobalTableEntry entry);
llvm::Value *loadStreamoutBuffer(llvm::IRBuilderBase &builder, unsigned buffer);

// Bits of the operand of llvm.amdgcn.raw.buffer.load and .store for caches and addresses (LLVM: SIDefines.h, CPol, and
// the "auxiliary" operand in IntrinsicsAMDGPU.td).
enum BufferPolicy : unsigned {
  GloballyCoherent = 1, // glc: past the vector L1 cache
  StreamOnce = 2,       // slc
  Swizzled = 8,         // neighbouring dwords do not have neighbouring addresses, so LLVM must not combine accesses
};

} // namespace lgc
