// SPDX-License-Identifier: MIT
//
// A tessellation control epilog as LLVM IR, for the amdgpu_vs calling convention.
#include "parts/kinds/tess_control_epilog.h"
#include "parts/listing/listing_ir.h"
#include <llvm/IR/Module.h>

namespace dovetail {

using namespace llvm;

Function *emitTessControlEpilog(Module &module, const TessControlEpilogKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  for (const Binding &input : key.inputs)
    sgprCount += input.reg.bank == RegisterBank::Sgpr;
  SmallVector<Type *, 16> argumentTypes(key.inputs.size(), Type::getInt32Ty(context));
  auto *type = FunctionType::get(Type::getVoidTy(context), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  // Several waves: LLVM drops the barrier of a group that fits into one.
  function->addFnAttr("amdgpu-flat-work-group-size", "256,256");
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  emitListing(*function, listTessControlEpilog(key));
  return function;
}

} // namespace dovetail
