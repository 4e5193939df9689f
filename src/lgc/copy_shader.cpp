// SPDX-License-Identifier: MIT
//
// The copy shader: the Vs program that runs behind a geometry shader.
#include "src/lgc/pipeline_state.h"

using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

Result<CompiledShader> PipelineState::generateCopyShader(const dovetail::ShaderInterface &) {
  return makeError(ErrorCode::Unsupported, "copy shaders cannot be made yet");
}

} // namespace lgc
