// SPDX-License-Identifier: MIT
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/common/inputs/glsl.h"
#include <doctest/doctest.h>

namespace dovetail {

namespace {

ShaderSet setOf(const std::vector<GlslSource> &sources) {
  auto modules = translateGlsl(sources);
  if (!modules)
    FAIL(modules.error().text);
  std::vector<ShaderRef> shaders;
  for (size_t i = 0; i < sources.size(); ++i) {
    auto shader = createShader({sources[i].name, std::move((*modules)[i]), "main", sources[i].stage, {}});
    if (!shader)
      FAIL(shader.error().text);
    shaders.push_back(std::move(*shader));
  }
  auto set = makeShaderSet(shaders);
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

} // namespace

ShaderSet shadersOf(const std::string &vertex, const std::string &fragment) {
  return setOf({{lgc::ShaderStage::Vertex, "vertex", "#version 450\n" + vertex},
                {lgc::ShaderStage::Fragment, "fragment", "#version 450\n" + fragment}});
}

ShaderSet computeOf(const std::string &text) {
  return setOf({{lgc::ShaderStage::Compute, "compute", "#version 450\nlayout(local_size_x = 64) in;\n" + text}});
}

} // namespace dovetail
