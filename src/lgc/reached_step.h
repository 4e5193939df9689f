// SPDX-License-Identifier: MIT
//
// Which step of the middle-end a module has behind it, in its metadata (`lgc.step`). Steps are run on a module only in
// their order, and only behind those that they need; a shader that is to be linked has none behind it.
#pragma once

#include "src/base/error.h"
#include "src/lgc/step.h"
#include <optional>

namespace llvm {
class Module;
}

namespace lgc {

// Nothing: the module is as a Builder left it. Errors: InvalidInput for metadata that names no step, and where what the
// steps have found out is missing.
dovetail::Result<std::optional<Step>> reachedStep(const llvm::Module &module);

// Behind the step, unless it is behind a later one: optimisations run again.
void recordStep(llvm::Module &module, Step step);

// Whether the step may run on the module. Errors: those of reachedStep(); InvalidInput if it may not.
dovetail::Result<void> checkStep(const llvm::Module &module, Step step);

// Whether the module is one that a Builder has left. Errors: those of reachedStep(); InvalidInput for one that steps
// have changed, whether it says so or has ops that only they make.
dovetail::Result<void> checkIsRecorded(const llvm::Module &module);

} // namespace lgc
