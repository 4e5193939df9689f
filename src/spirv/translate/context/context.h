// SPDX-License-Identifier: MIT
//
// What every object works with that translates a part of a shader: the module, its types and values, the builder, and
// the function that is made.
#pragma once

#include "src/lgc/builder/builder.h"
#include "src/spirv/module/module.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/translate/context/memory_forms.h"
#include "src/spirv/translate/context/translate_options.h"
#include "src/spirv/translate/context/type_table.h"
#include "src/spirv/translate/context/unsupported.h"
#include "src/spirv/translate/context/values.h"
#include <deque>
#include <llvm/IR/Module.h>

namespace dovetail::spirv {

struct Context {
  // Makes the function `main` in the target module. Refers to its arguments, which must outlive it.
  Context(const Module &module, const EntryPoint &entry, const TranslateOptions &options, lgc::Builder &builder,
          llvm::Module &target);
  Context(const Context &) = delete;

  const TypeInfo &type(uint32_t typeId) const { return types.at(typeId); }
  // The type of a value id.
  const TypeInfo &typeOf(uint32_t id) const { return type(values.typeIdOf(id)); }
  const TypeInfo &resultType(const Instruction &inst) const { return type(inst.resultType); }
  // The LLVM type of the result. Error: Unsupported if it has none.
  Result<llvm::Type *> valueType(const Instruction &inst) const { return types.valueType(inst, inst.resultType); }
  bool hasDecoration(uint32_t id, spv::Decoration decoration) const {
    return findDecoration(module.decorations(id), decoration) != nullptr;
  }
  // lgc::ResourceFlag bits of the decorations Coherent, Volatile and NonUniform.
  unsigned resourceFlags(uint32_t id) const;
  // A block without instructions, at the end of the function or in front of another block.
  llvm::BasicBlock *createBlock(llvm::BasicBlock *before = nullptr) {
    return llvm::BasicBlock::Create(llvmContext, "", main, before);
  }

  const Module &module;
  const EntryPoint &entry;
  const std::vector<bool> usedIds; // Module::usedIds()
  const TranslateOptions &options;
  lgc::Builder &builder;
  llvm::Module &target;
  llvm::LLVMContext &llvmContext;
  const Declarations declarations;
  Values values;
  TypeTable types;
  MemoryForms forms;
  std::deque<Variable> variables; // of the module's scope, as far as the entry point uses them
  llvm::Function *const main;
  llvm::BasicBlock *const entryBlock; // allocas, initialisers
  llvm::BasicBlock *const exitBlock;  // output writes
};

} // namespace dovetail::spirv
