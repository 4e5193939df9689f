// SPDX-License-Identifier: MIT
//
// Pipelines that come with their state and layout: those of Fossilize databases, and LLPC's pipeline files.
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
  PipelineState state;                   // default values where the pipeline leaves it open
  std::vector<PipelineSampler> samplers; // immutable ones
  std::string gpuName;                   // whom it was dumped for; "": for nobody in particular
  std::vector<std::string> ignored;      // what the file says and nothing here looks at, in a few words each
};

// The names of a database's pipelines, each by its hash, in the order of the file. Errors: those of Database::open().
Result<std::vector<std::string>> namesOfPipelines(const std::string &path);

// Errors: Io; InvalidInput, with the offset in the file, for what is not there or damaged; Unsupported for what the
// pipeline wants and nothing here has; those of createShader(), makeShaderSet() and specialize();
// also what ReadOptions can be wrong about.
Result<PipelineInput> readPipeline(const std::string &name, const ReadOptions &options = {});

// What stages it has, without reading their shaders. Errors: as above.
using StageSet = std::set<lgc::ShaderStage>;
Result<StageSet> stagesOfPipeline(const std::string &name);

// PipelineInput::gpuName, without reading the shaders. Errors: as above.
Result<std::string> gpuOfPipeline(const std::string &name);

// The shaders, in the order of their stages.
std::vector<ShaderRef> shadersOf(const PipelineInput &pipeline);

// A pipeline file that has been read. Errors: as above.
Result<PipelineInput> readPipeFile(PipeFile &file, const std::string &path, const ReadOptions &options = {});

// What it ignores, for the standard error: a line, or nothing.
std::string describeIgnored(const PipelineInput &pipeline);

} // namespace dovetail
