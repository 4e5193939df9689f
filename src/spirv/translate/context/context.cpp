// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

Context::Context(const Module &module, const EntryPoint &entry, const TranslateOptions &options, lgc::Builder &builder,
                 llvm::Module &target)
    : module(module), entry(entry), usedIds(module.usedIds(entry)), options(options), builder(builder), target(target),
      llvmContext(target.getContext()), declarations(module), values(module, declarations),
      types(module, declarations, values, llvmContext), forms(types, builder),
      main(llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                  llvm::GlobalValue::ExternalLinkage, "main", target)),
      entryBlock(llvm::BasicBlock::Create(llvmContext, "entry", main)),
      exitBlock(llvm::BasicBlock::Create(llvmContext, "exit", main)) {
  builder.SetInsertPoint(entryBlock);
}

unsigned Context::resourceFlags(uint32_t id) const {
  unsigned flags = 0;
  for (const DecorationInstance &decoration : module.decorations(id)) {
    if (decoration.decoration == spv::Decoration::NonUniform)
      flags |= lgc::NonUniformImage | lgc::NonUniformSampler;
    else if (decoration.decoration == spv::Decoration::Coherent)
      flags |= lgc::Coherent;
    else if (decoration.decoration == spv::Decoration::Volatile)
      flags |= lgc::Volatile | lgc::Coherent;
  }
  return flags;
}

} // namespace dovetail::spirv
