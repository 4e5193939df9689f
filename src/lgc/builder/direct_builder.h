// SPDX-License-Identifier: MIT
//
// The recorded form of a shader is for those who look at it: files, links of several stages, observers of the steps. A
// compile without any of these would write each op as a call, only to read it back. DirectBuilder is the Builder of
// such a compile. It lowers each op at once, by the same methods of BuilderImpl that BuilderReplayer calls.
//
// What the verification of a linked module and the replayer do for recorded ops, DirectBuilder does when an op is made:
// it checks the operands, and leaves fast-math flags only to ops whose result is floating point.
//
// An op may split the block at the insertion point. So a front end asks for GetInsertBlock() where it needs the block,
// and keeps none across an op.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"

namespace lgc {

// Pipeline::beginShader makes it; Pipeline::lower() takes the module that is built with it. It must not outlive the
// LLVMContext. Not thread-safe, like the LLVMContext.
class DirectBuilder final : public BuilderImpl {
public:
  DirectBuilder(llvm::LLVMContext &context, std::unique_ptr<PipelineState> state);

#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  Value *Create##name(LGC_PARAMETERS(operands) const llvm::Twine &instName = "") override;
#include "src/lgc/ops/ops.def"
#undef LGC_OP

  // The state of the shader's compile, with the shader's modes as they are now.
  PipelineState &finishState();

private:
  class OpScope;
  // Notes that the operands do not go together. Returns a value in the op's place.
  Value *refuse(OpCode code, Type *resultType);

  const std::unique_ptr<PipelineState> m_state;
  bool m_isInOp = false; // BuilderImpl's methods call each other
};

} // namespace lgc
