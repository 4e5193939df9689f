// SPDX-License-Identifier: MIT
//
// The SPIR-V front end: a binary module, versions 1.0 to 1.6, becomes LLVM IR with dialect ops. An instruction that is
// valid but not supported gives an Error that names it, its word offset and the capability that brings it.
#pragma once

#include "src/base/error.h"
#include "src/spirv/translate/context/translate_options.h"
#include <cstdint>
#include <memory>
#include <span>

namespace lgc {
class Builder;
class BuilderContext;
} // namespace lgc
namespace llvm {
class Module;
}

namespace dovetail::spirv {

// Translates one entry point to a module with one function, `main`. The shader modes are recorded in the module.
// validate() must accept the words; reflect() has called it, so not every compile validates again. The next user of the
// IR verifies its structure (Pipeline::link).
Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context);
// The same with a Builder of the caller's, for example a DirectBuilder. The shader modes are left in the Builder.
Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context, lgc::Builder &builder);

} // namespace dovetail::spirv
