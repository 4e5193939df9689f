// SPDX-License-Identifier: MIT
//
// PipelineState: the state of one compile outside of its IR. Pipeline makes one for each shader that it compiles, and
// hands it to the passes by reference. Some of it is known from the start: the target, the front end's state, the
// shader's modes. What the middle-end finds out (ResourceUsage, a failure) is added.
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
  // For a shader.
  PipelineState(const dovetail::TargetInfo &targetInfo, FrontEndState frontEnd, const ShaderModes &modes,
                const dovetail::Hash128 &functionHash = {})
      : m_targetInfo(targetInfo), m_frontEnd(std::move(frontEnd)),
        m_interShaderData(m_frontEnd.knowledge, functionHash), m_shaderModes(modes) {}
  // For the copy shader of a geometry shader: a vertex shader without vertex fetch, whose usage is known beforehand.
  PipelineState(const dovetail::TargetInfo &targetInfo, FrontEndState frontEnd, ResourceUsage copyShaderUsage)
      : m_targetInfo(targetInfo), m_frontEnd(std::move(frontEnd)), m_interShaderData(m_frontEnd.knowledge),
        m_isCopyShader(true), m_usage(std::move(copyShaderUsage)) {}

  const dovetail::TargetInfo &targetInfo() const { return m_targetInfo; }

  const Options &options() const { return m_frontEnd.options; }
  const ShaderOptions &shaderOptions(ShaderStage stage) const {
    return m_frontEnd.shaderOptions[static_cast<unsigned>(stage)];
  }
  uint32_t deviceIndex() const { return m_frontEnd.deviceIndex; }
  // What gl_SubgroupSize is; a shader that does not ask for it has no other than the lanes of a wave.
  unsigned subgroupSize() const {
    const unsigned chosen = shaderOptions(m_shaderModes.stage).subgroupSize;
    return m_shaderModes.common.useSubgroupSize && chosen != 0 ? chosen : WaveLanes;
  }
  // All that passes may know of other stages.
  const InterShaderData &interShaderData() const { return m_interShaderData; }

  const ShaderModes &shaderModes() const { return m_shaderModes; }
  // The hardware stage that the shader gets the launch state of (GFX8's, whatever the GPU), and what runs as it.
  dovetail::HardwareStage hardwareStage() const;
  dovetail::VertexSource vertexSource() const;
  bool isCopyShader() const { return m_isCopyShader; }

  const dovetail::ResourceForms &resourceForms() const { return m_frontEnd.resourceForms; }
  // nullptr: the layout does not have it.
  const dovetail::ResourceForm *findForm(uint32_t set, uint32_t binding, dovetail::ResourceFormKind kind) const;
  bool hasForm(uint32_t set, uint32_t binding, dovetail::ResourceFormKind kind) const {
    return findForm(set, binding, kind) != nullptr;
  }

  // Notes that the shader cannot be lowered; the first reason is kept and becomes the Error of the compile. Lowering
  // goes on with any value of the right type.
  void fail(dovetail::ErrorCode code, std::string text);
  dovetail::Result<void> checkNoFailure() const;

  // What is known about the shader, from resource collection on.
  ResourceUsage &usage() { return m_usage; }
  const ResourceUsage &usage() const { return m_usage; }

private:
  // Whole, with the knowledge that passes must not read.
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
