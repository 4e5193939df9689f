// SPDX-License-Identifier: MIT
#include "parts/kinds/fragment_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "src/abi/entry_registers.h"
#include "src/abi/pixel_inputs.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr uint32_t PerspectiveWeights = PerspSampleEna | PerspCenterEna | PerspCentroidEna;
constexpr uint32_t LinearWeights = LinearSampleEna | LinearCenterEna | LinearCentroidEna;

uint32_t inputBit(const Binding &input) {
  if (input.reg.bank != RegisterBank::Vgpr || input.value.kind < ValueKind::PerspSample ||
      input.value.kind > ValueKind::PosFixedPt)
    return 0;
  return 1u << (unsigned(input.value.kind) - unsigned(ValueKind::PerspSample));
}

uint32_t inputsOf(const ShaderInterface &main) {
  uint32_t mask = 0;
  for (const Binding &input : main.inputs)
    mask |= inputBit(input);
  return mask;
}

WeightSource chooseWeights(const ShaderInterface &main, const PipelineState &state) {
  // With one sample, all places are the same.
  if (state.rasterizationSamples <= 1 || main.fragment.placesInputs)
    return WeightSource::AsDeclared;
  if (state.multisampleDisable)
    return WeightSource::Center;
  return state.perSampleInterpolation ? WeightSource::Sample : WeightSource::AsDeclared;
}

// The weights of one kind (perspective or linear) that the hardware loads: one pair stands for all where state says
// where inputs are interpolated.
uint32_t launchWeights(uint32_t wanted, WeightSource weights, uint32_t sample, uint32_t center) {
  if (wanted == 0 || weights == WeightSource::AsDeclared)
    return wanted;
  return weights == WeightSource::Sample ? sample : center;
}

uint8_t sampleMaskShift(const ShaderInterface &main, uint32_t mainInputs, const PipelineState &state) {
  bool isPerSample = state.sampleShadingEnable && state.rasterizationSamples > 1;
  // A shader that runs for each sample by itself masks by itself.
  if (!isPerSample || main.fragment.runsAtSampleRate || !(mainInputs & SampleCoverageEna))
    return 0;
  return uint8_t(std::bit_width(std::min(state.rasterizationSamples, 16u)) - 1);
}

std::vector<PrologColor> chooseColors(const ShaderInterface &main, const PipelineState &state) {
  std::vector<PrologColor> colors;
  for (const ColorInput &input : main.fragment.colorInputs) {
    PrologColor color;
    color.index = input.index;
    color.componentMask = input.componentMask;
    color.flat = state.flatShadeColors;
    color.twoSide = state.colorTwoSide;
    colors.push_back(color);
  }
  for (size_t i = 0; i < colors.size(); ++i) {
    colors[i].attribute = uint8_t(colorAttribute(main, i, /*isBack=*/false));
    if (colors[i].twoSide)
      colors[i].backAttribute = uint8_t(colorAttribute(main, i, /*isBack=*/true));
  }
  return colors;
}

std::string describeColor(const PrologColor &color) {
  std::string text = fmt::format("color{}.", color.index);
  for (unsigned component = 0; component < 4; ++component)
    if (color.componentMask >> component & 1)
      text += "rgba"[component];
  text += color.flat ? " flat" : "";
  text += color.twoSide ? " two-side" : "";
  return text;
}

} // namespace

Result<std::optional<FragmentPrologKey>> makeFragmentPrologKey(const ShaderInterface &main, const PipelineState &state,
                                                               std::string_view gpuName) {
  FragmentPrologKey key;
  key.gpuName = gpuName;
  auto primMask = std::ranges::find(main.inputs, ValueName{ValueKind::PrimMask}, &Binding::value);
  if (primMask == main.inputs.end() || primMask->reg.bank != RegisterBank::Sgpr)
    return makeError(ErrorCode::Internal, "a fragment main part without a primitive mask");
  key.primMask = uint8_t(primMask->reg.index);
  key.sgprCount = uint8_t(key.primMask + (main.fragment.interlock != FragmentInterlock::None ? 3 : 2));
  key.mainInputs = inputsOf(main);
  key.colors = chooseColors(main, state);
  if (attributeCount(main, state.colorTwoSide) > MaxFragmentInputs)
    return makeError(ErrorCode::Unsupported, "the fragment shader has {} inputs and {} colours; the hardware has {}",
                     main.fragment.inputs.size(), main.fragment.colorInputs.size(), MaxFragmentInputs);
  for (const FragmentInput &input : main.fragment.inputs)
    if (input.halves != 0 && isReplacedOnPoints(input, state.spriteCoordEnable))
      return makeError(ErrorCode::Unsupported,
                       "the point coordinate is to replace fragment input {}, which is half floats", input.location);

  const WeightSource weights = chooseWeights(main, state);
  uint32_t perspective = key.mainInputs & PerspectiveWeights;
  const bool interpolatesColors = std::ranges::any_of(key.colors, [](const PrologColor &color) { return !color.flat; });
  if (interpolatesColors && (weights == WeightSource::AsDeclared || perspective == 0))
    perspective |= PerspCenterEna;
  uint32_t loaded = launchWeights(perspective, weights, PerspSampleEna, PerspCenterEna) |
                    launchWeights(key.mainInputs & LinearWeights, weights, LinearSampleEna, LinearCenterEna);
  // Colours are interpolated there, too, also if all that the main part reads is declared so.
  const bool movesColors = interpolatesColors && weights == WeightSource::Sample;
  const bool movesInputs = loaded != (key.mainInputs & (PerspectiveWeights | LinearWeights));
  if (weights != WeightSource::AsDeclared && (movesInputs || movesColors))
    key.weights = weights;

  auto hasBoth = [&](uint32_t center, uint32_t centroid) { return (loaded & center) && (loaded & centroid); };
  key.optimizeCentroid = state.barycentricOptimization && state.rasterizationSamples > 1 &&
                         (hasBoth(PerspCenterEna, PerspCentroidEna) || hasBoth(LinearCenterEna, LinearCentroidEna));
  key.polygonStipple = state.polygonStippleEnable;
  key.sampleMaskShift = sampleMaskShift(main, key.mainInputs, state);

  key.launchInputs = loaded | (key.mainInputs & ~(PerspectiveWeights | LinearWeights));
  if (key.polygonStipple)
    key.launchInputs |= PosFixedPtEna;
  if (key.sampleMaskShift != 0)
    key.launchInputs |= AncillaryEna;
  if (state.colorTwoSide && !key.colors.empty())
    key.launchInputs |= FrontFaceEna;

  const bool doesNothing = key.colors.empty() && key.weights == WeightSource::AsDeclared && !key.polygonStipple &&
                           !key.optimizeCentroid && key.sampleMaskShift == 0;
  if (doesNothing)
    return std::nullopt;
  return key;
}

PartKey FragmentPrologKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string FragmentPrologKey::describe() const {
  std::string text;
  auto add = [&](const std::string &item) { text += (text.empty() ? "" : ", ") + item; };
  if (polygonStipple)
    add("stipple");
  if (optimizeCentroid)
    add("centroids of covered quads from the centre");
  if (weights != WeightSource::AsDeclared)
    add(weights == WeightSource::Sample ? "weights at the sample" : "weights at the centre");
  for (const PrologColor &color : colors)
    add(describeColor(color));
  if (sampleMaskShift != 0)
    add(fmt::format("sample mask of every {}th sample", 1u << sampleMaskShift));
  return text;
}

Contract FragmentPrologKey::contract() const {
  Contract contract;
  contract.preservedSgprs = sgprCount;
  contract.inputs.push_back({{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}});
  contract.inputs.push_back({{ValueKind::PrimMask}, {RegisterBank::Sgpr, primMask}});
  auto addInputs = [](uint32_t mask, std::vector<Binding> &bindings) {
    uint16_t vgpr = 0;
    for (unsigned bit = 0; bit < PsInputCount; ++bit)
      for (uint8_t component = 0; (mask >> bit & 1) && component < psInputs()[bit].count; ++component)
        bindings.push_back({{psInputs()[bit].kind, 0, component}, {RegisterBank::Vgpr, vgpr++}});
    return vgpr;
  };
  addInputs(launchInputs, contract.inputs);
  uint16_t vgpr = addInputs(mainInputs, contract.outputs);
  for (const PrologColor &color : colors)
    for (uint8_t component = 0; component < 4; ++component)
      if (color.componentMask >> component & 1)
        contract.outputs.push_back(
            {{ValueKind::InterpolatedColor, color.index, component}, {RegisterBank::Vgpr, vgpr++}});
  return contract;
}

} // namespace dovetail
