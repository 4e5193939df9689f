// SPDX-License-Identifier: MIT
#include "variants/optimize/stage_knowledge_of.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/lgc/state/output_dword.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

constexpr uint8_t WholeSlot = 0xf;
constexpr uint8_t PointSizeComponent = 1 << 0; // of MiscellaneousSlot

bool has(const SlotComponents &components, uint8_t slot, uint8_t component) {
  return components[slot] >> component & 1;
}

SlotMask slotBit(unsigned slot) {
  return SlotMask(1) << slot;
}

SlotMask slotOfParameter(uint8_t location) {
  const auto dword = lgc::vertexDwordOfParameter(location, 0);
  return dword ? slotBit(dword->slot) : 0;
}

// The vertex slots that a shader may write.
SlotMask writtenSlots(const ShaderInterface &main) {
  SlotMask slots = main.outputSlots | slotBit(PositionSlot);
  for (const ParameterExport &parameter : main.preRaster.parameters)
    slots |= slotOfParameter(parameter.location);
  for (const GeometryOutputDword &output : main.geometry.outputs)
    slots |= slotBit(output.slot);
  if (main.preRaster.writesPointSize)
    slots |= slotBit(MiscellaneousSlot);
  return slots;
}

void drop(SlotComponents &dropped, SlotMask written, const SlotComponents &wanted) {
  for (unsigned slot = 0; slot < dropped.size(); ++slot)
    if (written >> slot & 1)
      dropped[slot] |= WholeSlot & ~wanted[slot];
}

bool drawsPoints(const CompiledStages &stages, const PipelineState &state) {
  auto interfaceOf = [&](lgc::ShaderStage stage) -> const ShaderInterface * {
    const PartRef &main = stages[size_t(stage)].main.part;
    return main ? &*main->interface : nullptr;
  };
  if (const ShaderInterface *geometry = interfaceOf(lgc::ShaderStage::Geometry))
    return geometry->geometry.output == GeometryOutput::Points;
  const ShaderInterface *control = interfaceOf(lgc::ShaderStage::TessControl);
  if (const ShaderInterface *evaluation = interfaceOf(lgc::ShaderStage::TessEval))
    return evaluation->tessellation.pointMode || (control && control->tessellation.pointMode);
  return state.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
}

bool isReplacedOnPoints(const ShaderInterface &fragment, uint8_t location, const PipelineState &state) {
  return std::ranges::any_of(fragment.fragment.inputs, [&](const FragmentInput &input) {
    return input.location == location && dovetail::isReplacedOnPoints(input, state.spriteCoordEnable);
  });
}

// If only points are drawn, nobody reads inputs that are replaced on points.
void dropReplaced(StageReads &reads, const ShaderInterface &fragment, const PipelineState &state) {
  for (const FragmentInput &input : fragment.fragment.inputs) {
    const bool isReplaced = std::ranges::all_of(fragment.fragment.inputs, [&](const FragmentInput &other) {
      return other.location != input.location || dovetail::isReplacedOnPoints(other, state.spriteCoordEnable);
    });
    if (isReplaced)
      reads.vertex[GenericSlot + input.location] = 0;
  }
}

// Whether the epilog depends on which colours exist, and not only on their values. Constants are exported for a colour,
// and alpha is tested, only if the shader has the colour; a second source must exist for blending.
bool dependsOnColors(const ShaderInterface &main, const FragmentEpilogKey &epilog) {
  auto isConstant = [](const ColorExport &color) {
    return std::ranges::none_of(color.components, [](EpilogSource source) { return source < OneSource; });
  };
  auto isSecondSource = [](const ColorOutput &color) { return color.index != 0; };
  return epilog.alphaTestFunc != VK_COMPARE_OP_ALWAYS || std::ranges::any_of(epilog.colors, isConstant) ||
         std::ranges::any_of(main.fragment.colors, isSecondSource);
}

} // namespace

StageReads readsOf(const ShaderInterface &shader, const PipelineState &state) {
  StageReads reads = {shader.inputComponents, shader.patchInputComponents};
  for (const ColorInput &color : shader.fragment.colorInputs) {
    reads.vertex[GenericSlot + color.location] |= color.componentMask;
    if (state.colorTwoSide && color.backLocation < MaxGenericSlots)
      reads.vertex[GenericSlot + color.backLocation] |= color.componentMask;
  }
  return reads;
}

bool readsLess(const StageReads &reads, const StageReads &than) {
  auto isWithin = [](const SlotComponents &inner, const SlotComponents &outer) {
    return std::ranges::equal(inner, outer, [](uint8_t in, uint8_t out) { return (in & ~out) == 0; });
  };
  return reads != than && isWithin(reads.vertex, than.vertex) && isWithin(reads.patch, than.patch);
}

std::vector<ConstantDword> constantsFor(const ShaderInterface &shader, const std::vector<ConstantDword> &constants,
                                        const PipelineState &state) {
  const StageReads reads = readsOf(shader, state);
  std::vector<ConstantDword> result;
  std::ranges::copy_if(constants, std::back_inserter(result), [&](const ConstantDword &constant) {
    return has(reads.vertex, constant.slot, constant.component) &&
           !isReplacedOnPoints(shader, uint8_t(constant.slot - GenericSlot), state);
  });
  if (!state.colorTwoSide)
    return result;
  // A colour has two sides, which may differ.
  auto hasOtherSide = [&](const ConstantDword &front) {
    return std::ranges::any_of(shader.fragment.colorInputs, [&](const ColorInput &color) {
      if (front.slot != GenericSlot + color.location)
        return false;
      ConstantDword back = {uint8_t(GenericSlot + color.backLocation), front.component, front.value};
      return std::ranges::find(constants, back) == constants.end();
    });
  };
  std::erase_if(result, hasOtherSide);
  return result;
}

void dropUnread(StageKnowledge &knowledge, const ShaderInterface &main, const StageReads &next) {
  drop(knowledge.droppedOutputs, writtenSlots(main), next.vertex);
  // The tessellator always reads the factors.
  const SlotMask factors = slotBit(TessLevelOuterSlot) | slotBit(TessLevelInnerSlot);
  drop(knowledge.droppedPatchOutputs, main.patchOutputSlots & ~factors, next.patch);
}

void dropForFixedFunction(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                          const PipelineState &state) {
  SlotComponents wanted;
  wanted.fill(WholeSlot);
  if (state.rasterizerDiscardEnable) {
    wanted.fill(0);
    // A geometry shader that emits nothing would make no primitives, and queries count these.
    if (main.hardwareStage == HardwareStage::Gs)
      wanted[PositionSlot] = WholeSlot;
  }
  if (!drawsPoints(stages, state))
    wanted[MiscellaneousSlot] &= ~PointSizeComponent;
  wanted[ClipDistanceSlot] &= state.clipDistanceEnable;
  wanted[ClipDistanceSlot + 1] &= state.clipDistanceEnable >> 4;
  const SlotMask taken = slotBit(PositionSlot) | slotBit(MiscellaneousSlot) | SlotMask(3) << ClipDistanceSlot |
                         SlotMask(3) << CullDistanceSlot;
  drop(knowledge.droppedFixedFunctionOutputs, writtenSlots(main) & taken, wanted);
}

StageReads nextReads(const CompiledStages &stages, lgc::ShaderStage stage, const PipelineState &state) {
  constexpr auto fragment = size_t(lgc::ShaderStage::Fragment);
  for (size_t next = size_t(stage) + 1; next <= fragment; ++next) {
    if (!stages[next].main.part)
      continue;
    if (next == fragment && state.rasterizerDiscardEnable)
      return {};
    const ShaderInterface &reader = *stages[next].main.part->interface;
    StageReads reads = readsOf(reader, state);
    if (next == fragment && drawsPoints(stages, state))
      dropReplaced(reads, reader, state);
    return reads;
  }
  return {};
}

void dropForNeighbours(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                       lgc::ShaderStage stage, const PipelineState &state) {
  dropUnread(knowledge, main, nextReads(stages, stage, state));
  if (main.hardwareStage != HardwareStage::Vs && main.hardwareStage != HardwareStage::Gs)
    return;
  dropForFixedFunction(knowledge, main, stages, state);
  knowledge.dropsTransformFeedback = main.preRaster.xfb.isUsed() && !state.transformFeedbackEnable;
}

void dropForEpilog(StageKnowledge &knowledge, const ShaderInterface &main, const FragmentEpilogKey &epilog) {
  std::array<bool, 256> isTaken = {};
  for (const ColorExport &color : epilog.colors)
    for (EpilogSource source : color.components)
      isTaken[source] = true;
  for (EpilogSource source :
       {epilog.depth, epilog.stencil, epilog.sampleMask, epilog.alphaTestSource, epilog.coverageSource})
    isTaken[source] = true;
  for (const Binding &output : main.outputs) {
    if (output.reg.bank != RegisterBank::Vgpr || isTaken[output.reg.index])
      continue;
    constexpr uint8_t secondSource = MaxColorTargets;
    const ValueName &value = output.value;
    SlotComponents &dropped = knowledge.droppedOutputs;
    switch (value.kind) {
    case ValueKind::Color:
      dropped[ColorOutputSlot + value.index] |= 1u << value.component;
      break;
    case ValueKind::ColorSource1:
      dropped[ColorOutputSlot + secondSource + value.index] |= 1u << value.component;
      break;
    case ValueKind::Depth:
      dropped[DepthOutputSlot] |= 1;
      break;
    case ValueKind::Stencil:
      dropped[StencilOutputSlot] |= 1;
      break;
    case ValueKind::SampleMask:
      dropped[SampleMaskOutputSlot] |= 1;
      break;
    default:
      break;
    }
  }
  if (dependsOnColors(main, epilog))
    for (unsigned color = ColorOutputSlot; color < DepthOutputSlot; ++color)
      if (knowledge.droppedOutputs[color] != 0)
        knowledge.keptColors |= 1u << color;
}

} // namespace dovetail
