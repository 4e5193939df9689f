// SPDX-License-Identifier: MIT
#include "src/lgc/builder/direct_builder.h"
#include "src/lgc/ops/op_result_types.h"
#include "src/lgc/ops/operand_rules.h"
#include <fmt/format.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace lgc {

// The making of one op of the front end, with all that BuilderImpl makes for it.
class DirectBuilder::OpScope {
public:
  OpScope(DirectBuilder &builder, Type *resultType) : m_builder(builder), m_flags(builder.getFastMathFlags()) {
    builder.m_isInOp = true;
    if (!FPMathOperator::isSupportedFloatingPointType(resultType))
      builder.clearFastMathFlags();
  }
  ~OpScope() {
    m_builder.m_isInOp = false;
    m_builder.setFastMathFlags(m_flags);
  }
  OpScope(const OpScope &) = delete;

private:
  DirectBuilder &m_builder;
  const FastMathFlags m_flags;
};

DirectBuilder::DirectBuilder(LLVMContext &context, std::unique_ptr<PipelineState> state)
    : BuilderImpl(context, *state), m_state(std::move(state)) {}

PipelineState &DirectBuilder::finishState() {
  m_state->setShaderModes(shaderModes());
  return *m_state;
}

Value *DirectBuilder::refuse(OpCode code, Type *resultType) {
  fail(dovetail::ErrorCode::CompileFailed,
       fmt::format("lgc.{} has operands that do not go together", Op::mnemonicOf(code).str()));
  return resultType->isVoidTy() ? nullptr : PoisonValue::get(resultType);
}

#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  Value *DirectBuilder::Create##name_(LGC_PARAMETERS(operands_) const Twine &instName) {                               \
    if (m_isInOp)                                                                                                      \
      return BuilderImpl::Create##name_(LGC_ARGUMENTS(operands_) instName);                                            \
    using namespace result_types;                                                                                      \
    [[maybe_unused]] LLVMContext &context = getContext();                                                              \
    Type *const type = resultType_;                                                                                    \
    if (!hasGoodOperands(name_##Operands{LGC_ARGUMENTS(operands_)}))                                                   \
      return refuse(OpCode::name_, type);                                                                              \
    const OpScope inOp(*this, type);                                                                                   \
    return BuilderImpl::Create##name_(LGC_ARGUMENTS(operands_) instName);                                              \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP

} // namespace lgc
