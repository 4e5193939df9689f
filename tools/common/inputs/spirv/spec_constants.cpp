// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/spec_constants.h"
#include <algorithm>
#include <bit>
#include <charconv>

namespace dovetail {

namespace {

struct Assignment {
  std::string text, constant, value;
};

Result<Assignment> parseAssignment(const std::string &text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return makeError(ErrorCode::InvalidInput, "--spec {}: expected ID=VALUE or NAME=VALUE", text);
  return Assignment{text, text.substr(0, equals), text.substr(equals + 1)};
}

template <typename Number> bool parseNumber(std::string_view text, Number &number, auto... base) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  return code == std::errc() && end == text.data() + text.size();
}

std::string describeConstant(const spirv::SpecConstantInfo &info) {
  if (info.bits == 1)
    return "a bool";
  constexpr std::string_view Names[] = {"a float", "a signed integer", "an unsigned integer"};
  return fmt::format("{} of {} bits", Names[size_t(info.numericClass)], info.bits);
}

bool parseBits(std::string_view text, const spirv::SpecConstantInfo &info, uint64_t &bits) {
  return parseNumber(text, bits, 16) && (info.bits >= 64 || bits >> info.bits == 0);
}

bool parseValue(std::string_view text, const spirv::SpecConstantInfo &info, uint64_t &bits) {
  if (text.starts_with("0x"))
    return parseBits(text.substr(2), info, bits);
  if (info.bits == 1) {
    bits = text == "true" || text == "1";
    return bits || text == "false" || text == "0";
  }
  if (info.numericClass == NumericClass::Float) {
    double number = 0;
    if (!parseNumber(text, number) || info.bits < 32)
      return false;
    bits = info.bits == 64 ? std::bit_cast<uint64_t>(number) : std::bit_cast<uint32_t>(float(number));
    return true;
  }
  if (info.numericClass == NumericClass::Uint)
    return parseNumber(text, bits) && (info.bits >= 64 || bits >> info.bits == 0);
  int64_t number = 0;
  if (!parseNumber(text, number))
    return false;
  const int64_t limit = int64_t((uint64_t(1) << (info.bits - 1)) - 1);
  bits = info.bits >= 64 ? uint64_t(number) : uint64_t(number) & ((uint64_t(1) << info.bits) - 1);
  return number <= limit && number >= -limit - 1;
}

const spirv::SpecConstantInfo *findConstant(const Shader &shader, const std::string &constant) {
  uint32_t id = 0;
  const bool isId = parseNumber(constant, id);
  for (const spirv::SpecConstantInfo &info : shader.reflection.specConstants)
    if (isId ? info.id == id : info.name == constant)
      return &info;
  return nullptr;
}

} // namespace

Result<void> specialize(std::vector<ShaderRef> &shaders, const std::vector<std::string> &assignments) {
  // The values from the shaders' files; assignments override them.
  std::vector<std::vector<spirv::SpecConstant>> constants;
  for (const ShaderRef &shader : shaders)
    constants.push_back(shader->description.specConstants);
  std::vector<bool> isChanged(shaders.size());
  for (const std::string &text : assignments) {
    const Assignment assignment = DOVETAIL_TRY(parseAssignment(text));
    bool isFound = false;
    for (size_t index = 0; index < shaders.size(); ++index) {
      const spirv::SpecConstantInfo *info = findConstant(*shaders[index], assignment.constant);
      if (!info)
        continue;
      isFound = true;
      uint64_t bits = 0;
      if (!parseValue(assignment.value, *info, bits))
        return makeError(ErrorCode::InvalidInput, "--spec {}: in {} it is {}, and \"{}\" is none", text,
                         shaders[index]->description.name, describeConstant(*info), assignment.value);
      std::erase_if(constants[index], [&](const auto &other) { return other.id == info->id; }); // the last one counts
      constants[index].push_back({info->id, bits});
      isChanged[index] = true;
    }
    if (!isFound)
      return makeError(ErrorCode::InvalidInput, "--spec {}: no shader has such a specialisation constant", text);
  }
  for (size_t index = 0; index < shaders.size(); ++index) {
    if (!isChanged[index])
      continue;
    ShaderDescription description = shaders[index]->description;
    description.specConstants = std::move(constants[index]);
    shaders[index] = DOVETAIL_TRY(createShader(std::move(description)));
  }
  return {};
}

} // namespace dovetail
