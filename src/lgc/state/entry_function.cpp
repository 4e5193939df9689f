// SPDX-License-Identifier: MIT
#include "src/lgc/state/entry_function.h"

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

dovetail::Result<Function *> findEntryFunction(Module &module) {
  Function *found = nullptr;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage())
      continue;
    if (found)
      return makeError(ErrorCode::InvalidInput, "the module has two entry functions, {} and {}", found->getName().str(),
                       function.getName().str());
    found = &function;
  }
  if (!found)
    return makeError(ErrorCode::InvalidInput, "the module has no entry function");
  return found;
}

} // namespace lgc
