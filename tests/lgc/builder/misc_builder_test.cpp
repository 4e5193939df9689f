// SPDX-License-Identifier: MIT
#include "tests/lgc/builder/lowering.h"
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;

namespace {

Lowered derivative(bool isY, bool isFine, ShaderStage stage = ShaderStage::Fragment) {
  return lower(stage, [=](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateDerivative(in.floats(1), isY, isFine)};
  });
}

Lowered barrier(unsigned x, unsigned y, unsigned z) {
  ShaderModes modes;
  modes.compute = {x, y, z};
  return lower(
      ShaderStage::Compute,
      [](BuilderImpl &b, Operands &) -> std::vector<Value *> {
        b.CreateBarrier();
        return {};
      },
      "gfx900", modes);
}

} // namespace

TEST_CASE("derivatives are differences within the quad, in whole-quad mode") {
  CHECK(derivative(false, false).has("quad_perm:[1,1,1,1]"));
  CHECK(derivative(true, false).has("quad_perm:[2,2,2,2]"));
  CHECK(derivative(false, true).has("quad_perm:[1,1,3,3]"));
  CHECK(derivative(false, true).has("quad_perm:[0,0,2,2]"));
  CHECK(derivative(true, true).has("quad_perm:[2,3,2,3]"));
  CHECK(derivative(true, true).has("quad_perm:[0,1,0,1]"));
  CHECK(derivative(false, false).has("s_wqm_b64 exec"));
  CHECK(!derivative(false, false, ShaderStage::Compute).has("s_wqm_b64"));
  Lowered vectors = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateDerivative(in.floats(3), false, true),
            b.CreateDerivative(in.divergent(llvm::FixedVectorType::get(b.getHalfTy(), 2)), true, false)};
  });
  CHECK(vectors.error == "");
}

TEST_CASE("kill, demote and helper lanes") {
  auto conditional = [](const std::function<void(BuilderImpl &)> &make) {
    return lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      llvm::Function *function = b.GetInsertBlock()->getParent();
      auto *then = llvm::BasicBlock::Create(b.getContext(), "", function);
      auto *after = llvm::BasicBlock::Create(b.getContext(), "", function);
      b.CreateCondBr(b.CreateICmpEQ(in.ints(1), b.getInt32(0)), then, after);
      b.SetInsertPoint(then);
      make(b);
      b.CreateBr(after);
      b.SetInsertPoint(after);
      return {b.CreateDerivative(in.floats(1), false, false), b.CreateIsHelperInvocation()};
    });
  };
  Lowered kill = conditional([](BuilderImpl &b) { b.CreateKill(); });
  CHECK(kill.error == "");
  CHECK(kill.has("exp null off, off, off, off done vm"));
  Lowered demote = conditional([](BuilderImpl &b) { b.CreateDemoteToHelperInvocation(); });
  CHECK(demote.error == "");
  Lowered compute = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &) -> std::vector<Value *> {
    return {b.CreateIsHelperInvocation()};
  });
  CHECK(compute.has("v_mov_b32_e32 v0, 0"));
}

TEST_CASE("a barrier of one wave is none") {
  CHECK(barrier(65, 1, 1).has("s_barrier"));
  CHECK(barrier(8, 8, 2).has("s_barrier"));
  CHECK(!barrier(8, 8, 1).has("s_barrier"));
  CHECK(barrier(8, 8, 1).error == "");
}

TEST_CASE("device-wide memory barriers invalidate the vector L1 cache, those of a workgroup do not") {
  auto make = [](unsigned scope) {
    return lower(ShaderStage::Compute, [=](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *desc = in.bufferDesc();
      b.CreateBufferStore(in.ints(1), desc, in.ints(1), 0);
      b.CreateMemoryBarrier(scope);
      return {b.CreateBufferLoad(b.getInt32Ty(), desc, in.ints(1), 0)};
    });
  };
  CHECK(make(BufferMemory | DeviceScope).has("buffer_wbinvl1"));
  CHECK(!make(BufferMemory).has("buffer_wbinvl1"));
  CHECK(!make(WorkgroupMemory | DeviceScope).has("buffer_wbinvl1"));
}

TEST_CASE("clocks") {
  Lowered lowered = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &) -> std::vector<Value *> {
    return {b.CreateReadClock(false), b.CreateReadClock(true)};
  });
  CHECK(lowered.count("s_memtime ") == 1);
  CHECK(lowered.count("s_memrealtime ") == 1);
}
