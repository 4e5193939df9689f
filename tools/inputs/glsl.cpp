// SPDX-License-Identifier: MIT
#include "tools/inputs/glsl.h"
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <memory>
#include <mutex>

namespace dovetail {

namespace {

struct StageRow {
  lgc::ShaderStage stage;
  EShLanguage language;
  std::string_view ending;
  std::string_view name;
};
constexpr StageRow Stages[] = {
    {lgc::ShaderStage::Vertex, EShLangVertex, ".vert", "vertex"},
    {lgc::ShaderStage::TessControl, EShLangTessControl, ".tesc", "tessellation control"},
    {lgc::ShaderStage::TessEval, EShLangTessEvaluation, ".tese", "tessellation evaluation"},
    {lgc::ShaderStage::Geometry, EShLangGeometry, ".geom", "geometry"},
    {lgc::ShaderStage::Fragment, EShLangFragment, ".frag", "fragment"},
    {lgc::ShaderStage::Compute, EShLangCompute, ".comp", "compute"},
};

const StageRow &rowOf(lgc::ShaderStage stage) {
  return Stages[static_cast<size_t>(stage)];
}

// glslang's log mixes file names, warnings and errors ("ERROR: light.frag:12: 'x' : undeclared identifier"); the first
// error is what the user can act on. Without the file's name, which the caller puts in front.
std::string firstError(std::string_view log, std::string_view name) {
  constexpr std::string_view Mark = "ERROR: ";
  size_t start = log.find(Mark);
  std::string_view line = start == std::string_view::npos ? log : log.substr(start + Mark.size());
  line = line.substr(0, line.find('\n'));
  if (line.starts_with(name) && line.substr(name.size()).starts_with(":"))
    return fmt::format("line {}", line.substr(name.size() + 1));
  return std::string(line);
}

constexpr int DefaultVersion = 450;

std::unique_ptr<glslang::TShader> makeShader(const GlslSource &source, const GlslOptions &options) {
  EShLanguage language = rowOf(source.stage).language;
  auto shader = std::make_unique<glslang::TShader>(language);
  shader->setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader->setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  shader->setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  if (options.relaxed) {
    shader->setEnvInputVulkanRulesRelaxed();
    shader->setAutoMapLocations(true);
    shader->setAutoMapBindings(true);
  }
  return shader;
}

} // namespace

Result<std::vector<std::vector<uint32_t>>> translateGlsl(const std::vector<GlslSource> &sources,
                                                         const GlslOptions &options) {
  static std::once_flag initialized;
  std::call_once(initialized, [] { glslang::InitializeProcess(); });

  auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  std::vector<std::unique_ptr<glslang::TShader>> shaders;
  glslang::TProgram program;
  for (const GlslSource &source : sources) {
    auto &shader = shaders.emplace_back(makeShader(source, options));
    const char *text = source.text.c_str();
    int length = static_cast<int>(source.text.size());
    const char *name = source.name.c_str();
    shader->setStringsWithLengthsAndNames(&text, &length, &name, 1);
    if (!shader->parse(GetDefaultResources(), DefaultVersion, false, messages))
      return makeError(ErrorCode::InvalidInput, "{}: {}", source.name, firstError(shader->getInfoLog(), source.name));
    program.addShader(shader.get());
  }
  if (!program.link(messages) || (options.relaxed && !program.mapIO()))
    return makeError(ErrorCode::InvalidInput, "{}: {}", sources.front().name,
                     firstError(program.getInfoLog(), sources.front().name));

  std::vector<std::vector<uint32_t>> modules;
  glslang::SpvOptions spvOptions;
  spvOptions.disableOptimizer = true;
  for (const GlslSource &source : sources) {
    spv::SpvBuildLogger logger;
    const glslang::TIntermediate *intermediate = program.getIntermediate(rowOf(source.stage).language);
    glslang::GlslangToSpv(*intermediate, modules.emplace_back(), &logger, &spvOptions);
    if (modules.back().empty())
      return makeError(ErrorCode::InvalidInput, "{}: {}", source.name,
                       firstError(logger.getAllMessages(), source.name));
  }
  return modules;
}

std::optional<lgc::ShaderStage> stageOfFileName(std::string_view path) {
  // A trailing ".glsl" says nothing: "light.frag.glsl".
  if (path.ends_with(".glsl"))
    path.remove_suffix(5);
  for (const StageRow &row : Stages)
    if (path.ends_with(row.ending))
      return row.stage;
  return std::nullopt;
}

std::string_view stageName(lgc::ShaderStage stage) {
  return rowOf(stage).name;
}

} // namespace dovetail
