// SPDX-License-Identifier: MIT
//
// Compares encoded prologs and epilogs with LLVM's code for the same listings, for random keys. DOVETAIL_SOAK: ten
// times as many keys; DOVETAIL_SEED: other keys.
#pragma once

#include "parts/cache/prologs_and_epilogs.h"
#include "parts/listing/listing.h"
#include "src/abi/interface/link_constant.h"
#include "src/lgc/builder_context.h"
#include "tests/faults/effort.h"
#include "tests/parts/described_part.h"
#include "tests/parts/part_text.h"
#include "tools/proof/emulator/run/run.h"
#include <array>
#include <bit>
#include <cstring>
#include <llvm/IR/LLVMContext.h>
#include <map>
#include <random>

namespace dovetail::test {

namespace em = dovetail::emulator;

constexpr unsigned KeyCount = 1000;
constexpr uint32_t EndProgram = 0xbf810000;

class Random {
public:
  explicit Random(uint64_t seed) : m_engine(seed) {}
  uint32_t bits() { return uint32_t(m_engine()); }
  unsigned below(unsigned count) { return bits() % count; }
  bool oneIn(unsigned count) { return below(count) == 0; }
  template <typename T, size_t Count> T of(const T (&&choices)[Count]) { return choices[below(Count)]; }
  template <typename T, size_t Count> T of(const T (&choices)[Count]) { return choices[below(Count)]; }

  // A float or an integer, often one that conversions treat in a special way.
  uint32_t value() {
    switch (below(5)) {
    case 0: {
      constexpr uint32_t Special[] = {
          0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
          0x00000001, 0x80000001, 0x007fffff, 0x3f000000, 0x477fe000, 0x477ff000, 0x33800000, 127,
          128,        255,        256,        511,        512,        1023,       1024,       65535,
          65536,      0x7fffffff, 0xffffffff, 0xffffff80, 0xffffff7f, 0xfffffe00, 3,          4};
      return of(Special);
    }
    case 1:
      return std::bit_cast<uint32_t>(float(below(1 << 20)) / float(1 << 20));
    case 2:
      return std::bit_cast<uint32_t>((float(below(1 << 20)) - float(1 << 19)) / 1000.0f);
    case 3:
      return below(2048) - 1024;
    default:
      return bits();
    }
  }

private:
  std::mt19937_64 m_engine;
};

struct Run {
  em::Gpu gpu;
  em::Workgroup group;
  em::WaveSetup setup;
  std::vector<em::Wave> waves;
  std::map<LinkConstant, uint32_t> links;
  std::vector<uint32_t> end = {EndProgram};

  explicit Run(std::string_view gpuName) : gpu(em::chipOf(gpuName)) {}

  const em::Wave &wave() const { return waves.front(); }

  // Runs the part. The program ends where the next part would begin.
  void run(const Part &part) {
    std::vector<uint8_t> code = part.code;
    for (const Relocation &relocation : part.relocations) {
      REQUIRE((relocation.target == RelocationTarget::Link));
      std::memcpy(&code[relocation.offset], &links.at(LinkConstant(relocation.addend)), 4);
    }
    for (uint32_t word : end)
      for (unsigned shift = 0; shift != 32; shift += 8)
        code.push_back(uint8_t(word >> shift));
    setup.address = gpu.memory().map("code", code, 256, false);
    setup.sgprCount = part.usage.sgprs;
    setup.vgprCount = std::max<unsigned>(part.usage.vgprs, unsigned(setup.vgprs.size()));
    waves.emplace_back(gpu.generation(), gpu.memory(), group, setup);
    Result<void> result = em::runWaves(gpu, waves);
    INFO(textOf(part));
    REQUIRE_MESSAGE(result.has_value(), result.error().text);
  }
};

// A V# (buffer descriptor) of raw memory.
inline std::array<uint32_t, 4> rawBuffer(uint64_t address, size_t bytes) {
  return {uint32_t(address), uint32_t(address >> 32) & 0xffff, uint32_t(bytes), 0x27fac};
}

class BothWays {
public:
  explicit BothWays(const char *gpuName) : gpuName(gpuName), target(**getTarget(gpuName)) {
    lgc::BuilderContext::initialize();
    context = lgc::BuilderContext::create(m_llvmContext, gpuName).value();
  }

  template <typename Key>
  std::pair<Part, Part> make(const Key &key, Result<Part> (*encode)(const Key &, const TargetInfo &),
                             Result<Part> (*compile)(const Key &, lgc::BuilderContext &)) {
    Result<Part> encoded = encode(key, target), compiled = compile(key, *context);
    REQUIRE_MESSAGE(encoded.has_value(), encoded.error().text);
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().text);
    return {std::move(*encoded), std::move(*compiled)};
  }

  const char *gpuName;
  const TargetInfo &target;

private:
  llvm::LLVMContext m_llvmContext;

public:
  std::unique_ptr<lgc::BuilderContext> context;
};

inline em::Lanes randomLanes(Random &random) {
  em::Lanes lanes;
  for (uint32_t &lane : lanes)
    lane = random.value();
  return lanes;
}

inline uint64_t randomExec(Random &random) {
  return random.oneIn(2) ? ~uint64_t(0) : (uint64_t(random.bits()) << 32 | random.bits()) | 1;
}

// The cost of encoded parts beside that of compiled ones.
struct Tally {
  uint64_t instructions[2] = {}, vgprs[2] = {};
  unsigned parts = 0, moreWaves = 0;

  void add(const Part &encoded, const Part &compiled, const TargetInfo &target) {
    ++parts;
    instructions[0] += encoded.instructionCount;
    instructions[1] += compiled.instructionCount;
    vgprs[0] += encoded.usage.vgprs;
    vgprs[1] += compiled.usage.vgprs;
    const unsigned waves = wavesPerSimd(target, encoded.usage.sgprs, encoded.usage.vgprs);
    const unsigned compiledWaves = wavesPerSimd(target, compiled.usage.sgprs, compiled.usage.vgprs);
    CHECK(waves >= compiledWaves);
    moreWaves += waves > compiledWaves;
  }
  void check(const char *gpuName) const {
    MESSAGE(std::string(gpuName) << ": " << parts << " parts; instructions " << instructions[0] << ", compiled "
                                 << instructions[1] << "; VGPRs " << vgprs[0] << ", compiled " << vgprs[1]
                                 << "; more waves " << moreWaves << " times");
    CHECK(instructions[0] <= instructions[1]);
  }
};

inline constexpr const char *Gpus[] = {"gfx900", "gfx803"};

// `compare` runs the parts that were made of a key in both ways, on one input.
template <typename Key, typename Compare>
void compareWays(Key (*randomKey)(Random &, const char *), Result<Part> (*encode)(const Key &, const TargetInfo &),
                 Result<Part> (*compile)(const Key &, lgc::BuilderContext &), const Compare &compare) {
  for (const char *gpuName : Gpus) {
    CAPTURE(std::string(gpuName));
    BothWays both(gpuName);
    Random random(faults::seed());
    Tally tally;
    for (unsigned i = 0; i != faults::effort(KeyCount, 10 * KeyCount); ++i) {
      CAPTURE(i);
      const Key key = randomKey(random, gpuName);
      CAPTURE(key.describe());
      const auto [encoded, compiled] = both.make(key, encode, compile);
      INFO("encoded:\n" << textOf(encoded) << "compiled:\n" << textOf(compiled));
      checkDescription(encoded, gpuName);
      tally.add(encoded, compiled, both.target);
      compare(key, encoded, compiled, both.target, random);
    }
    tally.check(gpuName);
  }
}

} // namespace dovetail::test
