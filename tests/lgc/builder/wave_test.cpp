// SPDX-License-Identifier: MIT
//
// Cross-lane operations, on a whole wave and on one with holes, against loops over the lanes.
#include "tests/lgc/builder/wave_evaluator.h"
#include <array>
#include <doctest/doctest.h>
#include <functional>

using namespace lgc;
using lgc::test::LaneCount;
using lgc::test::WaveBench;

namespace {

constexpr uint64_t Waves[] = {
    ~0ull, 0x5555555555555555ull, 0x8000000000000000ull, 0x00ff00ff10204081ull, 0xfffffffffffffffeull, 1};

uint32_t scrambled(unsigned lane) {
  return (lane + 1) * 2654435761u >> 7;
}

struct IntegerOp {
  GroupOp op;
  uint64_t (*combine)(uint64_t a, uint64_t b, unsigned bits);
  uint64_t identity;
};

int64_t signedOf(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

const IntegerOp IntegerOps[] = {
    {GroupOp::IAdd, [](uint64_t a, uint64_t b, unsigned) { return a + b; }, 0},
    {GroupOp::IMul, [](uint64_t a, uint64_t b, unsigned) { return a * b; }, 1},
    {GroupOp::SMin, [](uint64_t a, uint64_t b, unsigned bits) { return signedOf(a, bits) < signedOf(b, bits) ? a : b; },
     ~0ull >> 1},
    {GroupOp::SMax, [](uint64_t a, uint64_t b, unsigned bits) { return signedOf(a, bits) > signedOf(b, bits) ? a : b; },
     1ull << 63},
    {GroupOp::UMin, [](uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }, ~0ull},
    {GroupOp::UMax, [](uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }, 0},
    {GroupOp::And, [](uint64_t a, uint64_t b, unsigned) { return a & b; }, ~0ull},
    {GroupOp::Or, [](uint64_t a, uint64_t b, unsigned) { return a | b; }, 0},
    {GroupOp::Xor, [](uint64_t a, uint64_t b, unsigned) { return a ^ b; }, 0},
};

} // namespace

TEST_CASE("integer reductions and scans over clusters, with inactive lanes") {
  for (uint64_t wave : Waves)
    for (unsigned bits : {8, 16, 32, 64})
      for (const IntegerOp &op : IntegerOps)
        for (unsigned clusterSize : {1, 2, 4, 8, 16, 32, 64}) {
          CAPTURE(wave);
          CAPTURE(bits);
          CAPTURE(static_cast<unsigned>(op.op));
          CAPTURE(clusterSize);
          WaveBench bench(wave);
          BuilderImpl &b = bench.builder();
          uint64_t mask = ~0ull >> (64 - bits);
          auto input = [&](unsigned lane) {
            return (uint64_t(scrambled(lane)) << 32 | scrambled(lane + 64)) >> (lane % 3) & mask;
          };
          Value *value = bench.divergent(
              b.getIntNTy(bits), [&](unsigned lane) { return llvm::ConstantInt::get(b.getIntNTy(bits), input(lane)); });
          auto reduction = bench.integers(b.CreateSubgroupClusteredReduction(op.op, value, clusterSize));
          auto inclusive = bench.integers(b.CreateSubgroupClusteredInclusive(op.op, value, clusterSize));
          auto exclusive = bench.integers(b.CreateSubgroupClusteredExclusive(op.op, value, clusterSize));

          bool isSigned = op.op == GroupOp::SMin || op.op == GroupOp::SMax;
          uint64_t identity = isSigned ? op.identity >> (64 - bits) : op.identity & mask;
          bool isRight = true;
          for (unsigned first = 0; first < LaneCount; first += clusterSize) {
            uint64_t total = identity;
            for (unsigned lane = first; lane < first + clusterSize; ++lane) {
              if (!bench.isActive(lane))
                continue;
              isRight &= exclusive[lane] == total;
              total = op.combine(total, input(lane), bits) & mask;
              isRight &= inclusive[lane] == total;
            }
            for (unsigned lane = first; lane < first + clusterSize; ++lane)
              isRight &= !bench.isActive(lane) || reduction[lane] == total;
          }
          CHECK(isRight);
        }
}

TEST_CASE("integer reductions and scans over partitions, with inactive lanes") {
  // The set that a lane is in: one set for all, a set for each lane, and sets that interleave.
  const std::function<unsigned(unsigned)> sets[] = {
      [](unsigned) { return 0u; }, [](unsigned lane) { return lane; }, [](unsigned lane) { return lane % 3; },
      [](unsigned lane) { return lane / 5; }, [](unsigned lane) { return scrambled(lane) % 7; }};
  for (uint64_t wave : Waves)
    for (unsigned bits : {8, 32, 64})
      for (const IntegerOp &op : IntegerOps)
        for (const auto &setOf : sets) {
          CAPTURE(wave);
          CAPTURE(bits);
          CAPTURE(static_cast<unsigned>(op.op));
          WaveBench bench(wave);
          BuilderImpl &b = bench.builder();
          uint64_t mask = ~0ull >> (64 - bits);
          auto input = [&](unsigned lane) {
            return (uint64_t(scrambled(lane)) << 32 | scrambled(lane + 64)) >> (lane % 3) & mask;
          };
          Value *value = bench.divergent(
              b.getIntNTy(bits), [&](unsigned lane) { return llvm::ConstantInt::get(b.getIntNTy(bits), input(lane)); });
          Value *ballot = bench.divergent(llvm::FixedVectorType::get(b.getInt32Ty(), 4), [&](unsigned lane) {
            uint32_t words[4] = {};
            for (unsigned other = 0; other < LaneCount; ++other) // inactive lanes, too, as in a ballot from in front of
                                                                 // a branch
              if (setOf(other) == setOf(lane))
                words[other / 32] |= 1u << other % 32;
            return llvm::ConstantDataVector::get(b.getContext(), llvm::ArrayRef(words));
          });
          auto reduction = bench.integers(b.CreateSubgroupPartitionedReduction(op.op, value, ballot));
          auto inclusive = bench.integers(b.CreateSubgroupPartitionedInclusive(op.op, value, ballot));
          auto exclusive = bench.integers(b.CreateSubgroupPartitionedExclusive(op.op, value, ballot));

          bool isSigned = op.op == GroupOp::SMin || op.op == GroupOp::SMax;
          uint64_t identity = isSigned ? op.identity >> (64 - bits) : op.identity & mask;
          std::array<uint64_t, LaneCount> totals;
          totals.fill(identity);
          bool isRight = true;
          for (unsigned lane = 0; lane < LaneCount; ++lane) {
            if (!bench.isActive(lane))
              continue;
            uint64_t &total = totals[setOf(lane)];
            isRight &= exclusive[lane] == total;
            total = op.combine(total, input(lane), bits) & mask;
            isRight &= inclusive[lane] == total;
          }
          for (unsigned lane = 0; lane < LaneCount; ++lane)
            isRight &= !bench.isActive(lane) || reduction[lane] == totals[setOf(lane)];
          CHECK(isRight);
        }
}

TEST_CASE("floating-point reductions and scans of f16, f32 and f64") {
  for (uint64_t wave : Waves)
    for (unsigned bits : {16, 32, 64})
      for (GroupOp op : {GroupOp::FAdd, GroupOp::FMul, GroupOp::FMin, GroupOp::FMax})
        for (unsigned clusterSize : {4, 16, 64}) {
          CAPTURE(wave);
          CAPTURE(bits);
          CAPTURE(static_cast<unsigned>(op));
          WaveBench bench(wave);
          BuilderImpl &b = bench.builder();
          Type *type = bits == 16 ? b.getHalfTy() : bits == 32 ? b.getFloatTy() : b.getDoubleTy();
          // Small integers and powers of two: every order of evaluation is exact.
          auto input = [&](unsigned lane) -> double {
            return op == GroupOp::FMul ? (lane % 3 == 0 ? 2.0 : lane % 3 == 1 ? 0.5 : -1.0) : int(lane * 37 % 23) - 11;
          };
          auto combine = [&](double a, double b) {
            return op == GroupOp::FAdd   ? a + b
                   : op == GroupOp::FMul ? a * b
                   : op == GroupOp::FMin ? std::min(a, b)
                                         : std::max(a, b);
          };
          double identity = op == GroupOp::FAdd   ? 0
                            : op == GroupOp::FMul ? 1
                            : op == GroupOp::FMin ? INFINITY
                                                  : -INFINITY;
          Value *value = bench.divergent(type, [&](unsigned lane) { return llvm::ConstantFP::get(type, input(lane)); });
          auto reduction = bench.floats(b.CreateSubgroupClusteredReduction(op, value, clusterSize));
          auto inclusive = bench.floats(b.CreateSubgroupClusteredInclusive(op, value, clusterSize));
          auto exclusive = bench.floats(b.CreateSubgroupClusteredExclusive(op, value, clusterSize));
          bool isRight = true;
          for (unsigned first = 0; first < LaneCount; first += clusterSize) {
            double total = identity;
            for (unsigned lane = first; lane < first + clusterSize; ++lane) {
              if (!bench.isActive(lane))
                continue;
              isRight &= exclusive[lane] == total;
              total = combine(total, input(lane));
              isRight &= inclusive[lane] == total;
            }
            for (unsigned lane = first; lane < first + clusterSize; ++lane)
              isRight &= !bench.isActive(lane) || reduction[lane] == total;
          }
          CHECK(isRight);
        }
}

TEST_CASE("votes, elections and ballots see the active lanes only") {
  for (uint64_t wave : Waves) {
    CAPTURE(wave);
    WaveBench bench(wave);
    BuilderImpl &b = bench.builder();
    auto isSet = [](unsigned lane) { return scrambled(lane) % 3 == 0; };
    Value *condition = bench.divergent(b.getInt1Ty(), [&](unsigned lane) { return b.getInt1(isSet(lane)); });
    uint64_t set = 0;
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      set |= uint64_t(bench.isActive(lane) && isSet(lane)) << lane;

    Value *ballot = b.CreateSubgroupBallot(condition);
    auto low = bench.integers(b.CreateExtractElement(ballot, uint64_t(0)));
    auto high = bench.integers(b.CreateExtractElement(ballot, 1));
    auto any = bench.integers(b.CreateSubgroupAny(condition));
    auto all = bench.integers(b.CreateSubgroupAll(condition));
    auto elected = bench.integers(b.CreateSubgroupElect());
    auto inverse = bench.integers(b.CreateSubgroupInverseBallot(ballot));
    auto inclusive = bench.integers(b.CreateSubgroupBallotInclusiveBitCount(ballot));
    auto exclusive = bench.integers(b.CreateSubgroupBallotExclusiveBitCount(ballot));
    Value *number = bench.divergentI32(scrambled);
    auto equal = bench.integers(b.CreateSubgroupAllEqual(number));
    auto firstValue = bench.integers(b.CreateSubgroupBroadcastFirst(number));
    auto firstEqual = bench.integers(b.CreateSubgroupAllEqual(b.CreateSubgroupBroadcastFirst(number)));
    unsigned first = llvm::countr_zero(wave);
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      if (!bench.isActive(lane))
        continue;
      uint64_t below = (1ull << lane) - 1;
      CHECK((high[lane] << 32 | low[lane]) == set);
      CHECK(any[lane] == (set != 0));
      CHECK(all[lane] == (set == wave));
      CHECK(elected[lane] == (lane == first));
      CHECK(inverse[lane] == (set >> lane & 1));
      CHECK(exclusive[lane] == unsigned(llvm::popcount(set & below)));
      CHECK(inclusive[lane] == llvm::popcount(set & below) + (set >> lane & 1));
      CHECK(equal[lane] == (llvm::popcount(wave) == 1));
      CHECK(firstEqual[lane] == 1);
      CHECK(firstValue[lane] == scrambled(first));
    }
  }
}

TEST_CASE("votes of quads see the quad's active lanes only") {
  for (uint64_t wave : Waves) {
    CAPTURE(wave);
    WaveBench bench(wave);
    BuilderImpl &b = bench.builder();
    auto isSet = [](unsigned lane) { return scrambled(lane) % 3 == 0; };
    Value *condition = bench.divergent(b.getInt1Ty(), [&](unsigned lane) { return b.getInt1(isSet(lane)); });
    auto any = bench.integers(b.CreateSubgroupQuadAny(condition));
    auto all = bench.integers(b.CreateSubgroupQuadAll(condition));
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      if (!bench.isActive(lane))
        continue;
      bool isAnySet = false, areAllSet = true;
      for (unsigned other = lane & ~3u; other <= (lane | 3u); ++other)
        if (bench.isActive(other)) {
          isAnySet |= isSet(other);
          areAllSet &= isSet(other);
        }
      CHECK(any[lane] == isAnySet);
      CHECK(all[lane] == areAllSet);
    }
  }
}

TEST_CASE("shuffles and quad operations read the lane that they say") {
  WaveBench bench;
  BuilderImpl &b = bench.builder();
  Value *value = bench.divergent(b.getInt64Ty(),
                                 [&](unsigned lane) { return b.getInt64(uint64_t(scrambled(lane)) << 32 | lane); });
  using Source = std::function<int(int lane)>;
  auto check = [&](Value *shuffled, const Source &source) {
    auto numbers = bench.integers(shuffled);
    for (int lane = 0; lane < int(LaneCount); ++lane) {
      int from = source(lane);
      if (from >= 0 && from < int(LaneCount))
        CHECK(numbers[lane] == (uint64_t(scrambled(from)) << 32 | unsigned(from)));
    }
  };
  Value *lanes = bench.divergentI32([](unsigned lane) { return scrambled(lane) % LaneCount; });
  check(b.CreateSubgroupShuffle(value, lanes), [](int lane) { return int(scrambled(lane) % LaneCount); });
  check(b.CreateSubgroupBroadcast(value, b.getInt32(7)), [](int) { return 7; });
  for (unsigned mask : {1, 2, 3, 5, 16, 31, 32, 63}) {
    Value *divergentMask = bench.divergentI32([&](unsigned) { return mask; });
    check(b.CreateSubgroupShuffleXor(value, b.getInt32(mask)), [&](int lane) { return lane ^ int(mask); });
    check(b.CreateSubgroupShuffleXor(value, divergentMask), [&](int lane) { return lane ^ int(mask); });
  }
  check(b.CreateSubgroupShuffleUp(value, b.getInt32(5)), [](int lane) { return lane - 5; });
  check(b.CreateSubgroupShuffleDown(value, b.getInt32(5)), [](int lane) { return lane + 5; });
  check(b.CreateSubgroupQuadBroadcast(value, b.getInt32(2)), [](int lane) { return (lane & ~3) | 2; });
  Value *index = bench.divergentI32([](unsigned) { return 3; });
  check(b.CreateSubgroupQuadBroadcast(value, index), [](int lane) { return lane | 3; });
  check(b.CreateSubgroupQuadSwapHorizontal(value), [](int lane) { return lane ^ 1; });
  check(b.CreateSubgroupQuadSwapVertical(value), [](int lane) { return lane ^ 2; });
  check(b.CreateSubgroupQuadSwapDiagonal(value), [](int lane) { return lane ^ 3; });
}

TEST_CASE("derivatives, coarse and fine") {
  WaveBench bench(~0ull, ShaderStage::Fragment);
  BuilderImpl &b = bench.builder();
  auto at = [](unsigned lane) { return double(scrambled(lane) % 1000); };
  Value *value =
      bench.divergent(b.getFloatTy(), [&](unsigned lane) { return llvm::ConstantFP::get(b.getFloatTy(), at(lane)); });
  auto coarseX = bench.floats(b.CreateDerivative(value, false, false));
  auto coarseY = bench.floats(b.CreateDerivative(value, true, false));
  auto fineX = bench.floats(b.CreateDerivative(value, false, true));
  auto fineY = bench.floats(b.CreateDerivative(value, true, true));
  for (unsigned lane = 0; lane < LaneCount; ++lane) {
    unsigned quad = lane & ~3u;
    CHECK(coarseX[lane] == at(quad + 1) - at(quad));
    CHECK(coarseY[lane] == at(quad + 2) - at(quad));
    CHECK(fineX[lane] == at(lane | 1) - at(lane & ~1u));
    CHECK(fineY[lane] == at(lane | 2) - at(lane & ~2u));
  }
}
