// SPDX-License-Identifier: MIT
//
// The emulator's fixed function against lavapipe's: triangles, lines and points with random corners, in states that
// each try one rule of Vulkan's. The shaders only hand values on, so that a difference is one of coverage, clipping,
// interpolation, tests or blending. The tests draw nothing that Vulkan leaves open and the two do differently:
// perspective together with centroid or sample interpolation (lavapipe takes 1/w at the pixel's centre), scissors that
// begin inside a multisampled target (lavapipe lets samples of the pixels beside them through), coarse derivatives.
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace dovetail;

namespace {

constexpr uint32_t Width = 37, Height = 29;

const char *const HandOn = R"(
  layout(location = 0) in vec4 position;
  layout(location = 1) in vec4 value;
  layout(location = 0) out vec4 smoothValue;
  layout(location = 1) flat out vec4 flatValue;
  layout(location = 2) noperspective out vec4 linearValue;
  void main() {
    gl_Position = position;
    gl_PointSize = 1.0 + 6.0 * value.x;
    smoothValue = flatValue = linearValue = value;
  }
)";

const char *const HandOnWithDistances = R"(
  layout(location = 0) in vec4 position;
  layout(location = 1) in vec4 value;
  layout(location = 0) out vec4 smoothValue;
  out float gl_ClipDistance[2];
  out float gl_CullDistance[1];
  void main() {
    gl_Position = position;
    smoothValue = value;
    gl_ClipDistance[0] = position.x + 0.5 * value.x;
    gl_ClipDistance[1] = 0.6 - position.y;
    gl_CullDistance[0] = value.y - 0.4;
  }
)";

const char *const HandOnToLayers = R"(
  #extension GL_ARB_shader_viewport_layer_array : require
  layout(location = 0) in vec4 position;
  layout(location = 1) in vec4 value;
  layout(location = 0) out vec4 smoothValue;
  void main() {
    gl_Position = position;
    gl_Layer = gl_VertexIndex / 3 % 3;
    gl_ViewportIndex = gl_VertexIndex / 3 % 2;
    smoothValue = value;
  }
)";

// The text of a fragment shader before main().
const char *const Smooth = "layout(location = 0) in vec4 v; layout(location = 0) out vec4 c;";
const char *const Flat = "layout(location = 1) flat in vec4 v; layout(location = 0) out vec4 c;";
const char *const Linear = "layout(location = 2) noperspective in vec4 v; layout(location = 0) out vec4 c;";
const char *const Centroid = "layout(location = 0) centroid in vec4 v; layout(location = 0) out vec4 c;";
const char *const Sample = "layout(location = 0) sample in vec4 v; layout(location = 0) out vec4 c;";
const char *const Copy = "c = v;";

struct Case {
  const char *name;
  const char *declarations; // nullptr: there is no fragment shader
  const char *body = Copy;
  uint32_t vertices = 12;
  std::function<void(Scene &)> change; // changes the usual scene
  bool perspective = true;
  float spread = 1; // of positions; above 1 they are clipped
  std::pair<float, float> depth = {0, 1};
  const char *vertex = HandOn;
};

ShaderRef makeShader(lgc::ShaderStage stage, const std::string &text) {
  auto modules = translateGlsl({{stage, "test", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  auto shader = createShader({"test", modules->front(), "main", stage, {}});
  if (!shader)
    FAIL(shader.error().text);
  return *shader;
}

PipelineState makeState() {
  PipelineState state;
  state.vertexBindings = {{0, 32, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  return state;
}

std::vector<uint8_t> makeVertices(const Case &drawn, uint32_t seed) {
  std::mt19937 engine(seed);
  auto between = [&](float low, float high) { return low + (high - low) * float(engine() >> 8) / float(1 << 24); };
  std::vector<float> words;
  for (uint32_t i = 0; i < drawn.vertices; ++i) {
    float w = drawn.perspective ? between(0.3f, 3) : 1;
    words.push_back(between(-drawn.spread, drawn.spread) * w);
    words.push_back(between(-drawn.spread, drawn.spread) * w);
    words.push_back(between(drawn.depth.first, drawn.depth.second) * w);
    words.push_back(w);
    for (unsigned component = 0; component < 4; ++component)
      words.push_back(between(0, 1));
  }
  std::vector<uint8_t> bytes(words.size() * sizeof(float));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

void checkCase(const Case &drawn) {
  std::vector<ShaderRef> shaders = {makeShader(lgc::ShaderStage::Vertex, drawn.vertex)};
  if (drawn.declarations)
    shaders.push_back(makeShader(lgc::ShaderStage::Fragment,
                                 fmt::format("{}\nvoid main() {{ {} }}", drawn.declarations, drawn.body)));
  auto set = makeShaderSet(shaders);
  REQUIRE(set.has_value());
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    INFO(drawn.name << ", seed " << seed);
    Result<Scene> made = makeScene(*set, makeState(), {seed, Width, Height});
    REQUIRE(made.has_value());
    // Of the made-up scene, only the shaders stay.
    Scene scene;
    scene.shaders = made->shaders;
    scene.state = makeState();
    scene.width = Width;
    scene.height = Height;
    scene.vertexCount = drawn.vertices;
    scene.vertexBuffers = {{0, makeVertices(drawn, seed)}};
    scene.clearColors[0] = {{0.1f, 0.2f, 0.3f, 0.4f}};
    if (drawn.change)
      drawn.change(scene);

    Result<VariantRef> variant = sharedDevice().bind(*set, scene.state);
    REQUIRE_MESSAGE(variant.has_value(), variant.error().text);
    Result<SceneResult> ours = emulate(scene, *set, *(*variant)->image);
    REQUIRE_MESSAGE(ours.has_value(), ours.error().text);
    Result<SceneResult> reference = drawReference(scene);
    REQUIRE_MESSAGE(reference.has_value(), reference.error().text);
    Comparison comparison = compare(scene, *ours, *reference);
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
}

std::function<void(Scene &)> topology(VkPrimitiveTopology topology) {
  return [topology](Scene &scene) { scene.state.topology = topology; };
}

void useDepth(Scene &scene) {
  scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  scene.depthTestEnable = scene.depthWriteEnable = true;
  scene.depthCompareOp = VK_COMPARE_OP_LESS;
  scene.stencilTestEnable = true;
  scene.stencilReference = 7;
}

void useFourSamples(Scene &scene) {
  scene.state.rasterizationSamples = 4;
}

const VkViewport Inset = {3.3f, 2.5f, 30, 20.25f, 0.9f, 0.1f};

} // namespace

TEST_CASE("triangles, lines and points are drawn where lavapipe draws them, with the same values") {
  const Case cases[] = {
      {"smooth triangles", Smooth},
      {"flat triangles", Flat, Copy, 30},
      {"linear triangles", Linear},
      {"clipped smooth triangles", Smooth, Copy, 12, {}, true, 1.8f},
      {"clipped flat triangles", Flat, Copy, 12, {}, true, 1.8f},
      {"clipped linear triangles", Linear, Copy, 12, {}, true, 1.8f},
      {"triangles through the near and far planes", Smooth, Copy, 12, {}, true, 1, {-0.7f, 1.7f}},
      {"a strip", Smooth, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)},
      {"a flat strip", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)},
      {"a flat strip, the last vertex provoking", Flat, Copy, 8,
       [](Scene &scene) {
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
         scene.state.flatProvokingVertexLast = true;
       }},
      {"a flat fan", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)},
      {"lines", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)},
      {"clipped lines", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST), true, 1.7f},
      {"linear lines", Linear, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)},
      {"a flat line strip", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)},
      {"points", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST)},
      {"clipped points", Flat, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST), true, 1.4f},
      {"point coordinates", Smooth, "c = vec4(gl_PointCoord, v.x, 1);", 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST)},
      {"fragment positions", Smooth, "c = gl_FragCoord;"},
      {"front faces", Smooth, "c = gl_FrontFacing ? vec4(1, v.y, 0, 1) : vec4(0, 1, v.x, 1);"},
      {"fine derivatives", Smooth, "c = vec4(dFdxFine(v.x), dFdyFine(v.y), v.xy);"},
      {"clip and cull distances", Smooth, Copy, 18, {}, true, 1, {0, 1}, HandOnWithDistances},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("viewports, scissors, culling and layers") {
  std::vector<Case> cases = {
      {"a viewport and a scissor", Smooth, Copy, 15,
       [](Scene &scene) {
         scene.viewports = {Inset};
         scene.scissors = {{{5, 1}, {20, 17}}};
       },
       true, 1.5f},
      {"a viewport upside down", Smooth, Copy, 15,
       [](Scene &scene) {
         scene.viewports = {{3.3f, 25, 30, -20.25f, 0, 1}};
       },
       true, 1.5f},
      {"layers and viewports",
       Smooth,
       Copy,
       18,
       [](Scene &scene) {
         scene.layers = 3;
         scene.viewports = {{0, 0, Width, Height, 0, 1}, {5, 4, 20, 15, 0, 1}};
         scene.scissors = {{{0, 0}, {Width, Height}}, {{0, 0}, {Width, Height}}};
       },
       true,
       1,
       {0, 1},
       HandOnToLayers},
  };
  for (VkCullModeFlags cullMode : {VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT})
    for (VkFrontFace frontFace : {VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE})
      cases.push_back({"culling", Smooth, Copy, 15, [=](Scene &scene) {
                         scene.cullMode = cullMode;
                         scene.frontFace = frontFace;
                       }});
  for (const Case &drawn : cases)
    checkCase(drawn);
}

// Shows state: depthClampEnable (Register).
TEST_CASE("depth and stencil") {
  const Case cases[] = {
      {"a depth test", Smooth, Copy, 15, useDepth},
      {"a depth test and pixels that are thrown away", Smooth, "if (v.x < 0.5) discard; c = v;", 15, useDepth},
      {"a depth of the shader's own", Smooth, "c = v; gl_FragDepth = v.x;", 15, useDepth},
      {"depth without a fragment shader", nullptr, "", 15,
       [](Scene &scene) {
         useDepth(scene);
         scene.state.colorTargets[0].writeMask = 0; // colours would be undefined
       }},
      {"depth clamp",
       Smooth,
       Copy,
       15,
       [](Scene &scene) {
         useDepth(scene);
         scene.state.depthClampEnable = true;
         scene.viewports = {Inset};
       },
       false,
       1,
       {-0.5f, 1.5f}},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("four samples") {
  auto alphaToCoverage = [](Scene &scene) {
    useFourSamples(scene);
    scene.state.alphaToCoverageEnable = true;
  };
  const Case cases[] = {
      {"smooth triangles", Smooth, Copy, 9, useFourSamples},
      {"flat triangles", Flat, Copy, 30, useFourSamples},
      {"lines", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
       }},
      {"points", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
       }},
      {"centroids", Centroid, Copy, 9, useFourSamples, false},
      {"sample shading", Sample, Copy, 9, useFourSamples, false},
      {"sample numbers", Smooth, "c = vec4(gl_SampleID, gl_SamplePosition, gl_SampleMaskIn[0]);", 9, useFourSamples},
      {"sample masks", Smooth, "c = vec4(gl_SampleMaskIn[0], v.xyz); gl_SampleMask[0] = 5;", 9, useFourSamples},
      {"a sample mask of the state", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.sampleMask = 6;
       }},
      {"pixels that are thrown away", Smooth, "if (v.x < 0.5) discard; c = v;", 9, useFourSamples},
      {"alpha to coverage", Smooth, Copy, 9, alphaToCoverage},
      {"a depth test", Smooth, Copy, 15,
       [](Scene &scene) {
         useFourSamples(scene);
         useDepth(scene);
       }},
      {"a viewport", Smooth, Copy, 9,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.viewports = {Inset};
       }},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("blending with each factor and operation") {
  for (int factor = VK_BLEND_FACTOR_ZERO; factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA; ++factor) {
    const bool isDual = factor >= VK_BLEND_FACTOR_SRC1_COLOR;
    const Case drawn = {"a factor",
                        isDual ? "layout(location = 0) in vec4 v; layout(location = 0, index = 0) out vec4 c;"
                                 "layout(location = 0, index = 1) out vec4 d;"
                               : Smooth,
                        isDual ? "c = v * 2.4 - 0.7; d = v.yzwx;" : "c = v * 2.4 - 0.7;", 9, [=](Scene &scene) {
                          ColorTarget &target = scene.state.colorTargets[0];
                          target.blendEnable = true;
                          target.srcColorBlendFactor = target.dstAlphaBlendFactor = VkBlendFactor(factor);
                          target.dstColorBlendFactor = target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
                          target.colorBlendOp = VkBlendOp(factor % 5);
                          target.alphaBlendOp = VkBlendOp(factor % 3);
                          scene.blendConstants = {0.2f, 0.4f, 0.6f, 0.8f};
                        }};
    checkCase(drawn);
  }
}

TEST_CASE("normalised, small float and integer targets") {
  for (VkFormat format :
       {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_R16G16_SFLOAT,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_R8G8B8A8_SNORM}) {
    const Case drawn = {"a format", Smooth, "c = v * 2.4 - 0.7;", 9,
                        [=](Scene &scene) { scene.state.colorTargets[0].format = format; }};
    checkCase(drawn);
  }
  const Case integers = {"integers", "layout(location = 1) flat in vec4 v; layout(location = 0) out ivec4 c;",
                         "c = ivec4(v * 300.0) - 150;", 9, [](Scene &scene) {
                           scene.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_SINT;
                           scene.clearColors[0] = {};
                         }};
  checkCase(integers);
}
