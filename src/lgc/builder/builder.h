// SPDX-License-Identifier: MIT
//
// A front end generates all its IR through a Builder: LLVM's IRBuilder plus the graphics operations of the op table and
// the shader modes. BuilderContext::createBuilder returns a BuilderRecorder, which leaves a typed dialect op for each
// graphics operation. BuilderReplayer later calls the same method of BuilderImpl, which makes the IR for the target.
// Pipeline::beginShader returns a DirectBuilder, which calls that method at once, for compiles in which nobody looks at
// the ops.
#pragma once

#include "src/lgc/ops/op.h"
#include "src/lgc/state/shader_modes.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// Not thread-safe, like the LLVMContext that it works in.
class Builder : public llvm::IRBuilder<> {
public:
  explicit Builder(llvm::LLVMContext &context) : IRBuilder(context) {}
  virtual ~Builder() = default;

  // For each row: Value *CreateName(operands..., const Twine &instName = ""). The row says what it does.
#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  virtual Value *Create##name(LGC_PARAMETERS(operands) const llvm::Twine &instName = "") = 0;
#include "src/lgc/ops/ops.def"
#undef LGC_OP

  // As LLVM's. A part of a vector or aggregate that was put in before is that part; no instruction is made.
  llvm::Value *CreateExtractElement(llvm::Value *vector, llvm::Value *index, const llvm::Twine &name = "");
  llvm::Value *CreateExtractElement(llvm::Value *vector, uint64_t index, const llvm::Twine &name = "") {
    return CreateExtractElement(vector, getInt64(index), name);
  }
  llvm::Value *CreateExtractValue(llvm::Value *aggregate, llvm::ArrayRef<unsigned> indices,
                                  const llvm::Twine &name = "");

  // The modes of the shader that is being built. A front end sets them before it generates the shader's IR.
  ShaderModes &shaderModes() {
    return m_shaderModes;
  }
  const ShaderModes &shaderModes() const {
    return m_shaderModes;
  }

private:
  ShaderModes m_shaderModes;
};

} // namespace lgc
