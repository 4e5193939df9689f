// SPDX-License-Identifier: MIT
#include "tools/inputs/shader_file.h"
#include "src/spirv/module/validate.h"
#include "src/spirv/reflect/reflection.h"
#include "tools/command/write_file.h"
#include "tools/inputs/captured_pipeline.h"
#include "tools/inputs/spirv_assembly.h"

namespace dovetail {

namespace {

// An Error of the front end does not know the file.
template <typename Value> Result<Value> inFile(const std::string &name, Result<Value> result) {
  if (!result)
    return makeError(result.error().code, "{}: {}", name, result.error().text);
  return result;
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

Result<std::vector<ShaderBinary>> readShaderFile(const std::string &path, const GlslOptions &options) {
  if (namesPipeline(path))
    return makeError(ErrorCode::InvalidInput, "{}: a pipeline stands alone, without shaders beside it", path);
  std::string content = DOVETAIL_TRY(readWholeFile(path));
  if (std::optional<lgc::ShaderStage> stage = stageOfFileName(path)) {
    auto modules = DOVETAIL_TRY(translateGlsl({{*stage, path, std::move(content)}}, options));
    return std::vector<ShaderBinary>{{*stage, path, "main", std::move(modules.front())}};
  }
  if (path.ends_with(".spvasm"))
    return splitEntryPoints(path, DOVETAIL_TRY(assembleSpirv(path, content, options.environment)), options.environment);
  if (path.ends_with(".spv"))
    return splitEntryPoints(
        path,
        DOVETAIL_TRY(
            inFile(path, spirv::readWords({reinterpret_cast<const uint8_t *>(content.data()), content.size()}))),
        options.environment);
  return makeError(
      ErrorCode::InvalidInput,
      "{}: unknown kind of file; a shader ends with .vert, .tesc, .tese, .geom, .frag, .comp, .spv or .spvasm", path);
}

} // namespace dovetail
