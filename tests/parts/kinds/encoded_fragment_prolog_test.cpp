// SPDX-License-Identifier: MIT
//
// Compares encoded fragment prologs with compiled ones. For random keys and random inputs, both leave the same
// registers in the same pixels and their helpers, bit for bit.
#include "parts/kinds/around/fragment_prolog.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include "src/abi/interface/pixel_inputs.h"
#include "tests/parts/kinds/both_ways.h"
#include <algorithm>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr unsigned StippleBytes = 128;

FragmentPrologKey randomProlog(Random &random, const char *gpuName) {
  for (;;) {
    ShaderInterface main;
    main.hardwareStage = HardwareStage::Ps;
    main.userSgprCount = uint8_t(2 + random.below(20));
    main.inputs.push_back({{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}});
    main.inputs.push_back({{ValueKind::PrimMask}, {RegisterBank::Sgpr, uint16_t(main.userSgprCount)}});
    uint32_t inputs = 0;
    const unsigned rarity = 2 + random.below(4);
    for (unsigned bit = 0; bit != PsInputCount; ++bit)
      inputs |= uint32_t(random.oneIn(rarity)) << bit;
    if (missingPairs(inputs))
      inputs |= PerspCenterEna;
    uint16_t vgpr = 0;
    for (unsigned bit = 0; bit != PsInputCount; ++bit)
      for (uint8_t component = 0; (inputs >> bit & 1) && component != psInputs()[bit].count; ++component)
        main.inputs.push_back({{psInputs()[bit].kind, 0, component}, {RegisterBank::Vgpr, vgpr++}});
    main.fragment.inputs.resize(random.below(28));
    for (uint8_t color = 0; color != 2; ++color)
      if (random.oneIn(2))
        main.fragment.colorInputs.push_back({color, uint8_t(1 + random.below(15)), 0, 0});
    main.fragment.runsAtSampleRate = random.oneIn(4);
    main.fragment.interlock = random.oneIn(3) ? FragmentInterlock::Pixel : FragmentInterlock::None;
    PipelineState state;
    state.rasterizationSamples = 1u << random.below(5);
    state.sampleShadingEnable = random.oneIn(2);
    state.polygonStippleEnable = random.oneIn(3);
    state.colorTwoSide = random.oneIn(2);
    state.flatShadeColors = random.oneIn(3);
    state.perSampleInterpolation = random.oneIn(3);
    state.multisampleDisable = random.oneIn(3);
    state.barycentricOptimization = random.oneIn(2);
    Result<std::optional<FragmentPrologKey>> key = makeFragmentPrologKey(main, state, gpuName);
    if (key && *key)
      return **key;
  }
}

struct Input {
  uint64_t exec;
  std::vector<uint32_t> sgprs;
  std::vector<em::Lanes> vgprs;
  std::vector<uint8_t> pattern;
  em::FragmentParameters parameters;
};

Input randomInput(Random &random, const FragmentPrologKey &key) {
  Input input;
  input.exec = randomExec(random);
  for (unsigned i = 0; i != key.sgprCount; ++i)
    input.sgprs.push_back(random.bits());
  input.parameters.primMask = input.sgprs[key.primMask];
  for (unsigned i = 0; i != psInputVgprs(key.launchInputs); ++i)
    input.vgprs.push_back(randomLanes(random));
  // A face is a sign, or 0.
  if (key.launchInputs & FrontFaceEna)
    for (uint32_t &lane : input.vgprs[psInputVgprs(key.launchInputs & (FrontFaceEna - 1))])
      lane = random.oneIn(2) ? 0 : random.value();
  const unsigned often = 1 + random.below(32);
  for (unsigned i = 0; i != StippleBytes; ++i)
    input.pattern.push_back(random.oneIn(often) ? uint8_t(random.bits()) : 0);
  for (uint8_t &primitive : input.parameters.quadPrimitive)
    primitive = uint8_t(random.below(3));
  input.parameters.primitives.assign(3, std::vector<em::FragmentParameters::Attribute>(32));
  for (auto &primitive : input.parameters.primitives)
    for (auto &attribute : primitive)
      for (auto &channel : attribute)
        channel = {random.value(), random.value(), random.value()};
  return input;
}

struct Outcome {
  uint64_t exec;
  std::vector<uint32_t> sgprs;
  std::vector<em::Lanes> vgprs; // of the contract
};

Outcome outcomeOf(const Part &part, std::string_view gpuName, const FragmentPrologKey &key, const Input &input) {
  Run run(gpuName);
  run.setup.stage = em::WaveStage::Ps;
  run.setup.exec = input.exec;
  run.setup.parameters = &input.parameters;
  run.setup.mayReadUndefined = true; // values that are passed on
  std::vector<uint8_t> table((size_t(GlobalTableEntry::PolygonStipple) + 1) * 16);
  const auto descriptor = rawBuffer(run.gpu.memory().map("pattern", input.pattern), StippleBytes);
  std::memcpy(table.data() + table.size() - sizeof(descriptor), descriptor.data(), sizeof(descriptor));
  run.setup.sgprs.assign(input.sgprs.begin(), input.sgprs.end());
  run.setup.sgprs[0] = uint32_t(run.gpu.memory().map("global table", table));
  run.setup.vgprs.assign(input.vgprs.begin(), input.vgprs.end());
  constexpr uint32_t exportNothing = 0xc4001890; // exp null done vm
  run.end = {exportNothing, 0, EndProgram};
  run.run(part);
  Outcome outcome;
  outcome.exec = run.wave().exec();
  for (unsigned i = 1; i != key.sgprCount; ++i) // s0 is an address of this run
    outcome.sgprs.push_back(run.wave().peekSgpr(i));
  for (const Binding &output : part.contract.outputs)
    outcome.vgprs.push_back(run.wave().peekVgpr(output.reg.index));
  return outcome;
}

uint64_t withHelpers(uint64_t pixels) {
  uint64_t quads = 0;
  for (unsigned lane = 0; lane != em::WaveSize; ++lane)
    if (pixels >> (lane & ~3u) & 15)
      quads |= uint64_t(1) << lane;
  return quads;
}

} // namespace

TEST_CASE("colours are interpolated at samples where state says so, also if all inputs are declared so") {
  ShaderInterface main;
  main.hardwareStage = HardwareStage::Ps;
  main.inputs.push_back({{ValueKind::PrimMask}, {RegisterBank::Sgpr, 4}});
  for (uint8_t component : {0, 1})
    main.inputs.push_back({{ValueKind::PerspSample, 0, component}, {RegisterBank::Vgpr, component}});
  main.fragment.inputs.resize(1);
  main.fragment.colorInputs.push_back({0, 15, 0, 0});
  PipelineState state;
  state.rasterizationSamples = 4;
  state.sampleShadingEnable = state.perSampleInterpolation = true;
  auto key = makeFragmentPrologKey(main, state, "gfx900");
  REQUIRE((key && *key));
  CHECK((*key)->launchInputs == PerspSampleEna);
  CHECK((*key)->weights == WeightSource::Sample);
}

TEST_CASE("fragment prologs that are encoded leave what compiled ones leave, in helper pixels too") {
  unsigned without = 0, narrowed = 0;
  compareWays<FragmentPrologKey>(randomProlog, encodePart<FragmentPrologKey>, compilePart<FragmentPrologKey>,
                                 [&](const FragmentPrologKey &key, const Part &encoded, const Part &compiled,
                                     const TargetInfo &target, Random &random) {
                                   CHECK(encoded.usage.psInputAddr == compiled.usage.psInputAddr);
                                   CHECK(encoded.usage.psInputEna == compiled.usage.psInputEna);
                                   const Input input = randomInput(random, key);
                                   const Outcome a = outcomeOf(encoded, target.gpuName, key, input),
                                                 b = outcomeOf(compiled, target.gpuName, key, input);
                                   REQUIRE(a.exec == b.exec);
                                   without += a.exec == 0;
                                   narrowed += a.exec != 0 && a.exec != input.exec;
                                   REQUIRE((a.exec == 0 || a.sgprs == b.sgprs));
                                   for (size_t vgpr = 0; vgpr != a.vgprs.size(); ++vgpr)
                                     for (unsigned lane = 0; lane != em::WaveSize; ++lane)
                                       if (withHelpers(a.exec) >> lane & 1) {
                                         CAPTURE(vgpr);
                                         CAPTURE(lane);
                                         REQUIRE(a.vgprs[vgpr][lane] == b.vgprs[vgpr][lane]);
                                       }
                                 });
  CHECK(without != 0);
  CHECK(narrowed != 0);
}
