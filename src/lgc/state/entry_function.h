// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <llvm/IR/Module.h>

namespace lgc {

// The shader of a module: its one function with a body that is not internal. Internal functions may stand beside it,
// which are inlined into it.
dovetail::Result<llvm::Function *> findEntryFunction(llvm::Module &module);

} // namespace lgc
