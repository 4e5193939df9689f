// SPDX-License-Identifier: MIT
//
// AMD's sets of extended instructions: SPV_AMD_shader_trinary_minmax, SPV_AMD_gcn_shader, SPV_AMD_shader_ballot and
// SPV_AMD_shader_explicit_vertex_parameter.
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace dovetail::spirv {

namespace {

constexpr unsigned FirstArgument = 2; // behind the set's id and the instruction's number

enum class GcnShader { CubeFaceIndex = 1, CubeFaceCoord, Time };
enum class ShaderBallot { SwizzleInvocations = 1, SwizzleInvocationsMasked, WriteInvocation, Mbcnt };

} // namespace

Result<Value *> translateTrinaryMinMax(Services &s, const Instruction &inst) {
  if (inst.operandCount() != FirstArgument + 3)
    return unsupported(inst, "a minimum, maximum or median of another number of values than three");
  Value *x = DOVETAIL_TRY(s.operand(inst, FirstArgument));
  Value *y = DOVETAIL_TRY(s.operand(inst, FirstArgument + 1));
  Value *z = DOVETAIL_TRY(s.operand(inst, FirstArgument + 2));
  const unsigned number = inst.operand(1) - 1; // FMin3, UMin3, SMin3, the same for Max3, and for Mid3
  const unsigned operation = number / 3;
  const bool isFloat = operation < 3 && number % 3 == 0;
  const bool isSigned = number % 3 == 2;
  for (Value *operand : {x, y, z})
    if (operand->getType() != x->getType() ||
        !(isFloat ? operand->getType()->isFPOrFPVectorTy() : operand->getType()->isIntOrIntVectorTy()))
      return unsupported(inst, "operands of these types");

  auto min = [&](Value *a, Value *b) -> Value * {
    if (isFloat)
      return s.builder.CreateFMin(a, b);
    return s.builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, a, b);
  };
  auto max = [&](Value *a, Value *b) -> Value * {
    if (isFloat)
      return s.builder.CreateFMax(a, b);
    return s.builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, a, b);
  };
  switch (operation) {
  case 0:
    return min(min(x, y), z);
  case 1:
    return max(max(x, y), z);
  case 2:
    return max(min(x, y), min(max(x, y), z));
  default:
    return unsupported(inst, fmt::format("instruction {} of SPV_AMD_shader_trinary_minmax", inst.operand(1)));
  }
}

// The face is a number from 0 to 5 (+x, -x, +y, -y, +z, -z); the place on the face lies in [0, 1].
Result<Value *> translateGcnShader(Services &s, const Instruction &inst) {
  const auto number = static_cast<GcnShader>(inst.operand(1));
  if (number == GcnShader::Time) {
    return s.builder.CreateReadClock(/*isRealtime=*/false);
  }
  if (number != GcnShader::CubeFaceIndex && number != GcnShader::CubeFaceCoord)
    return unsupported(inst, fmt::format("instruction {} of SPV_AMD_gcn_shader", inst.operand(1)));
  Value *direction = DOVETAIL_TRY(s.operand(inst, FirstArgument));
  auto *type = dyn_cast<FixedVectorType>(direction->getType());
  if (!type || type->getNumElements() != 3 || !type->getElementType()->isFloatTy())
    return unsupported(inst, "a direction of this type");
  auto call = [&](Intrinsic::ID id) -> Value * {
    SmallVector<Value *, 3> xyz;
    for (unsigned i = 0; i < 3; ++i)
      xyz.push_back(s.builder.CreateExtractElement(direction, i));
    return s.builder.CreateIntrinsic(id, {}, xyz);
  };
  if (number == GcnShader::CubeFaceIndex) {
    return call(Intrinsic::amdgcn_cubeid);
  }
  // The hardware returns twice the major axis, with its sign.
  Value *scale = s.builder.CreateUnaryIntrinsic(Intrinsic::fabs, call(Intrinsic::amdgcn_cubema));
  Value *half = ConstantFP::get(s.builder.getFloatTy(), 0.5);
  Value *result = PoisonValue::get(FixedVectorType::get(s.builder.getFloatTy(), 2));
  for (unsigned i = 0; i < 2; ++i) {
    Value *place = s.builder.CreateFDiv(call(i == 0 ? Intrinsic::amdgcn_cubesc : Intrinsic::amdgcn_cubetc), scale);
    result = s.builder.CreateInsertElement(result, s.builder.CreateFAdd(place, half), i);
  }
  return result;
}

Result<Value *> translateShaderBallot(Services &s, const Instruction &inst) {
  auto argument = [&](unsigned index) { return s.operand(inst, FirstArgument + index); };
  auto ownLane = [&]() -> Value * {
    return s.builder.CreateReadBuiltInInput(s.builder.getInt32Ty(), lgc::BuiltIn::SubgroupLocalInvocationId, nullptr,
                                            nullptr);
  };
  // A component of a vector of `count` unsigned integers.
  auto component = [&](Value *vector, unsigned count, unsigned index) -> Result<Value *> {
    auto *type = dyn_cast<FixedVectorType>(vector->getType());
    if (!type || type->getNumElements() != count || !type->getElementType()->isIntegerTy(32))
      return unsupported(inst, "an offset or mask of this type");
    return s.builder.CreateExtractElement(vector, index);
  };
  Value *x = DOVETAIL_TRY(argument(0));
  Type *element = x->getType()->getScalarType();
  if (x->getType()->isAggregateType() || !(element->isIntegerTy() || element->isFloatingPointTy()))
    return unsupported(inst, "data of this type");

  switch (static_cast<ShaderBallot>(inst.operand(1))) {
  case ShaderBallot::SwizzleInvocations: {
    // Component `i` of the offset is the lane of the quad that lane `i` reads.
    Value *offset = DOVETAIL_TRY(argument(1));
    Value *own = ownLane();
    Value *place = s.builder.CreateAnd(own, 3);
    Value *chosen = DOVETAIL_TRY(component(offset, 4, 0));
    for (unsigned i = 1; i < 4; ++i)
      chosen = s.builder.CreateSelect(s.builder.CreateICmpEQ(place, s.builder.getInt32(i)),
                                      DOVETAIL_TRY(component(offset, 4, i)), chosen);
    Value *lane = s.builder.CreateOr(s.builder.CreateAnd(own, ~3u), s.builder.CreateAnd(chosen, 3));
    return s.builder.CreateSubgroupShuffle(x, lane);
  }
  case ShaderBallot::SwizzleInvocationsMasked: {
    // Each lane among 32 reads the lane (lane & mask.x | mask.y) ^ mask.z.
    Value *mask = DOVETAIL_TRY(argument(1));
    Value *own = ownLane();
    Value *lane = s.builder.CreateAnd(own, DOVETAIL_TRY(component(mask, 3, 0)));
    lane = s.builder.CreateOr(lane, DOVETAIL_TRY(component(mask, 3, 1)));
    lane = s.builder.CreateXor(lane, DOVETAIL_TRY(component(mask, 3, 2)));
    lane = s.builder.CreateOr(s.builder.CreateAnd(lane, 31), s.builder.CreateAnd(own, 32));
    return s.builder.CreateSubgroupShuffle(x, lane);
  }
  case ShaderBallot::WriteInvocation: {
    Value *written = DOVETAIL_TRY(argument(1));
    Value *lane = DOVETAIL_TRY(argument(2));
    if (written->getType() != x->getType() || !lane->getType()->isIntegerTy(32))
      return unsupported(inst, "operands of these types");
    return s.builder.CreateSelect(s.builder.CreateICmpEQ(ownLane(), lane), written, x);
  }
  case ShaderBallot::Mbcnt: {
    if (!x->getType()->isIntegerTy(64))
      return unsupported(inst, "a mask of this type");
    auto *pair = FixedVectorType::get(s.builder.getInt32Ty(), 2);
    Value *halves = s.builder.CreateBitCast(x, pair);
    Value *ballot = s.builder.CreateShuffleVector(halves, Constant::getNullValue(pair), ArrayRef<int>{0, 1, 2, 3});
    return s.builder.CreateSubgroupBallotExclusiveBitCount(ballot);
  }
  }
  return unsupported(inst, fmt::format("instruction {} of SPV_AMD_shader_ballot", inst.operand(1)));
}

Result<Value *> translateExplicitVertexParameter(Services &s, const Instruction &inst) {
  constexpr uint32_t InterpolateAtVertex = 1;
  if (inst.operand(1) != InterpolateAtVertex)
    return unsupported(inst,
                       fmt::format("instruction {} of SPV_AMD_shader_explicit_vertex_parameter", inst.operand(1)));
  Pointer input = DOVETAIL_TRY(s.pointer(inst, FirstArgument));
  const uint64_t vertex = DOVETAIL_TRY(s.constant(inst, FirstArgument + 1));
  return DOVETAIL_TRY(s.inputs.readOfVertex(inst, input, vertex));
}

} // namespace dovetail::spirv
