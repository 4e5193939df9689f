// SPDX-License-Identifier: MIT
//
// Translates SPIR-V assembly text for tests. A test gives the instructions that it is about. These helpers make the
// module around them, with the usual types, constants, inputs and resources.
#pragma once

#include "src/base/error.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/translate/translate.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

// The parts of a module that tests add to.
struct Assembly {
  lgc::ShaderStage stage = lgc::ShaderStage::Fragment;
  std::string capabilities; // beside Shader and those of the declared images
  std::string extensions;
  std::string decorations;
  std::string declarations; // types, constants, variables
  std::string body;         // of main, up to its OpReturn
  std::string interface;    // ids beside %in
  std::string functions;    // after main
};

// Assembled words. The types %void, %bool, %float, %half, %v2float … %v4float, %int, %v2int … %v4int, %uint … %v4uint
// exist, constants %int_0 … %int_4, %uint_0 … %uint_4, %float_0, %float_half, %float_1, and two values: %p (v4float)
// and %n (v4int), read from inputs.
std::vector<uint32_t> assemble(const Assembly &assembly);
// A whole module's text.
std::vector<uint32_t> assembleText(const std::string &text);
// sourceOffset() is the place where a module without an OpSource may have one. withSource() puts an OpSource of this
// language there.
size_t sourceOffset(const std::vector<uint32_t> &words);
std::vector<uint32_t> withSource(std::vector<uint32_t> words, uint32_t language);

// A translated module, with the contexts that it lives in.
class Translated {
public:
  explicit Translated(const Assembly &assembly, std::vector<spirv::SpecConstant> specConstants = {});
  Translated(const std::vector<uint32_t> &words, const spirv::TranslateOptions &options);

  // The Error's text, or an empty one.
  std::string error() const { return m_module ? std::string() : m_module.error().text; }

  // All ops or instructions of a kind, in the order of the code.
  template <typename T> std::vector<T *> all() {
    std::vector<T *> found;
    if (!m_module)
      return found;
    for (llvm::Function &function : **m_module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *match = llvm::dyn_cast<T>(&instruction))
          found.push_back(match);
    return found;
  }
  // The only one of a kind; nullptr if there are none or several.
  template <typename T> T *only() {
    std::vector<T *> found = all<T>();
    return found.size() == 1 ? found.front() : nullptr;
  }
  llvm::Module &module() { return **m_module; }
  // The number of calls of LLVM intrinsics whose names begin with `prefix`.
  unsigned intrinsics(std::string_view prefix);

private:
  llvm::LLVMContext m_context;
  Result<std::unique_ptr<lgc::BuilderContext>> m_builderContext;
  Result<std::unique_ptr<llvm::Module>> m_module;
};

} // namespace dovetail::test
