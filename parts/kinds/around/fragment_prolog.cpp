// SPDX-License-Identifier: MIT
#include "parts/kinds/around/fragment_prolog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/lgc/pipeline.h"
#include <algorithm>
#include <array>
#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

constexpr uint32_t PerspectiveWeights = PerspSampleEna | PerspCenterEna | PerspCentroidEna;
constexpr uint32_t LinearWeights = LinearSampleEna | LinearCenterEna | LinearCentroidEna;

WeightSource chooseWeights(const ShaderInterface &main, const PipelineState &state) {
  // With one sample, all places of interpolation are the same.
  if (state.rasterizationSamples <= 1 || main.fragment.placesInputs)
    return WeightSource::AsDeclared;
  if (state.multisampleDisable)
    return WeightSource::Center;
  return state.perSampleInterpolation ? WeightSource::Sample : WeightSource::AsDeclared;
}

// The weights of one kind (perspective or linear) that the hardware loads. If state decides where inputs are
// interpolated, one pair stands for all.
uint32_t launchWeights(uint32_t wanted, WeightSource weights, uint32_t sample, uint32_t center) {
  if (wanted == 0 || weights == WeightSource::AsDeclared)
    return wanted;
  return weights == WeightSource::Sample ? sample : center;
}

uint8_t sampleMaskShift(const ShaderInterface &main, uint32_t mainInputs, const PipelineState &state) {
  bool isPerSample = state.sampleShadingEnable && state.rasterizationSamples > 1;
  // A shader that runs for each sample by itself masks its samples itself.
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
  key.mainInputs = pixelInputsOf(main);
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
  // Colours are interpolated at the sample, too, even if the main part declares all its inputs so.
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

Result<std::optional<FragmentPrologKey>> FragmentPrologKey::make(const Surroundings &around) {
  return makeFragmentPrologKey(around.main, around.state, around.target.gpuName);
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

void FragmentPrologKey::complete(Part &part) const {
  part.usage.psInputEna = part.usage.psInputAddr = launchInputs;
}

// ---- Listing ----

// All results are also made for helper pixels, because the main part may take derivatives of them. For the same reason,
// pixels that are stippled away become helpers.
namespace {

constexpr unsigned GlobalTableSgpr = 0;

class FragmentPrologLister {
public:
  explicit FragmentPrologLister(const FragmentPrologKey &key) : m_key(key), m_listing(key.sgprCount, 0, false) {
    m_listing.includeHelpers();
    m_inputs.resize(psInputVgprs(key.launchInputs));
  }

  Listing list() {
    if (m_key.polygonStipple)
      stipple();
    for (unsigned bit = 0; bit < PsInputCount; ++bit)
      for (unsigned component = 0; (m_key.mainInputs >> bit & 1) && component != psInputs()[bit].count; ++component)
        give(mainInput(1u << bit, component));
    for (const PrologColor &color : m_key.colors)
      for (unsigned component = 0; component != 4; ++component)
        if (color.componentMask >> component & 1)
          give(colorComponent(color, component));
    return std::move(m_listing);
  }

private:
  void give(Value value) { m_listing.give(value, {RegisterBank::Vgpr, m_nextVgpr++}); }

  // The hardware packs the inputs that it loads.
  Value launchInput(uint32_t input, unsigned component = 0) {
    const unsigned vgpr = psInputVgprs(m_key.launchInputs & (input - 1)) + component;
    if (!m_inputs[vgpr])
      m_inputs[vgpr] = m_listing.input(RegisterBank::Vgpr, vgpr);
    return m_inputs[vgpr];
  }
  bool isLoaded(PsInputBit input) const { return m_key.launchInputs & input; }
  Value primMask() {
    if (!m_primMask)
      m_primMask = m_listing.input(RegisterBank::Sgpr, m_key.primMask);
    return m_primMask;
  }

  // The value that the main part finds in the place of an input.
  Value mainInput(uint32_t input, unsigned component) {
    const bool isPerspective = input & (PerspSampleEna | PerspCenterEna | PerspCentroidEna);
    const bool isLinear = input & (LinearSampleEna | LinearCenterEna | LinearCentroidEna);
    if ((isPerspective || isLinear) && m_key.weights != WeightSource::AsDeclared) {
      const bool atSample = m_key.weights == WeightSource::Sample;
      return isPerspective ? launchInput(atSample ? PerspSampleEna : PerspCenterEna, component)
                           : launchInput(atSample ? LinearSampleEna : LinearCenterEna, component);
    }
    if (m_key.optimizeCentroid && input == PerspCentroidEna && isLoaded(PerspCenterEna))
      return optimizedCentroid(PerspCenterEna, PerspCentroidEna, component);
    if (m_key.optimizeCentroid && input == LinearCentroidEna && isLoaded(LinearCenterEna))
      return optimizedCentroid(LinearCenterEna, LinearCentroidEna, component);
    if (m_key.sampleMaskShift != 0 && input == SampleCoverageEna)
      return narrowSampleMask(launchInput(input));
    return launchInput(input, component);
  }

  // PrimMask[31]: every quad of the wave is covered as a whole, and no centroids were loaded.
  Value optimizedCentroid(PsInputBit center, PsInputBit centroid, unsigned component) {
    if (!m_isCovered)
      m_isCovered = m_listing.add(Operation::IsNegative, primMask());
    return m_listing.add(Operation::Select, m_isCovered, launchInput(center, component),
                         launchInput(centroid, component));
  }

  // Keeps one of each 2^shift samples, the one with this invocation's number (Ancillary[11:8]).
  Value narrowSampleMask(Value mask) {
    constexpr uint32_t EveryNth[] = {0xffff, 0x5555, 0x1111, 0x0101, 0x0001};
    Value sample = m_listing.addImmediate(Operation::BitField, launchInput(AncillaryEna), 8, 4);
    Value own = m_listing.add(Operation::ShiftLeftBy, m_listing.constant(EveryNth[m_key.sampleMaskShift]), sample);
    return m_listing.add(Operation::And, mask, own);
  }

  // Tests the bit of column x & 31 in the row y & 31. PosFixedPt has x in its low half and y in its high half.
  void stipple() {
    Value descriptor =
        m_listing.addImmediate(Operation::LoadDescriptor, m_listing.input(RegisterBank::Sgpr, GlobalTableSgpr),
                               unsigned(GlobalTableEntry::PolygonStipple));
    Value position = launchInput(PosFixedPtEna);
    Value row = m_listing.addImmediate(Operation::BitField, position, 16, 5);
    Value bits = m_listing.add(Operation::LoadRaw, descriptor, m_listing.addImmediate(Operation::ShiftLeft, row, 2));
    Value bit = m_listing.add(Operation::BitAt, bits, position);
    m_listing.add(Operation::KeepPixels, m_listing.add(Operation::IsNonzero, bit));
  }

  Value colorComponent(const PrologColor &color, unsigned component) {
    Value front = attribute(color.attribute, component, color.flat);
    if (!color.twoSide)
      return front;
    Value back = attribute(color.backAttribute, component, color.flat);
    if (!m_isFront)
      m_isFront = m_listing.add(Operation::IsNonzero, launchInput(FrontFaceEna));
    return m_listing.add(Operation::Select, m_isFront, front, back);
  }

  // Colours have no qualifier of their own. They are taken at the centre, unless state sets the place of all inputs.
  Value attribute(uint8_t number, unsigned channel, bool isFlat) {
    Step step{.attribute = {number, uint8_t(channel)}};
    if (isFlat) {
      step.operation = Operation::FlatInput;
      step.operands = {primMask()};
    } else {
      const PsInputBit weights = m_key.weights == WeightSource::Sample ? PerspSampleEna : PerspCenterEna;
      for (unsigned i = 0; i != m_colorWeights.size(); ++i)
        if (!m_colorWeights[i])
          m_colorWeights[i] = launchInput(weights, i);
      step.operation = Operation::Interpolate;
      step.operands = {m_colorWeights[0], m_colorWeights[1], primMask()};
    }
    return m_listing.add(step);
  }

  const FragmentPrologKey &m_key;
  Listing m_listing;
  std::vector<Value> m_inputs; // VGPRs that were asked for
  Value m_primMask, m_isCovered, m_isFront;
  std::array<Value, 2> m_colorWeights; // i, j
  uint16_t m_nextVgpr = 0;
};

} // namespace

Listing listingOf(const FragmentPrologKey &key) {
  return FragmentPrologLister(key).list();
}

// ---- LLVM IR ----

// A fragment prolog as LLVM IR. Its results are also computed for helper lanes (amdgpu-ps-wqm-outputs); LLVM restores
// EXEC at the end.
namespace {

// A VGPR that the hardware loads, from LLVM's 16 inputs. An input that takes several VGPRs is a vector.
llvm::Value *launchVgpr(llvm::IRBuilderBase &builder, llvm::Function &function, const FragmentPrologKey &key,
                        unsigned vgpr) {
  for (unsigned bit = 0; bit != PsInputCount; ++bit) {
    if (!(key.launchInputs >> bit & 1))
      continue;
    if (vgpr < psInputs()[bit].count) {
      llvm::Value *argument = function.getArg(key.sgprCount + bit);
      return argument->getType()->isVectorTy() ? builder.CreateExtractElement(argument, uint64_t(vgpr)) : argument;
    }
    vgpr -= psInputs()[bit].count;
  }
  llvm_unreachable("a listing takes what is loaded");
}

} // namespace

llvm::Function *emitFunction(llvm::Module &module, const FragmentPrologKey &key, std::string_view name) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *f32 = llvm::Type::getFloatTy(context);
  llvm::SmallVector<llvm::Type *, 40> parameters(key.sgprCount, i32);
  llvm::SmallVector<llvm::Type *, 40> results(key.sgprCount, i32);
  unsigned vgprs = psInputVgprs(key.mainInputs);
  for (unsigned bit = 0; bit < PsInputCount; ++bit) {
    const PsInput &input = psInputs()[bit];
    bool isInteger = input.kind >= ValueKind::FrontFace;
    llvm::Type *type = isInteger ? i32 : f32;
    parameters.push_back(input.count > 1 ? llvm::FixedVectorType::get(type, input.count) : type);
  }
  for (const PrologColor &color : key.colors)
    vgprs += unsigned(std::popcount(color.componentMask));
  results.append(vgprs, f32);

  auto *type = llvm::FunctionType::get(llvm::StructType::get(context, results), parameters, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(llvm::CallingConv::AMDGPU_PS);
  function->setDLLStorageClass(llvm::GlobalValue::DLLExportStorageClass);
  for (unsigned i = 0; i < key.sgprCount; ++i)
    function->addParamAttr(i, llvm::Attribute::InReg);
  function->addFnAttr("InitialPSInputAddr", std::to_string(key.launchInputs));
  function->addFnAttr("amdgpu-ps-wqm-outputs");
  emitListing(*function, listingOf(key),
              [&](llvm::IRBuilderBase &builder, unsigned vgpr) { return launchVgpr(builder, *function, key, vgpr); });
  return function;
}

Result<void> composeAround(lgc::HardwareFormShader &shader, const FragmentPrologKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  return composeFragmentProlog(main, *emitFunction(*shader.module, key, toSymbol(key.Kind)), key.mainInputs);
}

} // namespace dovetail
