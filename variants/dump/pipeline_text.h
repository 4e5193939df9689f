// SPDX-License-Identifier: MIT
//
// Writes a pipeline as the text of a pipeline file (.pipe). `dovetail compile` and related commands read it back to the
// same shaders, layout and state. Shaders are words in hexadecimal digits. Everything else is in a section [Dovetail],
// which is made from lists of fields (field_lines.h).
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

// The content of the text; refers to it.
struct PipelineContent {
  std::array<const ShaderDescription *, lgc::ShaderStageCount> shaders = {}; // nullptr: there is none
  const ResourceLayout *layout = nullptr;                                    // nullptr: chosen by reflection
  const PipelineState *state = nullptr;                                      // nullptr: chosen by reflection
  std::string_view gpuName;
};

PipelineContent contentOf(const ShaderSet &shaders, const PipelineState *state, std::string_view gpuName);

// `comment`: lines of text at the beginning. The names of shaders are in comments, because they are in no key.
std::string writePipelineText(const PipelineContent &content, std::string_view comment);

constexpr std::string_view DumpSection = "Dovetail";

// The word in front of a shader's fields in the section, by lgc::ShaderStage.
constexpr std::array<std::string_view, lgc::ShaderStageCount> DumpedStages = {"vertex",   "control",  "evaluation",
                                                                              "geometry", "fragment", "compute"};

DOVETAIL_FIELDS(ShaderDescription, name, words, entryPoint, stage, specConstants, colorInputs, environment, options,
                needsFullSubgroups, deviceIndex, optimizationLevel)

// Visits the fields of a description that the section has.
template <typename Description, typename Visit> void forEachDumpedField(Description &description, const Visit &visit) {
  forEachField(description, [&](std::string_view name, auto &field) {
    if (name != "name" && name != "words" && name != "stage")
      visit(name, field);
  });
}

} // namespace dovetail
