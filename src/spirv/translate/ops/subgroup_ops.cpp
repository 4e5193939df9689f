// SPDX-License-Identifier: MIT
//
// Subgroup instructions: OpGroupNonUniform*, the older KHR and AMD forms, and OpGroup*, which all lanes reach together.
// A subgroup is a wave, and each instruction is one Builder operation. Booleans go through as i1.
#include "src/spirv/module/newer_instructions.h"
#include "src/spirv/translate/translator.h"

using namespace llvm;

namespace dovetail::spirv {

using lgc::GroupOp;
using spv::Op;

namespace {

constexpr unsigned WaveSize = 64;

std::optional<GroupOp> groupOp(Op opcode) {
  switch (opcode) {
  case Op::OpGroupNonUniformIAdd:
  case Op::OpGroupIAdd:
  case Op::OpGroupIAddNonUniformAMD:
    return GroupOp::IAdd;
  case Op::OpGroupNonUniformFAdd:
  case Op::OpGroupFAdd:
  case Op::OpGroupFAddNonUniformAMD:
    return GroupOp::FAdd;
  case Op::OpGroupNonUniformIMul:
    return GroupOp::IMul;
  case Op::OpGroupNonUniformFMul:
    return GroupOp::FMul;
  case Op::OpGroupNonUniformSMin:
  case Op::OpGroupSMin:
  case Op::OpGroupSMinNonUniformAMD:
    return GroupOp::SMin;
  case Op::OpGroupNonUniformUMin:
  case Op::OpGroupUMin:
  case Op::OpGroupUMinNonUniformAMD:
    return GroupOp::UMin;
  case Op::OpGroupNonUniformFMin:
  case Op::OpGroupFMin:
  case Op::OpGroupFMinNonUniformAMD:
    return GroupOp::FMin;
  case Op::OpGroupNonUniformSMax:
  case Op::OpGroupSMax:
  case Op::OpGroupSMaxNonUniformAMD:
    return GroupOp::SMax;
  case Op::OpGroupNonUniformUMax:
  case Op::OpGroupUMax:
  case Op::OpGroupUMaxNonUniformAMD:
    return GroupOp::UMax;
  case Op::OpGroupNonUniformFMax:
  case Op::OpGroupFMax:
  case Op::OpGroupFMaxNonUniformAMD:
    return GroupOp::FMax;
  case Op::OpGroupNonUniformBitwiseAnd:
  case Op::OpGroupNonUniformLogicalAnd:
    return GroupOp::And;
  case Op::OpGroupNonUniformBitwiseOr:
  case Op::OpGroupNonUniformLogicalOr:
    return GroupOp::Or;
  case Op::OpGroupNonUniformBitwiseXor:
  case Op::OpGroupNonUniformLogicalXor:
    return GroupOp::Xor;
  default:
    return std::nullopt;
  }
}

// The types that the operand of a group operation must have; the validator does not check them.
enum class GroupOperand { Bool, Ballot, Integers, Floats, Bools, ScalarsOrVectors };

GroupOperand operandOf(Op opcode) {
  switch (opcode) {
  case Op::OpGroupAll:
  case Op::OpGroupNonUniformAll:
  case Op::OpGroupAny:
  case Op::OpGroupNonUniformAny:
  case Op::OpGroupNonUniformBallot:
  case Op::OpSubgroupAllKHR:
  case Op::OpSubgroupAnyKHR:
  case Op::OpSubgroupBallotKHR:
    return GroupOperand::Bool;
  case Op::OpGroupNonUniformInverseBallot:
  case Op::OpGroupNonUniformBallotBitExtract:
  case Op::OpGroupNonUniformBallotBitCount:
  case Op::OpGroupNonUniformBallotFindLSB:
  case Op::OpGroupNonUniformBallotFindMSB:
    return GroupOperand::Ballot;
  case Op::OpGroupNonUniformLogicalAnd:
  case Op::OpGroupNonUniformLogicalOr:
  case Op::OpGroupNonUniformLogicalXor:
    return GroupOperand::Bools;
  default:
    break;
  }
  const std::optional<GroupOp> op = groupOp(opcode);
  if (!op)
    return GroupOperand::ScalarsOrVectors;
  const bool isOfFloats = *op == GroupOp::FAdd || *op == GroupOp::FMul || *op == GroupOp::FMin || *op == GroupOp::FMax;
  return isOfFloats ? GroupOperand::Floats : GroupOperand::Integers;
}

bool isOperand(const llvm::Type &type, GroupOperand wanted) {
  const llvm::Type *element = type.getScalarType();
  switch (wanted) {
  case GroupOperand::Bool:
    return type.isIntegerTy(1);
  case GroupOperand::Ballot: {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    return vector && vector->getNumElements() == 4 && element->isIntegerTy(32);
  }
  case GroupOperand::Integers:
    return element->isIntegerTy() && !element->isIntegerTy(1);
  case GroupOperand::Floats:
    return element->isFloatingPointTy();
  case GroupOperand::Bools:
    return element->isIntegerTy(1);
  case GroupOperand::ScalarsOrVectors:
    return element->isIntegerTy() || element->isFloatingPointTy();
  }
  return false;
}

} // namespace

Result<llvm::Value *> Translator::groupOperand(const Instruction &inst, unsigned index) {
  Value *operand = DOVETAIL_TRY(operandValue(inst, index));
  if (!isOperand(*operand->getType(), operandOf(inst.opcode)))
    return unsupported(inst,
                       fmt::format("operand %{} is of another type than the operation takes", inst.operand(index)));
  return operand;
}

Result<void> Translator::checkSubgroupScope(const Instruction &inst) {
  uint64_t scope = DOVETAIL_TRY(constantInteger(inst, inst.operand(0)));
  if (scope != uint64_t(spv::Scope::Subgroup))
    return unsupported(inst, "group operations over another scope than the subgroup");
  return {};
}

Result<void> Translator::translateSubgroupArithmetic(const Instruction &inst) {
  DOVETAIL_CHECK(checkSubgroupScope(inst));
  std::optional<GroupOp> op = groupOp(inst.opcode);
  if (!op)
    return unsupported(inst);
  Value *x = DOVETAIL_TRY(groupOperand(inst, 2));
  switch (static_cast<spv::GroupOperation>(inst.operand(1))) {
  case spv::GroupOperation::Reduce:
    setValue(inst, m_builder.CreateSubgroupClusteredReduction(*op, x, WaveSize));
    return {};
  case spv::GroupOperation::InclusiveScan:
    setValue(inst, m_builder.CreateSubgroupClusteredInclusive(*op, x, WaveSize));
    return {};
  case spv::GroupOperation::ExclusiveScan:
    setValue(inst, m_builder.CreateSubgroupClusteredExclusive(*op, x, WaveSize));
    return {};
  case spv::GroupOperation::ClusteredReduce: {
    if (inst.operandCount() < 4)
      return unsupported(inst, "a clustered reduction without a cluster size");
    uint64_t size = DOVETAIL_TRY(constantInteger(inst, inst.operand(3)));
    if (size == 0 || (size & (size - 1)) != 0)
      return unsupported(inst, "a cluster size that is not a power of two");
    if (size == 1)
      setValue(inst, x);
    else
      setValue(inst, m_builder.CreateSubgroupClusteredReduction(*op, x, std::min<uint64_t>(size, WaveSize)));
    return {};
  }
  case spv::GroupOperation::PartitionedReduceNV:
  case spv::GroupOperation::PartitionedInclusiveScanNV:
  case spv::GroupOperation::PartitionedExclusiveScanNV:
    return translatePartitioned(inst, *op, x);
  default:
    return unsupported(inst, "this group operation");
  }
}

Result<void> Translator::translatePartitioned(const Instruction &inst, GroupOp op, Value *x) {
  if (inst.operandCount() < 4)
    return unsupported(inst, "an operation over a partition without its ballot");
  Value *ballot = DOVETAIL_TRY(operandValue(inst, 3));
  if (!isOperand(*ballot->getType(), GroupOperand::Ballot))
    return unsupported(inst, fmt::format("operand %{} is no ballot", inst.operand(3)));
  const auto kind = static_cast<spv::GroupOperation>(inst.operand(1));
  setValue(inst, kind == spv::GroupOperation::PartitionedReduceNV
                     ? m_builder.CreateSubgroupPartitionedReduction(op, x, ballot)
                 : kind == spv::GroupOperation::PartitionedInclusiveScanNV
                     ? m_builder.CreateSubgroupPartitionedInclusive(op, x, ballot)
                     : m_builder.CreateSubgroupPartitionedExclusive(op, x, ballot));
  return {};
}

// The instruction has no scope.
Result<void> Translator::translateSubgroupPartition(const Instruction &inst) {
  setValue(inst, m_builder.CreateSubgroupPartition(DOVETAIL_TRY(groupOperand(inst, 0))));
  return {};
}

// Each lane reads the lane that is `delta` lanes further in its cluster; behind the last lane follows the cluster's
// first.
Result<void> Translator::translateSubgroupRotate(const Instruction &inst) {
  DOVETAIL_CHECK(checkSubgroupScope(inst));
  Value *x = DOVETAIL_TRY(groupOperand(inst, 1));
  Value *delta = DOVETAIL_TRY(operandValue(inst, 2));
  if (!delta->getType()->isIntegerTy() || delta->getType()->isIntegerTy(1))
    return unsupported(inst, fmt::format("%{} is not a number of lanes", inst.operand(2)));
  uint64_t size = inst.operandCount() > 3 ? DOVETAIL_TRY(constantInteger(inst, inst.operand(3))) : WaveSize;
  if (size == 0 || (size & (size - 1)) != 0)
    return unsupported(inst, "a cluster size that is not a power of two");
  Value *lastOfCluster = m_builder.getInt32(std::min<uint64_t>(size, WaveSize) - 1);
  Value *own = m_builder.CreateReadBuiltInInput(m_builder.getInt32Ty(), lgc::BuiltIn::SubgroupLocalInvocationId,
                                                nullptr, nullptr);
  Value *moved = m_builder.CreateAdd(own, m_builder.CreateZExtOrTrunc(delta, m_builder.getInt32Ty()));
  Value *lane = m_builder.CreateOr(m_builder.CreateAnd(moved, lastOfCluster),
                                   m_builder.CreateAnd(own, m_builder.CreateNot(lastOfCluster)));
  setValue(inst, m_builder.CreateSubgroupShuffle(x, lane));
  return {};
}

// A vote of the quad's active lanes. The instruction has no scope.
Result<void> Translator::translateQuadVote(const Instruction &inst) {
  Value *condition = DOVETAIL_TRY(operandValue(inst, 0));
  if (!condition->getType()->isIntegerTy(1))
    return unsupported(inst, fmt::format("operand %{} is no condition", inst.operand(0)));
  setValue(inst, inst.opcode == OpQuadAll ? m_builder.CreateSubgroupQuadAll(condition)
                                          : m_builder.CreateSubgroupQuadAny(condition));
  return {};
}

Result<void> Translator::translateSubgroup(const Instruction &inst) {
  // The KHR forms have no scope operand.
  bool isKhr = inst.opcode == Op::OpSubgroupBallotKHR || inst.opcode == Op::OpSubgroupFirstInvocationKHR ||
               inst.opcode == Op::OpSubgroupAllKHR || inst.opcode == Op::OpSubgroupAnyKHR ||
               inst.opcode == Op::OpSubgroupAllEqualKHR || inst.opcode == Op::OpSubgroupReadInvocationKHR;
  unsigned first = isKhr ? 0 : 1;
  if (!isKhr)
    DOVETAIL_CHECK(checkSubgroupScope(inst));
  if (inst.opcode == Op::OpGroupNonUniformElect) {
    setValue(inst, m_builder.CreateSubgroupElect());
    return {};
  }

  auto laneOperand = [&]() -> Result<Value *> {
    Value *lane = DOVETAIL_TRY(operandValue(inst, first + 1));
    if (!lane->getType()->isIntegerTy() || lane->getType()->isIntegerTy(1))
      return unsupported(inst, fmt::format("%{} is not a lane's number", inst.operand(first + 1)));
    return m_builder.CreateZExtOrTrunc(lane, m_builder.getInt32Ty());
  };
  // Counts of the ballot's bits come in three kinds, which an operand before the ballot tells apart.
  if (inst.opcode == Op::OpGroupNonUniformBallotBitCount) {
    Value *ballot = DOVETAIL_TRY(groupOperand(inst, 2));
    switch (static_cast<spv::GroupOperation>(inst.operand(1))) {
    case spv::GroupOperation::Reduce:
      setValue(inst, m_builder.CreateSubgroupBallotBitCount(ballot));
      return {};
    case spv::GroupOperation::InclusiveScan:
      setValue(inst, m_builder.CreateSubgroupBallotInclusiveBitCount(ballot));
      return {};
    case spv::GroupOperation::ExclusiveScan:
      setValue(inst, m_builder.CreateSubgroupBallotExclusiveBitCount(ballot));
      return {};
    default:
      return unsupported(inst, "this group operation");
    }
  }

  Value *x = DOVETAIL_TRY(groupOperand(inst, first));
  Value *result = nullptr;
  switch (inst.opcode) {
  case Op::OpGroupAll:
  case Op::OpGroupNonUniformAll:
  case Op::OpSubgroupAllKHR:
    result = m_builder.CreateSubgroupAll(x);
    break;
  case Op::OpGroupAny:
  case Op::OpGroupNonUniformAny:
  case Op::OpSubgroupAnyKHR:
    result = m_builder.CreateSubgroupAny(x);
    break;
  case Op::OpGroupNonUniformAllEqual:
  case Op::OpSubgroupAllEqualKHR:
    result = m_builder.CreateSubgroupAllEqual(x);
    break;
  case Op::OpGroupBroadcast:
  case Op::OpGroupNonUniformBroadcast:
  case Op::OpSubgroupReadInvocationKHR:
    result = m_builder.CreateSubgroupBroadcast(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformBroadcastFirst:
  case Op::OpSubgroupFirstInvocationKHR:
    result = m_builder.CreateSubgroupBroadcastFirst(x);
    break;
  case Op::OpGroupNonUniformBallot:
  case Op::OpSubgroupBallotKHR:
    result = m_builder.CreateSubgroupBallot(x);
    break;
  case Op::OpGroupNonUniformInverseBallot:
    result = m_builder.CreateSubgroupInverseBallot(x);
    break;
  case Op::OpGroupNonUniformBallotBitExtract:
    result = m_builder.CreateSubgroupBallotBitExtract(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformBallotFindLSB:
    result = m_builder.CreateSubgroupBallotFindLsb(x);
    break;
  case Op::OpGroupNonUniformBallotFindMSB:
    result = m_builder.CreateSubgroupBallotFindMsb(x);
    break;
  case Op::OpGroupNonUniformShuffle:
    result = m_builder.CreateSubgroupShuffle(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformShuffleXor:
    result = m_builder.CreateSubgroupShuffleXor(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformShuffleUp:
    result = m_builder.CreateSubgroupShuffleUp(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformShuffleDown:
    result = m_builder.CreateSubgroupShuffleDown(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformQuadBroadcast:
    result = m_builder.CreateSubgroupQuadBroadcast(x, DOVETAIL_TRY(laneOperand()));
    break;
  case Op::OpGroupNonUniformQuadSwap: {
    uint64_t direction = DOVETAIL_TRY(constantInteger(inst, inst.operand(2)));
    if (direction > 2)
      return unsupported(inst, "a quad swap in this direction");
    result = direction == 0   ? m_builder.CreateSubgroupQuadSwapHorizontal(x)
             : direction == 1 ? m_builder.CreateSubgroupQuadSwapVertical(x)
                              : m_builder.CreateSubgroupQuadSwapDiagonal(x);
    break;
  }
  default:
    return unsupported(inst);
  }
  setValue(inst, result);
  return {};
}

} // namespace dovetail::spirv
