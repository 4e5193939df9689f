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

// The modules that a file holds, in order, for the GPU of the BuilderContext (whatever triple and data layout they
// name). Bitcode files may have been put one behind the other. In text, a module begins with a line "; ModuleID…", and
// behind metadata (`!…` at the beginning of a line) with one that begins with none of `!`, `;` and space.
//
// What is malformed is refused: text that LLVM does not parse, IR that its verifier does not take, ops that verifyOps
// refuses. LLVM's reader of bitcode is not proof against every malformed file (docs/lgc.md).
dovetail::Result<std::vector<std::unique_ptr<llvm::Module>>> readIr(BuilderContext &context, std::string_view bytes,
                                                                    std::string_view name);

// What readIr reads. Text has the operands of ops that are no values as comments, by name; uses are in their order
// again when it is read, so that passes do the same with it as with the module itself.
enum class IrFormat { Text, Bitcode };
std::string writeIr(const llvm::Module &module, IrFormat format);

} // namespace lgc
