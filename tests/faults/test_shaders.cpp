// SPDX-License-Identifier: MIT
#include "tests/faults/test_shaders.h"
#include "tools/common/command/write_file.h"
#include "tools/common/pipelines/demo_states.h"
#include "variants/state/default_state.h"
#include <cstring>

namespace dovetail::faults {

namespace {

struct File {
  lgc::ShaderStage stage;
  const char *name;
};

// meson.build compiles these. The last is a merged program with glue and prologs of its own.
using lgc::ShaderStage;
const std::vector<std::vector<File>> Programs = {
    {{ShaderStage::Vertex, "input_components.vert"}, {ShaderStage::Fragment, "input_components.frag"}},
    {{ShaderStage::Vertex, "interpolation.vert"}, {ShaderStage::Fragment, "interpolation.frag"}},
    {{ShaderStage::Vertex, "clip_distance.vert"}, {ShaderStage::Fragment, "clip_distance.frag"}},
    {{ShaderStage::Vertex, "tess_one_control_point.vert"},
     {ShaderStage::TessControl, "tess_one_control_point.tesc"},
     {ShaderStage::TessEval, "tess_one_control_point.tese"},
     {ShaderStage::Fragment, "tess_one_control_point.frag"}},
};

Result<ShaderRef> readShader(const File &file) {
  const std::string bytes = DOVETAIL_TRY(readWholeFile(std::string(DOVETAIL_FAULT_SHADERS "/") + file.name + ".spv"));
  ShaderDescription description;
  description.name = file.name;
  description.words.resize(bytes.size() / sizeof(uint32_t));
  std::memcpy(description.words.data(), bytes.data(), description.words.size() * sizeof(uint32_t));
  description.stage = file.stage;
  return createShader(std::move(description));
}

} // namespace

Result<std::vector<ShaderSet>> testShaderSets(size_t maxCount) {
  std::vector<ShaderSet> sets;
  for (const std::vector<File> &files : Programs) {
    if (sets.size() == maxCount)
      break;
    std::vector<ShaderRef> shaders;
    for (const File &file : files)
      shaders.push_back(DOVETAIL_TRY(readShader(file)));
    sets.push_back(DOVETAIL_TRY(makeShaderSet(shaders)));
  }
  return sets;
}

PipelineState testState(const ShaderSet &set, uint64_t number) {
  const std::vector<PipelineState> inputs = vertexInputStates(defaultState(set));
  const std::vector<PipelineState> colors = colorStates(inputs[number % inputs.size()]);
  return colors[number / inputs.size() % colors.size()];
}

} // namespace dovetail::faults
