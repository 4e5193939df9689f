// SPDX-License-Identifier: MIT
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/common/inputs/spirv/spirv_passes.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

ShaderSet shaders() {
  return shadersOf("layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
                   "layout(binding = 3) uniform Block { vec4 used; }; layout(location = 0) out vec4 color;"
                   "vec4 twice(vec4 v) { return v + v; } void main() { color = twice(used); }");
}

} // namespace

TEST_CASE("passes change a shader's words, not what it needs") {
  const ShaderSet before = shaders();
  Result<ShaderSet> after = withSpirvPasses(before, "-O  --strip-debug");
  REQUIRE_MESSAGE(after, after.error().text);
  const ShaderRef &old = before.shader(lgc::ShaderStage::Fragment), &now = after->shader(lgc::ShaderStage::Fragment);
  REQUIRE(now);
  CHECK(now->description.words.size() < old->description.words.size());
  REQUIRE(now->reflection.descriptors.size() == 1);
  CHECK(now->reflection.descriptors[0].binding == 3);
  CHECK(after->shader(lgc::ShaderStage::Vertex)->reflection.vertexInputs.size() == 1);
}

TEST_CASE("a pass that spirv-opt does not have is an Error that names it") {
  Result<ShaderSet> after = withSpirvPasses(shaders(), "--make-it-fast");
  REQUIRE_FALSE(after.has_value());
  CHECK((after.error().code == ErrorCode::InvalidInput));
  CHECK(after.error().text.find("--make-it-fast") != std::string::npos);
}
