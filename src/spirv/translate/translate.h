// SPDX-License-Identifier: MIT
//
// The SPIR-V front end: a binary module, versions 1.0 to 1.6, becomes LLVM IR with dialect ops. Everything starts with
// validate(); what is valid but not supported gives an Error that names the instruction, its word offset and the
// capability that brings it.
#pragma once

#include "src/base/error.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/reflect/reflection.h"
#include <cstdint>
#include <llvm/IR/Module.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dovetail::spirv {

// The value for a specialisation constant: the low bits of `value`, as many as the constant's type has (a bool is true
// unless they are 0).
struct SpecConstant {
  uint32_t id = 0; // SpecId
  uint64_t value = 0;
};

struct TranslateOptions {
  std::string entryPoint = "main";
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<SpecConstant> specConstants; // ids that the module does not have are ignored, as in Vulkan
  bool layeredInputAttachments = false;    // MainPartState's
};

// Reads a file's bytes as SPIR-V words of either byte order; the magic number must be there.
Result<std::vector<uint32_t>> readWords(std::span<const uint8_t> bytes);

// Checks a module with SPIRV-Tools' validator, in the Vulkan environment that fits its version.
Result<void> validate(std::span<const uint32_t> words);

// Validates and translates one entry point to a module with one function, `main`. The shader modes are recorded in the
// module.
Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context);

} // namespace dovetail::spirv
