// SPDX-License-Identifier: MIT
#include "parts/compile/table_ir.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail {

using namespace llvm;

llvm::Value *emitTableAddress(IRBuilderBase &builder, llvm::Value *low) {
  llvm::Value *pc = builder.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, ArrayRef<Type *>(), ArrayRef<llvm::Value *>());
  llvm::Value *high = builder.CreateAnd(pc, builder.getInt64(0xffffffff00000000));
  llvm::Value *address = builder.CreateOr(high, builder.CreateZExt(low, builder.getInt64Ty()));
  return builder.CreateIntToPtr(address, builder.getPtrTy(AMDGPUAS::CONSTANT_ADDRESS));
}

llvm::Value *emitDescriptorLoad(IRBuilderBase &builder, llvm::Value *table, unsigned entry) {
  Type *type = FixedVectorType::get(builder.getInt32Ty(), 4);
  llvm::Value *address = builder.CreateConstGEP1_64(type, table, entry);
  LoadInst *load = builder.CreateAlignedLoad(type, address, Align(16));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

} // namespace dovetail
