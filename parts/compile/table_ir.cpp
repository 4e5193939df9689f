// SPDX-License-Identifier: MIT
#include "parts/compile/table_ir.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail {

using namespace llvm;

Value *emitTableAddress(IRBuilderBase &builder, Value *low) {
  Value *pc = builder.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, ArrayRef<Type *>(), ArrayRef<Value *>());
  Value *high = builder.CreateAnd(pc, builder.getInt64(0xffffffff00000000));
  Value *address = builder.CreateOr(high, builder.CreateZExt(low, builder.getInt64Ty()));
  return builder.CreateIntToPtr(address, builder.getPtrTy(AMDGPUAS::CONSTANT_ADDRESS));
}

Value *emitDescriptorLoad(IRBuilderBase &builder, Value *table, unsigned entry) {
  Type *type = FixedVectorType::get(builder.getInt32Ty(), 4);
  Value *address = builder.CreateConstGEP1_64(type, table, entry);
  LoadInst *load = builder.CreateAlignedLoad(type, address, Align(16));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

} // namespace dovetail
