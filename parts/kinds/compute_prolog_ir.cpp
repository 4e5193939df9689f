// SPDX-License-Identifier: MIT
//
// A compute prolog as LLVM IR, for the amdgpu_vs calling convention.
#include "parts/kinds/compute_prolog.h"
#include "parts/listing/listing_ir.h"
#include <llvm/IR/Module.h>

namespace dovetail {

using namespace llvm;

Function *emitComputeProlog(Module &module, const ComputePrologKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 32> types(key.sgprCount, Type::getInt32Ty(context));
  types.append(key.vgprCount(), Type::getFloatTy(context));
  auto *type = FunctionType::get(StructType::get(context, types), types, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  for (unsigned i = 0; i != key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  emitListing(*function, listComputeProlog(key));
  return function;
}

} // namespace dovetail
