// SPDX-License-Identifier: MIT
//
// Partitions of a subgroup (SPV_NV_shader_subgroup_partitioned): the active lanes fall into sets, and each lane has the
// ballot of its own set.
//
// A scan links each lane to the lane in front of it in its set. In each round, a lane adds the sum of the lane to which
// it is linked, and takes that lane's link. After six rounds, it has seen all 63 lanes that may be in front. A ballot
// from in front of a branch may have inactive lanes; these are in no set.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/subgroups/group_op.h"
#include "src/lgc/state/compile_options.h"

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned Rounds = 6;
constexpr unsigned NoLink = WaveLanes; // a shuffle uses only the bits below

// Whether numbers or bits are equal. So NaN is in a set, too, and 0 and -0 are in one set.
Value *isSameValue(BuilderImpl &builder, Value *a, Value *b) {
  Type *type = a->getType();
  Value *isSame = nullptr;
  if (type->isFPOrFPVectorTy()) {
    Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
    isSame = builder.CreateICmpEQ(builder.CreateBitCast(a, bits), builder.CreateBitCast(b, bits));
    isSame = builder.CreateOr(isSame, builder.CreateFCmpOEQ(a, b));
  } else {
    isSame = builder.CreateICmpEQ(a, b);
  }
  return type->isVectorTy() ? builder.CreateAndReduce(isSame) : isSame;
}

class PartitionedScan {
public:
  PartitionedScan(BuilderImpl &builder, GroupOp op, Value *ballot) : m_builder(builder), m_op(op) {
    Value *halves = builder.CreateShuffleVector(ballot, ArrayRef<int>{0, 1});
    Value *active = builder.CreateShuffleVector(builder.CreateSubgroupBallot(builder.getTrue()), ArrayRef<int>{0, 1});
    m_set = builder.CreateBitCast(builder.CreateAnd(halves, active), builder.getInt64Ty());
    Value *lane = builder.CreateZExt(builder.laneNumber(), builder.getInt64Ty());
    Value *lanesInFront = builder.CreateNot(builder.CreateShl(builder.getInt64(~0ull), lane));
    Value *inFront = builder.CreateAnd(m_set, lanesInFront);
    m_link = builder.CreateSelect(builder.CreateICmpEQ(inFront, builder.getInt64(0)), builder.getInt32(NoLink),
                                  lastOf(inFront));
  }

  Value *inclusive(Value *value) {
    Value *link = m_link;
    for (unsigned round = 0; round < Rounds; ++round) {
      Value *goesOn = hasLane(link);
      Value *sum = combineGroup(m_builder, m_op, m_builder.CreateSubgroupShuffle(value, link), value);
      value = m_builder.CreateSelect(goesOn, sum, value);
      if (round + 1 < Rounds)
        link = m_builder.CreateSelect(goesOn, m_builder.CreateSubgroupShuffle(link, link), link);
    }
    return value;
  }

  Value *exclusive(Value *value) {
    Value *inFront = m_builder.CreateSubgroupShuffle(inclusive(value), m_link);
    return m_builder.CreateSelect(hasLane(m_link), inFront, identityOf(m_op, value->getType()));
  }

  Value *reduce(Value *value) { return m_builder.CreateSubgroupShuffle(inclusive(value), lastOf(m_set)); }

private:
  Value *hasLane(Value *link) { return m_builder.CreateICmpNE(link, m_builder.getInt32(NoLink)); }

  // The last lane of a set that is not empty.
  Value *lastOf(Value *set) {
    Value *zeros = m_builder.CreateBinaryIntrinsic(Intrinsic::ctlz, set, m_builder.getTrue());
    return m_builder.CreateSub(m_builder.getInt32(WaveLanes - 1), m_builder.CreateTrunc(zeros, m_builder.getInt32Ty()));
  }

  BuilderImpl &m_builder;
  GroupOp m_op;
  Value *m_set;
  Value *m_link; // the lane in front in the set, or NoLink
};

} // namespace

// In each round of the loop, all lanes of one set leave.
Value *BuilderImpl::CreateSubgroupPartition(Value *value, const Twine &) {
  value = CreateFreeze(value); // a branch on an undefined value would be undefined behaviour
  BasicBlock *head = GetInsertBlock();
  BasicBlock *tail = splitBlock();
  BasicBlock *loop = BasicBlock::Create(getContext(), "", head->getParent(), tail);
  SetInsertPoint(head);
  CreateBr(loop);

  SetInsertPoint(loop);
  Value *isSame = isSameValue(*this, value, CreateSubgroupBroadcastFirst(value));
  Value *ballot = CreateSubgroupBallot(isSame);
  CreateCondBr(isSame, tail, loop);

  SetInsertPoint(tail, tail->begin());
  return ballot;
}

Value *BuilderImpl::CreateSubgroupPartitionedReduction(GroupOp op, Value *value, Value *ballot, const Twine &) {
  return PartitionedScan(*this, op, ballot).reduce(value);
}

Value *BuilderImpl::CreateSubgroupPartitionedInclusive(GroupOp op, Value *value, Value *ballot, const Twine &) {
  return PartitionedScan(*this, op, ballot).inclusive(value);
}

Value *BuilderImpl::CreateSubgroupPartitionedExclusive(GroupOp op, Value *value, Value *ballot, const Twine &) {
  return PartitionedScan(*this, op, ballot).exclusive(value);
}

} // namespace lgc
