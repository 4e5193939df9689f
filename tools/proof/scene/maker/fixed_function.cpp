// SPDX-License-Identifier: MIT
//
// Each state has a stream of its own, so that a new one changes no other. Left out on purpose: operations that hide
// what the shader writes, and what lavapipe draws in another way (docs/lavapipe.md).
#include "src/state/format_table.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

bool usesBuiltIn(const ShaderSet &shaders, spv::BuiltIn builtIn) {
  return std::ranges::any_of(shaders.shaders, [&](const ShaderRef &shader) {
    return shader && std::ranges::any_of(shader->reflection.builtIns, [&](const spirv::BuiltInVariable &variable) {
             return variable.builtIn == static_cast<uint32_t>(builtIn);
           });
  });
}

uint64_t samplesOf(const Scene &scene) {
  return uint64_t(scene.width) * scene.height * scene.layers * scene.state.rasterizationSamples;
}

// Colours near the clear value, so that what is visible beside it stays visible.
void chooseColors(Random &random, Scene &scene) {
  for (unsigned target = 0; target < MaxColorTargets; ++target) {
    const Result<TexelLayout> layout = texelLayout(scene.state.colorTargets[target].format);
    if (scene.state.colorTargets[target].format == VK_FORMAT_UNDEFINED || !layout)
      continue;
    std::vector<uint8_t> &bytes = scene.initialColors[target];
    bytes.resize(samplesOf(scene) * layout->bytes);
    for (size_t at = 0; at < bytes.size(); at += layout->bytes) {
      TexelValue value;
      std::memcpy(value.data(), &scene.clearColors[target], sizeof(value));
      for (uint32_t &component : value)
        component = layout->isInteger()
                        ? component + random.below(4)
                        : std::bit_cast<uint32_t>(std::bit_cast<float>(component) + 0.1f * random.real());
      encodeTexel(*layout, value, &bytes[at]);
    }
  }
}

constexpr uint32_t StencilValues = 8;

void chooseStencils(Random &random, Scene &scene) {
  scene.initialStencil.resize(samplesOf(scene));
  for (uint8_t &stencil : scene.initialStencil)
    stencil = uint8_t(random.below(StencilValues));
}

// Half of the texels have the clear value.
void chooseDepths(Random &random, Scene &scene) {
  if (hasDepth(scene.state.depthStencilFormat)) {
    scene.initialDepth.resize(samplesOf(scene) * sizeof(float));
    for (size_t at = 0; at < scene.initialDepth.size(); at += sizeof(float)) {
      const float depth = random.chance(50) ? scene.clearDepth : random.real();
      std::memcpy(&scene.initialDepth[at], &depth, sizeof(float));
    }
  }
  if (hasStencil(scene.state.depthStencilFormat))
    chooseStencils(random, scene);
}

void chooseContents(Scene &scene) {
  Random random(scene.seed, "initial contents");
  if (random.chance(25))
    chooseColors(random, scene);
  if (random.chance(15))
    chooseDepths(random, scene);
  scene.keepSamples = random.chance(40);
}

void chooseStencil(const ShaderSet &shaders, Scene &scene) {
  Random random(scene.seed, "stencil");
  if (!hasStencil(scene.state.depthStencilFormat) || !random.chance(20))
    return;
  constexpr VkCompareOp Ops[] = {VK_COMPARE_OP_ALWAYS,  VK_COMPARE_OP_LESS_OR_EQUAL, VK_COMPARE_OP_NOT_EQUAL,
                                 VK_COMPARE_OP_GREATER, VK_COMPARE_OP_LESS,          VK_COMPARE_OP_GREATER_OR_EQUAL};
  const bool isExported = usesBuiltIn(shaders, spv::BuiltIn::FragStencilRefEXT);
  auto op = [&] { return VkStencilOp(random.below(VK_STENCIL_OP_DECREMENT_AND_WRAP + 1)); };
  scene.stencilTestEnable = true;
  // Each comparison passes for some of the values, and fails for others.
  chooseStencils(random, scene);
  for (SceneStencil *face : {&scene.stencilFront, &scene.stencilBack}) {
    face->failOp = op();
    face->passOp = isExported ? VK_STENCIL_OP_REPLACE : op();
    face->depthFailOp = op();
    face->compareOp = isExported ? VK_COMPARE_OP_ALWAYS : random.pick(Ops);
    face->compareMask = random.chance(50) ? 0xff : StencilValues - 1;
    face->writeMask = random.chance(50) ? 0xff : random.between(1, 255);
    face->reference = random.between(1, StencilValues - 2);
  }
}

void chooseDepthBias(Scene &scene) {
  Random random(scene.seed, "depth bias");
  if (!scene.depthTestEnable || !random.chance(20))
    return;
  scene.depthBiasEnable = true;
  // Small, so that few depths leave the range from 0 to 1.
  scene.depthBiasConstant = std::ldexp(random.real(-1, 1), 16);
  scene.depthBiasSlope = random.chance(50) ? random.real(-0.2f, 0.2f) : 0;
  scene.depthBiasClamp = random.chance(30) ? random.real(-0.01f, 0.01f) : 0;
}

void chooseLines(const ShaderSet &shaders, Scene &scene) {
  Random random(scene.seed, "lines");
  // In multisampled targets, values along lavapipe's lines are half a pixel off.
  if (scene.state.rasterizationSamples > 1 || usesBuiltIn(shaders, spv::BuiltIn::PointCoord))
    return;
  // lavapipe takes lines of polygons for front faces. Neighbours draw their common edge twice: blended, small
  // differences add up.
  const bool isBlended = std::ranges::any_of(scene.state.colorTargets, &ColorTarget::blendEnable);
  if (random.chance(10) && !scene.stencilTestEnable && !isBlended)
    scene.polygonMode = random.chance(70) ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_POINT;
  if (random.chance(50))
    scene.lineWidth = random.real(1, 6);
  // Beyond the ends of these lines, depth may leave the range from 0 to 1.
  if (random.chance(25) && !scene.depthTestEnable)
    scene.lineMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
}

// Only integers: where a normalised number is a step off, an operation may make any number of it.
void chooseLogicOp(Scene &scene) {
  Random random(scene.seed, "logic operation");
  bool areIntegers = true;
  for (const ColorTarget &target : scene.state.colorTargets)
    if (const Result<TexelLayout> layout = texelLayout(target.format); target.format != VK_FORMAT_UNDEFINED)
      areIntegers &= layout && layout->isInteger();
  if (!areIntegers || !random.chance(40))
    return;
  constexpr VkLogicOp Ops[] = {VK_LOGIC_OP_XOR,         VK_LOGIC_OP_EQUIVALENT, VK_LOGIC_OP_COPY_INVERTED,
                               VK_LOGIC_OP_OR_INVERTED, VK_LOGIC_OP_NAND,       VK_LOGIC_OP_AND_REVERSE};
  scene.logicOpEnable = true;
  scene.logicOp = random.pick(Ops);
}

} // namespace

void chooseFixedFunction(const ShaderSet &shaders, Scene &scene) {
  chooseContents(scene);
  chooseStencil(shaders, scene);
  chooseDepthBias(scene);
  chooseLines(shaders, scene);
  chooseLogicOp(scene);
  scene.negativeOneToOne = Random(scene.seed, "range of depth").chance(10);
}

} // namespace dovetail
