// SPDX-License-Identifier: MIT
//
// A pipeline as the text of a pipeline file (.pipe), which `dovetail compile` and its neighbours read back to the same
// shaders, layout and state: shaders as words in hexadecimal digits, all else in a section [Dovetail] that is made from
// lists of fields (field_lines.h).
#pragma once

#include "parts/kinds/main_part.h"
#include "src/base/fields.h"
#include "src/lgc/state/state_fields.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <array>
#include <string>
#include <string_view>

namespace dovetail {

// What is in the text; refers to it.
struct PipelineContent {
  std::array<const ShaderDescription *, lgc::ShaderStageCount> shaders = {}; // nullptr: there is none
  const ResourceLayout *layout = nullptr;                                    // nullptr: chosen by reflection
  const PipelineState *state = nullptr;                                      // nullptr: likewise
  std::string_view gpuName;
};

PipelineContent contentOf(const ShaderSet &shaders, const PipelineState *state, std::string_view gpuName);

// `comment`: lines of text that stand in front. The names of shaders are in comments: they are in no key.
std::string writePipelineText(const PipelineContent &content, std::string_view comment);

constexpr std::string_view DumpSection = "Dovetail";

// In front of what the section says of a shader, by lgc::ShaderStage.
constexpr std::array<std::string_view, lgc::ShaderStageCount> DumpedStages = {"vertex",   "control",  "evaluation",
                                                                              "geometry", "fragment", "compute"};

DOVETAIL_FIELDS(ShaderDescription, name, words, entryPoint, stage, specConstants, colorInputs, environment, options,
                needsFullSubgroups, deviceIndex, optimizationLevel)

// Those fields of a description that the section has.
template <typename Description, typename Visit> void forEachDumpedField(Description &description, const Visit &visit) {
  forEachField(description, [&](std::string_view name, auto &field) {
    if (name != "name" && name != "words" && name != "stage")
      visit(name, field);
  });
}

} // namespace dovetail
