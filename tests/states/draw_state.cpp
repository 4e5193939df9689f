// SPDX-License-Identifier: MIT
#include "tests/states/draw_state.h"
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

namespace dovetail {

namespace {

struct Drawn {
  SceneResult result;
  std::vector<PartKind> kinds;
  VariantRef variant;
};

VariantRef bindVariant(const Scene &scene, const ShaderSet &shaders, const std::string &gpuName, bool monolithic) {
  Result<VariantRef> variant = sharedDevice(gpuName).bind(shaders, scene.state, {monolithic});
  if (!variant)
    FAIL(variant.error().text);
  return std::move(*variant);
}

VariantRef optimizeVariant(const Scene &scene, const ShaderSet &shaders, const std::string &gpuName,
                           const Variant &joined) {
  Device &device = sharedDevice(gpuName);
  const PipelineState state = canonicalize(scene.state, shaders);
  const VariantKey key = makeOptimizedKey(shaders, state, nullptr);
  Result<OptimizedBuild> build = buildOptimizedVariant(device.partMaker(), key, shaders, state, nullptr, joined, {});
  if (!build)
    FAIL(build.error().text);
  return std::move(build->variant);
}

Drawn drawOnce(const Scene &scene, const ShaderSet &shaders, const VariantRef &variant) {
  Result<void> checked = checkImage(*variant->image);
  if (!checked)
    FAIL(checked.error().text);
  Result<SceneResult> result = emulate(scene, shaders, *variant->image);
  if (!result)
    FAIL(result.error().text);
  Drawn drawn{std::move(*result), {}, variant};
  for (const PartUse &use : variant->partUses())
    drawn.kinds.push_back(use.part->key.kind);
  return drawn;
}

void checkSame(const SceneResult &one, const SceneResult &other) {
  for (size_t target = 0; target < one.colors.size(); ++target)
    CHECK_MESSAGE((one.colors[target].bytes == other.colors[target].bytes), "target ", target);
  CHECK((one.depth.bytes == other.depth.bytes));
  CHECK((one.stencil.bytes == other.stencil.bytes));
  CHECK((one.buffers == other.buffers));
}

} // namespace

ShaderSet stateShaders(const std::vector<GlslText> &texts, const std::array<lgc::ColorInputLocations, 2> &colorInputs) {
  std::vector<GlslSource> sources;
  for (const GlslText &text : texts)
    sources.push_back({text.stage, std::string(stageName(text.stage)), "#version 450\n" + text.text});
  auto modules = translateGlsl(sources);
  if (!modules)
    FAIL(modules.error().text);
  std::vector<ShaderRef> shaders;
  for (size_t i = 0; i < sources.size(); ++i) {
    ShaderDescription description{sources[i].name, std::move((*modules)[i]), "main", sources[i].stage, {}, {}};
    if (sources[i].stage == lgc::ShaderStage::Fragment)
      description.colorInputs = colorInputs;
    Result<ShaderRef> shader = createShader(std::move(description));
    if (!shader)
      FAIL(shader.error().text);
    shaders.push_back(std::move(*shader));
  }
  Result<ShaderSet> set = makeShaderSet(shaders);
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

Scene stateScene(const ShaderSet &shaders) {
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  Result<Scene> made = makeScene(shaders, state, {1, StateSize, StateSize});
  if (!made)
    FAIL(made.error().text);
  Scene scene = std::move(*made);
  scene.state = state;
  scene.width = scene.height = StateSize;
  scene.vertexCount = 3;
  scene.instanceCount = 1;
  scene.firstVertex = scene.firstInstance = 0;
  scene.vertexOffset = 0;
  scene.indices.clear();
  scene.viewports = {{-128, -128, 256, 256, 0, 1}};
  scene.scissors.clear();
  scene.cullMode = VK_CULL_MODE_NONE;
  scene.depthTestEnable = scene.depthWriteEnable = scene.stencilTestEnable = false;
  scene.sampleMask = 0xffffffff;
  scene.clearColors = {};
  return scene;
}

bool StatePicture::has(PartKind kind) const {
  return std::ranges::find(kinds, kind) != kinds.end();
}

StatePicture drawState(const Scene &scene, const ShaderSet &shaders, const std::vector<std::string> &gpuNames) {
  Drawn joined = drawOnce(scene, shaders, bindVariant(scene, shaders, "gfx900", false));
  StatePicture picture;
  for (const std::string &gpuName : gpuNames) {
    const VariantRef variant = bindVariant(scene, shaders, gpuName, false);
    {
      INFO(gpuName << ", joined against gfx900");
      checkSame(drawOnce(scene, shaders, variant).result, joined.result);
    }
    {
      INFO(gpuName << ", monolithic against joined");
      checkSame(drawOnce(scene, shaders, bindVariant(scene, shaders, gpuName, true)).result, joined.result);
    }
    INFO(gpuName << ", optimised against joined");
    const VariantRef optimized = optimizeVariant(scene, shaders, gpuName, *variant);
    if (optimized)
      checkSame(drawOnce(scene, shaders, optimized).result, joined.result);
    if (gpuName == "gfx900")
      picture.optimized = optimized;
  }
  picture.width = scene.width;
  picture.height = scene.height;
  picture.kinds = std::move(joined.kinds);
  picture.result = std::move(joined.result);
  picture.variant = std::move(joined.variant);
  if (scene.isCompute())
    return picture;
  const ScenePicture &target = picture.result.colors[0];
  if (target.format == VK_FORMAT_R32G32B32A32_SFLOAT) {
    picture.texels.resize(size_t(target.width) * target.height * target.layers * 4);
    REQUIRE(target.bytes.size() == picture.texels.size() * sizeof(float));
    std::memcpy(picture.texels.data(), target.bytes.data(), target.bytes.size());
  }
  return picture;
}

} // namespace dovetail
