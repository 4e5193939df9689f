// SPDX-License-Identifier: MIT
//
// FrontEndState as named metadata, one name for each kind of state. Lists have one node for each element.
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/state_metadata.h"
#include <algorithm>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

// The field lists, in the namespace of the structs so that toWords and fromWords find them.

template <typename Visitor> static void forEachField(Options &options, Visitor &visit) {
  visit(options.link);
  visit(options.optimizationLevel);
  visit(options.keepIr);
  visit(options.exportPrimitiveId);
  visit(options.vertexStage);
  for (ColorInputLocations &color : options.colorInputs) {
    visit(color.front);
    visit(color.back);
  }
  visit(options.mainPartState.inputPlacement);
  visit(options.mainPartState.smoothingSamples);
  visit(options.mainPartState.layeredInputAttachments);
}

template <typename Visitor> static void forEachField(dovetail::ConstantDword &constant, Visitor &visit) {
  visit(constant.slot);
  visit(constant.component);
  visit(constant.value);
}

template <typename Visitor> static void forEachField(dovetail::InlinableUniform &uniform, Visitor &visit) {
  visit(uniform.place);
  visit(uniform.set);
  visit(uniform.binding);
  visit(uniform.offset);
  visit(uniform.value);
}

template <typename Visitor> static void forEachField(ShaderOptions &options, Visitor &visit) {
  visit(options.vgprLimit);
  visit(options.sgprLimit);
  visit(options.waveLimit);
}

template <typename Visitor> static void forEachField(UserDataNode &node, Visitor &visit) {
  visit(node.type);
  visit(node.set);
  visit(node.binding);
  visit(node.offsetInDwords);
  visit(node.sizeInDwords);
  visit(node.strideInDwords);
}

template <typename Visitor> static void forEachField(VertexInputDescription &input, Visitor &visit) {
  visit(input.attribute.location);
  visit(input.attribute.binding);
  visit(input.attribute.format);
  visit(input.attribute.offset);
  visit(input.binding.binding);
  visit(input.binding.stride);
  visit(input.binding.inputRate);
  visit(input.binding.divisor);
}

template <typename Visitor> static void forEachField(ColorExportState &state, Visitor &visit) {
  for (dovetail::ColorTarget &target : state.targets) {
    visit(target.format);
    visit(target.writeMask);
    visit(target.blendEnable);
    visit(target.srcColorBlendFactor);
    visit(target.dstColorBlendFactor);
    visit(target.colorBlendOp);
    visit(target.srcAlphaBlendFactor);
    visit(target.dstAlphaBlendFactor);
    visit(target.alphaBlendOp);
  }
  visit(state.alphaToCoverageEnable);
  visit(state.dualSourceBlendEnable);
}

template <typename Visitor> static void forEachField(GraphicsState &state, Visitor &visit) {
  visit(state.topology);
  visit(state.patchControlPoints);
  visit(state.depthClampEnable);
  visit(state.rasterizerDiscardEnable);
  visit(state.flatProvokingVertexLast);
  visit(state.rasterizationSamples);
  visit(state.sampleShadingEnable);
}

// Knowledge: a list for each kind, so that a compile that assumes nothing records nothing.

// Components of a slot in one of the three masks of dropped outputs.
struct DroppedSlot {
  uint32_t mask = 0, slot = 0, components = 0;
};

template <typename Visitor> static void forEachField(DroppedSlot &dropped, Visitor &visit) {
  visit(dropped.mask);
  visit(dropped.slot);
  visit(dropped.components);
}

// What is known besides.
struct KnownNumbers {
  uint32_t keptColors = 0;
  bool dropsTransformFeedback = false;
  uint32_t patchControlPoints = 0;

  bool operator==(const KnownNumbers &) const = default;
};

template <typename Visitor> static void forEachField(KnownNumbers &numbers, Visitor &visit) {
  visit(numbers.keptColors);
  visit(numbers.dropsTransformFeedback);
  visit(numbers.patchControlPoints);
}

// The two numbers that stand for themselves.
struct Scalars {
  uint32_t stageMask = 0;
  uint32_t deviceIndex = 0;
};

template <typename Visitor> static void forEachField(Scalars &scalars, Visitor &visit) {
  visit(scalars.stageMask);
  visit(scalars.deviceIndex);
}

namespace {

template <typename List> void writeList(Module &module, StringRef name, const List &list) {
  SmallVector<StateWords, 8> nodes;
  for (const auto &element : list)
    nodes.push_back(toWords(element));
  writeNamedWords(module, name, nodes);
}

template <typename T> bool readList(const Module &module, StringRef name, std::vector<T> &list) {
  SmallVector<StateWords, 8> nodes;
  if (!readNamedWords(module, name, nodes))
    return false;
  list.clear();
  for (const StateWords &words : nodes)
    if (!fromWords(words, list.emplace_back()))
      return false;
  return true;
}

template <typename T> void writeOne(Module &module, StringRef name, const T &state) {
  writeNamedWords(module, name, toWords(state));
}

template <typename T> bool readOne(const Module &module, StringRef name, T &state) {
  SmallVector<StateWords, 1> nodes;
  return readNamedWords(module, name, nodes) && nodes.size() == 1 && fromWords(nodes[0], state);
}

using dovetail::SlotComponents;
using dovetail::StageKnowledge;

constexpr SlotComponents StageKnowledge::*DroppedMasks[] = {&StageKnowledge::droppedOutputs,
                                                            &StageKnowledge::droppedPatchOutputs,
                                                            &StageKnowledge::droppedFixedFunctionOutputs};

void writeKnowledge(Module &module, const StageKnowledge &knowledge) {
  std::vector<DroppedSlot> dropped;
  for (uint32_t mask = 0; mask < std::size(DroppedMasks); ++mask)
    for (uint32_t slot = 0; slot < SlotComponents().size(); ++slot)
      if (uint8_t components = (knowledge.*DroppedMasks[mask])[slot])
        dropped.push_back({mask, slot, components});
  std::vector<KnownNumbers> numbers = {
      {knowledge.keptColors, knowledge.dropsTransformFeedback, knowledge.patchControlPoints}};
  std::erase(numbers, KnownNumbers());
  writeList(module, "lgc.knowledge.dropped", dropped);
  writeList(module, "lgc.knowledge.constants", knowledge.constantInputs);
  writeList(module, "lgc.knowledge.uniforms", knowledge.inlinableUniforms);
  writeList(module, "lgc.knowledge.numbers", numbers);
}

bool readKnowledge(const Module &module, StageKnowledge &knowledge) {
  knowledge = {};
  std::vector<DroppedSlot> dropped;
  std::vector<KnownNumbers> numbers;
  if (!readList(module, "lgc.knowledge.dropped", dropped) ||
      !readList(module, "lgc.knowledge.constants", knowledge.constantInputs) ||
      !readList(module, "lgc.knowledge.uniforms", knowledge.inlinableUniforms) ||
      !readList(module, "lgc.knowledge.numbers", numbers) || numbers.size() > 1)
    return false;
  for (const DroppedSlot &slot : dropped) {
    if (slot.mask >= std::size(DroppedMasks) || slot.slot >= SlotComponents().size())
      return false;
    (knowledge.*DroppedMasks[slot.mask])[slot.slot] = static_cast<uint8_t>(slot.components);
  }
  for (const KnownNumbers &known : numbers) {
    knowledge.keptColors = static_cast<uint16_t>(known.keptColors);
    knowledge.dropsTransformFeedback = known.dropsTransformFeedback;
    knowledge.patchControlPoints = known.patchControlPoints;
  }
  return true;
}

} // namespace

void FrontEndState::record(Module &module) const {
  writeOne(module, "lgc.pipeline", Scalars{stageMask, deviceIndex});
  writeOne(module, "lgc.options", options);
  writeKnowledge(module, options.knowledge);
  writeList(module, "lgc.shader.options", shaderOptions);
  writeList(module, "lgc.user.data.nodes", userDataNodes);
  writeList(module, "lgc.vertex.inputs", vertexInputs);
  writeOne(module, "lgc.color.export.state", colorExport);
  writeOne(module, "lgc.graphics.state", graphics);
}

bool FrontEndState::read(const Module &module) {
  Scalars scalars;
  std::vector<ShaderOptions> stages;
  FrontEndState read;
  bool ok = readOne(module, "lgc.pipeline", scalars) && readOne(module, "lgc.options", read.options) &&
            readKnowledge(module, read.options.knowledge) && readList(module, "lgc.shader.options", stages) &&
            stages.size() == ShaderStageCount && readList(module, "lgc.user.data.nodes", read.userDataNodes) &&
            readList(module, "lgc.vertex.inputs", read.vertexInputs) &&
            readOne(module, "lgc.color.export.state", read.colorExport) &&
            readOne(module, "lgc.graphics.state", read.graphics);
  if (!ok)
    return false;

  read.stageMask = scalars.stageMask;
  read.deviceIndex = scalars.deviceIndex;
  std::ranges::copy(stages, read.shaderOptions.begin());
  *this = std::move(read);
  return true;
}

} // namespace lgc
