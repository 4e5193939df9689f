// SPDX-License-Identifier: MIT
//
// What a command line names as one pipeline: shader files, or a pipeline with its layout and state.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/inputs/read_shaders.h"

namespace dovetail {

struct Subject {
  std::string name; // the pipeline's, or that of the first file
  ShaderSet shaders;
  PipelineState state; // the pipeline's, or chosen by reflection
  std::string gpuName; // whom a device dumped the pipeline for; "": for nobody in particular
};

// Stages that are missing in front of the others are added. What a pipeline's file has and nobody looks at is said on
// the standard error. Errors: those of readShaders() and readPipeline().
Result<Subject> readSubject(const std::vector<std::string> &files, const ReadOptions &options);

// Threads of a compute shader's workgroup; 0 for graphics.
uint32_t workgroupThreads(const ShaderSet &shaders);

} // namespace dovetail
