// SPDX-License-Identifier: MIT
#include "variants/state/canonicalize.h"
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;

namespace {

spirv::Reflection vertexShader() {
  spirv::Reflection vertex;
  vertex.vertexInputs = {{0, 0, 0xf, NumericClass::Float, 32, ""}, {1, 0, 0xf, NumericClass::Float, 32, ""}};
  return vertex;
}

spirv::Reflection fragmentShader() {
  spirv::Reflection fragment;
  fragment.fragmentOutputs = {{0, 0, 0xf, NumericClass::Float, 32, ""}};
  return fragment;
}

PipelineState someState() {
  PipelineState state;
  state.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1}, {4, 8, VK_VERTEX_INPUT_RATE_INSTANCE, 2}};
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 4, VK_FORMAT_R8G8_UNORM, 4}};
  state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  return state;
}

Hash128 hashOf(const std::function<void(PipelineState &)> &change) {
  PipelineState state = someState();
  change(state);
  ShaderSet shaders;
  auto add = [&](lgc::ShaderStage stage, spirv::Reflection reflection) {
    auto shader = std::make_shared<Shader>();
    shader->reflection = std::move(reflection);
    shaders.shaders[size_t(stage)] = shader;
  };
  add(lgc::ShaderStage::Vertex, vertexShader());
  add(lgc::ShaderStage::Fragment, fragmentShader());
  return hashState(canonicalize(state, shaders)).hash();
}

const std::function<void(PipelineState &)> Unchanged = [](PipelineState &) {};

} // namespace

TEST_CASE("what makes no difference to a pipeline makes none to its key") {
  struct Case {
    const char *name;
    std::function<void(PipelineState &)> change;
  };
  const Case cases[] = {
      {"order of attributes", [](auto &state) { std::swap(state.vertexAttributes[0], state.vertexAttributes[1]); }},
      {"order of bindings", [](auto &state) { std::swap(state.vertexBindings[0], state.vertexBindings[1]); }},
      {"stride", [](auto &state) { state.vertexBindings[0].stride = 64; }},
      {"divisor of a vertex-rate binding", [](auto &state) { state.vertexBindings[0].divisor = 7; }},
      {"an attribute that is not read",
       [](auto &state) {
         state.vertexAttributes.push_back({9, 0, VK_FORMAT_R8_UINT, 0});
       }},
      {"a binding without attributes", [](auto &state) { state.vertexBindings.push_back({7}); }},
      {"a target that is not written", [](auto &state) { state.colorTargets[3].format = VK_FORMAT_R32_UINT; }},
      {"blend factors without blending",
       [](auto &state) { state.colorTargets[0].srcColorBlendFactor = VK_BLEND_FACTOR_ZERO; }},
      {"patch size without patches", [](auto &state) { state.patchControlPoints = 9; }},
      {"smoothing with one sample", [](auto &state) { state.smoothing = true; }},
      {"places of inputs with one sample",
       [](auto &state) { state.perSampleInterpolation = state.multisampleDisable = true; }},
      {"layers without input attachments", [](auto &state) { state.layeredFramebuffer = true; }},
      {"origin of patches without patches", [](auto &state) { state.tessellationDomainLowerLeft = true; }},
      {"clip distances that nobody writes", [](auto &state) { state.clipDistanceEnable = 0; }},
      {"transform feedback that nobody does", [](auto &state) { state.transformFeedbackEnable = false; }},
      {"squares of invocations that there are not", [](auto &state) { state.squareComputeWaves = true; }},
      {"sides of colours that nobody reads", [](auto &state) { state.colorTwoSide = state.flatShadeColors = true; }},
      {"a clamp of colours that nobody reads", [](auto &state) { state.clampVertexColor = true; }},
      {"smooth points without points", [](auto &state) { state.pointSmoothing = true; }},
      {"point coordinates for inputs that nobody reads", [](auto &state) { state.spriteCoordEnable = 1u << 31; }},
      {"the origin of point coordinates that nobody reads", [](auto &state) { state.spriteCoordLowerLeft = true; }},
  };
  for (const Case &example : cases) {
    CAPTURE(example.name);
    CHECK((hashOf(example.change) == hashOf(Unchanged)));
  }
}

TEST_CASE("what makes a difference to a pipeline makes one to its key") {
  struct Case {
    const char *name;
    std::function<void(PipelineState &)> change;
  };
  const Case cases[] = {
      {"format", [](auto &state) { state.vertexAttributes[0].format = VK_FORMAT_R32G32_SFLOAT; }},
      {"offset", [](auto &state) { state.vertexAttributes[1].offset = 0; }},
      {"divisor", [](auto &state) { state.vertexBindings[1].divisor = 3; }},
      {"target format", [](auto &state) { state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT; }},
      {"write mask", [](auto &state) { state.colorTargets[0].writeMask = 7; }},
      {"blending", [](auto &state) { state.colorTargets[0].blendEnable = true; }},
      {"alpha test", [](auto &state) { state.alphaTestFunc = VK_COMPARE_OP_LESS; }},
      {"topology", [](auto &state) { state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; }},
      {"samples", [](auto &state) { state.rasterizationSamples = 4; }},
      {"stipple", [](auto &state) { state.polygonStippleEnable = true; }},
  };
  for (const Case &example : cases) {
    CAPTURE(example.name);
    CHECK((hashOf(example.change) != hashOf(Unchanged)));
  }
}

TEST_CASE("a broadcast colour keeps the targets that it reaches") {
  auto broadcast = [](PipelineState &state) { state.broadcastColor0 = true; };
  auto broadcastToTwo = [](PipelineState &state) {
    state.broadcastColor0 = true;
    state.colorTargets[3].format = VK_FORMAT_R8G8B8A8_UNORM;
  };
  CHECK((hashOf(broadcast) != hashOf(broadcastToTwo)));
}
