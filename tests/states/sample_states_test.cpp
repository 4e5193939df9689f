// SPDX-License-Identifier: MIT
//
// States that move inputs within a pixel or split it into samples. Four samples are at (6, 2), (14, 6), (2, 10) and
// (10, 14) sixteenths of a pixel. A picture shows their mean, so squares of places tell them apart.
#include "tests/states/draw_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

constexpr double SampleX[] = {6 / 16.0, 14 / 16.0, 2 / 16.0, 10 / 16.0};
constexpr double SampleY[] = {2 / 16.0, 6 / 16.0, 10 / 16.0, 14 / 16.0};

ShaderSet placed(const char *vertex, const std::string &qualifier, const std::string &color) {
  return stateShaders({{lgc::ShaderStage::Vertex, vertex},
                       {lgc::ShaderStage::Fragment, "layout(location = 0) " + qualifier +
                                                        " in vec2 position;"
                                                        "layout(location = 0) out vec4 target;"
                                                        "void main() { target = " +
                                                        color + "; }"}});
}

Scene sceneOf(const ShaderSet &shaders, uint32_t samples = 4) {
  Scene scene = stateScene(shaders);
  scene.state.rasterizationSamples = samples;
  return scene;
}

const char *const Squares = "vec4(position * position, 1.0, 1.0)";

// The mean of the squares of base + each sample's place.
double meanSquare(double base, const double (&places)[4]) {
  double sum = 0;
  for (double place : places)
    sum += (base + place) * (base + place);
  return sum / 4;
}

// Whole pixels: the squares of each pixel's centre, or the mean of those of its samples.
void checkSquares(const StatePicture &picture, bool atSamples) {
  for (uint32_t y = 0; y < StateSize; ++y)
    for (uint32_t x = 0; x < StateSize; ++x) {
      const double centerX = (x + 0.5) * (x + 0.5), centerY = (y + 0.5) * (y + 0.5);
      CHECK(picture.at(x, y, 0) == doctest::Approx(atSamples ? meanSquare(x, SampleX) : centerX).epsilon(1e-5));
      CHECK(picture.at(x, y, 1) == doctest::Approx(atSamples ? meanSquare(y, SampleY) : centerY).epsilon(1e-5));
    }
}

// The column that the samples 1 and 3 cover half: its inputs must be taken at (placeX, placeY).
void checkHalfColumn(const StatePicture &picture, double placeX, double placeY) {
  for (uint32_t y = 0; y < StateSize; ++y) {
    CHECK(picture.at(3, y, 2) == 0);
    CHECK(picture.at(4, y, 2) == 0.5f);
    CHECK(picture.at(4, y, 0) * 2 == doctest::Approx(4 + placeX).epsilon(1e-5));
    CHECK(picture.at(4, y, 1) * 2 == doctest::Approx(y + placeY).epsilon(1e-5));
    CHECK(picture.at(5, y, 0) == doctest::Approx(5.5).epsilon(1e-5));
  }
}

// The same column without multisampling: its pixels are covered as a whole, because their centres are.
void checkWholeColumn(const StatePicture &picture) {
  for (uint32_t y = 0; y < StateSize; ++y) {
    CHECK(picture.at(3, y, 2) == 0);
    CHECK(picture.at(4, y, 2) == 1);
    CHECK(picture.at(4, y, 0) == doctest::Approx(4.5).epsilon(1e-5));
    CHECK(picture.at(4, y, 1) == doctest::Approx(y + 0.5).epsilon(1e-5));
  }
}

const char *const Place = "vec4(position, 1.0, 1.0)";

} // namespace

// Shows state: perSampleInterpolation (FragmentProlog).
TEST_CASE("per-sample interpolation takes every input at the sample") {
  for (const char *qualifier : {"", "centroid", "noperspective"}) {
    INFO(std::string(qualifier));
    const ShaderSet shaders = placed(WholeTarget, qualifier, Squares);
    Scene scene = sceneOf(shaders);
    scene.state.sampleShadingEnable = true;
    checkSquares(drawState(scene, shaders), false);
    scene.state.perSampleInterpolation = true;
    const StatePicture picture = drawState(scene, shaders);
    CHECK(picture.has(PartKind::FragmentProlog));
    checkSquares(picture, true);
  }
}

// Shows state: multisampleDisable (FragmentProlog).
TEST_CASE("without multisampling every input is taken at the centre") {
  const ShaderSet centroid = placed(RightOfHalfPixel, "centroid", Place);
  Scene scene = sceneOf(centroid);
  // The emulator's centroid is the first sample that is covered.
  checkHalfColumn(drawState(scene, centroid), SampleX[1], SampleY[1]);
  scene.state.multisampleDisable = true;
  const StatePicture picture = drawState(scene, centroid);
  CHECK(picture.has(PartKind::FragmentProlog));
  checkWholeColumn(picture);

  const ShaderSet sample = placed(WholeTarget, "sample", Squares);
  scene = sceneOf(sample);
  checkSquares(drawState(scene, sample), true);
  scene.state.multisampleDisable = true;
  checkSquares(drawState(scene, sample), false);
}

// Shows state: sampleShadingEnable (Register), multisampleDisable (Register).
TEST_CASE("with sample shading, gl_FragCoord is at the sample") {
  const ShaderSet shaders = placed(WholeTarget, "", "vec4(gl_FragCoord.xy * gl_FragCoord.xy, position)");
  Scene scene = sceneOf(shaders);
  checkSquares(drawState(scene, shaders), false);
  scene.state.sampleShadingEnable = true;
  checkSquares(drawState(scene, shaders), true);
  scene.state.multisampleDisable = true;
  checkSquares(drawState(scene, shaders), false);
}

// Shows state: rasterizationSamples (LinkConstant).
TEST_CASE("gl_SamplePosition is that of one of as many samples as the pixel has") {
  // In sixteenths of a pixel: the standard positions.
  const std::pair<uint32_t, std::vector<std::pair<int, int>>> rows[] = {
      {1, {{8, 8}}},
      {2, {{12, 12}, {4, 4}}},
      {4, {{6, 2}, {14, 6}, {2, 10}, {10, 14}}},
      {8, {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}}};
  const ShaderSet shaders = placed(WholeTarget, "", "vec4(gl_SamplePosition * gl_SamplePosition, position)");
  for (const auto &[samples, places] : rows) {
    CAPTURE(samples);
    double x = 0, y = 0;
    for (auto [placeX, placeY] : places) {
      x += placeX * placeX / 256.0 / samples;
      y += placeY * placeY / 256.0 / samples;
    }
    const StatePicture picture = drawState(sceneOf(shaders, samples), shaders);
    CHECK(picture.at(3, 5, 0) == doctest::Approx(x).epsilon(1e-5));
    CHECK(picture.at(3, 5, 1) == doctest::Approx(y).epsilon(1e-5));
  }
}

// Shows state: multisampleDisable (LinkConstant).
TEST_CASE("without multisampling, gl_SamplePosition is the centre") {
  const ShaderSet shaders = placed(WholeTarget, "", "vec4(gl_SamplePosition * gl_SamplePosition, position)");
  Scene scene = sceneOf(shaders);
  scene.state.multisampleDisable = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 5, 0) == 0.25f);
  CHECK(picture.at(3, 5, 1) == 0.25f);
}

TEST_CASE("inputs that are at the centre already need no prolog without multisampling") {
  const ShaderSet shaders = placed(WholeTarget, "", Squares);
  Scene scene = sceneOf(shaders);
  scene.state.multisampleDisable = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::FragmentProlog));
  checkSquares(picture, false);
}

// Shows state: rasterizationSamples (FragmentProlog).
TEST_CASE("with one sample, states of samples are no difference") {
  const ShaderSet shaders = placed(WholeTarget, "centroid", Squares);
  Scene scene = sceneOf(shaders, 1);
  const StatePicture plain = drawState(scene, shaders);
  checkSquares(plain, false);
  scene.state.sampleShadingEnable = scene.state.perSampleInterpolation = true;
  scene.state.multisampleDisable = scene.state.barycentricOptimization = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK((picture.kinds == plain.kinds));
  CHECK((picture.texels == plain.texels));
}

// Shows state: barycentricOptimization (FragmentProlog).
TEST_CASE("centroids of quads that are covered as a whole come from the centre") {
  // The shader has both kinds of weights, so the hardware may leave one out. Of its four waves, some are covered as a
  // whole.
  const ShaderSet shaders =
      stateShaders({{lgc::ShaderStage::Vertex, "layout(location = 0) out vec2 position;"
                                               "layout(location = 1) out vec2 other;"
                                               "void main() {"
                                               "  position = gl_VertexIndex == 0 ? vec2(4.5, -8.0)"
                                               "    : gl_VertexIndex == 1 ? vec2(60.0, 16.0) : vec2(4.5, 40.0);"
                                               "  other = position;"
                                               "  gl_Position = vec4(position / 128.0, 0.5, 1.0); }"},
                    {lgc::ShaderStage::Fragment, "layout(location = 0) centroid in vec2 position;"
                                                 "layout(location = 1) in vec2 other;"
                                                 "layout(location = 0) out vec4 target;"
                                                 "void main() { target = vec4(position, 1.0, other.x); }"}});
  Scene scene = sceneOf(shaders);
  checkHalfColumn(drawState(scene, shaders), SampleX[1], SampleY[1]);
  scene.state.barycentricOptimization = true;
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::FragmentProlog));
  checkHalfColumn(picture, SampleX[1], SampleY[1]);
  // Only pixels that are covered as a whole: the waves come without centroids.
  scene.scissors = {{{6, 0}, {2, 8}}};
  picture = drawState(scene, shaders);
  for (uint32_t y = 0; y < StateSize; ++y) {
    CHECK(picture.at(5, y, 2) == 0);
    CHECK(picture.at(7, y, 0) == doctest::Approx(7.5).epsilon(1e-5));
    CHECK(picture.at(7, y, 1) == doctest::Approx(y + 0.5).epsilon(1e-5));
    CHECK(picture.at(7, y, 3) == doctest::Approx(7.5).epsilon(1e-5));
  }
}

// Shows state: sampleShadingEnable (FragmentProlog).
TEST_CASE("with sample shading, gl_SampleMaskIn has the sample of the invocation only") {
  const ShaderSet shaders = placed(WholeTarget, "", "vec4(gl_SampleMaskIn[0], position, 1.0)");
  Scene scene = sceneOf(shaders);
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 15);
  scene.state.sampleShadingEnable = true;
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::FragmentProlog));
  CHECK(picture.at(3, 3, 0) == (1 + 2 + 4 + 8) / 4.0);

  // In a half-covered pixel, the shader runs for each covered sample.
  const ShaderSet half = placed(RightOfHalfPixel, "", "vec4(gl_SampleMaskIn[0], position, 1.0)");
  picture = drawState(
      [&] {
        Scene covered = sceneOf(half);
        covered.state.sampleShadingEnable = true;
        return covered;
      }(),
      half);
  CHECK(picture.at(4, 3, 0) == (2 + 8) / 4.0);

  // A shader that runs for each sample by itself needs no prolog for that.
  const ShaderSet own = placed(WholeTarget, "", "vec4(gl_SampleMaskIn[0], gl_SampleID, 0.0, 1.0)");
  Scene ownScene = sceneOf(own);
  ownScene.state.sampleShadingEnable = true;
  picture = drawState(ownScene, own);
  CHECK_FALSE(picture.has(PartKind::FragmentProlog));
  CHECK(picture.at(3, 3, 0) == (1 + 2 + 4 + 8) / 4.0);
  CHECK(picture.at(3, 3, 1) == (0 + 1 + 2 + 3) / 4.0);
}
