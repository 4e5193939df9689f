// SPDX-License-Identifier: MIT
//
// FrontEndState: what a front end says about the pipeline beside its shaders, as plain data. Pipeline::link() writes it
// to the module's metadata, and a compile begins by reading it back, so a linked module can be kept as text and
// compiled elsewhere.
#pragma once

#include "src/lgc/state/compile_options.h"
#include "src/lgc/state/shader_modes.h"
#include "src/lgc/state/user_data_nodes.h"
#include "src/state/pipeline_state.h"
#include <array>
#include <vector>

namespace llvm {
class Module;
}

namespace lgc {

struct VertexInputDescription {
  dovetail::VertexAttribute attribute;
  dovetail::VertexBinding binding;
};

struct ColorExportState {
  std::array<dovetail::ColorTarget, dovetail::MaxColorTargets> targets;
  bool alphaToCoverageEnable = false;
  bool dualSourceBlendEnable = false;
};

// Input assembly, viewport and rasteriser state.
struct GraphicsState {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patchControlPoints = 3;
  bool depthClampEnable = false;
  bool rasterizerDiscardEnable = false;
  bool flatProvokingVertexLast = false;
  uint32_t rasterizationSamples = 1;
  bool sampleShadingEnable = false;
};

struct FrontEndState {
  uint32_t stageMask = 0; // stageBit()s; 0: not said
  Options options;
  std::array<ShaderOptions, ShaderStageCount> shaderOptions; // by ShaderStage
  UserDataNodes userDataNodes;
  uint32_t deviceIndex = 0;
  std::vector<VertexInputDescription> vertexInputs;
  ColorExportState colorExport;
  GraphicsState graphics;

  // Writes it to the named metadata `lgc.*` of the module, replacing what is there.
  void record(llvm::Module &module) const;
  // Replaces it by that of the module. False, and nothing changed, if it is malformed.
  bool read(const llvm::Module &module);
};

} // namespace lgc
