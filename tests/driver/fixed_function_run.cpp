// SPDX-License-Identifier: MIT
#include "tests/driver/fixed_function_run.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/scene_file.h"
#include <cstring>
#include <doctest/doctest.h>
#include <random>

namespace dovetail::fixed_function {

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

namespace {

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

} // namespace

void checkCase(const Case &drawn) {
  std::vector<ShaderRef> shaders = {makeShader(lgc::ShaderStage::Vertex, drawn.vertex)};
  if (drawn.declarations)
    shaders.push_back(makeShader(lgc::ShaderStage::Fragment,
                                 fmt::format("{}\nvoid main() {{ {} }}", drawn.declarations, drawn.body)));
  auto set = makeShaderSet(shaders);
  REQUIRE(set.has_value());
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    INFO(std::string(drawn.name) << ", seed " << seed);
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

    const Result<void> isGood = checkScene(scene);
    REQUIRE_MESSAGE(isGood.has_value(), isGood.error().text);
    Result<VariantRef> variant = sharedDevice().bind(*set, scene.state);
    REQUIRE_MESSAGE(variant.has_value(), variant.error().text);
    Result<SceneResult> ours = emulate(scene, *set, *(*variant)->image);
    REQUIRE_MESSAGE(ours.has_value(), ours.error().text);
    Result<SceneResult> reference = drawReference(scene);
    REQUIRE_MESSAGE(reference.has_value(), reference.error().text);
    Comparison comparison = compare(scene, *ours, *reference);
    CHECK_MESSAGE(comparison.matches, comparison.text);
    CHECK(ours->counts.samplesPassed ==
          (scene.countQueries ? reference->counts.samplesPassed : ours->counts.samplesPassed));
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
  scene.setStencilReference(7);
}

void useFourSamples(Scene &scene) {
  scene.state.rasterizationSamples = 4;
}

} // namespace dovetail::fixed_function
