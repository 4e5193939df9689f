// SPDX-License-Identifier: MIT
//
// LLVM's physical registers by name: their numbers are not in its installed headers.
#pragma once

#include <llvm/CodeGen/TargetRegisterInfo.h>

namespace lgc {

// No register if the target has none of this name. Goes through all of them.
inline llvm::Register registerNamed(const llvm::TargetRegisterInfo &target, llvm::StringRef name) {
  for (unsigned reg = 1; reg < target.getNumRegs(); ++reg)
    if (name == target.getName(reg))
      return reg;
  return {};
}

} // namespace lgc
