// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder_context.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <memory>
#include <string>

namespace lgc {

// IR text as a module for the GPU of the BuilderContext, which has the same LLVMContext. The running test fails if it
// does not parse.
inline std::unique_ptr<llvm::Module> parseIr(BuilderContext &builderContext, llvm::LLVMContext &context,
                                             const std::string &text) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  std::unique_ptr<llvm::Module> target = builderContext.createModule("target");
  module->setDataLayout(target->getDataLayout());
  module->setTargetTriple(target->getTargetTriple());
  return module;
}

} // namespace lgc
