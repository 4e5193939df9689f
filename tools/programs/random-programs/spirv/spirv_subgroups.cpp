// SPDX-License-Identifier: MIT
//
// Writes subgroup operations in two spellings: SPIR-V's own, and shared memory between barriers. The second spelling
// gives subgroups of 64 on every implementation, but needs all invocations of the workgroup.
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/spirv/spirv_expressions.h"

namespace dovetail::random_programs {

using spv::Capability;

uint32_t SpirvExpressions::writeSubgroup(const Expression &expression, const Words &arguments) {
  const uint32_t scope = m_module.word(uint32_t(spv::Scope::Subgroup)), type = m_module.type(expression.type);
  auto needs = [&](Capability capability) {
    m_module.need(Capability::GroupNonUniform);
    m_module.need(capability);
  };
  auto combine = [&](spv::Op op, spv::GroupOperation operation) {
    needs(Capability::GroupNonUniformArithmetic);
    return m_function.add(op, type, {scope, uint32_t(operation), arguments[0]});
  };
  constexpr auto Reduce = spv::GroupOperation::Reduce;
  switch (SubgroupForm(expression.words[0])) {
  case SubgroupForm::Add:
    return combine(spv::Op::OpGroupNonUniformIAdd, Reduce);
  case SubgroupForm::Minimum:
    return combine(spv::Op::OpGroupNonUniformUMin, Reduce);
  case SubgroupForm::MaximumSigned:
    return combine(spv::Op::OpGroupNonUniformSMax, Reduce);
  case SubgroupForm::And:
    return combine(spv::Op::OpGroupNonUniformBitwiseAnd, Reduce);
  case SubgroupForm::Or:
    return combine(spv::Op::OpGroupNonUniformBitwiseOr, Reduce);
  case SubgroupForm::Xor:
    return combine(spv::Op::OpGroupNonUniformBitwiseXor, Reduce);
  case SubgroupForm::InclusiveAdd:
    return combine(spv::Op::OpGroupNonUniformIAdd, spv::GroupOperation::InclusiveScan);
  case SubgroupForm::ExclusiveAdd:
    return combine(spv::Op::OpGroupNonUniformIAdd, spv::GroupOperation::ExclusiveScan);
  case SubgroupForm::BroadcastFirst:
    needs(Capability::GroupNonUniformBallot);
    return m_function.add(spv::Op::OpGroupNonUniformBroadcastFirst, type, {scope, arguments[0]});
  case SubgroupForm::Broadcast:
    needs(Capability::GroupNonUniformBallot);
    return m_function.add(spv::Op::OpGroupNonUniformBroadcast, type, {scope, arguments[0], arguments[1]});
  case SubgroupForm::Shuffle:
    needs(Capability::GroupNonUniformShuffle);
    return m_function.add(spv::Op::OpGroupNonUniformShuffle, type, {scope, arguments[0], arguments[1]});
  case SubgroupForm::ShuffleXor:
    needs(Capability::GroupNonUniformShuffle);
    return m_function.add(spv::Op::OpGroupNonUniformShuffleXor, type, {scope, arguments[0], arguments[1]});
  case SubgroupForm::Ballot: {
    needs(Capability::GroupNonUniformBallot);
    const uint32_t ballot =
        m_function.add(spv::Op::OpGroupNonUniformBallot, m_module.type({Scalar::I32, 4}), {scope, arguments[0]});
    return m_function.add(spv::Op::OpCompositeExtract, type, {ballot, uint32_t(expression.words[1])});
  }
  case SubgroupForm::All:
    needs(Capability::GroupNonUniformVote);
    return m_function.add(spv::Op::OpGroupNonUniformAll, type, {scope, arguments[0]});
  case SubgroupForm::Any:
    needs(Capability::GroupNonUniformVote);
    return m_function.add(spv::Op::OpGroupNonUniformAny, type, {scope, arguments[0]});
  }
  return 0;
}

uint32_t SpirvExpressions::writeSubgroupInMemory(const Expression &expression, const Words &arguments) {
  const auto form = SubgroupForm(expression.words[0]);
  const uint32_t wordType = m_module.type(I32), boolType = m_module.type(Bool), zero = m_module.word(0);
  const bool isOfBooleans = expression.arguments[0].type == Bool;
  const Type type = isOfBooleans ? I32 : expression.type;
  const uint32_t typeId = m_module.type(type);
  auto add = [&](spv::Op op, uint32_t result, std::initializer_list<uint32_t> operands) {
    return m_function.add(op, result, operands);
  };
  uint32_t given = arguments[0];
  if (isOfBooleans)
    given = add(spv::Op::OpSelect, wordType, {given, m_module.word(1), zero});
  const uint32_t local = m_interface.loadLocalLane(m_function);
  const uint32_t own = add(spv::Op::OpBitwiseAnd, wordType, {local, m_module.word(SubgroupLanes - 1)});
  const uint32_t first = add(spv::Op::OpISub, wordType, {local, own});
  m_interface.addBarrier(m_function);
  m_function.addUntyped(spv::Op::OpStore, {m_interface.pointToExchange(m_function, type, local), given});
  m_interface.addBarrier(m_function);
  auto load = [&](uint32_t lane) {
    const uint32_t place = add(spv::Op::OpIAdd, wordType, {first, lane});
    return add(spv::Op::OpLoad, typeId, {m_interface.pointToExchange(m_function, type, place)});
  };
  auto combine = [&](spv::Op op) {
    uint32_t result = load(zero);
    for (uint32_t lane = 1; lane < SubgroupLanes; ++lane)
      result = add(op, typeId, {result, load(m_module.word(lane))});
    return result;
  };
  auto extreme = [&](spv::Op less) {
    uint32_t result = load(zero);
    for (uint32_t lane = 1; lane < SubgroupLanes; ++lane) {
      const uint32_t other = load(m_module.word(lane));
      result = add(spv::Op::OpSelect, typeId, {add(less, boolType, {other, result}), other, result});
    }
    return result;
  };
  auto scan = [&](spv::Op isTaken) {
    const uint32_t nothing = m_module.constant(type, {0});
    uint32_t result = nothing;
    for (uint32_t lane = 0; lane < SubgroupLanes; ++lane) {
      const uint32_t condition = add(isTaken, boolType, {m_module.word(lane), own});
      const uint32_t term = add(spv::Op::OpSelect, typeId, {condition, load(m_module.word(lane)), nothing});
      result = add(spv::Op::OpIAdd, typeId, {result, term});
    }
    return result;
  };
  switch (form) {
  case SubgroupForm::Add:
    return combine(spv::Op::OpIAdd);
  case SubgroupForm::Minimum:
    return extreme(spv::Op::OpULessThan);
  case SubgroupForm::MaximumSigned:
    return extreme(spv::Op::OpSGreaterThan);
  case SubgroupForm::And:
    return combine(spv::Op::OpBitwiseAnd);
  case SubgroupForm::Or:
    return combine(spv::Op::OpBitwiseOr);
  case SubgroupForm::Xor:
    return combine(spv::Op::OpBitwiseXor);
  case SubgroupForm::InclusiveAdd:
    return scan(spv::Op::OpULessThanEqual);
  case SubgroupForm::ExclusiveAdd:
    return scan(spv::Op::OpULessThan);
  case SubgroupForm::BroadcastFirst:
    return load(zero);
  case SubgroupForm::Broadcast:
  case SubgroupForm::Shuffle:
    return load(arguments[1]);
  case SubgroupForm::ShuffleXor:
    return load(add(spv::Op::OpBitwiseXor, wordType, {own, arguments[1]}));
  case SubgroupForm::Ballot: {
    uint32_t ballot = zero;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      const uint32_t lane = load(m_module.word(32 * uint32_t(expression.words[1]) + bit));
      const uint32_t shifted = add(spv::Op::OpShiftLeftLogical, wordType, {lane, m_module.word(bit)});
      ballot = add(spv::Op::OpBitwiseOr, wordType, {ballot, shifted});
    }
    return ballot;
  }
  case SubgroupForm::All:
    return add(spv::Op::OpINotEqual, boolType, {combine(spv::Op::OpBitwiseAnd), zero});
  case SubgroupForm::Any:
    return add(spv::Op::OpINotEqual, boolType, {combine(spv::Op::OpBitwiseOr), zero});
  }
  return 0;
}

} // namespace dovetail::random_programs
