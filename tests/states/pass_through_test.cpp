// SPDX-License-Identifier: MIT
//
// OpenGL's programs without a control shader, against the same programs with a control shader that does what OpenGL
// prescribes.
#include "tests/states/draw_state.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

struct Levels {
  std::array<float, 6> values; // four outer, two inner

  std::string inGlsl() const {
    std::string text;
    for (int i = 0; i < 6; ++i)
      text += fmt::format("gl_TessLevel{}[{}] = {:.3f};", i < 4 ? "Outer" : "Inner", i % 4, values[size_t(i)]);
    return text;
  }
};

// The values that go from the vertices to the evaluation shader.
const char *const Vertex = R"(
  layout(location = 0) out float number;
  layout(location = 3) out vec2 pair;
  layout(location = 5) out int integer;
  out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
  void main() {
    number = float(gl_VertexIndex) + 0.25;
    pair = vec2(number * 2.0, -number);
    integer = gl_VertexIndex * 3;
    gl_Position = vec4(float(gl_VertexIndex & 1), float(gl_VertexIndex >> 1), 0.5, 1.0);
    gl_PointSize = number + 0.5;
    gl_ClipDistance[0] = number * 0.5;
    gl_ClipDistance[1] = 1.0;
  }
)";

std::string controlOf(uint32_t vertices, const Levels &levels) {
  return fmt::format("layout(vertices = {}) out;", vertices) + R"(
    layout(location = 0) in float number[]; layout(location = 0) out float passedNumber[];
    layout(location = 3) in vec2 pair[]; layout(location = 3) out vec2 passedPair[];
    layout(location = 5) in int integer[]; layout(location = 5) out int passedInteger[];
    in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[];
    out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_out[];
    #define OWN gl_InvocationID
    void main() {
      passedNumber[OWN] = number[OWN];
      passedPair[OWN] = pair[OWN];
      passedInteger[OWN] = integer[OWN];
      gl_out[OWN].gl_Position = gl_in[OWN].gl_Position;
      gl_out[OWN].gl_PointSize = gl_in[OWN].gl_PointSize;
      gl_out[OWN].gl_ClipDistance = gl_in[OWN].gl_ClipDistance;
    )" + levels.inGlsl() +
         "}";
}

// Colours are not linear in the coordinate, so that they show where it was tessellated.
const std::string Evaluation = R"(
  layout(location = 0) in float number[];
  layout(location = 3) in vec2 pair[];
  layout(location = 5) in int integer[];
  in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[];
  layout(location = 0) out vec4 seen;
  void main() {
    int last = gl_PatchVerticesIn - 1;
    vec2 place = gl_TessCoord.xy;
    gl_Position = vec4(place, 0.5, 1.0);
    seen = vec4(dot(place, place) * number[last] + pair[last].y, pair[0].x + float(integer[last]) * place.x,
                gl_in[last].gl_Position.x + gl_in[last].gl_PointSize + gl_in[last].gl_ClipDistance[0] * place.y,
                gl_TessLevelOuter[0] + INNER * place.x * place.y + float(last));
  }
)";

const char *const Fragment = "layout(location = 0) in vec4 seen; layout(location = 0) out vec4 target;"
                             "void main() { target = seen; }";

// Isolines have no inner levels.
std::string evaluationOf(const std::string &domain) {
  const bool isLines = domain.starts_with("isolines");
  return fmt::format("layout({}) in;\n#define INNER {}\n", domain,
                     isLines ? "gl_TessLevelOuter[1]" : "gl_TessLevelInner[0]") +
         Evaluation;
}

ShaderSet explicitSet(const std::string &domain, uint32_t vertices, const Levels &levels) {
  return stateShaders({{ShaderStage::Vertex, Vertex},
                       {ShaderStage::TessControl, controlOf(vertices, levels)},
                       {ShaderStage::TessEval, evaluationOf(domain)},
                       {ShaderStage::Fragment, Fragment}});
}

Result<ShaderSet> tryWithoutControl(const ShaderSet &shaders) {
  std::vector<ShaderRef> kept;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader || shader->description.stage == ShaderStage::TessControl)
      continue;
    ShaderDescription description = shader->description;
    if (description.stage == ShaderStage::TessEval)
      description.environment = spirv::Environment::OpenGl;
    Result<ShaderRef> made = createShader(std::move(description));
    if (!made)
      FAIL(made.error().text);
    kept.push_back(std::move(*made));
  }
  return makeShaderSet(kept);
}

ShaderSet withoutControl(const ShaderSet &shaders) {
  Result<ShaderSet> set = tryWithoutControl(shaders);
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

// Two patches, whose domain is the whole target.
Scene patchesOf(const ShaderSet &shaders, uint32_t vertices, const Levels &levels) {
  Scene scene = stateScene(shaders);
  scene.viewports = {{-float(StateSize), -float(StateSize), 2 * StateSize, 2 * StateSize, 0, 1}};
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  scene.state.patchControlPoints = vertices;
  scene.vertexCount = 2 * vertices;
  scene.defaultTessLevels = levels.values;
  return scene;
}

constexpr Levels One = {{1, 1, 1, 1, 1, 1}}, Uneven = {{3, 2.5f, 4, 1.5f, 5, 2}};

void checkPassedThrough(const std::string &domain, uint32_t vertices, const Levels &levels) {
  CAPTURE(domain);
  CAPTURE(vertices);
  const ShaderSet control = explicitSet(domain, vertices, levels), none = withoutControl(control);
  const StatePicture expected = drawState(patchesOf(control, vertices, levels), control);
  const StatePicture picture = drawState(patchesOf(none, vertices, levels), none);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  CHECK(std::ranges::any_of(expected.texels, [](float channel) { return channel > 1; })); // the patches were drawn
  CHECK((picture.texels == expected.texels));
}

} // namespace

// Shows state: patchControlPoints (TessControlMain).
TEST_CASE("patches without a control shader are drawn as by one that passes them through") {
  for (uint32_t vertices : {1u, 3u, 4u, 32u})
    checkPassedThrough("triangles, ccw", vertices, Uneven);
}

TEST_CASE("patches of each domain and spacing are tessellated by the default levels") {
  checkPassedThrough("triangles, ccw", 3, One);
  checkPassedThrough("quads, fractional_odd_spacing, cw", 4, Uneven);
  checkPassedThrough("isolines, fractional_even_spacing", 2, Uneven);
}

TEST_CASE("default levels are no part of a variant, and the size of patches is") {
  const ShaderSet shaders = withoutControl(explicitSet("quads", 4, One));
  const StatePicture one = drawState(patchesOf(shaders, 4, One), shaders);
  const StatePicture uneven = drawState(patchesOf(shaders, 4, Uneven), shaders);
  CHECK((one.variant == uneven.variant));
  CHECK((one.texels != uneven.texels));
  CHECK((drawState(patchesOf(shaders, 5, One), shaders).variant != one.variant));
}

TEST_CASE("a geometry shader behind patches without a control shader") {
  const char *const geometry = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                               "layout(location = 0) in vec4 seen[]; layout(location = 0) out vec4 handedOn;"
                               "void main() { for (int i = 0; i < 3; ++i) { handedOn = seen[i] * 0.5;"
                               "  gl_Position = gl_in[i].gl_Position; EmitVertex(); } }";
  const ShaderSet control = stateShaders({{ShaderStage::Vertex, Vertex},
                                          {ShaderStage::TessControl, controlOf(3, Uneven)},
                                          {ShaderStage::TessEval, evaluationOf("triangles, ccw")},
                                          {ShaderStage::Geometry, geometry},
                                          {ShaderStage::Fragment, Fragment}});
  const ShaderSet none = withoutControl(control);
  const StatePicture expected = drawState(patchesOf(control, 3, Uneven), control);
  CHECK((drawState(patchesOf(none, 3, Uneven), none).texels == expected.texels));
}

TEST_CASE("inputs of the patch have nobody to write them without a control shader") {
  const ShaderSet control =
      stateShaders({{ShaderStage::Vertex, "void main() { gl_Position = vec4(0.0, 0.0, 0.5, 1.0); }"},
                    {ShaderStage::TessControl, "layout(vertices = 3) out; layout(location = 2) patch out float value;"
                                               "void main() { value = 1.0; " +
                                                   One.inGlsl() + " }"},
                    {ShaderStage::TessEval, "layout(triangles) in; layout(location = 2) patch in float value;"
                                            "void main() { gl_Position = vec4(value); }"}});
  const Result<ShaderSet> none = tryWithoutControl(control);
  REQUIRE_FALSE(none);
  CHECK(none.error().text == "tessellation evaluation reads location 2 of the patch, and there is no control shader to "
                             "write it");
}

TEST_CASE("Vulkan's evaluation shaders have a control shader of their own") {
  const ShaderSet control = explicitSet("quads", 4, One);
  const std::vector<ShaderRef> shaders = {control.shader(ShaderStage::Vertex), control.shader(ShaderStage::TessEval)};
  Result<ShaderSet> set = makeShaderSet(shaders);
  REQUIRE(set.has_value());
  CHECK_FALSE(set->shader(ShaderStage::TessControl));
}
