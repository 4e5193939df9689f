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

const dovetail::ResourceForm *PipelineState::findForm(uint32_t set, uint32_t binding,
                                                      dovetail::ResourceFormKind kind) const {
  const auto found = std::ranges::find_if(m_frontEnd.resourceForms, [&](const dovetail::ResourceForm &form) {
    return form.set == set && form.binding == binding && form.kind == kind;
  });
  return found != m_frontEnd.resourceForms.end() ? &*found : nullptr;
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
