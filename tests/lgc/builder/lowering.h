// SPDX-License-Identifier: MIT
//
// Compiles BuilderImpl's code for one or a few operations to assembly for a GPU, so that a test can look for
// instructions.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include <functional>
#include <llvm/IR/Module.h>
#include <string>
#include <vector>

namespace lgc::test {

// The operands of the function under test: uniform values arrive in SGPRs, divergent ones in VGPRs.
class Operands {
public:
  explicit Operands(BuilderImpl &builder) : m_builder(builder) {}

  Value *imageDesc() { return uniform(llvm::FixedVectorType::get(m_builder.getInt32Ty(), 8)); }
  Value *bufferDesc() { return uniform(llvm::FixedVectorType::get(m_builder.getInt32Ty(), 4)); }
  Value *samplerDesc() { return bufferDesc(); }
  Value *uniform(Type *type) { return make(type, true); }
  Value *divergent(Type *type) { return make(type, false); }
  // f32 or i32, `count` elements.
  Value *floats(unsigned count) { return divergent(shape(m_builder.getFloatTy(), count)); }
  Value *ints(unsigned count) { return divergent(shape(m_builder.getInt32Ty(), count)); }

private:
  static Type *shape(Type *element, unsigned count) {
    return count == 1 ? element : llvm::FixedVectorType::get(element, count);
  }
  Value *make(Type *type, bool isUniform);

  BuilderImpl &m_builder;
};

struct Lowered {
  std::string assembly;
  std::string error; // from LLVM's verifier or back end

  bool has(std::string_view text) const { return assembly.find(text) != std::string::npos; }
  unsigned count(std::string_view text) const;
};

// The values that `make` returns are stored to memory, so that nothing of them is removed.
Lowered lower(ShaderStage stage, const std::function<std::vector<Value *>(BuilderImpl &, Operands &)> &make,
              const char *gpu = "gfx900", const ShaderModes &modes = {});

} // namespace lgc::test
