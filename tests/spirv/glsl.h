// SPDX-License-Identifier: MIT
//
// Tests of tessellation and geometry shaders are about whole interfaces. GLSL needs fewer lines for them than assembly.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include "tests/spirv/assembled.h"

namespace dovetail::test {

// The words of a GLSL shader without its #version line.
std::vector<uint32_t> wordsOf(lgc::ShaderStage stage, const std::string &glsl);

spirv::TranslateOptions optionsOf(lgc::ShaderStage stage);

// A translated GLSL shader.
class TranslatedGlsl : public Translated {
public:
  TranslatedGlsl(lgc::ShaderStage stage, const std::string &glsl);
};

// An Error fails the test.
spirv::Reflection reflectionOf(lgc::ShaderStage stage, const std::string &glsl);

} // namespace dovetail::test
