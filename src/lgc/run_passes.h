// SPDX-License-Identifier: MIT
//
// Single passes and pipelines of passes on the module of one shader, by name: the steps of the middle-end
// (middle_end.def), the passes that its optimisations are made of, and LLVM's, in LLVM's own notation
// ("lgc-replay,function(instcombine),lgc-collect-resources"). Behind each step, the state of the compile is in the
// module's metadata; a step begins by reading it. So what one run leaves is what the next one goes on from.
#pragma once

#include "src/base/error.h"
#include <functional>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace lgc {

class BuilderContext;

struct RunPassesOptions {
  // Registers passes of the front end's own, by name.
  std::function<void(llvm::PassBuilder &)> registerPasses;
  bool verifyEach = false; // structure and ops, behind each pass
  // Called behind each pass, with its name.
  std::function<void(llvm::StringRef passName)> observer;
};

// Errors: the notation, a step that does not fit the module, what a step refuses, what verifyEach finds.
dovetail::Result<void> runPasses(BuilderContext &context, llvm::Module &module, std::string_view passes,
                                 const RunPassesOptions &options = {});

// Runs a front end's pass manager, with the analyses that LLVM and the target have: what LGC's overview calls
// BuilderContext::PreparePassManager. Errors: what passes report as errors to the LLVMContext.
dovetail::Result<void> runPassManager(BuilderContext &context, llvm::Module &module, llvm::ModulePassManager &passes);

// The names of our passes: the steps in running order, then the others.
std::vector<std::string_view> passNames();

} // namespace lgc
