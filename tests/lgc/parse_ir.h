// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder_context.h"
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace lgc {

// IR text as a module for the GPU of the BuilderContext, which has the same LLVMContext. The running test fails if it
// does not parse.
std::unique_ptr<llvm::Module> parseIr(BuilderContext &builderContext, llvm::LLVMContext &context,
                                      const std::string &text);

// Parses IR text for gfx900, runs `pass` over `main`, checks that the result is valid, and gives it to `look`.
void withMain(const std::string &text, llvm::function_ref<void(llvm::Function &, llvm::FunctionAnalysisManager &)> pass,
              llvm::function_ref<void(llvm::Function &)> look);

// Runs a function pass over `main` of IR text for gfx900, and gives the result to `look`. The result must be valid.
template <typename Pass, typename Look> auto runOnMain(const std::string &text, const Look &look) {
  const auto pass = [](llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    Pass().run(function, analyses);
  };
  using Seen = std::invoke_result_t<Look, llvm::Function &>;
  if constexpr (std::is_void_v<Seen>) {
    withMain(text, pass, look);
  } else {
    std::optional<Seen> seen;
    withMain(text, pass, [&](llvm::Function &function) { seen = look(function); });
    return *std::move(seen);
  }
}

} // namespace lgc
