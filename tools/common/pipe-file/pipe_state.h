// SPDX-License-Identifier: MIT
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/pipe-file/pipe_sections.h"

namespace dovetail::pipe_file {

// [VertexInputState] replaces the vertex input. Errors: InvalidInput, with the line, for values that no pipeline can
// have.
Result<void> readVertexInput(SectionReader &section, PipelineState &state);

// [GraphicsPipelineState] replaces the fields that it names; one colour buffer replaces all of them. Files say whether
// a target is blended, and whether by the source's alpha, but give no factors: readGraphicsState() chooses fitting
// ones. Errors: as above.
Result<void> readGraphicsState(SectionReader &section, PipelineState &state);

} // namespace dovetail::pipe_file
