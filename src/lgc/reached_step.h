// SPDX-License-Identifier: MIT
//
// Metadata (`lgc.step`) says which step of the middle-end has run on a module. Steps run only in their order, and only
// after those that they need. A shader that is to be linked must not have had any.
#pragma once

#include "src/base/error.h"
#include "src/lgc/step.h"
#include <optional>

namespace llvm {
class Module;
}

namespace lgc {

// The last step that has run; std::nullopt: the module is as a Builder left it. Errors: InvalidInput for metadata that
// names no step, and if results of the steps are missing.
dovetail::Result<std::optional<Step>> reachedStep(const llvm::Module &module);

// Records that the step has run, unless a later one has: optimisations run again.
void recordStep(llvm::Module &module, Step step);

// Checks that the step may run on the module. Errors: those of reachedStep(); InvalidInput if it may not.
dovetail::Result<void> checkStep(const llvm::Module &module, Step step);

// Checks that the module is as a Builder left it. Errors: those of reachedStep(); InvalidInput for a module that steps
// have changed, whether its metadata says so or it has ops that only they make.
dovetail::Result<void> checkIsRecorded(const llvm::Module &module);

} // namespace lgc
