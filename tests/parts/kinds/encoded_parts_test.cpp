// SPDX-License-Identifier: MIT
//
// Compares encoded vertex prologs and fragment epilogs with compiled ones. For random keys and random inputs, both
// leave the same registers and export the same, bit for bit.
#include "parts/kinds/around/fragment_epilog.h"
#include "parts/kinds/around/vertex_prolog.h"
#include "parts/listing/division.h"
#include "tests/parts/kinds/both_ways.h"

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr unsigned BindingCount = 32;
constexpr unsigned RecordBytes = 8192, MaxOffset = 12 * 1024; // of vertex buffers

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

// Compares the exports of lanes that are on.
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

uint32_t elementIndex(const FetchedAttribute &attribute, const PrologInput &input, unsigned lane) {
  const uint32_t vertex = input.vgprs[0][lane] + input.sgprs[2], instance = input.vgprs[InstanceIdVgpr][lane];
  switch (attribute.index) {
  case FetchIndex::Vertex:
    return vertex;
  case FetchIndex::Instance:
    return instance + input.sgprs[3];
  case FetchIndex::DividedInstance:
    return instance / attribute.divisor + input.sgprs[3];
  case FetchIndex::StartInstance:
    return input.sgprs[3];
  }
  return 0;
}

// Whether the end of the buffer may be within the attribute. LLVM makes one load of neighbouring components, and the
// hardware returns nothing if one byte of it is outside.
bool isCut(const FetchedAttribute &attribute, const PrologInput &input, const TargetInfo &target, unsigned lane) {
  constexpr unsigned mostBytes = 16; // of a load
  if (attribute.loads.empty())
    return false;
  const unsigned stride = input.strides[attribute.binding];
  if (stride && !target.countsRecordsInBytes)
    return false; // whole records are inside or outside
  const uint64_t element = uint64_t(elementIndex(attribute, input, lane)) * stride;
  const auto [first, last] = std::ranges::minmax(attribute.loads, {}, &VertexLoad::offset);
  return element + first.offset < RecordBytes && element + last.offset + mostBytes > RecordBytes;
}

const FetchedAttribute *attributeIn(const VertexPrologKey &key, const Part &prolog, size_t vgpr) {
  for (const Binding &binding : prolog.contract.outputs)
    if (binding.reg == Register{RegisterBank::Vgpr, uint16_t(vgpr)})
      return &*std::ranges::find(key.attributes, binding.value.index, &FetchedAttribute::location);
  return nullptr;
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
  run.setup.mayReadUndefined = true; // values that are passed on
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

} // namespace

TEST_CASE("fragment epilogs that are encoded export what compiled ones do") {
  compareWays<FragmentEpilogKey>(
      randomEpilog, encodePart<FragmentEpilogKey>, compilePart<FragmentEpilogKey>,
      [](const FragmentEpilogKey &key, const Part &encoded, const Part &compiled, const TargetInfo &target,
         Random &random) {
        EpilogInput input{randomExec(random), uint8_t(random.oneIn(2) ? 0xc0 : 0xf0), random.value(), {}};
        for (size_t vgpr = 2; vgpr != key.inputs.size(); ++vgpr) // behind two SGPRs
          input.vgprs.push_back(randomLanes(random));
        checkSameExports(exportsOf(encoded, target.gpuName, input), exportsOf(compiled, target.gpuName, input));
      });
}

TEST_CASE("vertex prologs that are encoded leave the registers that compiled ones leave") {
  compareWays<VertexPrologKey>(
      randomProlog, encodePart<VertexPrologKey>, compilePart<VertexPrologKey>,
      [](const VertexPrologKey &key, const Part &encoded, const Part &compiled, const TargetInfo &target,
         Random &random) {
        const PrologInput input = randomPrologInput(random, key);
        const PrologResult a = resultOf(encoded, target, key, input), b = resultOf(compiled, target, key, input);
        REQUIRE(a.sgprs == b.sgprs);
        for (size_t vgpr = 0; vgpr != a.vgprs.size(); ++vgpr) {
          const FetchedAttribute *attribute = attributeIn(key, encoded, vgpr);
          for (unsigned lane = 0; lane != em::WaveSize; ++lane)
            if ((input.exec >> lane & 1) && !(attribute && isCut(*attribute, input, target, lane))) {
              CAPTURE(vgpr);
              CAPTURE(lane);
              REQUIRE(a.vgprs[vgpr][lane] == b.vgprs[vgpr][lane]);
            }
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
