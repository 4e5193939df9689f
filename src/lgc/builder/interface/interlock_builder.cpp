// SPDX-License-Identifier: MIT
//
// Invocation interlocks by primitive-ordered pixel shading (POPS, GFX9). The hardware numbers waves modulo 1024, and
// tells each wave the newest wave in front of it that it overlaps. A wave that enters its ordered section polls for the
// wave that is next to leave its section, until that one is newer than the overlapped wave. A wave does not overlap
// itself: as long as LOAD_INTRAWAVE_COLLISION is off, the hardware puts quads that overlap into different waves.
// (LOAD_INTRAWAVE_COLLISION may be on where ordered sections are short. But then the code would run these quads in
// turns with fewer lanes, and subgroup operations would show that.)
//
// Source: Mesa main, pops.rst, "GFX9-10.3: Entering the ordered section in the wave".
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/codegen/leave_ordered_section.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// The register field in the immediate of s_setreg: MODE[25:24], the packer that the wave is associated with, as a mask.
constexpr unsigned ModeRegister = 1, PackerBit = 24, PackerBits = 2;
constexpr unsigned PackerField = ModeRegister | PackerBit << 6 | (PackerBits - 1) << 11;

} // namespace

// Other waves have written to memory that this wave may have read before, so the fence drops what it has read. A wave
// may wait again as long as it has not left its ordered section.
Value *BuilderImpl::CreateBeginInvocationInterlock(const Twine &) {
  if (m_targetInfo.gfxIp.major < 9) {
    fail(dovetail::ErrorCode::Unsupported, "GFX8 cannot order overlapping fragments");
    return nullptr;
  }
  Value *collision = hardwareDword(*this, dovetail::ValueKind::CollisionWaveId);
  auto field = [&](unsigned first, unsigned bits) { return CreateAnd(CreateLShr(collision, first), (1u << bits) - 1); };

  BasicBlock *head = GetInsertBlock();
  BasicBlock *tail = splitBlock();
  auto makeBlock = [&] { return BasicBlock::Create(getContext(), "", head->getParent(), tail); };
  BasicBlock *overlaps = makeBlock(), *polls = makeBlock(), *sleeps = makeBlock();
  // A wave without an overlap would wait forever.
  SetInsertPoint(head);
  CreateCondBr(CreateICmpSLT(collision, getInt32(0)), overlaps, tail);

  SetInsertPoint(overlaps);
  CreateIntrinsic(getVoidTy(), Intrinsic::amdgcn_s_setreg,
                  {getInt32(PackerField), CreateShl(getInt32(1), field(28, 1))});
  Value *current = field(0, 10);
  Value *newest = field(16, 10);
  // GFX9's number is one too low where numbers have wrapped around.
  newest = CreateAdd(newest, CreateZExt(CreateICmpUGT(newest, current), getInt32Ty()));
  // All waves in front of this one are older. Counted from this wave on, their numbers do not wrap around.
  Value *fromCurrent = CreateNot(current);
  newest = CreateAdd(newest, fromCurrent);
  CreateBr(polls);

  SetInsertPoint(polls);
  Value *exiting = CreateIntrinsic(getInt32Ty(), Intrinsic::amdgcn_pops_exiting_wave_id, {});
  CreateCondBr(CreateICmpUGT(CreateAdd(exiting, fromCurrent), newest), tail, sleeps);
  SetInsertPoint(sleeps);
  CreateIntrinsic(getVoidTy(), Intrinsic::amdgcn_s_sleep, {getInt32(3)}); // as long as AMD's own compiler waits
  CreateBr(polls);

  SetInsertPoint(tail, tail->begin());
  return CreateFence(AtomicOrdering::Acquire, getContext().getOrInsertSyncScopeID("agent"));
}

// Each wave leaves once, for all its lanes: LeaveOrderedSectionPass finds the place.
Value *BuilderImpl::CreateEndInvocationInterlock(const Twine &) {
  return sendOrderedDone(*this);
}

} // namespace lgc
