// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <span>
#include <string>

namespace llvm {
class Module;
}

namespace lgc {

// Refuses what LLVM's verifier takes and shaders do not have: LLVM would end the process over some of it, and there is
// no code for the rest. For modules from files, at any step of the middle-end. Attributes and named metadata of others
// are taken, and stay, and so do ops of the front end's dialects (BuilderContext::addDialect).
dovetail::Result<void> checkShaderIr(const llvm::Module &module, std::span<const std::string> dialects = {});

// Drops these attributes and this metadata in front of code generation, where LLVM would go by some of them. Returns
// whether there were any.
bool dropForeignData(llvm::Module &module);

} // namespace lgc
