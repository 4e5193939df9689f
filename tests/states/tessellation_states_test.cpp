// SPDX-License-Identifier: MIT
//
// States and shapes of tessellation. The join fills their numbers in, or the epilog knows them.
#include "merge/check/check_image.h"
#include "src/abi/registers/registers.h"
#include "tests/states/draw_state.h"
#include "variants/bind/device.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

// Each vertex knows its number.
const char *const Numbered = "layout(location = 0) out float number;"
                             "void main() { number = float(gl_VertexIndex); gl_Position = vec4(0.0, 0.0, 0.5, 1.0); }";

// `control` sees number[], and writes factors and value[gl_InvocationID]. Each of two patches is a triangle around the
// target; the clip distance leaves each its own half of the columns.
ShaderSet tessellated(const std::string &vertices, const std::string &control, const std::string &evaluation) {
  return stateShaders({{ShaderStage::Vertex, Numbered},
                       {ShaderStage::TessControl, "layout(vertices = " + vertices +
                                                      ") out; layout(location = 0) in float number[];"
                                                      "layout(location = 0) out float value[];"
                                                      "void main() { " +
                                                      control + " }"},
                       {ShaderStage::TessEval, "layout(triangles, ccw) in; layout(location = 0) in float value[];"
                                               "layout(location = 0) out vec4 seen;"
                                               "void main() { gl_Position = vec4(gl_TessCoord.xy, 0.5, 1.0);"
                                               "  float side = gl_TessCoord.x * 128.0 - 4.0;"
                                               "  gl_ClipDistance[0] = gl_PrimitiveID == 0 ? -side : side;" +
                                                   evaluation + " }"},
                       {ShaderStage::Fragment, "layout(location = 0) in vec4 seen;"
                                               "layout(location = 0) out vec4 target;"
                                               "void main() { target = seen; }"}});
}

Scene patches(const ShaderSet &shaders, uint32_t controlPoints) {
  Scene scene = stateScene(shaders);
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  scene.state.patchControlPoints = controlPoints;
  scene.vertexCount = 2 * controlPoints;
  return scene;
}

const char *const Ones = "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;"
                         "gl_TessLevelInner[0] = 1.0;";

} // namespace

// Shows state: patchControlPoints (LinkConstant).
TEST_CASE("patches have as many control points as the state says") {
  // Each output vertex has the number of the patch's last vertex but its own number.
  const ShaderSet shaders =
      tessellated("3", std::string(Ones) + "value[gl_InvocationID] = number[gl_PatchVerticesIn - 1 - gl_InvocationID];",
                  "seen = vec4(value[0], value[1], value[2], 1.0);");
  for (uint32_t controlPoints : {3u, 4u, 7u}) {
    INFO(controlPoints, " control points");
    const StatePicture picture = drawState(patches(shaders, controlPoints), shaders);
    for (uint32_t patch = 0; patch < 2; ++patch)
      for (unsigned vertex = 0; vertex < 3; ++vertex)
        CHECK(picture.at(patch ? 6 : 1, 3, vertex) ==
              doctest::Approx((patch + 1) * controlPoints - 1 - vertex).epsilon(1e-5));
  }
}

TEST_CASE("factors of any invocation arrive, with and without a barrier") {
  // With 3 and 5 invocations, some patches lie in two waves; with 4, none does. The last invocation writes the factors,
  // which the evaluation shader shows.
  for (const char *vertices : {"3", "4", "5"}) {
    INFO(std::string(vertices), " invocations");
    const ShaderSet shaders = tessellated(
        vertices,
        std::string("value[gl_InvocationID] = number[0]; if (gl_InvocationID == ") + vertices +
            " - 1) { gl_TessLevelOuter[0] = number[0] + 1.0; gl_TessLevelOuter[1] = 2.0; gl_TessLevelOuter[2] = 3.0;"
            " gl_TessLevelInner[0] = 4.0; }",
        "seen = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[1], gl_TessLevelOuter[2], gl_TessLevelInner[0]);");
    const StatePicture picture = drawState(patches(shaders, 3), shaders);
    for (uint32_t patch = 0; patch < 2; ++patch) {
      const uint32_t x = patch ? 6 : 1;
      CHECK(picture.at(x, 3, 0) == doctest::Approx(patch * 3 + 1).epsilon(1e-5));
      CHECK(picture.at(x, 3, 1) == doctest::Approx(2).epsilon(1e-5));
      CHECK(picture.at(x, 3, 2) == doctest::Approx(3).epsilon(1e-5));
      CHECK(picture.at(x, 3, 3) == doctest::Approx(4).epsilon(1e-5));
    }
  }
}

// Shows state: tessellationDomainLowerLeft (Register).
TEST_CASE("the origin of the tessellation domain decides which side is seen") {
  const ShaderSet shaders =
      tessellated("3", std::string(Ones) + "value[gl_InvocationID] = number[0];", "seen = vec4(1.0);");
  Scene scene = patches(shaders, 3);
  // With its origin in the upper left, the domain and its order of vertices look as they are drawn here.
  unsigned drawn[2][2] = {};
  for (bool lowerLeft : {false, true})
    for (VkFrontFace front : {VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE}) {
      scene.state.tessellationDomainLowerLeft = lowerLeft;
      scene.frontFace = front;
      scene.cullMode = VK_CULL_MODE_BACK_BIT;
      drawn[lowerLeft][front == VK_FRONT_FACE_CLOCKWISE] = unsigned(drawState(scene, shaders).at(6, 3, 0));
    }
  CHECK(drawn[false][false] == 1);
  CHECK(drawn[false][true] == 0);
  CHECK(drawn[true][false] == 0);
  CHECK(drawn[true][true] == 1);
}

// The hardware knows no smaller number: radeonsi and RADV program 2 or 3.
TEST_CASE("an evaluation shader is given its patch's place in the group even if it reads a coordinate alone") {
  const ShaderSet shaders = stateShaders(
      {{ShaderStage::Vertex, "void main() { gl_Position = vec4(0.0, 0.0, 0.5, 1.0); }"},
       {ShaderStage::TessControl, std::string("layout(vertices = 3) out; void main() { ") + Ones + " }"},
       {ShaderStage::TessEval, "layout(triangles, ccw) in; void main() { gl_Position = vec4(gl_TessCoord.x); }"},
       {ShaderStage::Fragment, "layout(location = 0) out vec4 target; void main() { target = vec4(1.0); }"}});
  for (const char *gpu : {"gfx803", "gfx900"}) {
    INFO(std::string(gpu));
    Result<std::unique_ptr<Device>> device = Device::create(gpu);
    REQUIRE(device.has_value());
    Result<VariantRef> variant = (*device)->bind(shaders, patches(shaders, 3).state);
    REQUIRE(variant.has_value());
    const RegisterValue *rsrc1 = (*variant)->image->findRegister(reg::SPI_SHADER_PGM_RSRC1_VS);
    REQUIRE(rsrc1);
    CHECK(field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(rsrc1->value) == 2);
    CHECK(checkImage(*(*variant)->image).has_value());
  }
}
