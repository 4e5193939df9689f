// SPDX-License-Identifier: MIT
#include "variants/dump/pipeline_text.h"
#include "src/base/field_lines.h"
#include "src/state/state_fields.h"

namespace dovetail {

namespace {

// LLPC's names of the sections with a stage's shader.
constexpr std::array<std::string_view, lgc::ShaderStageCount> SourceSections = {"VsSpirv", "TcsSpirv", "TesSpirv",
                                                                                "GsSpirv", "FsSpirv",  "CsSpirv"};

std::string writeWords(std::span<const uint32_t> words) {
  constexpr size_t WordsOfLine = 12;
  std::string text;
  text.reserve(words.size() * 11);
  for (size_t index = 0; index < words.size(); ++index)
    fmt::format_to(std::back_inserter(text), "{:08x}{}", words[index],
                   index % WordsOfLine == WordsOfLine - 1 || index + 1 == words.size() ? '\n' : ' ');
  return text;
}

std::vector<std::string> linesOf(const ShaderDescription &shader, std::string_view stage) {
  std::vector<std::string> lines;
  forEachDumpedField(shader, [&](std::string_view name, const auto &field) {
    addFieldLines(fmt::format("{}.{}", stage, name), field, lines);
  });
  return lines;
}

std::string commented(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("; {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

} // namespace

PipelineContent contentOf(const ShaderSet &shaders, const PipelineState *state, std::string_view gpuName) {
  PipelineContent content = {.layout = shaders.layout.get(), .state = state, .gpuName = gpuName};
  for (size_t stage = 0; stage < lgc::ShaderStageCount; ++stage)
    if (const ShaderRef &shader = shaders.shaders[stage]; shader && !shader->passesThrough) // readers make it again
      content.shaders[stage] = &shader->description;
  return content;
}

std::string writePipelineText(const PipelineContent &content, std::string_view comment) {
  std::string text = commented(comment);
  std::string section = fmt::format("[{}]\ngpu = {}\n", DumpSection, escapeText(content.gpuName));
  for (size_t stage = 0; stage < lgc::ShaderStageCount; ++stage) {
    const ShaderDescription *shader = content.shaders[stage];
    if (!shader)
      continue;
    text += commented(fmt::format("{}: {}", DumpedStages[stage], shader->name));
    section += joinNewLines(linesOf(*shader, DumpedStages[stage]), linesOf(ShaderDescription(), DumpedStages[stage]));
  }
  if (content.layout) {
    section += "hasLayout = 1\n" + writeFieldLines("layout", content.layout->nodes());
    section += writeFieldLines("immutableSamplers", content.layout->immutableSamplers());
  }
  if (content.state)
    section += "hasState = 1\n" + writeFieldLines("state", *content.state);
  text += "\n" + section;
  for (size_t stage = 0; stage < lgc::ShaderStageCount; ++stage)
    if (const ShaderDescription *shader = content.shaders[stage])
      text += fmt::format("\n[{}]\n", SourceSections[stage]) + writeWords(shader->words);
  return text;
}

} // namespace dovetail
