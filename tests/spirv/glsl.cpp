// SPDX-License-Identifier: MIT
#include "tests/spirv/glsl.h"
#include "tools/common/inputs/glsl.h"
#include <doctest/doctest.h>

namespace dovetail::test {

std::vector<uint32_t> wordsOf(lgc::ShaderStage stage, const std::string &glsl) {
  auto modules = translateGlsl({{stage, "shader", "#version 450\n" + glsl}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

spirv::TranslateOptions optionsOf(lgc::ShaderStage stage) {
  spirv::TranslateOptions options;
  options.stage = stage;
  return options;
}

TranslatedGlsl::TranslatedGlsl(lgc::ShaderStage stage, const std::string &glsl)
    : Translated(wordsOf(stage, glsl), optionsOf(stage)) {}

spirv::Reflection reflectionOf(lgc::ShaderStage stage, const std::string &glsl) {
  auto reflection = spirv::reflect(wordsOf(stage, glsl), "main", stage);
  if (!reflection)
    FAIL(reflection.error().text);
  return *reflection;
}

} // namespace dovetail::test
