// SPDX-License-Identifier: MIT
#include "tools/common/inputs/shader_file.h"
#include "src/spirv/reflect/reflection.h"
#include "src/spirv/validate/validate.h"
#include "tools/common/command/input.h"
#include "tools/common/inputs/pipeline_name.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include <algorithm>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

// Adds the file's name to an Error of the front end.
template <typename Value> Result<Value> inFile(const std::string &name, Result<Value> result) {
  if (!result)
    return makeError(result.error().code, "{}: {}", name, result.error().text);
  return result;
}

// A kind of shader that is not read here, and the programs that convert it.
struct Converter {
  std::string_view ending;
  std::string_view beginning; // first bytes of the content; empty: only the ending counts
  std::string_view language;
  std::string_view programs;
};
constexpr Converter Converters[] = {
    {".wgsl", "", "WGSL", "naga or tint"},
    {".dxil", "DXBC", "DXIL or DXBC", "dxil-spirv, or dxc -spirv from the source,"},
    {".slang", "", "Slang", "slangc -target spirv"},
    {".cl", "", "OpenCL C", "clspv"},
    {".metal", "", "Metal's language", "nothing"},
};

const Converter *converterOf(std::string_view path, std::string_view content) {
  const auto *found = std::ranges::find_if(Converters, [&](const Converter &each) {
    return path.ends_with(each.ending) || (!each.beginning.empty() && content.starts_with(each.beginning));
  });
  return found == std::end(Converters) ? nullptr : found;
}

// Whether it begins with spirv-dis's header or with an OpCapability.
bool beginsLikeAssembly(std::string_view content) {
  content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  return content.starts_with("; SPIR-V") || content.starts_with("OpCapability ");
}

bool beginsLikeSpirv(std::string_view content) {
  uint32_t word = 0;
  if (content.size() < sizeof(word))
    return false;
  std::memcpy(&word, content.data(), sizeof(word));
  return word == spv::MagicNumber || __builtin_bswap32(word) == spv::MagicNumber;
}

} // namespace

bool isShaderFile(std::string_view path) {
  return path.ends_with(".spv") || path.ends_with(".spvasm") || path.ends_with(".shader_test") ||
         stageOfFileName(path).has_value();
}

Result<std::vector<ShaderBinary>> splitEntryPoints(const std::string &name, std::vector<uint32_t> words,
                                                   spirv::Environment environment) {
  std::vector<spirv::EntryPointInfo> entryPoints = DOVETAIL_TRY(inFile(name, spirv::entryPoints(words, environment)));
  if (entryPoints.empty())
    return makeError(ErrorCode::InvalidInput, "{}: the module has no entry point of a stage that is known", name);
  std::vector<ShaderBinary> shaders;
  for (const spirv::EntryPointInfo &entryPoint : entryPoints)
    shaders.push_back({entryPoint.stage, name, entryPoint.name, words});
  return shaders;
}

Result<std::vector<ShaderBinary>> readShaderFile(const std::string &path, const GlslOptions &options,
                                                 std::optional<SourceKind> kind) {
  if (namesPipeline(path))
    return makeError(ErrorCode::InvalidInput, "{}: a pipeline stands alone, without shaders beside it", path);
  auto [name, content] = DOVETAIL_TRY(readInputFile(path));
  if (std::optional<lgc::ShaderStage> stage = stageOfFileName(path))
    kind = SourceKind{*stage};
  else if (path.ends_with(".spvasm") || beginsLikeAssembly(content))
    return splitEntryPoints(name, DOVETAIL_TRY(assembleSpirv(name, content, options.environment)), options.environment);
  else if (path.ends_with(".spv") || beginsLikeSpirv(content))
    return splitEntryPoints(
        name,
        DOVETAIL_TRY(
            inFile(name, spirv::readWords({reinterpret_cast<const uint8_t *>(content.data()), content.size()}))),
        options.environment);
  else if (const Converter *converter = converterOf(path, content))
    return makeError(ErrorCode::Unsupported, "{}: {} is not read; {} makes SPIR-V of it", name, converter->language,
                     converter->programs);
  if (!kind)
    return makeError(ErrorCode::InvalidInput,
                     "{}: unknown kind of file; a shader ends with .vert, .tesc, .tese, .geom, .frag, .comp, .spv or "
                     ".spvasm, or --stage says what it is",
                     name);
  const SourceLanguage language = languageOfFileName(path).value_or(kind->language);
  auto modules = DOVETAIL_TRY(translateGlsl({{kind->stage, name, std::move(content), language}}, options));
  return std::vector<ShaderBinary>{{kind->stage, name, "main", std::move(modules.front())}};
}

} // namespace dovetail
