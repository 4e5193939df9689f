// SPDX-License-Identifier: MIT
#include "tests/reference/shader_scene.h"
#include "tools/common/inputs/glsl.h"
#include <cstring>
#include <doctest/doctest.h>

namespace dovetail {

namespace {

SceneShader shaderOf(lgc::ShaderStage stage, VkShaderStageFlagBits flag, const std::string &text) {
  auto modules = translateGlsl({{stage, "test", "#version 450\n" + text}});
  if (!modules)
    FAIL(modules.error().text);
  return {"test", flag, modules->front(), "main", {}};
}

} // namespace

const char *const FullScreenVertex =
    "void main() { gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0.25, 1); }";

Scene graphicsScene(const std::string &vertex, const std::string &fragment) {
  Scene scene;
  scene.width = scene.height = 4;
  scene.shaders.push_back(shaderOf(lgc::ShaderStage::Vertex, VK_SHADER_STAGE_VERTEX_BIT, vertex));
  scene.shaders.push_back(shaderOf(lgc::ShaderStage::Fragment, VK_SHADER_STAGE_FRAGMENT_BIT, fragment));
  scene.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  return scene;
}

Scene computeScene(const std::string &text) {
  Scene scene;
  scene.shaders.push_back(shaderOf(lgc::ShaderStage::Compute, VK_SHADER_STAGE_COMPUTE_BIT, text));
  return scene;
}

SceneResult drawn(const Scene &scene) {
  Result<SceneResult> result = drawReference(scene);
  if (!result)
    FAIL(result.error().text);
  return *result;
}

std::vector<uint8_t> texelAt(const ScenePicture &picture, uint32_t x, uint32_t y, uint32_t layer) {
  size_t texelBytes = picture.bytes.size() / (size_t(picture.width) * picture.height * picture.layers);
  auto begin = picture.bytes.begin() + ((size_t(layer) * picture.height + y) * picture.width + x) * texelBytes;
  return {begin, begin + texelBytes};
}

float floatAt(const ScenePicture &picture, uint32_t x, uint32_t y) {
  float value = 0;
  std::vector<uint8_t> bytes = texelAt(picture, x, y);
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

} // namespace dovetail
