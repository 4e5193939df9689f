// SPDX-License-Identifier: MIT
#include "src/lgc/state/pipeline_state.h"
#include <algorithm>

using dovetail::HardwareStage;
using dovetail::VertexSource;

namespace lgc {

HardwareStage PipelineState::hardwareStage() const {
  if (m_isCopyShader)
    return HardwareStage::Vs;
  switch (m_shaderModes.stage) {
  case ShaderStage::Vertex:
  case ShaderStage::TessEval:
    return options().vertexStage;
  case ShaderStage::TessControl:
    return HardwareStage::Hs;
  case ShaderStage::Geometry:
    return HardwareStage::Gs;
  case ShaderStage::Fragment:
    return HardwareStage::Ps;
  default:
    return HardwareStage::Cs;
  }
}

VertexSource PipelineState::vertexSource() const {
  return m_shaderModes.stage == ShaderStage::TessEval ? VertexSource::TessEval : VertexSource::Vertex;
}

const UserDataNode *PipelineState::findNode(uint32_t set, uint32_t binding,
                                            std::initializer_list<UserDataNodeType> types) const {
  for (const UserDataNode &node : userDataNodes())
    if (node.set == set && node.binding == binding && std::ranges::find(types, node.type) != types.end())
      return &node;
  return nullptr;
}

const UserDataNode *PipelineState::findRootNode(UserDataNodeType type, uint32_t set) const {
  for (const UserDataNode &node : userDataNodes())
    if (node.type == type && (type == UserDataNodeType::PushConstants || node.set == set))
      return &node;
  return nullptr;
}

void PipelineState::fail(dovetail::ErrorCode code, std::string text) {
  if (!m_failure)
    m_failure = dovetail::makeError(code, std::move(text)).value();
}

dovetail::Result<void> PipelineState::checkNoFailure() const {
  if (!m_failure)
    return {};
  return tl::unexpected<dovetail::Error>(*m_failure);
}

} // namespace lgc
