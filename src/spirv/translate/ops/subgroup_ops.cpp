// SPDX-License-Identifier: MIT
//
// Subgroup instructions: OpGroupNonUniform*, the older KHR and AMD forms, and OpGroup*, which all lanes reach together.
// A subgroup is a wave, and each instruction is one Builder operation, which its row in handlers.def has. Booleans go
// through as i1.
#include "src/spirv/translate/ops/handlers.h"

using namespace llvm;

namespace dovetail::spirv {

using lgc::GroupOp;

namespace {

constexpr unsigned WaveSize = 64;

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
  case GroupOperand::Any:
    return element->isIntegerTy() || element->isFloatingPointTy();
  }
  return false;
}

Result<void> checkScope(Services &s, const Instruction &inst) {
  const uint64_t scope = DOVETAIL_TRY(s.constant(inst, 0));
  if (scope != uint64_t(spv::Scope::Subgroup))
    return unsupported(inst, "group operations over another scope than the subgroup");
  return {};
}

// operand(index); an Error if the operation does not take its type.
Result<Value *> groupOperand(Services &s, const Instruction &inst, unsigned index, GroupOperand kind) {
  Value *operand = DOVETAIL_TRY(s.operand(inst, index));
  if (!isOperand(*operand->getType(), kind))
    return unsupported(inst,
                       fmt::format("operand %{} is of another type than the operation takes", inst.operand(index)));
  return operand;
}

Result<Value *> partitioned(Services &s, const Instruction &inst, GroupOp op, Value *x) {
  if (inst.operandCount() < 4)
    return unsupported(inst, "an operation over a partition without its ballot");
  Value *ballot = DOVETAIL_TRY(s.operand(inst, 3));
  if (!isOperand(*ballot->getType(), GroupOperand::Ballot))
    return unsupported(inst, fmt::format("operand %{} is no ballot", inst.operand(3)));
  const auto kind = static_cast<spv::GroupOperation>(inst.operand(1));
  return kind == spv::GroupOperation::PartitionedReduceNV ? s.builder.CreateSubgroupPartitionedReduction(op, x, ballot)
         : kind == spv::GroupOperation::PartitionedInclusiveScanNV
             ? s.builder.CreateSubgroupPartitionedInclusive(op, x, ballot)
             : s.builder.CreateSubgroupPartitionedExclusive(op, x, ballot);
}

} // namespace

Result<Value *> translateElect(Services &s, const Instruction &inst) {
  DOVETAIL_CHECK(checkScope(s, inst));
  return s.builder.CreateSubgroupElect();
}

Result<Value *> translateGroup(Services &s, const Instruction &inst, GroupForm form, GroupOperand kind,
                               Value *(*make)(lgc::Builder &, Value *x)) {
  if (form == GroupForm::Scoped)
    DOVETAIL_CHECK(checkScope(s, inst));
  Value *x = DOVETAIL_TRY(groupOperand(s, inst, form == GroupForm::Scoped ? 1 : 0, kind));
  return make(s.builder, x);
}

Result<Value *> translateGroupLane(Services &s, const Instruction &inst, GroupForm form, GroupOperand kind,
                                   Value *(*make)(lgc::Builder &, Value *x, Value *lane)) {
  const unsigned first = form == GroupForm::Scoped ? 1 : 0;
  if (form == GroupForm::Scoped)
    DOVETAIL_CHECK(checkScope(s, inst));
  Value *x = DOVETAIL_TRY(groupOperand(s, inst, first, kind));
  Value *lane = DOVETAIL_TRY(s.operand(inst, first + 1));
  if (!lane->getType()->isIntegerTy() || lane->getType()->isIntegerTy(1))
    return unsupported(inst, fmt::format("%{} is not a lane's number", inst.operand(first + 1)));
  return make(s.builder, x, s.builder.CreateZExtOrTrunc(lane, s.builder.getInt32Ty()));
}

// Counts of the ballot's bits come in three kinds, which an operand before the ballot tells apart.
Result<Value *> translateBallotBitCount(Services &s, const Instruction &inst) {
  DOVETAIL_CHECK(checkScope(s, inst));
  Value *ballot = DOVETAIL_TRY(groupOperand(s, inst, 2, GroupOperand::Ballot));
  switch (static_cast<spv::GroupOperation>(inst.operand(1))) {
  case spv::GroupOperation::Reduce:
    return s.builder.CreateSubgroupBallotBitCount(ballot);
  case spv::GroupOperation::InclusiveScan:
    return s.builder.CreateSubgroupBallotInclusiveBitCount(ballot);
  case spv::GroupOperation::ExclusiveScan:
    return s.builder.CreateSubgroupBallotExclusiveBitCount(ballot);
  default:
    return unsupported(inst, "this group operation");
  }
}

Result<Value *> translateQuadSwap(Services &s, const Instruction &inst) {
  DOVETAIL_CHECK(checkScope(s, inst));
  Value *x = DOVETAIL_TRY(groupOperand(s, inst, 1, GroupOperand::Any));
  switch (DOVETAIL_TRY(s.constant(inst, 2))) {
  case 0:
    return s.builder.CreateSubgroupQuadSwapHorizontal(x);
  case 1:
    return s.builder.CreateSubgroupQuadSwapVertical(x);
  case 2:
    return s.builder.CreateSubgroupQuadSwapDiagonal(x);
  default:
    return unsupported(inst, "a quad swap in this direction");
  }
}

// A vote of the quad's active lanes. The instruction has no scope.
Result<Value *> translateQuadVote(Services &s, const Instruction &inst, bool isAll) {
  Value *condition = DOVETAIL_TRY(s.operand(inst, 0));
  if (!condition->getType()->isIntegerTy(1))
    return unsupported(inst, fmt::format("operand %{} is no condition", inst.operand(0)));
  return isAll ? s.builder.CreateSubgroupQuadAll(condition) : s.builder.CreateSubgroupQuadAny(condition);
}

Result<Value *> translateGroupArithmetic(Services &s, const Instruction &inst, GroupOp op, GroupOperand kind) {
  DOVETAIL_CHECK(checkScope(s, inst));
  Value *x = DOVETAIL_TRY(groupOperand(s, inst, 2, kind));
  switch (static_cast<spv::GroupOperation>(inst.operand(1))) {
  case spv::GroupOperation::Reduce:
    return s.builder.CreateSubgroupClusteredReduction(op, x, WaveSize);
  case spv::GroupOperation::InclusiveScan:
    return s.builder.CreateSubgroupClusteredInclusive(op, x, WaveSize);
  case spv::GroupOperation::ExclusiveScan:
    return s.builder.CreateSubgroupClusteredExclusive(op, x, WaveSize);
  case spv::GroupOperation::ClusteredReduce: {
    if (inst.operandCount() < 4)
      return unsupported(inst, "a clustered reduction without a cluster size");
    uint64_t size = DOVETAIL_TRY(s.constant(inst, 3));
    if (size == 0 || (size & (size - 1)) != 0)
      return unsupported(inst, "a cluster size that is not a power of two");
    if (size == 1)
      return x;
    return s.builder.CreateSubgroupClusteredReduction(op, x, std::min<uint64_t>(size, WaveSize));
  }
  case spv::GroupOperation::PartitionedReduceNV:
  case spv::GroupOperation::PartitionedInclusiveScanNV:
  case spv::GroupOperation::PartitionedExclusiveScanNV:
    return partitioned(s, inst, op, x);
  default:
    return unsupported(inst, "this group operation");
  }
}

// The instruction has no scope.
Result<Value *> translateSubgroupPartition(Services &s, const Instruction &inst) {
  return s.builder.CreateSubgroupPartition(DOVETAIL_TRY(groupOperand(s, inst, 0, GroupOperand::Any)));
}

// Each lane reads the lane that is `delta` lanes further in its cluster; behind the last lane follows the cluster's
// first.
Result<Value *> translateSubgroupRotate(Services &s, const Instruction &inst) {
  DOVETAIL_CHECK(checkScope(s, inst));
  Value *x = DOVETAIL_TRY(groupOperand(s, inst, 1, GroupOperand::Any));
  Value *delta = DOVETAIL_TRY(s.operand(inst, 2));
  if (!delta->getType()->isIntegerTy() || delta->getType()->isIntegerTy(1))
    return unsupported(inst, fmt::format("%{} is not a number of lanes", inst.operand(2)));
  uint64_t size = inst.operandCount() > 3 ? DOVETAIL_TRY(s.constant(inst, 3)) : WaveSize;
  if (size == 0 || (size & (size - 1)) != 0)
    return unsupported(inst, "a cluster size that is not a power of two");
  Value *lastOfCluster = s.builder.getInt32(std::min<uint64_t>(size, WaveSize) - 1);
  Value *own = s.builder.CreateReadBuiltInInput(s.builder.getInt32Ty(), lgc::BuiltIn::SubgroupLocalInvocationId,
                                                nullptr, nullptr);
  Value *moved = s.builder.CreateAdd(own, s.builder.CreateZExtOrTrunc(delta, s.builder.getInt32Ty()));
  Value *lane = s.builder.CreateOr(s.builder.CreateAnd(moved, lastOfCluster),
                                   s.builder.CreateAnd(own, s.builder.CreateNot(lastOfCluster)));
  return s.builder.CreateSubgroupShuffle(x, lane);
}

} // namespace dovetail::spirv
