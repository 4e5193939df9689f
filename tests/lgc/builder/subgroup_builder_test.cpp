// SPDX-License-Identifier: MIT
//
// Subgroup operations compile for every type, to the right instructions. These tests check only that reductions run in
// whole-wave mode; a wave emulator must show that they are right in divergent control flow.
#include "tests/lgc/builder/constant_evaluator.h"
#include "tests/lgc/builder/lowering.h"
#include <doctest/doctest.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <sstream>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;
using lgc::test::Workbench;

namespace {

std::vector<Type *> allTypes(BuilderImpl &b) {
  std::vector<Type *> types;
  for (Type *element : {b.getInt8Ty(), b.getInt16Ty(), b.getInt32Ty(), b.getInt64Ty()})
    types.push_back(element);
  for (Type *element : {b.getHalfTy(), b.getFloatTy(), b.getDoubleTy()})
    types.push_back(element);
  for (unsigned i = 0; i < 7; ++i)
    types.push_back(llvm::FixedVectorType::get(types[i], 3));
  return types;
}

bool isFloatOp(GroupOp op) {
  return op == GroupOp::FAdd || op == GroupOp::FMul || op == GroupOp::FMin || op == GroupOp::FMax;
}

} // namespace

TEST_CASE("votes, broadcasts, shuffles and quad operations of every type compile") {
  Lowered lowered = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    std::vector<Value *> results;
    std::vector<Type *> types = allTypes(b);
    for (Type *type : types) {
      Value *value = in.divergent(type);
      Value *lane = in.ints(1);
      Value *uniformLane = in.uniform(b.getInt32Ty());
      results.insert(results.end(),
                     {b.CreateSubgroupAllEqual(value), b.CreateSubgroupBroadcast(value, uniformLane),
                      b.CreateSubgroupBroadcastFirst(value), b.CreateSubgroupShuffle(value, lane),
                      b.CreateSubgroupShuffleXor(value, lane), b.CreateSubgroupShuffleUp(value, lane),
                      b.CreateSubgroupShuffleDown(value, lane), b.CreateSubgroupQuadBroadcast(value, b.getInt32(2)),
                      b.CreateSubgroupQuadBroadcast(value, lane), b.CreateSubgroupQuadSwapHorizontal(value),
                      b.CreateSubgroupQuadSwapVertical(value), b.CreateSubgroupQuadSwapDiagonal(value)});
    }
    Value *condition = b.CreateICmpSLT(in.ints(1), in.ints(1));
    results.insert(results.end(),
                   {b.CreateSubgroupBroadcastFirst(condition), b.CreateSubgroupShuffle(condition, in.ints(1)),
                    b.CreateSubgroupAllEqual(condition), b.CreateSubgroupQuadSwapDiagonal(condition),
                    b.CreateSubgroupQuadAny(condition), b.CreateSubgroupQuadAll(condition)});
    return results;
  });
  CHECK(lowered.error == "");
}

TEST_CASE("constant lanes and masks need no memory permutation") {
  auto shuffles = [](const std::function<Value *(BuilderImpl &, Value *)> &make) {
    return lower(ShaderStage::Compute,
                 [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> { return {make(b, in.ints(1))}; });
  };
  CHECK(shuffles([](BuilderImpl &b, Value *v) {
          return b.CreateSubgroupShuffle(v, b.getInt32(5));
        }).has("v_readlane_b32"));
  CHECK(shuffles([](BuilderImpl &b, Value *v) {
          return b.CreateSubgroupShuffleXor(v, b.getInt32(3));
        }).has("quad_perm:[3,2,1,0]"));
  CHECK(shuffles([](BuilderImpl &b, Value *v) {
          return b.CreateSubgroupShuffleXor(v, b.getInt32(16));
        }).has("ds_swizzle_b32"));
  CHECK(shuffles([](BuilderImpl &b, Value *v) {
          return b.CreateSubgroupShuffleXor(v, b.getInt32(32));
        }).has("ds_bpermute_b32"));
}

TEST_CASE("ballots: bits of a constant ballot") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  Value *ballot = bench.vector({bench.i32(0x80000010), bench.i32(0x6), bench.i32(0), bench.i32(0)});
  CHECK(bench.integer(b.CreateSubgroupBallotBitCount(ballot)) == 4);
  CHECK(bench.integer(b.CreateSubgroupBallotFindLsb(ballot)) == 4);
  CHECK(bench.integer(b.CreateSubgroupBallotFindMsb(ballot)) == 34);
  CHECK(bench.integer(b.CreateSubgroupBallotBitExtract(ballot, bench.i32(31))) == 1);
  CHECK(bench.integer(b.CreateSubgroupBallotBitExtract(ballot, bench.i32(33))) == 1);
  CHECK(bench.integer(b.CreateSubgroupBallotBitExtract(ballot, bench.i32(35))) == 0);
  CHECK(bench.integer(b.CreateGetSubgroupSize()) == 64);
}

TEST_CASE("ballots and votes") {
  Lowered lowered = lower(ShaderStage::Fragment, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    Value *condition = b.CreateICmpSLT(in.ints(1), in.ints(1));
    Value *ballot = b.CreateSubgroupBallot(condition);
    return {ballot,
            b.CreateSubgroupElect(),
            b.CreateSubgroupAny(condition),
            b.CreateSubgroupAll(condition),
            b.CreateSubgroupInverseBallot(ballot),
            b.CreateSubgroupBallotInclusiveBitCount(ballot),
            b.CreateSubgroupBallotExclusiveBitCount(ballot),
            b.CreateSubgroupBallotBitExtract(ballot, in.ints(1))};
  });
  CHECK(lowered.error == "");
  CHECK(lowered.has("v_mbcnt_hi_u32_b32"));
}

TEST_CASE("helper lanes take part in quad operations") {
  using Make = std::function<Value *(BuilderImpl &, Value *)>;
  const Make operations[] = {
      [](BuilderImpl &b, Value *v) { return b.CreateSubgroupQuadSwapHorizontal(v); },
      [](BuilderImpl &b, Value *v) { return b.CreateSubgroupQuadSwapVertical(v); },
      [](BuilderImpl &b, Value *v) { return b.CreateSubgroupQuadSwapDiagonal(v); },
      [](BuilderImpl &b, Value *v) { return b.CreateSubgroupQuadBroadcast(v, b.getInt32(2)); },
      [](BuilderImpl &b, Value *v) { return b.CreateSubgroupQuadBroadcast(v, v); },
  };
  for (const Make &make : operations) {
    auto asksForQuads = [&](ShaderStage stage) {
      return lower(stage, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> { return {make(b, in.ints(1))}; })
          .has("s_wqm_b64 exec, exec");
    };
    CHECK(asksForQuads(ShaderStage::Fragment));
    CHECK(!asksForQuads(ShaderStage::Compute));
  }
}

TEST_CASE("helper lanes take part in other operations if the shader has any, also behind code without them") {
  struct Operation {
    const char *instruction; // that sees which lanes are on
    std::function<Value *(BuilderImpl &, Value *)> make;
  };
  const Operation operations[] = {
      {"v_cmp_gt_i32",
       [](BuilderImpl &b, Value *v) {
         return b.CreateSubgroupBallotBitCount(b.CreateSubgroupBallot(b.CreateICmpSLT(v, b.getInt32(5))));
       }},
      {"v_readfirstlane_b32", [](BuilderImpl &b, Value *v) { return b.CreateSubgroupBroadcastFirst(v); }},
      {"quad_perm:[1,0,3,2]", [](BuilderImpl &b, Value *v) { return b.CreateSubgroupShuffleXor(v, b.getInt32(1)); }},
      {"ds_bpermute_b32", [](BuilderImpl &b, Value *v) { return b.CreateSubgroupShuffle(v, v); }},
      {"s_or_saveexec_b64", // into whole-wave mode, in which lanes that are off have the neutral element
       [](BuilderImpl &b, Value *v) { return b.CreateSubgroupClusteredReduction(GroupOp::UMax, v, 64); }},
  };
  for (const Operation &operation : operations) {
    // A buffer store must be exact. The operation's operand is loaded behind it, so the store stays in front.
    auto lowered = [&](bool hasDerivative) {
      return lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
        Value *value = hasDerivative ? b.CreateDerivative(in.floats(1), false, false) : in.floats(1);
        Value *zero = b.getInt32(0);
        b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_raw_buffer_store,
                          {value, in.bufferDesc(), zero, zero, zero});
        Value *loaded = b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::amdgcn_raw_buffer_load,
                                          {in.bufferDesc(), zero, zero, zero});
        return {operation.make(b, b.CreateXor(loaded, in.ints(1)))};
      });
    };
    CHECK(!lowered(false).has("s_wqm_b64"));

    std::istringstream lines(lowered(true).assembly);
    bool isWhole = false, isFound = false, isStored = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("s_wqm_b64 exec, exec") != std::string::npos)
        isWhole = true;
      if (line.find("s_and_b64 exec, exec") != std::string::npos)
        isWhole = false;
      isStored |= line.find("buffer_store_dword") != std::string::npos;
      if (line.find(operation.instruction) != std::string::npos) {
        INFO(std::string(operation.instruction));
        isFound = true;
        CHECK(isStored);
        CHECK(isWhole);
      }
    }
    CHECK(isFound);
  }
}

TEST_CASE("reductions and scans of every operation, type and cluster run in whole-wave mode") {
  for (GroupOp op :
       {GroupOp::IAdd, GroupOp::FAdd, GroupOp::IMul, GroupOp::FMul, GroupOp::SMin, GroupOp::UMin, GroupOp::FMin,
        GroupOp::SMax, GroupOp::UMax, GroupOp::FMax, GroupOp::And, GroupOp::Or, GroupOp::Xor})
    for (unsigned clusterSize : {2, 4, 8, 16, 32, 64}) {
      CAPTURE(static_cast<unsigned>(op));
      CAPTURE(clusterSize);
      Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
        std::vector<Value *> results;
        for (Type *type : allTypes(b)) {
          if (type->isFPOrFPVectorTy() != isFloatOp(op) || type->isVectorTy())
            continue;
          Value *value = in.divergent(type);
          results.insert(results.end(), {b.CreateSubgroupClusteredReduction(op, value, clusterSize),
                                         b.CreateSubgroupClusteredInclusive(op, value, clusterSize),
                                         b.CreateSubgroupClusteredExclusive(op, value, clusterSize)});
        }
        if (op == GroupOp::And || op == GroupOp::Or || op == GroupOp::Xor)
          results.push_back(
              b.CreateSubgroupClusteredReduction(op, b.CreateICmpEQ(in.ints(1), in.ints(1)), clusterSize));
        return results;
      });
      CHECK(lowered.error == "");
      CHECK(lowered.has("s_or_saveexec_b64"));
    }
}

TEST_CASE("an addition over the subgroup takes six steps") {
  Lowered lowered = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateSubgroupClusteredInclusive(GroupOp::FAdd, in.floats(1), 64)};
  });
  CHECK(lowered.error == "");
  for (const char *step : {"row_shr:1 ", "row_shr:2 ", "row_shr:4 ", "row_shr:8 ", "row_bcast:15 row_mask:0xa",
                           "row_bcast:31 row_mask:0xc"})
    CHECK_MESSAGE(lowered.count(step) == 1, step);
}

TEST_CASE("reductions of uniform values and constants, and in divergent branches and loops") {
  for (ShaderStage stage : {ShaderStage::Fragment, ShaderStage::Compute}) {
    Lowered lowered = lower(stage, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Value *uniform = b.CreateSubgroupClusteredReduction(GroupOp::IAdd, in.uniform(b.getInt32Ty()), 64);
      Value *constant = b.CreateSubgroupClusteredExclusive(GroupOp::IAdd, b.getInt32(1), 64);
      Value *wide = b.CreateSubgroupClusteredInclusive(GroupOp::IAdd, in.divergent(b.getInt64Ty()), 64);
      Value *limit = in.ints(1);
      Value *value = in.floats(1);

      llvm::Function *function = b.GetInsertBlock()->getParent();
      auto *before = b.GetInsertBlock();
      auto *loop = llvm::BasicBlock::Create(b.getContext(), "loop", function);
      auto *after = llvm::BasicBlock::Create(b.getContext(), "after", function);
      b.CreateCondBr(b.CreateICmpSGT(limit, b.getInt32(0)), loop, after);
      b.SetInsertPoint(loop);
      llvm::PHINode *count = b.CreatePHI(b.getInt32Ty(), 2);
      llvm::PHINode *sum = b.CreatePHI(b.getFloatTy(), 2);
      Value *reduced = b.CreateSubgroupClusteredReduction(GroupOp::FAdd, b.CreateFAdd(sum, value), 64);
      Value *next = b.CreateAdd(count, b.getInt32(1));
      count->addIncoming(b.getInt32(0), before);
      count->addIncoming(next, loop);
      sum->addIncoming(value, before);
      sum->addIncoming(reduced, loop);
      b.CreateCondBr(b.CreateICmpSLT(next, limit), loop, after);
      b.SetInsertPoint(after);
      llvm::PHINode *result = b.CreatePHI(b.getFloatTy(), 2);
      result->addIncoming(value, before);
      result->addIncoming(reduced, loop);
      return {uniform, constant, wide, result};
    });
    CHECK(lowered.error == "");
    CHECK(lowered.count("s_or_saveexec_b64") >= 4);
  }
}
