// SPDX-License-Identifier: MIT
//
// Votes, ballots, broadcasts, shuffles and quad operations. A subgroup is a wave of 64 lanes.
//
// Vulkan requires that helper lanes take part in quad operations; for all others it leaves that open (section "Helper
// Invocations"). So a quad operation asks for whole-quad mode. The others run in whole-quad mode if any code in the
// shader does. Otherwise LLVM would run them in the mode of the surrounding code, and one shader would see helper lanes
// in one place and not in another.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/dpp.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned SubgroupSize = WaveLanes;

// An i64 with one bit for each active lane whose value is true.
Value *ballotOf(BuilderImpl &builder, Value *condition) {
  return withQuadsOfShader(builder, builder.CreateIntrinsic(Intrinsic::amdgcn_ballot, builder.getInt64Ty(), condition));
}

// A scalar or vector of any type, permuted within each quad, helper lanes included.
Value *permuteWholeQuad(BuilderImpl &builder, Value *value, const QuadPermutation &permutation) {
  return builder.mapDwords(permuteQuad(builder, value, permutation),
                           [&](Value *dword) { return withWholeQuads(builder, dword); });
}

// Whether any active lane of the quad, helper lanes included, has a true condition.
Value *anyOfQuad(BuilderImpl &builder, Value *condition, Value *lane) {
  Value *ballot = builder.CreateIntrinsic(Intrinsic::amdgcn_ballot, builder.getInt64Ty(), condition);
  Value *first = builder.CreateAnd(lane, builder.getInt32(~3u));
  Value *quad = builder.CreateLShr(withWholeQuads(builder, ballot), builder.CreateZExt(first, builder.getInt64Ty()));
  return builder.CreateICmpNE(builder.CreateAnd(builder.CreateTrunc(quad, builder.getInt32Ty()), builder.getInt32(0xf)),
                              builder.getInt32(0));
}

// The first two elements of a ballot as one i64.
Value *bitsOf(IRBuilderBase &builder, Value *ballot) {
  Value *halves = builder.CreateShuffleVector(ballot, ArrayRef<int>{0, 1});
  return builder.CreateBitCast(halves, builder.getInt64Ty());
}

// How many of the ballot's bits belong to lanes below this one.
Value *countBelow(IRBuilderBase &builder, Value *ballot) {
  Value *low = builder.CreateExtractElement(ballot, uint64_t(0));
  Value *high = builder.CreateExtractElement(ballot, 1);
  Value *count = builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {low, builder.getInt32(0)});
  return builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {high, count});
}

// Each lane reads another lane's dword. The instruction counts in bytes and uses six bits of the lane number.
Value *permute(IRBuilderBase &builder, Value *lane, Value *dword) {
  Value *address = builder.CreateShl(lane, builder.getInt32(2));
  return builder.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {}, {address, dword});
}

} // namespace

Value *BuilderImpl::CreateGetSubgroupSize(const Twine &) {
  return getInt32(m_pipelineState.subgroupSize());
}

// True for the active lane with the lowest number.
Value *BuilderImpl::CreateSubgroupElect(const Twine &) {
  Value *below = countBelow(*this, CreateSubgroupBallot(getTrue()));
  return CreateICmpEQ(below, getInt32(0));
}

Value *BuilderImpl::CreateSubgroupAny(Value *value, const Twine &) {
  return CreateICmpNE(ballotOf(*this, value), getInt64(0));
}

Value *BuilderImpl::CreateSubgroupAll(Value *value, const Twine &) {
  return CreateICmpEQ(ballotOf(*this, CreateNot(value)), getInt64(0));
}

Value *BuilderImpl::CreateSubgroupAllEqual(Value *value, const Twine &) {
  Value *first = CreateSubgroupBroadcastFirst(value);
  Value *isEqual = value->getType()->isFPOrFPVectorTy() ? CreateFCmpOEQ(value, first) : CreateICmpEQ(value, first);
  if (isEqual->getType()->isVectorTy())
    isEqual = CreateAndReduce(isEqual);
  return CreateSubgroupAll(isEqual);
}

Value *BuilderImpl::CreateSubgroupBroadcast(Value *value, Value *lane, const Twine &) {
  return mapDwords(value, [&](Value *dword) { return withQuadsOfShader(*this, readLane(*this, dword, lane)); });
}

Value *BuilderImpl::CreateSubgroupBroadcastFirst(Value *value, const Twine &) {
  return mapDwords(value, [&](Value *dword) -> Value * {
    return withQuadsOfShader(*this, CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, getInt32Ty(), dword));
  });
}

Value *BuilderImpl::CreateSubgroupBallot(Value *value, const Twine &) {
  auto *halvesType = FixedVectorType::get(getInt32Ty(), 2);
  Value *halves = CreateBitCast(ballotOf(*this, value), halvesType);
  return CreateShuffleVector(halves, Constant::getNullValue(halvesType), ArrayRef<int>{0, 1, 2, 3});
}

Value *BuilderImpl::CreateSubgroupInverseBallot(Value *ballot, const Twine &) {
  return CreateSubgroupBallotBitExtract(ballot, laneNumber());
}

Value *BuilderImpl::CreateSubgroupBallotBitExtract(Value *ballot, Value *lane, const Twine &) {
  Value *amount = CreateZExt(CreateAnd(lane, getInt32(SubgroupSize - 1)), getInt64Ty());
  return CreateTrunc(CreateLShr(bitsOf(*this, ballot), amount), getInt1Ty());
}

Value *BuilderImpl::CreateSubgroupBallotBitCount(Value *ballot, const Twine &) {
  return CreateTrunc(CreateUnaryIntrinsic(Intrinsic::ctpop, bitsOf(*this, ballot)), getInt32Ty());
}

Value *BuilderImpl::CreateSubgroupBallotInclusiveBitCount(Value *ballot, const Twine &) {
  Value *own = CreateZExt(CreateSubgroupInverseBallot(ballot), getInt32Ty());
  return CreateAdd(countBelow(*this, ballot), own);
}

Value *BuilderImpl::CreateSubgroupBallotExclusiveBitCount(Value *ballot, const Twine &) {
  return countBelow(*this, ballot);
}

Value *BuilderImpl::CreateSubgroupBallotFindLsb(Value *ballot, const Twine &) {
  return CreateTrunc(CreateFindLsb(bitsOf(*this, ballot)), getInt32Ty());
}

Value *BuilderImpl::CreateSubgroupBallotFindMsb(Value *ballot, const Twine &) {
  return CreateTrunc(CreateFindUMsb(bitsOf(*this, ballot)), getInt32Ty());
}

Value *BuilderImpl::CreateSubgroupShuffle(Value *value, Value *lane, const Twine &) {
  if (isa<ConstantInt>(lane))
    return CreateSubgroupBroadcast(value, CreateAnd(lane, getInt32(SubgroupSize - 1)));
  return mapDwords(value, [&](Value *dword) { return withQuadsOfShader(*this, permute(*this, lane, dword)); });
}

Value *BuilderImpl::CreateSubgroupShuffleXor(Value *value, Value *mask, const Twine &) {
  if (auto *constant = dyn_cast<ConstantInt>(mask)) {
    unsigned bits = constant->getZExtValue() & (SubgroupSize - 1);
    if (bits < 4)
      return mapDwords(permuteQuad(*this, value, {0 ^ bits, 1 ^ bits, 2 ^ bits, 3 ^ bits}),
                       [&](Value *dword) { return withQuadsOfShader(*this, dword); });
    if (bits < 32)
      return mapDwords(value, [&](Value *dword) { return withQuadsOfShader(*this, swizzleXor(*this, dword, bits)); });
  }
  return CreateSubgroupShuffle(value, CreateXor(laneNumber(), mask));
}

Value *BuilderImpl::CreateSubgroupShuffleUp(Value *value, Value *delta, const Twine &) {
  return CreateSubgroupShuffle(value, CreateSub(laneNumber(), delta));
}

Value *BuilderImpl::CreateSubgroupShuffleDown(Value *value, Value *delta, const Twine &) {
  return CreateSubgroupShuffle(value, CreateAdd(laneNumber(), delta));
}

Value *BuilderImpl::CreateSubgroupQuadAny(Value *value, const Twine &) {
  return anyOfQuad(*this, value, laneNumber());
}

Value *BuilderImpl::CreateSubgroupQuadAll(Value *value, const Twine &) {
  return CreateNot(anyOfQuad(*this, CreateNot(value), laneNumber()));
}

Value *BuilderImpl::CreateSubgroupQuadBroadcast(Value *value, Value *index, const Twine &) {
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    unsigned lane = constant->getZExtValue() & 3;
    return permuteWholeQuad(*this, value, {lane, lane, lane, lane});
  }
  Value *firstOfQuad = CreateAnd(laneNumber(), getInt32(~3u));
  Value *lane = CreateOr(firstOfQuad, CreateAnd(index, getInt32(3)));
  return mapDwords(value, [&](Value *dword) { return withWholeQuads(*this, permute(*this, lane, dword)); });
}

Value *BuilderImpl::CreateSubgroupQuadSwapHorizontal(Value *value, const Twine &) {
  return permuteWholeQuad(*this, value, {1, 0, 3, 2});
}

Value *BuilderImpl::CreateSubgroupQuadSwapVertical(Value *value, const Twine &) {
  return permuteWholeQuad(*this, value, {2, 3, 0, 1});
}

Value *BuilderImpl::CreateSubgroupQuadSwapDiagonal(Value *value, const Twine &) {
  return permuteWholeQuad(*this, value, {3, 2, 1, 0});
}

} // namespace lgc
