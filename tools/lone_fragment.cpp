// SPDX-License-Identifier: MIT
#include "tools/lone_fragment.h"
#include "tools/glsl.h"
#include <algorithm>

namespace dovetail {

Result<void> accompanyLoneFragmentShader(std::vector<ShaderRef> &shaders) {
  bool isLone = std::ranges::all_of(
      shaders, [](const ShaderRef &shader) { return shader->description.stage == lgc::ShaderStage::Fragment; });
  if (shaders.empty() || !isLone)
    return {};
  constexpr std::string_view Text = "#version 450\nvoid main() { gl_Position = vec4(0, 0, 0, 1); }\n";
  const std::string name = "(vertex shader that only writes a position)";
  auto modules = DOVETAIL_TRY(translateGlsl({{lgc::ShaderStage::Vertex, name, std::string(Text)}}));
  ShaderRef vertex =
      DOVETAIL_TRY(createShader({name, std::move(modules.front()), "main", lgc::ShaderStage::Vertex, {}}));
  shaders.insert(shaders.begin(), std::move(vertex));
  return {};
}

} // namespace dovetail
