// SPDX-License-Identifier: MIT
//
// A vertex prolog as LLVM IR, for the amdgpu_vs calling convention: arguments and results are numbered from s0 and v0
// on, so an argument that is returned at its own place costs nothing.
#include "parts/kinds/vertex_prolog.h"
#include "parts/listing/listing_ir.h"
#include <llvm/IR/Module.h>

namespace dovetail {

using namespace llvm;

Function *emitVertexProlog(Module &module, const VertexPrologKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  size_t attributeDwords = key.contract().outputs.size();

  SmallVector<Type *, 64> resultTypes(key.sgprCount, i32);
  resultTypes.append(VertexVgprCount + attributeDwords, Type::getFloatTy(context));
  SmallVector<Type *, 64> argumentTypes(key.sgprCount + VertexVgprCount, i32);
  auto *type = FunctionType::get(StructType::get(context, resultTypes), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  for (unsigned i = 0; i != key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  emitListing(*function, listVertexProlog(key));
  return function;
}

} // namespace dovetail
