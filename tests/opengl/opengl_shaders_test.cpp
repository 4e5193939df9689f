// SPDX-License-Identifier: MIT
//
// OpenGL's shaders against lavapipe, which takes Vulkan's. Lavapipe gets them rewritten (adapt_opengl.h), and also
// compiled from their own GLSL, which says the same in Vulkan's words, sets and bindings. So the rules are stated three
// times.
#include "tests/driver/shared_device.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/reference/adapt/adapt_shader.h"
#include "tools/proof/reference/reference.h"
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace dovetail;

namespace {

constexpr uint32_t Size = 16;
const std::string Folder = DOVETAIL_OPENGL_SHADERS "/";

// The scene with its OpenGL shaders compiled as Vulkan's. All other shaders stay.
Scene inVulkansWords(Scene scene) {
  for (SceneShader &shader : scene.shaders) {
    if (!shader.isOpenGl)
      continue;
    Result<std::string> text = readWholeFile(shader.name);
    if (!text)
      FAIL(text.error().text);
    auto modules = translateGlsl({{*stageOfFileName(shader.name), shader.name, *text}},
                                 {.defines = {"HEIGHT=" + std::to_string(scene.height)}});
    if (!modules)
      FAIL(modules.error().text);
    shader.words = modules->front();
    shader.isOpenGl = false;
  }
  return scene;
}

void checkDrawn(const std::vector<std::string> &files, const std::function<void(Scene &)> &change = {},
                const std::vector<std::string> &specConstants = {}) {
  DrawRequest request;
  for (const std::string &file : files)
    request.files.push_back(Folder + file);
  request.read.environment = spirv::Environment::OpenGl;
  request.read.specConstants = specConstants;
  request.width = request.height = Size;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    request.seed = seed;
    Result<DrawCase> made = makeDrawCase(request);
    if (!made)
      FAIL(made.error().text);
    if (change)
      change(made->scene);
    Result<SceneResult> rewritten = drawReference(adaptShaders(made->scene));
    if (!rewritten)
      FAIL(rewritten.error().text);
    Result<SceneResult> retold = drawReference(adaptShaders(inVulkansWords(made->scene)));
    if (!retold)
      FAIL(retold.error().text);
    for (const char *gpu : {"gfx900", "gfx803"})
      for (DrawnCode code : {DrawnCode::Joined, DrawnCode::Monolithic}) {
        CAPTURE(std::string(gpu));
        CAPTURE(std::string(toString(code)));
        Device &device = sharedDevice(gpu);
        Result<Drawing> drawing = drawInEmulator(device, *made, code);
        if (!drawing)
          FAIL(drawing.error().text);
        PictureJudge judge(device, *made);
        for (const SceneResult *reference : {&*rewritten, &*retold}) {
          Result<Comparison> comparison = judge.compare(drawing->result, *reference);
          if (!comparison)
            FAIL(comparison.error().text);
          CHECK_MESSAGE(comparison->matches, comparison->text);
        }
      }
  }
}

} // namespace

TEST_CASE("uniforms outside of blocks") {
  checkDrawn({"default_block.vert", "default_block.frag"});
}

TEST_CASE("numbers of vertices and instances") {
  checkDrawn({"vertex_ids.vert", "vertex_ids.frag"}, [](Scene &scene) {
    scene.vertexCount = 6;
    scene.instanceCount = 3;
    scene.firstVertex = 3;
    scene.firstInstance = 2;
    scene.indices.clear();
  });
}

TEST_CASE("each kind of resource is numbered for itself") {
  checkDrawn({"resources.frag"});
}

TEST_CASE("structures with textures in them") {
  checkDrawn({"texture_structures.vert", "texture_structures.frag"});
}

TEST_CASE("structures with as many textures as the shader is specialised with") {
  checkDrawn({"specialized_structures.frag"}, {}, {"3=3"});
}

TEST_CASE("structures with storage images in them") {
  checkDrawn({"image_structures.comp"});
}

TEST_CASE("rectangles are sampled with coordinates in texels") {
  checkDrawn({"rectangles.frag"});
}

TEST_CASE("rectangles as storage images") {
  checkDrawn({"rectangle_image.comp"});
}

TEST_CASE("atomic counters") {
  checkDrawn({"counters.comp"});
}

TEST_CASE("fragments whose origin is at the lower left") {
  checkDrawn({"lower_left.frag"});
}

TEST_CASE("sample positions from the lower left") {
  checkDrawn({"lower_left_samples.frag"}, [](Scene &scene) { scene.state.rasterizationSamples = 4; });
}
