// SPDX-License-Identifier: MIT
//
// Merged programs on the emulated GPU. Each half finds its own launch state on its own lanes, whatever the other half
// has, and reads nothing before the barrier.
#include "merge/check/check_image.h"
#include "tests/gfx9-merged/halves_by_hand.h"
#include "tools/proof/emulator/run/run.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
namespace em = dovetail::emulator;

namespace {

constexpr unsigned RecordBytes = RecordDwords * 4;
constexpr unsigned AreaBytes = RecordBytes * em::WaveSize;
constexpr uint32_t Untouched = 0xdeadbeef;

struct LaneCounts {
  unsigned first, second;
};

uint64_t maskOf(unsigned lanes) {
  return lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
}

// A value that names its register, its wave and its lane.
uint32_t lanesValue(ValueKind kind, unsigned index, unsigned wave, unsigned lane) {
  return uint32_t(kind) << 24 | index << 16 | wave << 8 | lane;
}

class MergedRun {
public:
  MergedRun(const Image &image, std::vector<LaneCounts> counts) : m_counts(std::move(counts)) {
    std::vector<uint8_t> code(image.code.begin(), image.code.end());
    const ImageStage &stage = image.stages[0];
    m_stage = stage.stage;
    const uint64_t base = m_gpu.memory().map("code", std::move(code), 256, false);
    m_group.lds.resize(size_t(AreaBytes) * 2 * m_counts.size());
    for (size_t i = 0; i < m_group.lds.size(); i += 4)
      std::memcpy(&m_group.lds[i], &Untouched, 4);
    for (unsigned wave = 0; wave < m_counts.size(); ++wave)
      m_setups.push_back(launch(stage, base, wave));
    std::vector<em::Wave> waves;
    for (const em::WaveSetup &setup : m_setups)
      waves.emplace_back(m_gpu.generation(), m_gpu.memory(), m_group, setup);
    Result<void> result = em::runWaves(m_gpu, waves, {.endedWavesArrive = true, .shuffled = true});
    INFO((result ? std::string() : result.error().text));
    REQUIRE(result);
  }

  // A dword of the record that a lane of a half left.
  uint32_t record(unsigned half, unsigned wave, unsigned lane, unsigned dword) const {
    uint32_t value;
    std::memcpy(&value, &m_group.lds[areaOf(half, wave) + lane * RecordBytes + dword * 4], 4);
    return value;
  }
  const std::vector<LaneCounts> &counts() const { return m_counts; }
  size_t areaOf(unsigned half, unsigned wave) const { return size_t(AreaBytes) * (wave * 2 + half); }
  unsigned neighbour(unsigned wave) const { return (wave + 1) % unsigned(m_counts.size()); }

  // Exactly the first half's lanes have records in the first half's area. The same holds for the second half.
  void checkWhoRan() const {
    for (unsigned wave = 0; wave < m_counts.size(); ++wave)
      for (unsigned lane = 0; lane < em::WaveSize; ++lane) {
        CHECK((record(0, wave, lane, 0) != Untouched) == (lane < m_counts[wave].first));
        CHECK((record(1, wave, lane, 0) != Untouched) == (lane < m_counts[wave].second));
      }
  }

private:
  std::optional<uint32_t> sgprValue(const ValueName &value, unsigned wave) const {
    switch (value.kind) {
    case ValueKind::MergedWaveInfo:
      return m_counts[wave].first | m_counts[wave].second << 8 | (0x50 + wave) << 16 | wave << 24;
    case ValueKind::PushConstant:
      if (value.index == 2)
        return uint32_t(areaOf(0, neighbour(wave)));
      return uint32_t(areaOf(value.index, wave));
    default:
      return lanesValue(value.kind, value.index, wave, 0xee);
    }
  }

  em::WaveSetup launch(const ImageStage &stage, uint64_t base, unsigned wave) const {
    em::WaveSetup setup;
    setup.stage = m_stage == HardwareStage::Hs ? em::WaveStage::Hs : em::WaveStage::Gs;
    setup.address = base + stage.entry;
    setup.codeEnd = base + stage.entry + stage.size;
    setup.exec = 0x123456789; // undefined at launch
    setup.halves = {maskOf(m_counts[wave].first), maskOf(m_counts[wave].second)};
    setup.floatMode = stage.usage.floatMode;
    setup.sgprCount = stage.usage.sgprs;
    setup.vgprCount = stage.usage.vgprs;
    setup.sgprs.resize(MergedFirstUserSgpr + stage.userSgprCount);
    if (m_stage == HardwareStage::Gs) {
      setup.gsMessages = em::GsMessageRules{0x50 + wave, m_counts[wave].second, 4};
    }
    for (const Binding &input : stage.entryInterface->inputs) {
      if (input.reg.bank == RegisterBank::Sgpr) {
        setup.sgprs[input.reg.index] = sgprValue(input.value, wave);
        continue;
      }
      const bool ofSecond = input.reg.index < mergedFirstHalfVgpr(m_stage);
      const unsigned lanes = ofSecond ? m_counts[wave].second : m_counts[wave].first;
      // The LS VGPR bug.
      unsigned place = input.reg.index;
      if (hasLsVgprInitBug && m_counts[wave].second == 0) {
        if (ofSecond)
          continue;
        place -= mergedFirstHalfVgpr(m_stage);
      }
      em::Lanes values;
      values.fill(em::UndefinedValue);
      for (unsigned lane = 0; lane < lanes; ++lane)
        values[lane] = lanesValue(input.value.kind, input.value.index, wave, lane);
      if (setup.vgprs.size() <= place)
        setup.vgprs.resize(place + 1);
      setup.vgprs[place] = values;
    }
    return setup;
  }

public:
  static inline thread_local bool hasLsVgprInitBug = false;

private:
  em::Gpu m_gpu{em::Generation::Gfx9};
  em::Workgroup m_group;
  HardwareStage m_stage;
  std::vector<LaneCounts> m_counts;
  std::vector<em::WaveSetup> m_setups;
};

ImageRef joined(StageParts parts, const TargetInfo &target = mergedTarget()) {
  Result<ImageRef> image = joinMerged(std::move(parts), target);
  INFO((image ? std::string() : image.error().text));
  REQUIRE(image);
  Result<void> check = checkImage(**image);
  CHECK_MESSAGE(check.has_value(), (check ? std::string() : check.error().text));
  return *image;
}

// Empty halves, partial waves, full ones, and several waves of which the last is uneven.
const std::vector<std::vector<LaneCounts>> Groups = {{{64, 64}},
                                                     {{64, 1}},
                                                     {{1, 64}},
                                                     {{0, 64}},
                                                     {{64, 0}},
                                                     {{17, 40}},
                                                     {{0, 0}},
                                                     {{63, 33}},
                                                     {{64, 64}, {64, 32}, {10, 0}},
                                                     {{64, 64}, {5, 64}, {0, 9}},
                                                     {{64, 0}, {64, 0}, {64, 64}, {33, 0}, {0, 2}}};

void checkLsHs(const TargetInfo &target) {
  ImageRef image = joined(merge(HardwareStage::Hs, {lsHalf()}, {hsHalf()}, target), target);
  for (const std::vector<LaneCounts> &counts : Groups) {
    MergedRun run(*image, counts);
    run.checkWhoRan();
    using enum ValueKind;
    for (unsigned wave = 0; wave < counts.size(); ++wave) {
      for (unsigned lane = 0; lane < counts[wave].first; ++lane) {
        CHECK(run.record(0, wave, lane, 0) == lanesValue(VertexId, 0, wave, lane));
        CHECK(run.record(0, wave, lane, 1) == lanesValue(RelVertexId, 0, wave, lane));
        CHECK(run.record(0, wave, lane, 2) == lanesValue(InstanceId, 0, wave, lane));
        CHECK(run.record(0, wave, lane, 3) == run.areaOf(0, wave));
      }
      for (unsigned lane = 0; lane < counts[wave].second; ++lane) {
        CHECK(run.record(1, wave, lane, 0) == lanesValue(PatchId, 0, wave, lane));
        CHECK(run.record(1, wave, lane, 1) == lanesValue(RelIds, 0, wave, lane));
        CHECK(run.record(1, wave, lane, 2) == lanesValue(GlobalTable, 0, wave, 0xee));
        CHECK(run.record(1, wave, lane, 3) == run.areaOf(0, run.neighbour(wave)));
        CHECK(run.record(1, wave, lane, 4) == lanesValue(OffchipOffset, 0, wave, 0xee));
        CHECK(run.record(1, wave, lane, 5) == lanesValue(TessFactorOffset, 0, wave, 0xee));
        // By then, the neighbour's first half has left its values in LDS.
        const unsigned other = run.neighbour(wave);
        uint32_t expected = lane < counts[other].first ? lanesValue(VertexId, 0, other, lane) : Untouched;
        CHECK(run.record(1, wave, lane, 7) == expected);
      }
    }
  }
}

} // namespace

TEST_CASE("both halves of an HS program find their launch states, on their lanes") {
  checkLsHs(mergedTarget());
}

TEST_CASE("LS VGPRs are found where the bug puts them") {
  // Glue that knows of the bug, on a GPU that has it and on a GPU without it.
  MergedRun::hasLsVgprInitBug = true;
  checkLsHs(mergedTarget(true));
  MergedRun::hasLsVgprInitBug = false;
}

TEST_CASE("both halves of a GS program find their launch states: a vertex shader in front") {
  ImageRef image = joined(merge(HardwareStage::Gs, {esHalf()}, {gsHalf()}));
  for (const std::vector<LaneCounts> &counts : Groups) {
    MergedRun run(*image, counts);
    run.checkWhoRan();
    using enum ValueKind;
    for (unsigned wave = 0; wave < counts.size(); ++wave) {
      for (unsigned lane = 0; lane < counts[wave].first; ++lane) {
        CHECK(run.record(0, wave, lane, 0) == lanesValue(VertexId, 0, wave, lane));
        CHECK(run.record(0, wave, lane, 1) == lanesValue(InstanceId, 0, wave, lane));
        CHECK(run.record(0, wave, lane, 2) == wave * 64); // the number of its first vertex in the group
      }
      for (unsigned lane = 0; lane < counts[wave].second; ++lane) {
        auto pair = [&](unsigned index) { return lanesValue(GsVertexOffsetPair, index, wave, lane); };
        const uint32_t expected[] = {pair(0) & 0xffff,
                                     pair(0) >> 16,
                                     lanesValue(GsPrimitiveId, 0, wave, lane),
                                     pair(1) & 0xffff,
                                     pair(1) >> 16,
                                     pair(2) & 0xffff,
                                     pair(2) >> 16,
                                     lanesValue(GsInvocationId, 0, wave, lane),
                                     lanesValue(Gs2VsOffset, 0, wave, 0xee),
                                     0x50 + wave};
        for (unsigned dword = 0; dword < std::size(expected); ++dword)
          CHECK(run.record(1, wave, lane, dword) == expected[dword]);
      }
    }
  }
}

TEST_CASE("each half runs in its own float mode") {
  for (auto [first, second] : {std::pair(0xc0, 0xf0), std::pair(0xf5, 0xc0), std::pair(0xc0, 0xc0)}) {
    Part ls = lsHalf(), hs = hsHalf();
    ls.usage.floatMode = uint8_t(first);
    hs.usage.floatMode = uint8_t(second);
    ImageRef image = joined(merge(HardwareStage::Hs, {ls}, {hs}));
    CHECK(image->stages[0].usage.floatMode == first);
    MergedRun run(*image, {{{3, 2}}});
    CHECK(run.record(0, 0, 0, 4) == uint32_t(first));
    CHECK(run.record(1, 0, 0, 6) == uint32_t(second));
    MergedRun withoutFirst(*image, {{{0, 2}}});
    CHECK(withoutFirst.record(1, 0, 0, 6) == uint32_t(second));
  }
}

TEST_CASE("what is kept for the second half lies right above the first half's registers") {
  StageParts merged = merge(HardwareStage::Hs, {lsHalf()}, {hsHalf()});
  // The first half touches s0 to s15 and v0 to v9. Kept: wave information, off-chip and factor offset, global table and
  // two dwords of user data; patch id and relative ids.
  const Usage &glue = merged.parts[0]->usage;
  CHECK(glue.numberedSgprs == 16 + 6);
  CHECK(glue.vgprs == 10 + 2);
  ImageRef image = joined(merged);
  CHECK(image->stages[0].usage.sgprs == 16 + 6 + 4); // and VCC, XNACK_MASK
  CHECK(image->stages[0].usage.vgprs == 12);
}

TEST_CASE("no wave reads the launch registers that the LS VGPR bug has moved, unless glue knows of it") {
  auto keyWith = [](bool hasBug) {
    GlueLayout layout = *layOutGlue(HardwareStage::Hs, std::vector{share(lsHalf())}, std::vector{share(hsHalf())},
                                    mergedTarget(hasBug));
    return makeGlueKey(layout, GluePlace::BeforeFirstHalf, "gfx900").partKey();
  };
  CHECK((keyWith(true) != keyWith(false)));
}
