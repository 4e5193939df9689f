// SPDX-License-Identifier: MIT
//
// A fragment prolog as LLVM IR. What it hands on is computed for helper lanes too (amdgpu-ps-wqm-outputs); LLVM puts
// EXEC back at the end.
#include "parts/kinds/fragment_prolog.h"
#include "parts/listing/listing_ir.h"
#include "src/abi/entry_registers.h"
#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dovetail {

using namespace llvm;

namespace {

// A VGPR that the hardware loads, of LLVM's 16 inputs, which are vectors where an input has several.
llvm::Value *launchVgpr(IRBuilderBase &builder, Function &function, const FragmentPrologKey &key, unsigned vgpr) {
  for (unsigned bit = 0; bit != PsInputCount; ++bit) {
    if (!(key.launchInputs >> bit & 1))
      continue;
    if (vgpr < psInputs()[bit].count) {
      llvm::Value *argument = function.getArg(key.sgprCount + bit);
      return argument->getType()->isVectorTy() ? builder.CreateExtractElement(argument, uint64_t(vgpr)) : argument;
    }
    vgpr -= psInputs()[bit].count;
  }
  llvm_unreachable("a listing takes what is loaded");
}

} // namespace

Function *emitFragmentProlog(Module &module, const FragmentPrologKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  Type *f32 = Type::getFloatTy(context);
  SmallVector<Type *, 40> parameters(key.sgprCount, i32);
  SmallVector<Type *, 40> results(key.sgprCount, i32);
  unsigned vgprs = psInputVgprs(key.mainInputs);
  for (unsigned bit = 0; bit < PsInputCount; ++bit) {
    const PsInput &input = psInputs()[bit];
    bool isInteger = input.kind >= ValueKind::FrontFace;
    Type *type = isInteger ? i32 : f32;
    parameters.push_back(input.count > 1 ? FixedVectorType::get(type, input.count) : type);
  }
  for (const PrologColor &color : key.colors)
    vgprs += unsigned(std::popcount(color.componentMask));
  results.append(vgprs, f32);

  auto *type = FunctionType::get(StructType::get(context, results), parameters, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  function->setDLLStorageClass(GlobalValue::DLLExportStorageClass);
  for (unsigned i = 0; i < key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  function->addFnAttr("InitialPSInputAddr", std::to_string(key.launchInputs));
  function->addFnAttr("amdgpu-ps-wqm-outputs");
  emitListing(*function, listFragmentProlog(key),
              [&](IRBuilderBase &builder, unsigned vgpr) { return launchVgpr(builder, *function, key, vgpr); });
  return function;
}

} // namespace dovetail
