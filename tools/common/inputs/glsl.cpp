// SPDX-License-Identifier: MIT
#define ENABLE_HLSL // without it, glslang's headers hide setHlslIoMapping()
#include "tools/common/inputs/glsl.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <filesystem>
#include <glslang/MachineIndependent/localintermediate.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <memory>
#include <mutex>
#include <regex>

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

struct LanguageRow {
  SourceLanguage language;
  std::string_view ending;
};
constexpr LanguageRow Languages[] = {{SourceLanguage::Glsl, ".glsl"}, {SourceLanguage::Hlsl, ".hlsl"}};

const StageRow &rowOf(lgc::ShaderStage stage) {
  return Stages[static_cast<size_t>(stage)];
}

// Picks the errors out of glslang's log, which mixes errors ("ERROR: light.frag:12: 'x' : undeclared identifier"),
// warnings and a count of errors. An error without a place gets the file's name.
std::string allErrors(std::string_view log, const std::string &name) {
  constexpr std::string_view Mark = "ERROR: ";
  static const std::regex located(".*:[0-9]+: .*"), count("[0-9]+ compilation errors.*|.*: compilation terminated ?");
  std::vector<std::string> errors;
  for (size_t begin = 0; begin < log.size();) {
    const size_t end = std::min(log.find('\n', begin), log.size());
    std::string_view line = log.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(Mark))
      continue;
    line = line.substr(0, line.find_last_not_of(" \r") + 1);
    std::string error(line.substr(std::min(Mark.size(), line.size())));
    if (std::regex_match(error, count))
      continue;
    if (!std::regex_match(error, located))
      error = fmt::format("{}: {}", name, error);
    if (std::ranges::find(errors, error) == errors.end())
      errors.push_back(std::move(error));
  }
  if (errors.empty())
    return fmt::format("{}: {}", name, log.substr(0, log.find('\n')));
  return fmt::format("{}", fmt::join(errors, "\n"));
}

// Resolves #include "…" and #include <…>.
class Includer : public glslang::TShader::Includer {
public:
  explicit Includer(const std::vector<std::string> &folders) : m_folders(folders) {}

  IncludeResult *includeLocal(const char *header, const char *includer, size_t depth) override {
    // If the file is missing, glslang calls again for a system include, which looks in the folders.
    return open(std::filesystem::path(includer).parent_path() / header, depth);
  }
  IncludeResult *includeSystem(const char *header, const char *, size_t depth) override {
    for (const std::string &folder : m_folders)
      if (IncludeResult *found = open(std::filesystem::path(folder) / header, depth))
        return found;
    return nullptr;
  }
  void releaseInclude(IncludeResult *result) override {
    if (!result)
      return;
    delete static_cast<std::string *>(result->userData);
    delete result;
  }

private:
  // Stops a file that includes itself.
  static constexpr size_t MaxDepth = 64;

  static IncludeResult *open(const std::string &path, size_t depth) {
    if (depth > MaxDepth || !std::filesystem::is_regular_file(path))
      return nullptr;
    Result<std::string> text = readWholeFile(path);
    if (!text)
      return nullptr;
    auto *kept = new std::string(std::move(*text));
    return new IncludeResult(path, kept->data(), kept->size(), kept);
  }

  const std::vector<std::string> &m_folders;
};

// Comes in front of the source, and does not count as lines of it.
std::string preambleOf(const GlslOptions &options) {
  std::string preamble;
  if (!options.includeFolders.empty())
    preamble += "#extension GL_GOOGLE_include_directive : enable\n";
  for (const std::string &define : options.defines) {
    const size_t equals = define.find('=');
    preamble += fmt::format("#define {} {}\n", define.substr(0, equals),
                            equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return preamble;
}

constexpr int DefaultVersion = 450;
constexpr char EntryPoint[] = "main";

bool isHlsl(const GlslSource &source) {
  return source.language == SourceLanguage::Hlsl;
}

// HLSL numbers the registers of each kind from 0 on; Vulkan numbers the bindings of all kinds together.
void separateRegisters(glslang::TShader &shader) {
  shader.setHlslIoMapping(true);            // read-only structured buffers are of the textures' kind, t
  constexpr unsigned RegistersOfKind = 128; // no kind has more: D3D11_COMMONSHADER_INPUT_RESOURCE_REGISTER_COUNT
  shader.setShiftBinding(glslang::EResUbo, 0);
  shader.setShiftBinding(glslang::EResTexture, RegistersOfKind);
  shader.setShiftBinding(glslang::EResSampler, 2 * RegistersOfKind);
  for (glslang::TResourceType kind : {glslang::EResUav, glslang::EResImage, glslang::EResSsbo})
    shader.setShiftBinding(kind, 3 * RegistersOfKind);
}

std::unique_ptr<glslang::TShader> makeShader(const GlslSource &source, const GlslOptions &options) {
  EShLanguage language = rowOf(source.stage).language;
  auto shader = std::make_unique<glslang::TShader>(language);
  if (options.environment == spirv::Environment::OpenGl) {
    shader->setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientOpenGL, 100);
    shader->setEnvClient(glslang::EShClientOpenGL, glslang::EShTargetOpenGL_450);
    shader->setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_0);
  } else {
    shader->setEnvInput(isHlsl(source) ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, language,
                        glslang::EShClientVulkan, 100);
    shader->setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
    shader->setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  }
  if (isHlsl(source)) {
    // glslang's default for structured and byte address buffers is BufferBlock, which only SPIR-V up to 1.3 has.
    shader->getIntermediate()->setUseStorageBuffer();
    shader->setEntryPoint(EntryPoint);
    shader->setAutoMapLocations(true);
    shader->setAutoMapBindings(true);
    separateRegisters(*shader);
  }
  if (options.relaxed) {
    if (options.environment == spirv::Environment::Vulkan)
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

  const bool isVulkan = options.environment == spirv::Environment::Vulkan;
  auto messages =
      static_cast<EShMessages>(EShMsgSpvRules | (isVulkan ? EShMsgVulkanRules : EShMsgDefault) | EShMsgCascadingErrors |
                               (options.sourceLines ? EShMsgDebugInfo : EShMsgDefault));
  const bool hasHlsl = std::ranges::any_of(sources, isHlsl);
  if (hasHlsl && !isVulkan)
    return makeError(ErrorCode::Unsupported, "{}: HLSL is read for Vulkan only", sources.front().name);
  const std::string preamble = preambleOf(options);
  Includer includer(options.includeFolders);
  std::vector<std::unique_ptr<glslang::TShader>> shaders;
  glslang::TProgram program;
  for (const GlslSource &source : sources) {
    auto &shader = shaders.emplace_back(makeShader(source, options));
    const char *text = source.text.c_str();
    int length = static_cast<int>(source.text.size());
    const char *name = source.name.c_str();
    shader->setStringsWithLengthsAndNames(&text, &length, &name, 1);
    shader->setPreamble(preamble.c_str());
    const auto read = static_cast<EShMessages>(
        messages | (isHlsl(source) ? EShMsgReadHlsl | EShMsgHlslOffsets | EShMsgHlslLegalization : EShMsgDefault));
    if (!shader->parse(GetDefaultResources(), DefaultVersion, false, read, includer))
      return makeError(ErrorCode::InvalidInput, "{}", allErrors(shader->getInfoLog(), source.name));
    // Without an entry point in HLSL, glslang only warns and makes an empty module.
    if (isHlsl(source) && shader->getIntermediate()->getNumEntryPoints() == 0)
      return makeError(ErrorCode::InvalidInput, "{}: there is no entry point \"{}\"", source.name, EntryPoint);
    program.addShader(shader.get());
  }
  if (!program.link(messages) || ((options.relaxed || hasHlsl) && !program.mapIO()))
    return makeError(ErrorCode::InvalidInput, "{}", allErrors(program.getInfoLog(), sources.front().name));

  std::vector<std::vector<uint32_t>> modules;
  glslang::SpvOptions spvOptions;
  spvOptions.disableOptimizer = !hasHlsl; // the optimiser legalises HLSL's uses of resources as values
  spvOptions.generateDebugInfo = options.sourceLines;
  for (const GlslSource &source : sources) {
    spv::SpvBuildLogger logger;
    const glslang::TIntermediate *intermediate = program.getIntermediate(rowOf(source.stage).language);
    glslang::GlslangToSpv(*intermediate, modules.emplace_back(), &logger, &spvOptions);
    if (modules.back().empty())
      return makeError(ErrorCode::InvalidInput, "{}", allErrors(logger.getAllMessages(), source.name));
  }
  return modules;
}

std::optional<lgc::ShaderStage> stageOfFileName(std::string_view path) {
  path = withoutLanguage(path);
  for (const StageRow &row : Stages)
    if (path.ends_with(row.ending))
      return row.stage;
  return std::nullopt;
}

std::optional<SourceLanguage> languageOfFileName(std::string_view path) {
  for (const LanguageRow &row : Languages)
    if (path.ends_with(row.ending))
      return row.language;
  return stageOfFileName(path) ? std::optional(SourceLanguage::Glsl) : std::nullopt;
}

std::string_view withoutLanguage(std::string_view path) {
  for (const LanguageRow &row : Languages)
    if (path.ends_with(row.ending))
      path.remove_suffix(row.ending.size());
  return path;
}

std::optional<lgc::ShaderStage> stageOfWord(std::string_view word) {
  for (const StageRow &row : Stages)
    if (word == row.ending.substr(1))
      return row.stage;
  return std::nullopt;
}

std::vector<std::string> stageWords() {
  std::vector<std::string> words;
  for (const StageRow &row : Stages)
    words.emplace_back(row.ending.substr(1));
  return words;
}

std::string_view stageName(lgc::ShaderStage stage) {
  return rowOf(stage).name;
}

} // namespace dovetail
