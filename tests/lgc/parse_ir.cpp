// SPDX-License-Identifier: MIT
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace lgc {

std::unique_ptr<llvm::Module> parseIr(BuilderContext &builderContext, llvm::LLVMContext &context,
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

void withMain(const std::string &text, llvm::function_ref<void(llvm::Function &, llvm::FunctionAnalysisManager &)> pass,
              llvm::function_ref<void(llvm::Function &)> look) {
  llvm::LLVMContext context;
  BuilderContext::initialize();
  auto builderContext = BuilderContext::create(context, "gfx900");
  REQUIRE(builderContext);
  std::unique_ptr<llvm::Module> module = parseIr(**builderContext, context, text);
  llvm::Function &function = *module->getFunction("main");
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  pass(function, analyses);
  CHECK_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  look(function);
}

} // namespace lgc
