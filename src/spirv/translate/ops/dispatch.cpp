// SPDX-License-Identifier: MIT
//
// Makes a switch of handlers.def.
#include "src/spirv/module/names.h"
#include "src/spirv/module/visible_module.h"
#include "src/spirv/translate/ops/arithmetic_ops.h"
#include "src/spirv/translate/ops/handlers.h"
#include "src/spirv/translate/ops/image_instruction.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace dovetail::spirv {

namespace {

using lgc::AtomicOp, lgc::Builder, lgc::GroupOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

// Facts of opcodes.
constexpr bool Unsigned = false, Signed = true;
constexpr bool Saturating = true;
constexpr bool DirectionX = false, DirectionY = true;
constexpr bool Coarse = false, Fine = true;

unsigned componentCountOf(const Value *vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

Result<Value *> unary(Services &s, const Instruction &inst, Value *(*make)(Builder &, Value *x, llvm::Type *to)) {
  Value *x = DOVETAIL_TRY(s.operand(inst, 0));
  return make(s.builder, x, DOVETAIL_TRY(s.valueType(inst)));
}

Result<Value *> binary(Services &s, const Instruction &inst, Value *(*make)(Builder &, Value *x, Value *y)) {
  Value *x = DOVETAIL_TRY(s.operand(inst, 0));
  return make(s.builder, x, DOVETAIL_TRY(s.operand(inst, 1)));
}

// A handler returns the result's value, or binds the result itself.
Result<void> bindResult(Services &s, const Instruction &inst, const Result<Value *> &made) {
  s.setValue(inst, DOVETAIL_TRY(made));
  return {};
}

Result<void> bindResult(Services &, const Instruction &, Result<void> done) {
  return done;
}

// Vulkan lets an implementation fuse a multiplication and an addition and ignore the sign of zero, unless the shader
// forbids it. Infinities and NaNs are kept.
void setFastMath(Services &s, const Instruction &inst) {
  llvm::FastMathFlags flags;
  bool noContraction = inst.result && s.hasDecoration(inst.result, spv::Decoration::NoContraction);
  flags.setAllowContract(!noContraction && !s.hasInvariantOutput);
  flags.setNoSignedZeros(!s.preservesSignedZero && !noContraction);
  s.builder.setFastMathFlags(flags);
}

// The validator does not compare operand and result types of every instruction. If a result had another type than the
// module says, LLVM would stop where it is used.
Result<void> checkResult(Services &s, const Instruction &inst) {
  if (inst.result == 0 || inst.resultType == 0)
    return {};
  const IdValue *bound = s.values.find(inst.result);
  llvm::Type *declared = s.resultType(inst).value;
  if (bound && bound->value && declared && bound->value->getType() != declared)
    return makeError(ErrorCode::InvalidInput, "{} at word {}: its operands do not give its result type",
                     nameOf(inst.opcode), inst.wordOffset);
  return {};
}

Result<void> dispatch(Services &s, const Instruction &inst) {
  using enum spv::Op;
  using enum GroupForm;
  using enum GroupOperand;
  switch (uint32_t(inst.opcode)) { // not all opcodes are in the header's enumeration (visible_module.h)
#define SPIRV_IGNORED(opcode)                                                                                          \
  case uint32_t(opcode):                                                                                               \
    return {};
#define SPIRV_HANDLER(opcode, handler, ...)                                                                            \
  case uint32_t(opcode):                                                                                               \
    return bindResult(s, inst, handler(s, inst __VA_OPT__(, ) __VA_ARGS__));
#define SPIRV_UNARY(opcode, ...)                                                                                       \
  SPIRV_HANDLER(                                                                                                       \
      opcode, unary,                                                                                                   \
      +[](Builder &b [[maybe_unused]], Value *x, llvm::Type *to [[maybe_unused]]) -> Value * { return __VA_ARGS__; })
#define SPIRV_BINARY(opcode, ...)                                                                                      \
  SPIRV_HANDLER(                                                                                                       \
      opcode, binary, +[](Builder &b, Value *x, Value *y) -> Value * { return __VA_ARGS__; })
#define SPIRV_IMAGE(opcode, method, ...)                                                                               \
  case uint32_t(opcode):                                                                                               \
    return ImageInstruction(s, inst, {__VA_ARGS__}).method();
#define SPIRV_GROUP(opcode, form, type, ...)                                                                           \
  SPIRV_HANDLER(                                                                                                       \
      opcode, translateGroup, form, type, +[](Builder &b, Value *x) -> Value * { return __VA_ARGS__; })
#define SPIRV_GROUP_LANE(opcode, form, type, ...)                                                                      \
  SPIRV_HANDLER(                                                                                                       \
      opcode, translateGroupLane, form, type,                                                                          \
      +[](Builder &b, Value *x, Value *lane) -> Value * { return __VA_ARGS__; })
#include "src/spirv/translate/ops/handlers.def"
#undef SPIRV_GROUP_LANE
#undef SPIRV_GROUP
#undef SPIRV_IMAGE
#undef SPIRV_BINARY
#undef SPIRV_UNARY
#undef SPIRV_HANDLER
#undef SPIRV_IGNORED
  default:
    return unsupported(inst);
  }
}

} // namespace

Result<void> translateInstruction(Services &s, const Instruction &inst) {
  setFastMath(s, inst);
  DOVETAIL_CHECK(dispatch(s, inst));
  return checkResult(s, inst);
}

} // namespace dovetail::spirv
