// SPDX-License-Identifier: MIT
//
// Reads the pipeline that a command line names: shader files, or a pipeline with its layout and state.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/inputs/read_shaders.h"

namespace dovetail {

struct Subject {
  std::string name; // the pipeline's, or the first file's
  ShaderSet shaders;
  PipelineState state; // the pipeline's, or chosen by reflection
  std::string gpuName; // the GPU for which a device dumped the pipeline; "": none in particular
};

// Reads the pipeline, and adds missing stages in front of the others. Prints on the standard error which parts of a
// pipeline's file are ignored. Errors: those of readShaders() and readPipeline().
Result<Subject> readSubject(const std::vector<std::string> &files, const ReadOptions &options);

// Threads of a compute shader's workgroup; 0 for graphics.
uint32_t workgroupThreads(const ShaderSet &shaders);

} // namespace dovetail
