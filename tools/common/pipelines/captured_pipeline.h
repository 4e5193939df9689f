// SPDX-License-Identifier: MIT
//
// Reads pipelines that come with their state and layout: from Fossilize databases, and from LLPC's pipeline files.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/inputs/pipeline_name.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

class PipeFile;

struct PipelineSampler {
  uint32_t set = 0, binding = 0, element = 0;
  SceneSampler sampler;
};

struct PipelineInput {
  std::string name; // "capture.foz#0123456789abcdef"
  ShaderSet shaders;
  PipelineState state;                   // default values for fields that the pipeline leaves open
  std::vector<PipelineSampler> samplers; // immutable ones
  std::string gpuName;                   // the GPU for which it was dumped; "": none in particular
  std::vector<std::string> ignored;      // parts of the file that are ignored, in a few words each
};

// The names of a database's pipelines, each by its hash, in the order of the file. Errors: those of Database::open().
Result<std::vector<std::string>> namesOfPipelines(const std::string &path);

// Errors: Io; InvalidInput, with the offset in the file, for a pipeline that is missing or damaged; Unsupported for
// features that the pipeline needs and Dovetail lacks; those of createShader(), makeShaderSet() and specialize();
// errors in the ReadOptions.
Result<PipelineInput> readPipeline(const std::string &name, const ReadOptions &options = {});

// The stages of the pipeline, without reading their shaders. Errors: as above.
using StageSet = std::set<lgc::ShaderStage>;
Result<StageSet> stagesOfPipeline(const std::string &name);

// PipelineInput::gpuName, without reading the shaders. Errors: as above.
Result<std::string> gpuOfPipeline(const std::string &name);

// The shaders, in the order of their stages.
std::vector<ShaderRef> shadersOf(const PipelineInput &pipeline);

// Makes the pipeline of a PipeFile. Errors: as above.
Result<PipelineInput> readPipeFile(PipeFile &file, const std::string &path, const ReadOptions &options = {});

// One line for the standard error that names what is ignored; empty if nothing is.
std::string describeIgnored(const PipelineInput &pipeline);

} // namespace dovetail
