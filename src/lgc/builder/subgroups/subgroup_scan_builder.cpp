// SPDX-License-Identifier: MIT
//
// Reductions and scans over clusters of a subgroup.
//
// In divergent control flow some lanes are inactive and have arbitrary values in their registers; a tree of partial
// results must not use these. So the work is done in whole-wave mode. amdgcn.set.inactive gives the inactive lanes the
// identity of the operation, all lanes run the tree, and amdgcn.strict.wwm returns the result to the active lanes.
// subgroup_builder.cpp says whether helper lanes are active.
//
// The tree moves data by DPP: to other lanes of the same row of 16, and from one row to the next by the two broadcasts
// of GFX8 and GFX9. Elements narrower than 32 bits are computed in 32 bits.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/dpp.h"
#include "src/lgc/builder/subgroups/group_op.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// One scalar element of at least 32 bits, on its way through a tree.
class Scan {
public:
  Scan(BuilderImpl &builder, GroupOp op, Constant *identity) : m_builder(builder), m_op(op), m_identity(identity) {}

  Value *reduce(Value *value, unsigned clusterSize) {
    value = enter(value);
    if (clusterSize >= 2)
      value = combine(value, permuteQuad(m_builder, value, {1, 0, 3, 2}));
    if (clusterSize >= 4)
      value = combine(value, permuteQuad(m_builder, value, {2, 3, 0, 1}));
    // From here on the lanes of a quad have the same value, so mirroring 8 lanes pairs each quad with the other one,
    // and so on.
    if (clusterSize >= 8)
      value = combine(value, move(value, dpp::RowHalfMirror));
    if (clusterSize >= 16)
      value = combine(value, move(value, dpp::RowMirror));
    if (clusterSize >= 32)
      value =
          combine(value, m_builder.mapDwords(value, [&](Value *dword) { return swizzleXor(m_builder, dword, 16); }));
    if (clusterSize >= 64)
      value = combine(broadcast(value, 0), broadcast(value, 32));
    return leave(value);
  }

  Value *scanInclusive(Value *value, unsigned clusterSize) { return leave(tree(enter(value), clusterSize)); }

  // The inclusive scan of the values, moved up by one lane.
  Value *scanExclusive(Value *value, unsigned clusterSize) {
    value = move(enter(value), dpp::WaveShiftRight1);
    if (clusterSize < 64)
      value = fromLane(value, 1, clusterSize);
    return leave(tree(value, clusterSize));
  }

private:
  Value *combine(Value *a, Value *b) { return combineGroup(m_builder, m_op, a, b); }

  // Calls `make` with each dword of the value and the same dword of the identity.
  Value *mapWithIdentity(Value *value, function_ref<Value *(Value *dword, Value *identity)> make) {
    Type *type = value->getType();
    unsigned count = type->getPrimitiveSizeInBits() / 32;
    auto *dwordsType = FixedVectorType::get(m_builder.getInt32Ty(), count);
    Value *dwords = m_builder.CreateBitCast(value, dwordsType);
    Value *identities = m_builder.CreateBitCast(m_identity, dwordsType);
    Value *result = m_builder.mapElements({dwords, identities}, [&](ArrayRef<Value *> v) { return make(v[0], v[1]); });
    return m_builder.CreateBitCast(result, type);
  }

  Value *enter(Value *value) {
    return mapWithIdentity(value, [&](Value *dword, Value *identity) -> Value * {
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_set_inactive, dword->getType(), {dword, identity});
    });
  }

  Value *leave(Value *value) {
    return m_builder.mapDwords(value, [&](Value *dword) -> Value * {
      return withQuadsOfShader(m_builder,
                               m_builder.CreateIntrinsic(Intrinsic::amdgcn_strict_wwm, dword->getType(), dword));
    });
  }

  // Lanes without a source get the identity.
  Value *move(Value *value, unsigned control, unsigned rowMask = dpp::AllRows) {
    return mapWithIdentity(
        value, [&](Value *dword, Value *identity) { return moveDpp(m_builder, dword, control, identity, rowMask); });
  }

  Value *broadcast(Value *value, unsigned lane) {
    return m_builder.mapDwords(value,
                               [&](Value *dword) { return readLane(m_builder, dword, m_builder.getInt32(lane)); });
  }

  // The value in lanes whose number within their cluster is at least `first`; the identity in all others.
  Value *fromLane(Value *value, unsigned first, unsigned clusterSize) {
    Value *lane = m_builder.CreateAnd(m_builder.laneNumber(), m_builder.getInt32(clusterSize - 1));
    return m_builder.CreateSelect(m_builder.CreateICmpUGE(lane, m_builder.getInt32(first)), value, m_identity);
  }

  // The inclusive scan, in whole-wave mode: each round doubles the number of lanes whose values a lane has.
  Value *tree(Value *value, unsigned clusterSize) {
    for (unsigned distance = 1; distance < std::min(clusterSize, 16u); distance *= 2) {
      Value *below = move(value, dpp::RowShiftRight + distance);
      if (clusterSize < 16)
        below = fromLane(below, distance, clusterSize);
      value = combine(value, below);
    }
    if (clusterSize >= 32)
      value = combine(value, move(value, dpp::RowBroadcast15, dpp::OddRows));
    if (clusterSize >= 64)
      value = combine(value, move(value, dpp::RowBroadcast31, dpp::UpperRows));
    return value;
  }

  BuilderImpl &m_builder;
  GroupOp m_op;
  Constant *m_identity;
};

// Calls `make` with each element, widened to at least 32 bits, and a Scan of its type. The identity is that of the
// narrow type, because exclusive scans return it.
Value *mapWide(BuilderImpl &builder, GroupOp op, Value *value, function_ref<Value *(Scan &scan, Value *wide)> make) {
  bool isSigned = op == GroupOp::SMin || op == GroupOp::SMax;
  return builder.mapElements(value, [&](BuilderImpl::Values elements) -> Value * {
    Value *element = elements[0];
    Type *type = element->getType();
    Value *identity = identityOf(op, type);
    if (type->isHalfTy()) {
      Scan scan(builder, op, identityOf(op, builder.getFloatTy()));
      return builder.CreateFPTrunc(make(scan, builder.CreateFPExt(element, builder.getFloatTy())), type);
    }
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32) {
      auto widen = [&](Value *narrow) {
        return isSigned ? builder.CreateSExt(narrow, builder.getInt32Ty())
                        : builder.CreateZExt(narrow, builder.getInt32Ty());
      };
      Scan scan(builder, op, cast<Constant>(widen(identity)));
      return builder.CreateTrunc(make(scan, widen(element)), type);
    }
    Scan scan(builder, op, cast<Constant>(identity));
    return make(scan, element);
  });
}

} // namespace

Value *BuilderImpl::CreateSubgroupClusteredReduction(GroupOp op, Value *value, unsigned clusterSize, const Twine &) {
  return mapWide(*this, op, value, [&](Scan &scan, Value *wide) { return scan.reduce(wide, clusterSize); });
}

Value *BuilderImpl::CreateSubgroupClusteredInclusive(GroupOp op, Value *value, unsigned clusterSize, const Twine &) {
  return mapWide(*this, op, value, [&](Scan &scan, Value *wide) { return scan.scanInclusive(wide, clusterSize); });
}

Value *BuilderImpl::CreateSubgroupClusteredExclusive(GroupOp op, Value *value, unsigned clusterSize, const Twine &) {
  return mapWide(*this, op, value, [&](Scan &scan, Value *wide) { return scan.scanExclusive(wide, clusterSize); });
}

} // namespace lgc
