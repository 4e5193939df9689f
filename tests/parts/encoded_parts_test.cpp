// SPDX-License-Identifier: MIT
//
// Prologs and epilogs that are encoded beside what LLVM makes of the same listings: for random keys and random inputs,
// both leave the same registers and export the same, bit for bit. DOVETAIL_SOAK: ten times as many keys; DOVETAIL_SEED:
// others.
#include "parts/cache/prologs_and_epilogs.h"
#include "parts/kinds/fragment_epilog.h"
#include "parts/kinds/vertex_prolog.h"
#include "parts/listing/division.h"
#include "parts/listing/listing.h"
#include "src/lgc/builder_context.h"
#include "tests/faults/effort.h"
#include "tests/parts/described_part.h"
#include "tests/parts/part_text.h"
#include "tools/emulator/wave/run.h"
#include <bit>
#include <llvm/IR/LLVMContext.h>
#include <random>

using namespace dovetail;
using test::checkDescription;
namespace em = dovetail::emulator;

namespace {

constexpr unsigned KeyCount = 1000;
constexpr unsigned BindingCount = 32;
constexpr unsigned RecordBytes = 8192, MaxOffset = 12 * 1024; // of vertex buffers
constexpr uint32_t EndProgram = 0xbf810000;

class Random {
public:
  explicit Random(uint64_t seed) : m_engine(seed) {}
  uint32_t bits() { return uint32_t(m_engine()); }
  unsigned below(unsigned count) { return bits() % count; }
  bool oneIn(unsigned count) { return below(count) == 0; }
  template <typename T, size_t Count> T of(const T (&choices)[Count]) { return choices[below(Count)]; }

  // A float or an integer, with those that conversions treat in a special way.
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

  explicit Run(std::string_view gpuName) : gpu(em::chipOf(gpuName)) {}

  const em::Wave &wave() const { return waves.front(); }

  void run(const Part &part) {
    REQUIRE(part.relocations.empty());
    std::vector<uint8_t> code = part.code;
    for (unsigned shift = 0; shift != 32; shift += 8) // where the next part would begin
      code.push_back(uint8_t(EndProgram >> shift));
    setup.address = gpu.memory().map("code", code, 256, false);
    setup.sgprCount = part.usage.sgprs;
    setup.vgprCount = std::max<unsigned>(part.usage.vgprs, unsigned(setup.vgprs.size()));
    waves.emplace_back(gpu.generation(), gpu.memory(), group, setup);
    Result<void> result = em::runWaves(gpu, waves);
    INFO(textOf(part));
    REQUIRE_MESSAGE(result.has_value(), result.error().text);
  }
};

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

em::Lanes randomLanes(Random &random) {
  em::Lanes lanes;
  for (uint32_t &lane : lanes)
    lane = random.value();
  return lanes;
}

uint64_t randomExec(Random &random) {
  return random.oneIn(2) ? ~uint64_t(0) : (uint64_t(random.bits()) << 32 | random.bits()) | 1;
}

// --- fragment epilogs ---

FragmentEpilogKey randomEpilog(Random &random, const char *gpuName) {
  FragmentEpilogKey key;
  key.gpuName = gpuName;
  key.inputs = {{{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}},
                {{ValueKind::AlphaReference}, {RegisterBank::Sgpr, 1}}};
  const unsigned vgprs = 4 + random.below(random.oneIn(4) ? 32 : 6);
  for (uint16_t i = 0; i != vgprs; ++i)
    key.inputs.push_back({{ValueKind::Color, uint8_t(i / 4), uint8_t(i % 4)}, {RegisterBank::Vgpr, i}});
  auto source = [&] { return EpilogSource(random.below(vgprs)); };
  constexpr ExportFormat Formats[] = {ExportFormat::R32,        ExportFormat::Gr32,        ExportFormat::Ar32,
                                      ExportFormat::Fp16Abgr,   ExportFormat::Unorm16Abgr, ExportFormat::Snorm16Abgr,
                                      ExportFormat::Uint16Abgr, ExportFormat::Sint16Abgr,  ExportFormat::Abgr32};
  const unsigned targets = random.oneIn(8) ? 0 : random.oneIn(3) ? 1 + random.below(8) : 1;
  for (unsigned i = 0; i != targets; ++i) {
    ColorExport color;
    if (i != 0 && random.oneIn(3)) {
      color = key.colors.back(); // the same to several targets
    } else {
      color.format = random.of(Formats);
      // A colour's components are in different registers.
      const unsigned first = random.below(vgprs);
      for (unsigned component = 0; component != 4; ++component)
        color.components[component] = random.oneIn(4)   ? NoSource
                                      : random.oneIn(6) ? OneSource
                                                        : EpilogSource((first + component) % vgprs);
      color.components[random.below(4)] = EpilogSource((first + 3) % vgprs);
      const bool isInteger = color.format == ExportFormat::Uint16Abgr || color.format == ExportFormat::Sint16Abgr;
      color.clampToUnit = !isInteger && random.oneIn(3);
      if (isInteger) {
        constexpr IntegerClamp Clamps[] = {IntegerClamp::None, IntegerClamp::Int8, IntegerClamp::Int10};
        color.integerClamp = random.of(Clamps);
        color.isSigned = color.integerClamp != IntegerClamp::None && color.format == ExportFormat::Sint16Abgr;
      }
    }
    color.target = uint8_t(i);
    key.colors.push_back(color);
  }
  if (random.oneIn(3)) {
    key.coverageSamples = random.oneIn(2) ? uint8_t(2 << random.below(4)) : 0;
    if (key.coverageSamples)
      key.coverageSource = source();
    if (random.oneIn(2))
      key.sampleMask = source();
    if (random.oneIn(2))
      key.stencil = source();
    if (random.oneIn(2))
      key.depth = source();
    const bool masks = key.coverageSamples || key.sampleMask != NoSource;
    if (key.depth != NoSource)
      key.zFormat = masks ? ExportFormat::Abgr32 : key.stencil != NoSource ? ExportFormat::Gr32 : ExportFormat::R32;
    else if (masks || key.stencil != NoSource)
      key.zFormat = ExportFormat::Uint16Abgr;
  }
  if (random.oneIn(3)) {
    key.alphaTestFunc = VkCompareOp(random.below(VK_COMPARE_OP_ALWAYS));
    if (key.alphaTestFunc != VK_COMPARE_OP_NEVER) {
      key.alphaTestSource = random.oneIn(6) ? OneSource : source();
      key.alphaTestClamp = key.alphaTestSource != OneSource && random.oneIn(2);
    }
  }
  return key;
}

struct EpilogInput {
  uint64_t exec;
  uint8_t floatMode;
  uint32_t alphaReference;
  std::vector<em::Lanes> vgprs;
};

std::vector<em::Export> exportsOf(const Part &part, std::string_view gpuName, const EpilogInput &input) {
  Run run(gpuName);
  run.setup.stage = em::WaveStage::Ps;
  run.setup.exec = input.exec;
  run.setup.floatMode = input.floatMode;
  run.setup.sgprs = {0, input.alphaReference};
  run.setup.vgprs.assign(input.vgprs.begin(), input.vgprs.end());
  run.run(part);
  return run.wave().exports;
}

// What the lanes hand over that are on.
void checkSameExports(const std::vector<em::Export> &encoded, const std::vector<em::Export> &compiled) {
  REQUIRE(encoded.size() == compiled.size());
  for (size_t i = 0; i != encoded.size(); ++i) {
    CAPTURE(i);
    const em::Export &a = encoded[i], &b = compiled[i];
    REQUIRE(a.target == b.target);
    REQUIRE(a.enable == b.enable);
    REQUIRE(a.compressed == b.compressed);
    REQUIRE(a.done == b.done);
    REQUIRE(a.validMask == b.validMask);
    REQUIRE(a.exec == b.exec);
    for (unsigned word = 0; word != (a.compressed ? 2u : 4u); ++word)
      if (a.enable & (a.compressed ? 3u << 2 * word : 1u << word))
        for (unsigned lane = 0; lane != em::WaveSize; ++lane)
          if (a.exec >> lane & 1)
            REQUIRE(a.data[word][lane] == b.data[word][lane]);
  }
}

// --- vertex prologs ---

VertexPrologKey randomProlog(Random &random, const char *gpuName) {
  std::vector<const FormatInfo *> formats;
  for (const FormatInfo &format : allFormats())
    if (format.canBeFetched())
      formats.push_back(&format);
  PipelineState state;
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Vs;
  main.userSgprCount = 4 + random.below(28);
  const unsigned count = 1 + random.below(random.oneIn(6) ? 30 : 6);
  const unsigned bindings = 1 + random.below(random.oneIn(3) ? BindingCount : 4);
  for (uint32_t binding = 0; binding != bindings; ++binding) {
    const bool isInstanced = random.oneIn(3);
    const uint32_t divisor = random.oneIn(4) ? random.below(3) : random.oneIn(2) ? random.below(1000) : random.bits();
    state.vertexBindings.push_back({binding, 64,
                                    isInstanced ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
                                    isInstanced ? divisor : 1});
  }
  for (uint8_t location = 0; location != count; ++location) {
    const FormatInfo &format = *formats[random.below(unsigned(formats.size()))];
    const bool isWide = format.bits[0] == 64;
    const uint32_t offset = random.oneIn(8) ? 4 * random.below(MaxOffset / 4 - 100) : 4 * random.below(64);
    state.vertexAttributes.push_back({location, random.below(bindings), format.format, offset});
    main.vertex.inputs.push_back({location, uint8_t(1 + random.below(isWide ? 255 : 15)),
                                  format.isInteger() ? NumericClass::Uint : NumericClass::Float,
                                  uint8_t(isWide ? 64 : 32)});
  }
  Result<VertexPrologKey> key = makeVertexPrologKey(main, state, gpuName);
  REQUIRE_MESSAGE(key.has_value(), key.error().text);
  return *key;
}

struct PrologInput {
  uint64_t exec;
  std::vector<uint32_t> sgprs;
  std::vector<em::Lanes> vgprs;
  std::vector<std::vector<uint8_t>> buffers; // by binding
  std::vector<unsigned> strides;
};

PrologInput randomPrologInput(Random &random, const VertexPrologKey &key) {
  PrologInput input;
  input.exec = randomExec(random);
  for (unsigned i = 0; i != key.sgprCount; ++i)
    input.sgprs.push_back(random.bits());
  const bool isFarAway = random.oneIn(4);
  input.sgprs[2] = random.below(100);
  input.sgprs[3] = random.below(100);
  for (unsigned i = 0; i != VertexVgprCount; ++i) {
    em::Lanes &lanes = input.vgprs.emplace_back();
    for (uint32_t &lane : lanes)
      lane = isFarAway ? random.bits() : random.below(200);
  }
  for (unsigned binding = 0; binding != BindingCount; ++binding) {
    input.strides.push_back(4 * random.below(24));
    std::vector<uint8_t> &bytes = input.buffers.emplace_back(RecordBytes + MaxOffset);
    for (size_t i = 0; i < bytes.size(); i += 4) {
      const uint32_t value = random.value();
      std::memcpy(&bytes[i], &value, 4);
    }
  }
  return input;
}

struct PrologResult {
  std::vector<uint32_t> sgprs;
  std::vector<em::Lanes> vgprs;
};

PrologResult resultOf(const Part &part, const TargetInfo &target, const VertexPrologKey &key,
                      const PrologInput &input) {
  Run run(target.gpuName);
  run.setup.stage = em::WaveStage::Cs; // it may end without exports
  run.setup.exec = input.exec;
  std::vector<uint8_t> table(BindingCount * 16);
  for (unsigned binding = 0; binding != BindingCount; ++binding) {
    const uint64_t address = run.gpu.memory().map("binding", input.buffers[binding]);
    const unsigned stride = input.strides[binding];
    // The last record begins in front of the end; offsets lead beyond it.
    const uint32_t records = stride && !target.countsRecordsInBytes ? RecordBytes / stride : RecordBytes;
    const uint32_t words[4] = {uint32_t(address), (uint32_t(address >> 32) & 0xffff) | stride << 16, records, 0x27fac};
    std::memcpy(&table[binding * 16], words, sizeof(words));
  }
  run.setup.sgprs.assign(input.sgprs.begin(), input.sgprs.end());
  run.setup.sgprs[1] = uint32_t(run.gpu.memory().map("vertex buffer table", table));
  run.setup.vgprs.assign(input.vgprs.begin(), input.vgprs.end());
  run.setup.mayReadUndefined = true; // what is passed on
  run.run(part);
  PrologResult result;
  for (unsigned i = 0; i != key.sgprCount; ++i)
    if (i != 1) // an address of this run
      result.sgprs.push_back(run.wave().peekSgpr(i));
  for (unsigned i = 0; i != VertexVgprCount; ++i)
    result.vgprs.push_back(run.wave().peekVgpr(i));
  for (const Binding &output : part.contract.outputs)
    result.vgprs.push_back(run.wave().peekVgpr(output.reg.index));
  return result;
}

// --- both ---

// What encoded parts cost beside compiled ones.
struct Tally {
  uint64_t instructions[2] = {}, vgprs[2] = {};
  unsigned parts = 0, fewerWaves = 0, moreWaves = 0;

  void add(const Part &encoded, const Part &compiled, const TargetInfo &target) {
    ++parts;
    instructions[0] += encoded.instructionCount;
    instructions[1] += compiled.instructionCount;
    vgprs[0] += encoded.usage.vgprs;
    vgprs[1] += compiled.usage.vgprs;
    const unsigned waves = wavesPerSimd(target, encoded.usage.sgprs, encoded.usage.vgprs);
    const unsigned compiledWaves = wavesPerSimd(target, compiled.usage.sgprs, compiled.usage.vgprs);
    fewerWaves += waves < compiledWaves;
    moreWaves += waves > compiledWaves;
  }
  void check(const char *gpuName) const {
    MESSAGE(std::string(gpuName) << ": " << parts << " parts; instructions " << instructions[0] << ", compiled "
                                 << instructions[1] << "; VGPRs " << vgprs[0] << ", compiled " << vgprs[1]
                                 << "; fewer waves " << fewerWaves << " times, more " << moreWaves);
    CHECK(instructions[0] <= instructions[1]);
    // Loads with channels that nobody reads take registers of their own, where LLVM finds some that are not loaded yet.
    CHECK(fewerWaves <= parts / 10);
  }
};

constexpr const char *Gpus[] = {"gfx900", "gfx803"};

// `compare`: runs what was made of a key both ways on one input.
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

} // namespace

TEST_CASE("fragment epilogs that are encoded export what compiled ones do") {
  compareWays<FragmentEpilogKey>(
      randomEpilog, encodeFragmentEpilog, compileFragmentEpilog,
      [](const FragmentEpilogKey &key, const Part &encoded, const Part &compiled, const TargetInfo &target,
         Random &random) {
        EpilogInput input{randomExec(random), uint8_t(random.oneIn(2) ? 0xc0 : 0xf0), random.value(), {}};
        for (size_t vgpr = 2; vgpr != key.inputs.size(); ++vgpr) // behind two SGPRs
          input.vgprs.push_back(randomLanes(random));
        checkSameExports(exportsOf(encoded, target.gpuName, input), exportsOf(compiled, target.gpuName, input));
      });
}

TEST_CASE("vertex prologs that are encoded leave the registers that compiled ones leave") {
  compareWays<VertexPrologKey>(randomProlog, encodeVertexProlog, compileVertexProlog,
                               [](const VertexPrologKey &key, const Part &encoded, const Part &compiled,
                                  const TargetInfo &target, Random &random) {
                                 const PrologInput input = randomPrologInput(random, key);
                                 const PrologResult a = resultOf(encoded, target, key, input),
                                                    b = resultOf(compiled, target, key, input);
                                 REQUIRE(a.sgprs == b.sgprs);
                                 for (size_t vgpr = 0; vgpr != a.vgprs.size(); ++vgpr)
                                   for (unsigned lane = 0; lane != em::WaveSize; ++lane)
                                     if (input.exec >> lane & 1) {
                                       CAPTURE(vgpr);
                                       CAPTURE(lane);
                                       REQUIRE(a.vgprs[vgpr][lane] == b.vgprs[vgpr][lane]);
                                     }
                               });
}

TEST_CASE("a division by a constant is that division") {
  Random random(faults::seed());
  auto quotient = [](const Division &division, uint32_t n) {
    if (!division.magic)
      return n >> division.shift;
    const auto high = uint32_t(uint64_t(n) * division.magic >> 32);
    return division.addsDividend ? (((n - high) >> 1) + high) >> (division.shift - 1) : high >> division.shift;
  };
  for (unsigned i = 0; i != 20000; ++i) {
    const uint32_t divisor = i < 5000 ? i + 1 : random.oneIn(2) ? random.bits() | 1 : UINT32_MAX - random.below(1000);
    const Division division = divisionBy(divisor);
    for (uint32_t n : {0u, 1u, divisor - 1, divisor, divisor + 1, 2 * divisor - 1, UINT32_MAX, UINT32_MAX - 1,
                       UINT32_MAX / divisor * divisor, UINT32_MAX / divisor * divisor - 1, random.bits()})
      REQUIRE(quotient(division, n) == n / divisor);
  }
}
