// SPDX-License-Identifier: MIT
//
// Derivatives, helper lanes, barriers and clocks.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/dpp.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

// The difference of two lanes of the quad. Coarse derivatives take the first lane's row or column for the whole quad.
// Helper lanes must have run all code that computes the value.
Value *BuilderImpl::differenceInQuad(Value *value, bool isDirectionY, bool isFine) {
  QuadPermutation from =
      isFine ? (isDirectionY ? QuadPermutation{0, 1, 0, 1} : QuadPermutation{0, 0, 2, 2}) : QuadPermutation{0, 0, 0, 0};
  QuadPermutation to = isDirectionY ? (isFine ? QuadPermutation{2, 3, 2, 3} : QuadPermutation{2, 2, 2, 2})
                                    : (isFine ? QuadPermutation{1, 1, 3, 3} : QuadPermutation{1, 1, 1, 1});
  return mapElements(value, [&](Values v) -> Value * {
    return withWholeQuads(*this, CreateFSub(permuteQuad(*this, v[0], to), permuteQuad(*this, v[0], from)));
  });
}

Value *BuilderImpl::CreateDerivative(Value *value, bool isDirectionY, bool isFine, const Twine &) {
  Value *difference = differenceInQuad(value, isDirectionY, isFine);
  if (!isDirectionY || !shaderModes().fragment.originLowerLeft)
    return difference;
  Value *scale = HardwareValueOp::create(*this, getFloatTy(), dovetail::ValueKind::FragCoordYScale, 0);
  scale = CreateFPCast(scale, difference->getType()->getScalarType());
  if (auto *vector = dyn_cast<FixedVectorType>(difference->getType()))
    scale = CreateVectorSplat(vector->getNumElements(), scale);
  return CreateFMul(difference, scale);
}

Value *BuilderImpl::CreateKill(const Twine &) {
  return CreateIntrinsic(Intrinsic::amdgcn_kill, {}, getFalse());
}

Value *BuilderImpl::CreateDemoteToHelperInvocation(const Twine &) {
  return CreateIntrinsic(Intrinsic::amdgcn_wqm_demote, {}, getFalse());
}

Value *BuilderImpl::CreateIsHelperInvocation(const Twine &) {
  if (shaderModes().stage != ShaderStage::Fragment)
    return getFalse();
  return CreateNot(CreateIntrinsic(getInt1Ty(), Intrinsic::amdgcn_live_mask, {}));
}

// The fences keep LLVM from moving shared-memory accesses across the barrier: LLVM does not know that the barrier
// touches memory.
Value *BuilderImpl::CreateBarrier(const Twine &) {
  const ComputeShaderMode &mode = shaderModes().compute;
  bool isOneWave = shaderModes().stage == ShaderStage::Compute &&
                   uint64_t(mode.workgroupSizeX) * mode.workgroupSizeY * mode.workgroupSizeZ <= 64;
  SyncScope::ID scope = getContext().getOrInsertSyncScopeID(isOneWave ? "wavefront" : "workgroup");
  CreateFence(AtomicOrdering::Release, scope);
  CreateIntrinsic(getVoidTy(), isOneWave ? Intrinsic::amdgcn_wave_barrier : Intrinsic::amdgcn_s_barrier, {});
  return CreateFence(AtomicOrdering::Acquire, scope);
}

Value *BuilderImpl::CreateMemoryBarrier(unsigned scope, const Twine &) {
  bool isDevice = (scope & DeviceScope) && (scope & (BufferMemory | ImageMemory));
  SyncScope::ID syncScope = getContext().getOrInsertSyncScopeID(isDevice ? "agent" : "workgroup");
  return CreateFence(AtomicOrdering::AcquireRelease, syncScope);
}

Value *BuilderImpl::CreateReadClock(bool isRealtime, const Twine &) {
  return CreateIntrinsic(getInt64Ty(), isRealtime ? Intrinsic::amdgcn_s_memrealtime : Intrinsic::amdgcn_s_memtime, {});
}

} // namespace lgc
