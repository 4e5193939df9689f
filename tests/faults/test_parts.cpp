// SPDX-License-Identifier: MIT
#include "tests/faults/test_parts.h"
#include "parts/cache/part_maker.h"
#include "src/abi/interface/link_constant.h"
#include "tests/faults/test_shaders.h"
#include "tests/parts/made_up_parts.h"
#include "variants/assemble/build_variant.h"
#include "variants/assemble/get_parts.h"
#include "variants/shader.h"
#include "variants/state/canonicalize.h"
#include <random>

namespace dovetail::faults {

namespace {

std::vector<PartRef> &realParts() {
  static std::vector<PartRef> parts;
  return parts;
}

class RandomPart {
public:
  explicit RandomPart(uint64_t number) : m_random(number * 0x9e3779b97f4a7c15 + 1) {}

  Part make(const PartKey &key) {
    Part part;
    part.key = key;
    part.description = fmt::format("random part {}", number(1000000));
    part.code = bytes(4 * (1 + number(one(16) ? 16384 : 512)));
    if (one(3))
      part.constants = bytes(number(256));
    part.constantsAlignment = 4u << number(4);
    for (uint64_t left = number(4); left > 0; --left)
      part.relocations.push_back(relocation(part.code.size()));
    part.contract.inputs = bindings();
    part.contract.endsProgram = one(2);
    if (!part.contract.endsProgram)
      part.contract.outputs = bindings();
    part.contract.preservedSgprs = uint16_t(number(100));
    part.contract.preservedVgprs = uint16_t(number(256));
    part.usage = usage();
    part.hazards = hazards();
    test::complete(part, interface());
    if (key.kind == PartKind::Glue)
      part.entry = EntryInterface{bindings(), unsigned(number(32))};
    if (key.kind == PartKind::Monolithic && one(2)) {
      part.interface->hardwareStage = HardwareStage::Gs;
      part.firstInterface = interface();
      part.firstInterface->hardwareStage = HardwareStage::Es;
      part.entry = EntryInterface{bindings(), unsigned(number(32))};
    }
    if (part.fragmentExports)
      part.fragmentExports = FragmentExports{
          uint32_t(m_random()), uint32_t(m_random()), uint8_t(number(16)), one(2), one(2), one(2), one(2), one(2)};
    part.instructionCount = uint32_t(number(5000));
    part.buildMicroseconds = double(number(1000000)) / 16;
    return part;
  }

private:
  uint64_t number(uint64_t limit) { return limit == 0 ? 0 : m_random() % limit; }
  bool one(uint64_t in) { return number(in) == 0; }

  std::vector<uint8_t> bytes(size_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint8_t &byte : bytes)
      byte = uint8_t(m_random());
    return bytes;
  }

  // Joins believe these facts, so they must hold: the field lies in the code, and a link constant exists.
  Relocation relocation(size_t codeBytes) {
    Relocation relocation = {0, RelocationKind(number(9)), RelocationTarget(number(4)), int64_t(m_random())};
    bool isWide = relocation.kind == RelocationKind::Abs64 || relocation.kind == RelocationKind::Rel64;
    if (isWide && codeBytes < 8)
      relocation.kind = RelocationKind::Abs32;
    relocation.offset = uint32_t(4 * number(codeBytes / 4 - (isWide && codeBytes >= 8)));
    if (relocation.target == RelocationTarget::Link)
      relocation.addend = int64_t(number(LinkConstantCount));
    return relocation;
  }

  std::vector<Binding> bindings() {
    std::vector<Binding> bindings;
    uint16_t reg = 0;
    for (uint64_t left = number(12); left > 0; --left) {
      const auto kind = ValueKind(number(uint64_t(ValueKind::InterpolatedColor) + 1));
      const RegisterBank bank = kind < ValueKind::VertexId ? RegisterBank::Sgpr : RegisterBank::Vgpr;
      bindings.push_back({{kind, uint8_t(number(8)), uint8_t(number(4))}, {bank, reg = uint16_t(reg + 1 + number(4))}});
    }
    std::ranges::sort(bindings, {}, &Binding::reg);
    return bindings;
  }

  Usage usage() {
    Usage usage;
    usage.sgprs = uint16_t(number(104));
    usage.numberedSgprs = uint16_t(number(102));
    usage.specialSgprs = uint16_t(2 * number(4));
    usage.vgprs = uint16_t(number(256));
    usage.scratchBytes = uint32_t(4 * number(1000));
    usage.ldsBytes = uint32_t(number(65536));
    usage.floatMode = uint8_t(m_random());
    usage.runsInAnyFloatMode = one(2);
    usage.ieeeMode = one(2);
    usage.dx10Clamp = one(2);
    usage.psInputEna = uint32_t(number(65536));
    usage.psInputAddr = uint32_t(number(65536));
    usage.spilledSgprs = uint32_t(number(1000));
    usage.spilledVgprs = uint32_t(number(1000));
    return usage;
  }

  isa::HazardSummary hazards() {
    isa::HazardSummary summary;
    auto edges = [&] {
      std::vector<isa::HazardEdge> edges;
      for (uint64_t left = number(4); left > 0; --left)
        edges.push_back({isa::Hazard(number(isa::HazardCount)), one(2) ? RegisterBank::Sgpr : RegisterBank::Vgpr,
                         uint16_t(number(100)), uint16_t(number(4)), uint8_t(number(isa::MaxWaitStates))});
      return edges;
    };
    summary.pendingAtEnd = edges();
    summary.sensitiveAtStart = edges();
    summary.length = uint8_t(number(isa::MaxWaitStates + 1));
    return summary;
  }

  ShaderInterface interface() {
    ShaderInterface interface;
    interface.inputs = bindings();
    interface.outputs = bindings();
    interface.userSgprCount = unsigned(number(32));
    interface.pushConstantEnd = unsigned(number(64));
    interface.outputSlots = m_random();
    interface.inputSlots = m_random();
    for (uint64_t left = number(8); left > 0; --left)
      interface.vertex.inputs.push_back(
          {uint8_t(number(16)), uint8_t(number(16)), NumericClass(number(3)), uint8_t(16u << number(3))});
    for (uint64_t left = number(8); left > 0; --left)
      interface.preRaster.parameters.push_back({uint8_t(number(72)), uint8_t(number(32))});
    for (uint64_t left = number(8); left > 0; --left)
      interface.fragment.inputs.push_back({uint8_t(number(72)), one(2), one(2)});
    for (uint64_t left = number(4); left > 0; --left)
      interface.fragment.colors.push_back(
          {uint8_t(number(8)), uint8_t(number(2)), uint8_t(number(16)), NumericClass(number(3))});
    interface.fragment.writesDepth = one(2);
    interface.fragment.usesDiscard = one(2);
    interface.compute.workgroupSize = {uint32_t(number(64)), uint32_t(number(8)), uint32_t(number(4))};
    return interface;
  }

  std::mt19937_64 m_random;
};

Result<void> compileRealParts(std::vector<PartRef> &parts) {
  std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create("gfx900"));
  for (const ShaderSet &set : DOVETAIL_TRY(testShaderSets(2))) {
    for (uint64_t number = 0; number < 4; ++number) {
      PipelineState state = canonicalize(testState(set, number), set);
      auto add = [&](const MadePart &made) {
        if (made.part)
          parts.push_back(made.part);
      };
      MadePart vertex = DOVETAIL_TRY(maker->getMainPart(sourceOf(set, lgc::ShaderStage::Vertex, "gfx900")));
      MadePart fragment = DOVETAIL_TRY(maker->getMainPart(sourceOf(set, lgc::ShaderStage::Fragment, "gfx900")));
      if (number == 0) {
        add(vertex);
        add(fragment);
      }
      add(DOVETAIL_TRY(maker->getAround(PartKind::VertexProlog, *vertex.part->interface, state)));
      add(DOVETAIL_TRY(maker->getAround(PartKind::FragmentProlog, *fragment.part->interface, state)));
      add(DOVETAIL_TRY(maker->getAround(PartKind::FragmentEpilog, *fragment.part->interface, state)));
    }
  }
  return {};
}

} // namespace

std::string prepareTestParts() {
  if (!realParts().empty())
    return "";
  Result<void> made = compileRealParts(realParts());
  return made ? "" : made.error().text;
}

PartKey testPartKey(uint64_t number) {
  Hasher hasher;
  Hash128 hash = hasher.add(number).finish();
  if (number % 4 == 0 && !realParts().empty())
    return {realParts()[number / 4 % realParts().size()]->key.kind, hash};
  return {PartKind(hash.high % PartKindCount), hash};
}

Part makeTestPart(uint64_t number) {
  if (number % 4 != 0 || realParts().empty())
    return RandomPart(number).make(testPartKey(number));
  Part part = *realParts()[number / 4 % realParts().size()];
  part.key = testPartKey(number);
  return part;
}

namespace {

bool equal(const Contract &a, const Contract &b) {
  return a.inputs == b.inputs && a.outputs == b.outputs && a.preservedSgprs == b.preservedSgprs &&
         a.preservedVgprs == b.preservedVgprs && a.endsProgram == b.endsProgram;
}

bool equal(const Usage &a, const Usage &b) {
  return a.sgprs == b.sgprs && a.numberedSgprs == b.numberedSgprs && a.specialSgprs == b.specialSgprs &&
         a.vgprs == b.vgprs && a.scratchBytes == b.scratchBytes && a.ldsBytes == b.ldsBytes &&
         a.floatMode == b.floatMode && a.runsInAnyFloatMode == b.runsInAnyFloatMode && a.ieeeMode == b.ieeeMode &&
         a.dx10Clamp == b.dx10Clamp && a.waveSize == b.waveSize && a.psInputEna == b.psInputEna &&
         a.psInputAddr == b.psInputAddr && a.spilledSgprs == b.spilledSgprs && a.spilledVgprs == b.spilledVgprs;
}

bool equal(const isa::HazardSummary &a, const isa::HazardSummary &b) {
  return a.pendingAtEnd == b.pendingAtEnd && a.sensitiveAtStart == b.sensitiveAtStart && a.length == b.length;
}

bool equal(const std::vector<Relocation> &a, const std::vector<Relocation> &b) {
  return std::ranges::equal(a, b, [](const Relocation &x, const Relocation &y) {
    return x.offset == y.offset && x.kind == y.kind && x.target == y.target && x.addend == y.addend;
  });
}

bool equal(const std::optional<FragmentExports> &a, const std::optional<FragmentExports> &b) {
  if (!a || !b)
    return bool(a) == bool(b);
  return a->colFormat == b->colFormat && a->cbShaderMask == b->cbShaderMask && a->zFormat == b->zFormat &&
         a->depth == b->depth && a->stencil == b->stencil && a->sampleMask == b->sampleMask && a->kills == b->kills &&
         a->alphaToCoverage == b->alphaToCoverage;
}

} // namespace

std::string differenceOf(const Part &a, const Part &b) {
  if (a.key != b.key)
    return "key";
  if (a.keyFields != b.keyFields)
    return "key fields";
  if (a.description != b.description)
    return "description";
  if (a.code != b.code)
    return "code";
  if (a.constants != b.constants || a.constantsAlignment != b.constantsAlignment)
    return "constants";
  if (!equal(a.relocations, b.relocations))
    return "relocations";
  if (!equal(a.contract, b.contract))
    return "contract";
  if (!equal(a.usage, b.usage))
    return "usage";
  if (!equal(a.hazards, b.hazards))
    return "hazards";
  if (a.interface != b.interface || a.firstInterface != b.firstInterface)
    return "interface";
  if (a.entry != b.entry)
    return "entry";
  if (!equal(a.fragmentExports, b.fragmentExports))
    return "fragment exports";
  if (a.instructionCount != b.instructionCount)
    return "instruction count";
  if (a.buildMicroseconds != b.buildMicroseconds)
    return "build time";
  return "";
}

} // namespace dovetail::faults
