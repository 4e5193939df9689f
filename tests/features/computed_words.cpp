// SPDX-License-Identifier: MIT
#include "tests/features/computed_words.h"
#include "merge/check/check_image.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>
#include <sstream>

namespace dovetail {

namespace {

ShaderSet setOf(ShaderDescription description) {
  Result<ShaderRef> shader = createShader(std::move(description));
  if (!shader)
    FAIL(shader.error().text);
  Result<ShaderSet> set = makeShaderSet(std::vector<ShaderRef>{*shader});
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

ShaderSet setOf(std::vector<uint32_t> words) {
  return setOf(ShaderDescription{"compute", std::move(words), "main", lgc::ShaderStage::Compute, {}});
}

Result<std::vector<uint32_t>> run(const char *gpu, bool isMonolithic, const Scene &scene, const ShaderSet &shaders) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  SceneResult result = DOVETAIL_TRY(emulate(scene, shaders, *variant->image));
  std::vector<uint32_t> words(result.buffers.at(0).size() / 4);
  std::memcpy(words.data(), result.buffers[0].data(), words.size() * 4);
  return words;
}

} // namespace

ShaderSet computeOf(const std::string &extensions, const std::string &declarations, const std::string &body) {
  std::string text = "#version 460\n";
  std::istringstream names(extensions);
  for (std::string name; names >> name;)
    text += "#extension " + name + " : require\n";
  if (declarations.find("local_size_x") == std::string::npos)
    text += "layout(local_size_x = 64) in;\n";
  text += "layout(std430, binding = 0) buffer Data { uint data[]; };\n" + declarations +
          "\nvoid main() { uint i = gl_LocalInvocationIndex; " + body + " }";
  auto modules = translateGlsl({{lgc::ShaderStage::Compute, "compute", text}});
  if (!modules)
    FAIL(modules.error().text);
  return setOf(std::move(modules->front()));
}

ShaderSet computeOfAssembly(const std::string &text) {
  Result<std::vector<uint32_t>> words = assembleSpirv("assembly", text);
  if (!words)
    FAIL(words.error().text);
  return setOf(std::move(*words));
}

ShaderSet atLevel(unsigned optimizationLevel, const ShaderSet &shaders) {
  ShaderDescription description = shaders.shader(lgc::ShaderStage::Compute)->description;
  description.optimizationLevel = optimizationLevel;
  return setOf(std::move(description));
}

std::string compileError(const ShaderSet &shaders) {
  Result<VariantRef> variant = sharedDevice().bind(shaders, {});
  return variant ? std::string() : variant.error().text;
}

std::vector<uint32_t> computedWords(const ShaderSet &shaders, const std::vector<uint32_t> &words,
                                    const std::function<void(Scene &)> &change) {
  Result<Scene> scene = makeScene(shaders, {}, {});
  if (!scene)
    FAIL(scene.error().text);
  scene->buffers.at(0).resize(words.size() * 4);
  std::memcpy(scene->buffers[0].data(), words.data(), words.size() * 4);
  scene->workgroups = {1, 1, 1};
  if (change)
    change(*scene);
  std::vector<uint32_t> first;
  for (const char *gpu : {"gfx900", "gfx803"})
    for (bool isMonolithic : {false, true}) {
      CAPTURE(std::string(gpu));
      CAPTURE(isMonolithic);
      Result<std::vector<uint32_t>> result = run(gpu, isMonolithic, *scene, shaders);
      if (!result)
        FAIL(result.error().text);
      if (first.empty())
        first = *result;
      CHECK((*result == first));
    }
  return first;
}

} // namespace dovetail
