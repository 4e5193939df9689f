// SPDX-License-Identifier: MIT
#include "tools/shader_file.h"
#include "tools/glsl.h"
#include "tools/write_file.h"
#include <cstring>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

std::optional<lgc::ShaderStage> stageOfModel(uint32_t model) {
  switch (static_cast<spv::ExecutionModel>(model)) {
  case spv::ExecutionModel::Vertex:
    return lgc::ShaderStage::Vertex;
  case spv::ExecutionModel::TessellationControl:
    return lgc::ShaderStage::TessControl;
  case spv::ExecutionModel::TessellationEvaluation:
    return lgc::ShaderStage::TessEval;
  case spv::ExecutionModel::Geometry:
    return lgc::ShaderStage::Geometry;
  case spv::ExecutionModel::Fragment:
    return lgc::ShaderStage::Fragment;
  case spv::ExecutionModel::GLCompute:
    return lgc::ShaderStage::Compute;
  default:
    return std::nullopt;
  }
}

// A literal string ends with the first zero byte; nothing if the instruction has none.
std::optional<std::string> readLiteral(const uint32_t *words, size_t count) {
  const char *text = reinterpret_cast<const char *>(words);
  size_t length = strnlen(text, count * 4);
  if (length == count * 4)
    return std::nullopt;
  return std::string(text, length);
}

Result<std::vector<uint32_t>> assemble(const std::string &path, const std::string &text) {
  std::string reason;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
    if (reason.empty())
      reason = fmt::format("line {}: {}", position.line + 1, message);
  });
  std::vector<uint32_t> words;
  if (!tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS))
    return makeError(ErrorCode::InvalidInput, "{}: {}", path, reason);
  return words;
}

Result<std::vector<uint32_t>> readBinary(const std::string &path, const std::string &content) {
  if (content.size() % 4 != 0)
    return makeError(ErrorCode::InvalidInput, "{}: a SPIR-V module is a whole number of words, this has {} bytes", path,
                     content.size());
  std::vector<uint32_t> words(content.size() / 4);
  std::memcpy(words.data(), content.data(), content.size());
  return words;
}

} // namespace

bool isShaderFile(std::string_view path) {
  return path.ends_with(".spv") || path.ends_with(".spvasm") || path.ends_with(".shader_test") ||
         stageOfFileName(path).has_value();
}

Result<std::vector<ShaderBinary>> splitEntryPoints(const std::string &name, std::vector<uint32_t> words) {
  constexpr size_t HeaderWords = 5;
  if (words.size() < HeaderWords)
    return makeError(ErrorCode::InvalidInput, "{}: too short for a SPIR-V module", name);
  // Modules may come from a machine with the other byte order.
  if (words[0] == __builtin_bswap32(spv::MagicNumber))
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  if (words[0] != spv::MagicNumber)
    return makeError(ErrorCode::InvalidInput, "{}: not a SPIR-V module: it begins with {:#010x}", name, words[0]);

  std::vector<ShaderBinary> shaders;
  for (size_t at = HeaderWords; at < words.size();) {
    uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      return makeError(ErrorCode::InvalidInput, "{}: the instruction at word {} is cut short", name, at);
    auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    if (opcode == spv::Op::OpEntryPoint && length > 3) {
      std::optional<lgc::ShaderStage> stage = stageOfModel(words[at + 1]);
      if (!stage)
        return makeError(ErrorCode::Unsupported, "{}: OpEntryPoint at word {}: execution model {} is not supported",
                         name, at, words[at + 1]);
      std::optional<std::string> entryPoint = readLiteral(&words[at + 3], length - 3);
      if (!entryPoint)
        return makeError(ErrorCode::InvalidInput, "{}: OpEntryPoint at word {}: its name has no end", name, at);
      shaders.push_back({*stage, name, *entryPoint, {}});
    }
    if (opcode == spv::Op::OpFunction)
      break;
    at += length;
  }
  if (shaders.empty())
    return makeError(ErrorCode::InvalidInput, "{}: the module has no entry point", name);
  for (ShaderBinary &shader : shaders)
    shader.words = words;
  return shaders;
}

Result<std::vector<ShaderBinary>> readShaderFile(const std::string &path) {
  std::string content = DOVETAIL_TRY(readWholeFile(path));
  if (std::optional<lgc::ShaderStage> stage = stageOfFileName(path)) {
    auto modules = DOVETAIL_TRY(translateGlsl({{*stage, path, std::move(content)}}));
    return std::vector<ShaderBinary>{{*stage, path, "main", std::move(modules.front())}};
  }
  if (path.ends_with(".spvasm"))
    return splitEntryPoints(path, DOVETAIL_TRY(assemble(path, content)));
  if (path.ends_with(".spv"))
    return splitEntryPoints(path, DOVETAIL_TRY(readBinary(path, content)));
  return makeError(ErrorCode::InvalidInput,
                   "{}: unknown kind of file; a shader ends with .vert, .frag, .comp, .spv or .spvasm", path);
}

} // namespace dovetail
