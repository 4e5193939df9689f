// SPDX-License-Identifier: MIT
//
// Runs single passes and pipelines of passes on the module of one shader, by name: the steps of the middle-end
// (middle_end.def), the passes of its optimisations, and LLVM's own. Pipelines are in LLVM's notation
// ("lgc-replay,function(instcombine),lgc-collect-resources"). After each step, the state of the compile is in the
// module's metadata; a step begins by reading it. So the next run can go on from the result of the last one.
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
  bool verifyEach = false; // checks structure and ops after each pass
  // Called after each pass, with its name.
  std::function<void(llvm::StringRef passName)> observer;
};

// Errors: a malformed notation, a step that does not fit the module, an error of a step, an error that verifyEach
// finds.
dovetail::Result<void> runPasses(BuilderContext &context, llvm::Module &module, std::string_view passes,
                                 const RunPassesOptions &options = {});

// Runs a front end's pass manager, with the analyses of LLVM and of the target. LGC's overview calls this
// BuilderContext::PreparePassManager. Errors: those that passes report to the LLVMContext.
dovetail::Result<void> runPassManager(BuilderContext &context, llvm::Module &module, llvm::ModulePassManager &passes);

// The names of our passes: the steps in running order, then the others.
std::vector<std::string_view> passNames();

} // namespace lgc
