// SPDX-License-Identifier: MIT
//
// gl_ViewIndex in every stage that can ask for it, drawn view by view beside lavapipe's multiview; and gl_DeviceIndex.
#include "merge/check/check_image.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/pipelines/link_modes.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

using Sources = std::vector<GlslSource>;

ShaderSet setOf(const Sources &sources) {
  auto modules = translateGlsl(sources);
  if (!modules)
    FAIL(modules.error().text);
  std::vector<ShaderRef> shaders;
  for (size_t i = 0; i < sources.size(); ++i) {
    Result<ShaderRef> shader = createShader({sources[i].name, (*modules)[i], "main", sources[i].stage, {}});
    if (!shader)
      FAIL(shader.error().text);
    shaders.push_back(std::move(*shader));
  }
  Result<ShaderSet> set = makeShaderSet(shaders);
  if (!set)
    FAIL(set.error().text);
  return std::move(*set);
}

Result<SceneResult> run(const char *gpu, bool isMonolithic, const Scene &scene, const ShaderSet &shaders) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return emulate(scene, shaders, *variant->image);
}

// The same, with the pipeline as it is read back from a file.
Result<SceneResult> runInMode(const char *gpu, PipelineMode mode, const Scene &scene, const ShaderSet &shaders) {
  std::unique_ptr<PartMaker> linker = DOVETAIL_TRY(PartMaker::create(gpu));
  const LinkedPipeline pipeline =
      DOVETAIL_TRY(buildInMode(sharedDevice(gpu).partMaker(), *linker, shaders, scene.state, mode));
  CHECK(pipeline.refusal.empty());
  return emulate(scene, shaders, *pipeline.image);
}

constexpr PipelineMode Modes[] = {PipelineMode::Joined, PipelineMode::Whole, PipelineMode::Unlinked,
                                  PipelineMode::Part};

// Views 0, 2 and 3 of four layers.
void checkViews(const Sources &sources) {
  ShaderSet shaders = setOf(sources);
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  if (shaders.shader(ShaderStage::TessControl))
    state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  Result<Scene> scene = makeScene(shaders, state, {1, 16, 16});
  if (!scene)
    FAIL(scene.error().text);
  CHECK(scene->viewMask != 0); // the scene maker chooses views itself
  scene->layers = 4;
  scene->viewMask = 0b1101;
  scene->cullMode = VK_CULL_MODE_NONE;
  scene->viewports.clear();
  scene->scissors.clear();
  scene->indices.clear();
  scene->vertexCount = 3;
  scene->firstVertex = 0;
  Result<SceneResult> reference = drawReference(*scene);
  if (!reference)
    FAIL(reference.error().text);
  for (const char *gpu : {"gfx900", "gfx803"}) {
    for (PipelineMode mode : Modes) {
      CAPTURE(std::string(gpu));
      CAPTURE(std::string(toString(mode)));
      Result<SceneResult> result = runInMode(gpu, mode, *scene, shaders);
      if (!result)
        FAIL(result.error().text);
      Comparison comparison = compare(*scene, *result, *reference);
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
    for (bool isMonolithic : {false, true}) {
      CAPTURE(std::string(gpu));
      CAPTURE(isMonolithic);
      Result<SceneResult> result = run(gpu, isMonolithic, *scene, shaders);
      if (!result)
        FAIL(result.error().text);
      Comparison comparison = compare(*scene, *result, *reference);
      CHECK_MESSAGE(comparison.matches, comparison.text);
      // No two layers are alike; the second was only cleared.
      const std::vector<uint8_t> &bytes = result->colors[0].bytes;
      const size_t layer = bytes.size() / 4;
      for (size_t a = 0; a < 4; ++a)
        for (size_t b = 0; b < a; ++b)
          CHECK(std::memcmp(&bytes[a * layer], &bytes[b * layer], layer) != 0);
    }
  }
}

const std::string Head = "#version 460\n#extension GL_EXT_multiview : require\n";
const std::string Corner = "vec2 corner = vec2(gl_VertexIndex % 3 == 1, gl_VertexIndex % 3 == 2) * 1.6 - 0.8;";

const GlslSource PlainVertex = {ShaderStage::Vertex, "vertex",
                                Head + "void main() { " + Corner + " gl_Position = vec4(corner, 0.5, 1.0); }"};
const GlslSource PlainFragment = {
    ShaderStage::Fragment, "fragment",
    Head + "layout(location = 0) out vec4 color;\nvoid main() { color = vec4(0.3, 0.6, 0.9, 1.0); }"};

} // namespace

TEST_CASE("vertices and fragments of each view") {
  checkViews({{ShaderStage::Vertex, "vertex",
               Head + "layout(location = 0) out float shade;\nvoid main() { " + Corner +
                   " gl_Position = vec4(corner * (1.0 - 0.2 * gl_ViewIndex), 0.5, 1.0);"
                   " shade = 0.2 * gl_ViewIndex; }"},
              {ShaderStage::Fragment, "fragment",
               Head + "layout(location = 0) in float shade;\nlayout(location = 0) out vec4 color;\n"
                      "void main() { color = vec4(shade, 0.25 * gl_ViewIndex, 0.5, 1.0); }"}});
}

TEST_CASE("only fragments know their view") {
  checkViews({PlainVertex,
              {ShaderStage::Fragment, "fragment",
               Head + "layout(location = 0) out vec4 color;\n"
                      "void main() { color = vec4(0.25 * gl_ViewIndex, gl_ViewIndex == 2, 0.5, 1.0); }"}});
}

TEST_CASE("a geometry shader knows the view") {
  checkViews({PlainVertex,
              {ShaderStage::Geometry, "geometry",
               Head + "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
                      "void main() { for (int k = 0; k < 3; ++k) {"
                      "  gl_Position = gl_in[k].gl_Position * vec4(vec2(1.0 - 0.2 * gl_ViewIndex), 1.0, 1.0);"
                      "  EmitVertex(); } }"},
              PlainFragment});
}

TEST_CASE("both stages of tessellation know the view") {
  checkViews({PlainVertex,
              {ShaderStage::TessControl, "control",
               Head + "layout(vertices = 3) out;\nlayout(location = 0) patch out float scale;\n"
                      "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
                      "  scale = 1.0 - 0.1 * gl_ViewIndex;"
                      "  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;"
                      "  gl_TessLevelInner[0] = 2.0; }"},
              {ShaderStage::TessEval, "evaluation",
               Head + "layout(triangles) in;\nlayout(location = 0) patch in float scale;\n"
                      "void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y *"
                      "  gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position;"
                      "  gl_Position.xy *= scale * (1.0 - 0.1 * gl_ViewIndex); }"},
              PlainFragment});
}

TEST_CASE("a shader knows the number of its GPU") {
  ShaderSet shaders = setOf({{ShaderStage::Compute, "compute",
                              "#version 460\n#extension GL_EXT_device_group : require\n"
                              "layout(local_size_x = 64) in;\nlayout(binding = 0) buffer Data { uint data[]; };\n"
                              "void main() { data[gl_LocalInvocationIndex] = uint(gl_DeviceIndex) * 10u; }"}});
  Result<Scene> scene = makeScene(shaders, {}, {});
  if (!scene)
    FAIL(scene.error().text);
  scene->deviceIndex = 3;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    Result<SceneResult> result = run(gpu, false, *scene, shaders);
    if (!result)
      FAIL(result.error().text);
    for (size_t i = 0; i < 64; ++i)
      CHECK(result->buffers[0].at(4 * i) == 30);
    for (PipelineMode mode : Modes) {
      CAPTURE(std::string(toString(mode)));
      Result<SceneResult> again = runInMode(gpu, mode, *scene, shaders);
      if (!again)
        FAIL(again.error().text);
      CHECK((again->buffers == result->buffers));
    }
  }
}
