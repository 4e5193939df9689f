// SPDX-License-Identifier: MIT
//
// The tables of buffer descriptors (V#, 16 bytes each) that the driver sets up: the global table, which every program
// can reach (src/abi/driver_contract.def), and one entry for each transform feedback buffer.
#pragma once

#include "src/abi/driver_contract.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

using dovetail::GlobalTableEntry;

// Load a descriptor: <4 x i32>, the same in all lanes. They make HardwareValueOp and ExtendAddressOp, so they are for
// passes in front of lowerUserData.
llvm::Value *loadGlobalEntry(llvm::IRBuilderBase &builder, GlobalTableEntry entry);
llvm::Value *loadStreamoutBuffer(llvm::IRBuilderBase &builder, unsigned buffer);

// What the operand of llvm.amdgcn.raw.buffer.load and .store says about caches and addresses (LLVM: SIDefines.h,
// CPol, and the "auxiliary" operand in IntrinsicsAMDGPU.td).
enum BufferPolicy : unsigned {
  GloballyCoherent = 1, // glc: past the vector L1 cache
  StreamOnce = 2,       // slc
  Swizzled = 8,         // the addresses of neighbouring dwords are not neighbours: accesses are not merged
};

} // namespace lgc
