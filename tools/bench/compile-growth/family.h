// SPDX-License-Identifier: MIT
//
// Families of shaders: each family is one shader in several sizes, in which one thing grows.
#pragma once

#include "tools/common/inputs/shader_file.h"
#include <span>
#include <string>
#include <string_view>

namespace dovetail {

struct Family {
  enum class Language { Glsl, Assembly };

  std::string_view name;
  std::string_view unit; // what the size counts
  lgc::ShaderStage stage;
  Language language;
  std::span<const unsigned> sizes; // ascending
  bool isExponential;              // the size is the logarithm of what is in the shader
  std::string (*text)(unsigned size);
};

std::span<const Family> compileGrowthFamilies();

// Errors: those of glslang and the assembler.
Result<ShaderBinary> makeShader(const Family &family, unsigned size);

} // namespace dovetail
