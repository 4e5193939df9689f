// SPDX-License-Identifier: MIT
//
// The front end's pipeline state as named metadata, one name for each kind of state. Lists have one node for each
// element.
#include "src/lgc/pipeline_state.h"
#include "src/lgc/state_metadata.h"
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

} // namespace

void PipelineState::record(Module &module) const {
  writeOne(module, "lgc.pipeline", Scalars{m_stageMask, m_deviceIndex});
  writeOne(module, "lgc.options", m_options);
  writeList(module, "lgc.shader.options", m_shaderOptions);
  writeList(module, "lgc.user.data.nodes", m_userDataNodes);
  writeList(module, "lgc.vertex.inputs", m_vertexInputs);
  writeOne(module, "lgc.color.export.state", m_colorExportState);
  writeOne(module, "lgc.graphics.state", m_graphicsState);
}

bool PipelineState::read(const Module &module) {
  Scalars scalars;
  Options options;
  std::vector<ShaderOptions> shaderOptions;
  UserDataNodes userDataNodes;
  std::vector<VertexInputDescription> vertexInputs;
  ColorExportState colorExportState;
  GraphicsState graphicsState;
  bool ok = readOne(module, "lgc.pipeline", scalars) && readOne(module, "lgc.options", options) &&
            readList(module, "lgc.shader.options", shaderOptions) && shaderOptions.size() == ShaderStageCount &&
            readList(module, "lgc.user.data.nodes", userDataNodes) &&
            readList(module, "lgc.vertex.inputs", vertexInputs) &&
            readOne(module, "lgc.color.export.state", colorExportState) &&
            readOne(module, "lgc.graphics.state", graphicsState);
  if (!ok)
    return false;

  m_stageMask = scalars.stageMask;
  m_deviceIndex = scalars.deviceIndex;
  m_options = options;
  std::copy(shaderOptions.begin(), shaderOptions.end(), m_shaderOptions.begin());
  m_userDataNodes = std::move(userDataNodes);
  m_vertexInputs = std::move(vertexInputs);
  m_colorExportState = colorExportState;
  m_graphicsState = graphicsState;
  return true;
}

} // namespace lgc
