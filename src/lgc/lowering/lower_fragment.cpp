// SPDX-License-Identifier: MIT
//
// Inputs and outputs of fragment shaders. Each location that is used gets an attribute number, in ascending order.
// Outputs are returned to the epilog.
//
// The hardware interpolates half floats by instructions of their own, on an attribute whose dwords hold one or two
// halves each ("Vega" ISA manual, V_INTERP_P1LL_F16 and V_INTERP_P2_F16; LLPC, Gfx9ConfigBuilder.cpp).
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"
#include <algorithm>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::DwordPart;
using dovetail::FragmentInput;
using dovetail::FragmentInterface;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

class FragmentInputLowering {
public:
  FragmentInputLowering(Function &function, const PipelineState &state)
      : m_function(function), m_usage(state.usage()), m_others(state.interShaderData()),
        m_builder(function.getContext()) {}

  void run() {
    for (Instruction &instruction : make_early_inc_range(instructions(m_function))) {
      m_builder.SetInsertPoint(&instruction);
      if (auto *smooth = dyn_cast<SmoothFragmentInputOp>(&instruction))
        replace(*smooth, interpolate(*smooth));
      else if (auto *flat = dyn_cast<FlatFragmentInputOp>(&instruction))
        replace(*flat, parameter(*flat, ParameterKind::Flat, ParameterP0));
      else if (auto *vertex = dyn_cast<VertexFragmentInputOp>(&instruction))
        replace(*vertex, parameter(*vertex, ParameterKind::OfVertices, ParameterOfVertex[vertex->vertex()]));
      else if (auto *mask = dyn_cast<SampleMaskInOp>(&instruction))
        replace(*mask, sampleMaskIn());
    }
  }

private:
  static void replace(Instruction &op, Value *by) {
    op.replaceAllUsesWith(by);
    op.eraseFromParent();
  }

  Value *hardwareValue(ValueKind kind) { return hardwareDword(m_builder, kind); }

  // The operands by which v_interp instructions name a component.
  struct Source {
    Value *component, *attribute;
    DwordPart part;
  };
  template <typename T> Source sourceOf(T &op, ParameterKind kind) {
    const ParameterRead read = parameterRead(m_others, kind, op.location(), op.component(), op.elementBits());
    auto found = std::ranges::find_if(m_usage.fragmentInputs,
                                      [&](const FragmentInput &other) { return isSameInput(other, read.input); });
    return {m_builder.getInt32(read.component), m_builder.getInt32(found - m_usage.fragmentInputs.begin()), read.part};
  }

  Value *interpolate(SmoothFragmentInputOp &input) {
    const auto [component, attribute, part] = sourceOf(input, ParameterKind::Smooth);
    Value *primMask = hardwareValue(ValueKind::PrimMask);
    if (input.elementBits() == 16) {
      Value *isHigh = m_builder.getInt1(part == DwordPart::HighHalf);
      Value *partial = m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p1_f16, {},
                                                 {input.i(), component, attribute, isHigh, primMask});
      Value *half = m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p2_f16, {},
                                              {partial, input.j(), component, attribute, isHigh, primMask});
      Value *bits = m_builder.CreateZExt(m_builder.CreateBitCast(half, m_builder.getInt16Ty()), m_builder.getInt32Ty());
      return m_builder.CreateBitCast(bits, m_builder.getFloatTy());
    }
    Value *partial =
        m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p1, {}, {input.i(), component, attribute, primMask});
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p2, {},
                                     {partial, input.j(), component, attribute, primMask});
  }

  // The selectors of v_interp_mov. If the attribute is marked flat, the hardware puts the provoking vertex's value in
  // the place of P0. If the parameter cache is passed through, it puts the vertices' values in the places of P0, P10
  // and P20 (Mesa: aco_instruction_selection.cpp, emit_interp_mov_instr).
  static constexpr unsigned ParameterP10 = 0, ParameterP20 = 1, ParameterP0 = 2;
  static constexpr unsigned ParameterOfVertex[] = {ParameterP0, ParameterP10, ParameterP20};

  template <typename T> Value *parameter(T &input, ParameterKind kind, unsigned selector) {
    const auto [component, attribute, part] = sourceOf(input, kind);
    Value *dword = m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_interp_mov, {},
        {m_builder.getInt32(selector), component, attribute, hardwareValue(ValueKind::PrimMask)});
    if (part == DwordPart::Whole)
      return dword;
    constexpr unsigned halfBits = 16, lowHalf = 0xffff;
    Value *bits = m_builder.CreateBitCast(dword, m_builder.getInt32Ty());
    bits = part == DwordPart::HighHalf ? m_builder.CreateLShr(bits, halfBits) : m_builder.CreateAnd(bits, lowHalf);
    return m_builder.CreateBitCast(bits, m_builder.getFloatTy());
  }

  // The hardware gives the coverage of the whole pixel; the API wants that of the samples that this lane shades.
  Value *sampleMaskIn() {
    Value *coverage = hardwareValue(ValueKind::SampleCoverage);
    if (!m_usage.runsAtSampleRate)
      return coverage;
    Value *sample = m_builder.CreateAnd(m_builder.CreateLShr(hardwareValue(ValueKind::Ancillary), 8), 0xf);
    return m_builder.CreateAnd(coverage, m_builder.CreateShl(m_builder.getInt32(1), sample));
  }

  Function &m_function;
  const ResourceUsage &m_usage;
  const InterShaderData &m_others;
  IRBuilder<> m_builder;
};

// The covered fraction of the pixel, from 0 to 1.
Value *coveredPart(IRBuilderBase &builder, unsigned samples) {
  Value *coverage = hardwareDword(builder, ValueKind::SampleCoverage);
  Value *count = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, coverage);
  return builder.CreateFMul(builder.CreateUIToFP(count, builder.getFloatTy()),
                            ConstantFP::get(builder.getFloatTy(), 1.0 / samples));
}

} // namespace

ParameterRead parameterRead(const InterShaderData &others, ParameterKind kind, unsigned location, unsigned component,
                            unsigned elementBits) {
  const dovetail::PackedParameter place = parameterPlace(others, location, component);
  constexpr uint8_t lowHalves = 1, highHalves = 2;
  const bool isHalf = kind == ParameterKind::Smooth && elementBits == 16;
  return {{.location = place.packed.location,
           .flat = kind == ParameterKind::Flat,
           .pointCoord = location == dovetail::PointCoordParameter,
           .ofVertices = kind == ParameterKind::OfVertices,
           .halves = !isHalf                             ? uint8_t(0)
                     : place.part == DwordPart::HighHalf ? highHalves
                                                         : lowHalves},
          place.packed.component,
          place.part};
}

bool isSameInput(const FragmentInput &a, const FragmentInput &b) {
  return a.location == b.location && a.flat == b.flat && a.ofVertices == b.ofVertices &&
         (a.halves != 0) == (b.halves != 0);
}

void lowerFragmentInputs(Function &function, const PipelineState &state) {
  FragmentInputLowering(function, state).run();
}

void returnFragment(IRBuilderBase &builder, const OutputValues &outputs, const PipelineState &state,
                    ShaderInterface &interface) {
  const ResourceUsage &usage = state.usage();
  FragmentInterface &fragment = interface.fragment;
  fragment.inputs = usage.fragmentInputs;
  for (auto &[index, mask] : usage.colorInputs) {
    const ColorInputLocations &locations = state.options().colorInputs[index];
    fragment.colorInputs.push_back(
        {index, mask, static_cast<uint8_t>(locations.front), static_cast<uint8_t>(locations.back)});
  }
  fragment.placesInputs = state.options().mainPartState.inputPlacement != dovetail::InputPlacement::AsDeclared;
  fragment.usesDiscard = usage.usesDiscard;
  fragment.runsAtSampleRate = usage.runsAtSampleRate;
  const FragmentShaderMode &mode = state.shaderModes().fragment;
  fragment.earlyFragmentTests = mode.earlyFragmentTests;
  fragment.conservativeDepth = static_cast<uint8_t>(mode.conservativeDepth);
  fragment.pixelCenterInteger = mode.pixelCenterInteger;
  if (usage.uses(ValueKind::CollisionWaveId))
    fragment.interlock = mode.interlock;
  const ShaderOptions &options = state.shaderOptions(ShaderStage::Fragment);
  fragment.allowReZ = options.allowReZ;
  fragment.forceLateZ = options.forceLateZ;

  const unsigned smoothingSamples = state.options().mainPartState.smoothingSamples;
  unsigned count = 0;
  auto add = [&](ValueName name, OutputKind kind, unsigned slot) {
    interface.outputs.push_back({name, {RegisterBank::Vgpr, static_cast<uint16_t>(count)}});
    Value *value = outputs.valueOf(builder, {kind, slot}, name.component);
    const bool isSmoothed = smoothingSamples != 0 && name.kind == ValueKind::Color && name.component == 3 &&
                            fragment.colors.back().numericClass == dovetail::NumericClass::Float;
    if (isSmoothed)
      value = builder.CreateFMul(value, coveredPart(builder, smoothingSamples));
    ReturnValueOp::create(builder, value, count++);
  };
  auto addColor = [&](unsigned location, unsigned index) {
    auto found = usage.outputs.find({OutputKind::Generic, location + index * 8});
    if (found == usage.outputs.end())
      return;
    const OutputUsage &output = found->second;
    fragment.colors.push_back(
        {static_cast<uint8_t>(location), static_cast<uint8_t>(index), output.componentMask, output.numericClass});
    ValueKind kind = index ? ValueKind::ColorSource1 : ValueKind::Color;
    for (unsigned c = 0; c < 4; ++c)
      if (output.componentMask >> c & 1)
        add({kind, static_cast<uint8_t>(location), static_cast<uint8_t>(c)}, OutputKind::Generic, found->first.slot);
  };
  for (unsigned location = 0; location < 8; ++location) {
    addColor(location, 0);
    addColor(location, 1);
  }
  fragment.writesDepth = writtenComponents(usage, OutputKind::Depth);
  fragment.writesStencil = writtenComponents(usage, OutputKind::Stencil);
  fragment.writesSampleMask = writtenComponents(usage, OutputKind::SampleMask);
  if (fragment.writesDepth)
    add({ValueKind::Depth}, OutputKind::Depth, 0);
  if (fragment.writesStencil)
    add({ValueKind::Stencil}, OutputKind::Stencil, 0);
  if (fragment.writesSampleMask)
    add({ValueKind::SampleMask}, OutputKind::SampleMask, 0);
}

} // namespace lgc
