// SPDX-License-Identifier: MIT
//
// Shader modules in files: LLVM IR as text or bitcode, with the dialect ops by name and the state of the compile as
// metadata.
#pragma once

#include "src/base/error.h"
#include <llvm/IR/Module.h>
#include <memory>
#include <string_view>
#include <vector>

namespace lgc {

class BuilderContext;

// Reads the modules of a file, in order, for the GPU of the BuilderContext (whatever triple and data layout they name).
// A file may consist of several bitcode files, one behind the other. In text, a module begins with a line ";
// ModuleID…". Behind metadata (`!…` at the beginning of a line) it also begins with a line that does not begin with
// `!`, `;` or a space.
//
// Refuses text that LLVM does not parse, IR that its verifier does not accept, and ops that verifyOps refuses. LLVM's
// reader of bitcode is not proof against every malformed file (docs/lgc.md).
dovetail::Result<std::vector<std::unique_ptr<llvm::Module>>> readIr(BuilderContext &context, std::string_view bytes,
                                                                    std::string_view name);

// Writes a module in a format that readIr reads. In text, comments name the operands of ops that are not values.
// Readers restore the order of uses, so passes do the same as with the module itself.
enum class IrFormat { Text, Bitcode };
std::string writeIr(const llvm::Module &module, IrFormat format);

} // namespace lgc
