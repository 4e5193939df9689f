// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <span>
#include <string>

namespace llvm {
class Module;
}

namespace lgc {

// Refuses IR that LLVM's verifier accepts but shaders do not have: LLVM would end the process over some of it, and has
// no code for the rest. Use it for modules from files, at any step of the middle-end. Accepts, and keeps, foreign
// attributes and named metadata, and ops of the front end's dialects (BuilderContext::addDialect).
dovetail::Result<void> checkShaderIr(const llvm::Module &module, std::span<const std::string> dialects = {});

// Drops these attributes and this metadata before code generation, because LLVM would follow some of them. Returns
// whether there were any.
bool dropForeignData(llvm::Module &module);

} // namespace lgc
