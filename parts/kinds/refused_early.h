// SPDX-License-Identifier: MIT
//
// A part that first code refuses was lowered in vain, and LLVM's part begins anew. So shaders are looked at when they
// are translated: an instruction that first code does not take, and that no optimisation removes, is found there. The
// shader is then lowered for LLVM at once. Everything else is left to first code (src/first), whose refusals come
// later.
#pragma once

#include <llvm/IR/Module.h>
#include <string>

namespace dovetail {

// Returns the reason to refuse, as first code would name it; empty: none was found. `module`: as the Builder made it.
std::string findEarlyRefusal(const llvm::Module &module);

} // namespace dovetail
