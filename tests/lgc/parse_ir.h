// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder_context.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
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

// Runs a function pass over `main` of IR text for gfx900, and gives the result to `look`. The result must be valid.
template <typename Pass, typename Look> auto runOnMain(const std::string &text, const Look &look) {
  llvm::LLVMContext context;
  BuilderContext::initialize();
  auto builderContext = BuilderContext::create(context, "gfx900");
  REQUIRE(builderContext);
  std::unique_ptr<llvm::Module> module = parseIr(**builderContext, context, text);
  llvm::Function &function = *module->getFunction("main");
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  Pass().run(function, analyses);
  CHECK_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  return look(function);
}

} // namespace lgc
