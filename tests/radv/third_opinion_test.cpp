// SPDX-License-Identifier: MIT
//
// Where our picture and lavapipe's differ, RADV's code supports one of them. The tests change pictures on purpose.
#include "tests/radv/tested_units.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/pipelines/third_opinion.h"
#include "tools/proof/reference/reference.h"
#include <cstdlib>
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

struct Pictures {
  DrawCase drawCase;
  std::unique_ptr<Device> device;
  SceneResult ours, lavapipe;

  explicit Pictures(std::vector<std::string> names, const std::string &gpu = "gfx900") {
    DrawRequest request;
    for (const std::string &name : names)
      request.files.push_back(std::string(DOVETAIL_OWN_SHADERS) + "/" + name);
    request.width = request.height = 16;
    drawCase = makeDrawCase(request).value();
    device = Device::create(gpu).value();
    ours = drawInEmulator(*device, drawCase, DrawnCode::Joined).value().result;
    lavapipe = drawReference(drawCase.scene).value();
  }

  ThirdOpinion ask(bool hasLavapipe = true) {
    PictureJudge judge(*device, drawCase);
    return askRadv(judge, drawCase, std::string(device->target().gpuName), ours, hasLavapipe ? &lavapipe : nullptr)
        .value();
  }
};

// Another colour, far from every tolerance, in a quarter of the first target.
void spoil(SceneResult &result) {
  std::vector<uint8_t> &bytes = result.colors.at(0).bytes;
  for (size_t at = 0; at < bytes.size() / 4; ++at)
    bytes[at] ^= 0x5a;
}

RadvVerdict verdictOf(bool isOursWrong, bool isLavapipeWrong) {
  Pictures pictures({"phong.vert", "phong.frag"});
  if (isOursWrong)
    spoil(pictures.ours);
  if (isLavapipeWrong)
    spoil(pictures.lavapipe);
  return pictures.ask().verdict;
}

} // namespace

TEST_CASE("RADV's code draws what ours and lavapipe draw, with all graphics stages on both generations") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    Pictures pictures({"tess_geom_triangles.vert", "tess_geom_triangles.tesc", "tess_geom_triangles.tese",
                       "tess_geom_triangles.geom", "tess_geom_triangles.frag"},
                      gpu);
    const ThirdOpinion opinion = pictures.ask();
    CAPTURE(opinion.reason);
    CHECK((opinion.verdict == RadvVerdict::Both));
    CHECK_FALSE(opinion.withOurs.channels.empty());
  }
}

TEST_CASE("RADV takes lavapipe's side against a picture of ours that is wrong") {
  CHECK((verdictOf(true, false) == RadvVerdict::Lavapipe));
}

TEST_CASE("RADV takes our side against a picture of lavapipe that is wrong") {
  CHECK((verdictOf(false, true) == RadvVerdict::Ours));
}

TEST_CASE("RADV agrees with neither of two wrong pictures") {
  CHECK((verdictOf(true, true) == RadvVerdict::Neither));
}

TEST_CASE("without lavapipe's picture, RADV agrees with us or with nobody") {
  Pictures pictures({"phong.vert", "phong.frag"});
  CHECK((pictures.ask(false).verdict == RadvVerdict::Ours));
  spoil(pictures.ours);
  CHECK((pictures.ask(false).verdict == RadvVerdict::Neither));
}

TEST_CASE("what RADV cannot compile it cannot judge, and says why") {
  Pictures pictures({"phong.vert", "phong.frag"});
  for (SceneShader &shader : pictures.drawCase.scene.shaders)
    shader.isOpenGl = true;
  const ThirdOpinion opinion = pictures.ask();
  CHECK((opinion.verdict == RadvVerdict::CannotSay));
  CHECK(opinion.reason.find("is a shader of OpenGL") != std::string::npos);
}

TEST_CASE("RADV is not asked of several views, which its code is not drawn with") {
  Pictures pictures({"phong.vert", "phong.frag"});
  pictures.drawCase.scene.viewMask = 1;
  const ThirdOpinion opinion = pictures.ask();
  CHECK((opinion.verdict == RadvVerdict::CannotSay));
  CHECK(opinion.reason.find("for one view only") != std::string::npos);
}

TEST_CASE("a draw that does not end is asked about, and does not end with RADV's code either") {
  const TemporaryFolder folder;
  DrawRequest request;
  request.files = {folder.write("endless.comp", "#version 450\nlayout(binding = 0) buffer B { uint n[2]; };\n"
                                                "void main() { while (n[0] != n[0] + 1u) n[1] += n[0] + 1u; }\n")};
  const DrawCase drawCase = makeDrawCase(request).value();
  std::unique_ptr<Device> device = Device::create("gfx900").value();
  const Result<Drawing> ours = drawInEmulator(*device, drawCase, DrawnCode::Joined);
  REQUIRE_FALSE(ours.has_value());
  PictureJudge judge(*device, drawCase);
  auto ask = [&](const Error &error) {
    return askRadv(judge, drawCase, "gfx900", tl::unexpected(error), nullptr).value();
  };
  CHECK((ask(ours.error()).verdict == RadvVerdict::Ours));
  CHECK((ask({ErrorCode::Internal, "another error"}).verdict == RadvVerdict::NotAsked));
}

TEST_CASE("a GPU that RADV does not have is named") {
  Pictures pictures({"phong.vert", "phong.frag"});
  const Result<SceneResult> drawn = drawWithRadvCode(pictures.drawCase.scene, "gfx90c0");
  REQUIRE_FALSE(drawn.has_value());
  CHECK(drawn.error().text.find("RADV has no name for gfx90c0") != std::string::npos);
}

int main(int argc, char **argv) {
  setenv("DOVETAIL_RADV_REFERENCE", DOVETAIL_RADV_REFERENCE_PROGRAM, 0);
  return isRadvThere() ? doctest::Context(argc, argv).run() : SkippedStatus;
}
