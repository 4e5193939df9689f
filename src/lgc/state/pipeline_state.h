// SPDX-License-Identifier: MIT
//
// PipelineState is the state of one compile outside of its IR. Pipeline makes one for each shader that it compiles, and
// hands it to the passes by reference. The target, the front end's state and the shader's modes are known from the
// start. The middle-end adds its results (ResourceUsage, a failure).
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/inter_shader_data.h"
#include "src/lgc/state/resource_usage.h"
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace dovetail {
struct ShaderInterface;
}

namespace lgc {

class PipelineState {
public:
  // The state of a shader's compile.
  PipelineState(const dovetail::TargetInfo &targetInfo, FrontEndState frontEnd, const ShaderModes &modes,
                const dovetail::Hash128 &functionHash = {})
      : m_targetInfo(targetInfo), m_frontEnd(std::move(frontEnd)),
        m_interShaderData(m_frontEnd.knowledge, functionHash), m_shaderModes(modes) {}
  // The state of a compile of a geometry shader's copy shader: a vertex shader without vertex fetch, whose usage is
  // known beforehand.
  PipelineState(const dovetail::TargetInfo &targetInfo, FrontEndState frontEnd, ResourceUsage copyShaderUsage)
      : m_targetInfo(targetInfo), m_frontEnd(std::move(frontEnd)), m_interShaderData(m_frontEnd.knowledge),
        m_isCopyShader(true), m_usage(std::move(copyShaderUsage)) {}

  const dovetail::TargetInfo &targetInfo() const { return m_targetInfo; }

  const Options &options() const { return m_frontEnd.options; }
  void setOptimizationLevel(unsigned level) { m_frontEnd.options.optimizationLevel = level; }
  const ShaderOptions &shaderOptions(ShaderStage stage) const {
    return m_frontEnd.shaderOptions[static_cast<unsigned>(stage)];
  }
  uint32_t deviceIndex() const { return m_frontEnd.deviceIndex; }
  // The value of gl_SubgroupSize; in a shader that does not read it, the lanes of a wave.
  unsigned subgroupSize() const {
    const unsigned chosen = shaderOptions(m_shaderModes.stage).subgroupSize;
    return m_shaderModes.common.useSubgroupSize && chosen != 0 ? chosen : WaveLanes;
  }
  // All facts about other stages that passes may know.
  const InterShaderData &interShaderData() const { return m_interShaderData; }

  const ShaderModes &shaderModes() const { return m_shaderModes; }
  // For a shader that is built with this state. Only its stage counts before the shader is built.
  void setShaderModes(const ShaderModes &modes) { m_shaderModes = modes; }
  // The hardware stage whose launch state the shader gets (GFX8's, on any GPU), and the API stage that runs as it.
  dovetail::HardwareStage hardwareStage() const;
  dovetail::VertexSource vertexSource() const;
  bool isCopyShader() const { return m_isCopyShader; }

  const dovetail::ResourceForms &resourceForms() const { return m_frontEnd.resourceForms; }
  // nullptr if the layout does not have it.
  const dovetail::ResourceForm *findForm(uint32_t set, uint32_t binding, dovetail::ResourceFormKind kind) const;
  bool hasForm(uint32_t set, uint32_t binding, dovetail::ResourceFormKind kind) const {
    return findForm(set, binding, kind) != nullptr;
  }

  // Notes that the shader cannot be lowered. The first reason is kept and becomes the Error of the compile. Lowering
  // goes on with any value of the right type.
  void fail(dovetail::ErrorCode code, std::string text);
  dovetail::Result<void> checkNoFailure() const;

  // The shader's usage, known from resource collection on.
  ResourceUsage &usage() { return m_usage; }
  const ResourceUsage &usage() const { return m_usage; }

private:
  // Records the whole state, with the knowledge that passes must not read.
  friend void recordCompileState(llvm::Module &module, const PipelineState &pipeline,
                                 const dovetail::ShaderInterface &interface);

  const dovetail::TargetInfo &m_targetInfo;
  FrontEndState m_frontEnd;
  InterShaderData m_interShaderData;
  ShaderModes m_shaderModes;
  bool m_isCopyShader = false;
  ResourceUsage m_usage;
  std::optional<dovetail::Error> m_failure;
};

} // namespace lgc
