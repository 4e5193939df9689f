// SPDX-License-Identifier: MIT
//
// A fragment epilog as LLVM IR, for the amdgpu_ps calling convention.
#include "parts/kinds/fragment_epilog.h"
#include "parts/listing/listing_ir.h"
#include <llvm/IR/Module.h>

namespace dovetail {

using namespace llvm;

Function *emitFragmentEpilog(Module &module, const FragmentEpilogKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  SmallVector<Type *, 32> argumentTypes;
  for (const Binding &input : key.inputs) {
    bool isSgpr = input.reg.bank == RegisterBank::Sgpr;
    sgprCount += isSgpr;
    argumentTypes.push_back(isSgpr ? Type::getInt32Ty(context) : Type::getFloatTy(context));
  }
  auto *type = FunctionType::get(Type::getVoidTy(context), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  // LLVM would close up unused arguments among the first sixteen VGPRs, where the hardware's pixel inputs are.
  function->addFnAttr("InitialPSInputAddr", "65535");
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  emitListing(*function, listFragmentEpilog(key));
  return function;
}

} // namespace dovetail
