// SPDX-License-Identifier: MIT
#include "tests/features/drawn_texels.h"
#include "merge/check/check_image.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>

namespace dovetail {

namespace {

Result<std::vector<DrawnTexel>> draw(const char *gpu, bool isMonolithic, const Scene &scene, const ShaderSet &shaders) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  SceneResult result = DOVETAIL_TRY(emulate(scene, shaders, *variant->image));
  std::vector<DrawnTexel> texels(result.colors[0].bytes.size() / sizeof(DrawnTexel));
  std::memcpy(texels.data(), result.colors[0].bytes.data(), texels.size() * sizeof(DrawnTexel));
  return texels;
}

std::vector<uint32_t> wordsOf(lgc::ShaderStage stage, const std::string &text) {
  if (text.starts_with("OpCapability")) {
    Result<std::vector<uint32_t>> words = assembleSpirv("assembly", text);
    if (!words)
      FAIL(words.error().text);
    return *words;
  }
  auto modules = translateGlsl({{stage, "shader", "#version 460\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

} // namespace

std::string wholeTarget(const std::string &declarations, const std::string &body) {
  return "layout(location = 0) out vec2 at;\n" + declarations +
         "\nvoid main() { int number = gl_VertexIndex % 6;"
         "  vec2 corner = vec2(number == 1 || number > 2 && number != 5, number == 2 || number > 3);"
         "  gl_Position = vec4(corner * 2.0 - 1.0, 0.5, 1.0); at = corner * 8.0; " +
         body + " }";
}

ShaderSet programOf(const std::vector<std::pair<lgc::ShaderStage, std::string>> &sources) {
  std::vector<ShaderRef> shaders;
  for (const auto &[stage, text] : sources) {
    Result<ShaderRef> shader = createShader({"shader", wordsOf(stage, text), "main", stage, {}});
    if (!shader)
      FAIL(shader.error().text);
    shaders.push_back(std::move(*shader));
  }
  Result<ShaderSet> set = makeShaderSet(shaders);
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

void eachDrawnTexels(const ShaderSet &shaders, const std::function<void(const std::vector<DrawnTexel> &)> &visit,
                     const std::function<void(Scene &)> &change) {
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  if (shaders.shader(lgc::ShaderStage::TessControl))
    state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  Result<Scene> made = makeScene(shaders, state, {1, DrawnSize, DrawnSize});
  if (!made)
    FAIL(made.error().text);
  // No made-up state may hide a part of the target.
  Scene scene = *made;
  scene.state = state;
  scene.viewports.clear();
  scene.scissors.clear();
  scene.cullMode = VK_CULL_MODE_NONE;
  scene.indices.clear();
  scene.vertexCount = 6;
  scene.instanceCount = 1;
  scene.firstVertex = scene.firstInstance = 0;
  if (change)
    change(scene);
  for (const char *gpu : {"gfx900", "gfx803"})
    for (bool isMonolithic : {false, true}) {
      CAPTURE(std::string(gpu));
      CAPTURE(isMonolithic);
      Result<std::vector<DrawnTexel>> texels = draw(gpu, isMonolithic, scene, shaders);
      if (!texels)
        FAIL(texels.error().text);
      visit(*texels);
    }
}

std::vector<DrawnTexel> drawnTexels(const ShaderSet &shaders, const std::function<void(Scene &)> &change) {
  std::vector<DrawnTexel> first;
  auto compare = [&](const std::vector<DrawnTexel> &texels) {
    if (first.empty())
      first = texels;
    CHECK((texels == first));
  };
  eachDrawnTexels(shaders, compare, change);
  return first;
}

} // namespace dovetail
