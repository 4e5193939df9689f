// SPDX-License-Identifier: MIT
#include "tools/proof/scene/compare.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// A result with one row of texels in colour 0.
template <typename Word> SceneResult resultOf(VkFormat format, const std::vector<Word> &words, uint32_t width) {
  SceneResult result;
  result.colors[0] = {format, width, 1, 1, {}};
  result.colors[0].bytes.resize(words.size() * sizeof(Word));
  std::memcpy(result.colors[0].bytes.data(), words.data(), result.colors[0].bytes.size());
  return result;
}

template <typename Word> Comparison compareRows(VkFormat format, std::vector<Word> ours, std::vector<Word> reference) {
  uint32_t width = ours.size();
  return compare({}, resultOf(format, ours, width), resultOf(format, reference, width));
}

SceneResult resultOfBuffer(std::vector<uint32_t> words) {
  SceneResult result;
  result.buffers.resize(1);
  result.buffers[0].resize(words.size() * 4);
  std::memcpy(result.buffers[0].data(), words.data(), words.size() * 4);
  return result;
}

bool buffersMatch(std::vector<uint32_t> ours, std::vector<uint32_t> reference) {
  return compare({}, resultOfBuffer(ours), resultOfBuffer(reference)).matches;
}

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

} // namespace

TEST_CASE("a normalised byte may be one step off, not two") {
  CHECK(compareRows<uint8_t>(VK_FORMAT_R8_UNORM, {100, 7}, {101, 7}).matches);
  Comparison two = compareRows<uint8_t>(VK_FORMAT_R8_UNORM, {7, 100}, {7, 102});
  CHECK_FALSE(two.matches);
  REQUIRE(two.channels.size() == 1);
  CHECK(two.channels[0].what == "color 0");
  CHECK(two.channels[0].maximum == 2);
  CHECK(two.channels[0].mean == 1);
  CHECK(two.channels[0].outside == 1);
  CHECK(two.channels[0].firstOutside == 1);
  CHECK(two.text == "color 0: maximum 2 steps, mean 1 steps, NOT within tolerance: 1 of 2 outside, the first is 1 with "
                    "0.39215687 for 0.40000001\n");
}

TEST_CASE("the channels of a packed format are told apart") {
  // A2B10G10R10: r is in bits 0 to 9. One step of r, three of g.
  Comparison comparison = compareRows<uint32_t>(VK_FORMAT_A2B10G10R10_UNORM_PACK32, {500 | 20 << 10}, {501 | 23 << 10});
  REQUIRE(comparison.channels.size() == 4);
  CHECK(comparison.channels[0].what == "color 0 r");
  CHECK(comparison.channels[0].maximum == 1);
  CHECK(comparison.channels[0].outside == 0);
  CHECK(comparison.channels[1].what == "color 0 g");
  CHECK(comparison.channels[1].maximum == 3);
  CHECK(comparison.channels[1].outside == 1);
  CHECK(comparison.channels[3].maximum == 0);
}

TEST_CASE("both codes of the least signed normalised value are the same value") {
  CHECK(compareRows<uint8_t>(VK_FORMAT_R8_SNORM, {0x80}, {0x82}).matches);       // -1 and -126/127
  CHECK_FALSE(compareRows<uint8_t>(VK_FORMAT_R8_SNORM, {0x80}, {0x83}).matches); // -1 and -125/127
  CHECK(compareRows<uint8_t>(VK_FORMAT_R8_SNORM, {0xff}, {0x00}).matches);       // -1/127 and 0
}

TEST_CASE("integers must be equal") {
  CHECK(compareRows<uint16_t>(VK_FORMAT_R16_UINT, {40000}, {40000}).matches);
  CHECK_FALSE(compareRows<uint16_t>(VK_FORMAT_R16_UINT, {40000}, {40001}).matches);
  CHECK_FALSE(compareRows<uint8_t>(VK_FORMAT_R8_SINT, {0xff}, {0x00}).matches);
}

TEST_CASE("32-bit floats are compared by relative difference") {
  CHECK(compareRows<float>(VK_FORMAT_R32_SFLOAT, {1000}, {1000.09f}).matches);
  CHECK_FALSE(compareRows<float>(VK_FORMAT_R32_SFLOAT, {1000}, {1000.2f}).matches);
  CHECK(compareRows<float>(VK_FORMAT_R32_SFLOAT, {0}, {-0.00001f}).matches);
  CHECK_FALSE(compareRows<float>(VK_FORMAT_R32_SFLOAT, {0}, {0.0001f}).matches);
}

TEST_CASE("a NaN is like a NaN and like nothing else, and so is an infinity") {
  CHECK(compareRows<float>(VK_FORMAT_R32_SFLOAT, {NAN}, {-NAN}).matches);
  Comparison nan = compareRows<float>(VK_FORMAT_R32_SFLOAT, {NAN}, {1});
  CHECK_FALSE(nan.matches);
  CHECK(std::isinf(nan.channels[0].maximum));
  CHECK(compareRows<float>(VK_FORMAT_R32_SFLOAT, {INFINITY}, {INFINITY}).matches);
  CHECK_FALSE(compareRows<float>(VK_FORMAT_R32_SFLOAT, {INFINITY}, {-INFINITY}).matches);
  CHECK_FALSE(compareRows<float>(VK_FORMAT_R32_SFLOAT, {INFINITY}, {3e38f}).matches);
}

TEST_CASE("half floats may be one ulp off, across zero too") {
  CHECK(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x3c00}, {0x3bff}).matches);
  CHECK_FALSE(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x3c00}, {0x3c02}).matches);
  CHECK(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x8000}, {0x0000}).matches);
  CHECK(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x8001}, {0x0001}).matches);       // denormal
  CHECK_FALSE(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0xbc00}, {0x3c00}).matches); // -1 and 1
  CHECK(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x7e00}, {0x7fff}).matches);       // NaNs
  CHECK_FALSE(compareRows<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x7e00}, {0x7c00}).matches); // NaN and infinity
}

TEST_CASE("half floats that are blended may be four ulps off") {
  SceneResult a = resultOf<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x3c00}, 1);
  Scene scene;
  scene.state.colorTargets[0].blendEnable = true;
  CHECK(compare(scene, a, resultOf<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x3c04}, 1)).matches);
  CHECK_FALSE(compare(scene, a, resultOf<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x3c05}, 1)).matches);
}

TEST_CASE("half floats that are blended may lose what cancels out") {
  SceneResult a = resultOf<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x2000}, 1); // 2^-7
  SceneResult b = resultOf<uint16_t>(VK_FORMAT_R16_SFLOAT, {0x2080}, 1); // 2^-7 + 2^-10
  Scene scene;
  CHECK_FALSE(compare(scene, a, b).matches);
  scene.state.colorTargets[0].blendEnable = true;
  CHECK(compare(scene, a, b).matches);
}

TEST_CASE("normalised components that are blended may be two steps off") {
  SceneResult a = resultOf<uint8_t>(VK_FORMAT_R8_UNORM, {100}, 1), b = resultOf<uint8_t>(VK_FORMAT_R8_UNORM, {102}, 1);
  Scene scene;
  CHECK_FALSE(compare(scene, a, b).matches);
  scene.state.colorTargets[0].blendEnable = true;
  CHECK(compare(scene, a, b).matches);
  CHECK_FALSE(compare(scene, a, resultOf<uint8_t>(VK_FORMAT_R8_UNORM, {103}, 1)).matches);
}

TEST_CASE("small floats without a sign are compared by ulps") {
  // B10G11R11: r is bits 0 to 10 with a mantissa of 6 bits; 0x3c0 is 1.
  CHECK(compareRows<uint32_t>(VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0x3c0}, {0x3c1}).matches);
  CHECK_FALSE(compareRows<uint32_t>(VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0x3c0}, {0x3c2}).matches);
}

TEST_CASE("one texel that is outside among a thousand is a difference") {
  std::vector<uint8_t> ours(1000, 10), reference(1000, 10);
  reference[5] = 20;
  SceneResult a = resultOf(VK_FORMAT_R8_UNORM, ours, 1000), b = resultOf(VK_FORMAT_R8_UNORM, reference, 1000);
  CHECK_FALSE(compare({}, a, b).matches);
}

// Texels whose first `changed` have the value 20. The others have 10.
static SceneResult partlyChanged(size_t changed) {
  std::vector<uint8_t> texels(100, 10);
  std::fill_n(texels.begin(), changed, 20);
  return resultOf(VK_FORMAT_R8_UNORM, texels, 100);
}

TEST_CASE("a texel that noise moves to the reference's value is unstable") {
  std::vector<SceneResult> variations = {partlyChanged(0), partlyChanged(1)};
  Comparison comparison = compare({}, partlyChanged(0), partlyChanged(1), {}, {.noise = variations});
  CHECK(comparison.matches);
  CHECK(comparison.channels[0].unstable == 1);
  CHECK(comparison.channels[0].outside == 0);
}

TEST_CASE("noise elsewhere excuses nothing") {
  std::vector<SceneResult> variations = {partlyChanged(1)};
  Comparison comparison = compare({}, partlyChanged(0), partlyChanged(2), {}, {.noise = variations});
  CHECK_FALSE(comparison.matches);
  CHECK(comparison.channels[0].unstable == 1);
  CHECK(comparison.channels[0].outside == 1);
}

TEST_CASE("a reference far out of the noise's range is outside") {
  std::vector<uint8_t> texels(100, 10);
  texels[0] = 31; // the noise reaches 20, and a reference may be outside by its range of 10: 30
  std::vector<SceneResult> variations = {partlyChanged(1)};
  CHECK_FALSE(
      compare({}, partlyChanged(0), resultOf(VK_FORMAT_R8_UNORM, texels, 100), {}, {.noise = variations}).matches);
  texels[0] = 30;
  CHECK(compare({}, partlyChanged(0), resultOf(VK_FORMAT_R8_UNORM, texels, 100), {}, {.noise = variations}).matches);
}

TEST_CASE("a texel that another choice moves is undefined, whatever the reference has, and there may be many") {
  std::vector<SceneResult> variations = {partlyChanged(60)};
  std::vector<uint8_t> texels(100, 10);
  std::fill_n(texels.begin(), 50, 200);
  Comparison comparison =
      compare({}, partlyChanged(0), resultOf(VK_FORMAT_R8_UNORM, texels, 100), {}, {.undefined = variations});
  CHECK(comparison.matches);
  CHECK(comparison.channels[0].undefined == 50);
  CHECK(comparison.channels[0].unstable == 0);
  texels[70] = 200;
  CHECK_FALSE(
      compare({}, partlyChanged(0), resultOf(VK_FORMAT_R8_UNORM, texels, 100), {}, {.undefined = variations}).matches);
}

TEST_CASE("if every choice gives what the reference has, and we do not, we are wrong") {
  std::vector<SceneResult> variations = {partlyChanged(60), partlyChanged(80)};
  Comparison comparison = compare({}, partlyChanged(0), partlyChanged(70), {}, {.undefined = variations});
  CHECK_FALSE(comparison.matches);
  CHECK(comparison.channels[0].undefined == 10);
  CHECK(comparison.channels[0].outside == 60);
}

TEST_CASE("where definite shaders give different pictures a texel is undefined, and only there") {
  std::vector<SceneResult> definite = {partlyChanged(0), partlyChanged(10), partlyChanged(0)};
  std::vector<uint8_t> texels(100, 10);
  std::fill_n(texels.begin(), 10, 200);
  const SceneResult ours = resultOf(VK_FORMAT_R8_UNORM, texels, 100);
  Comparison comparison = compare({}, ours, partlyChanged(0), {}, {.definite = definite});
  CHECK(comparison.matches);
  CHECK(comparison.channels[0].undefined == 10);
  texels[10] = 200;
  CHECK_FALSE(
      compare({}, resultOf(VK_FORMAT_R8_UNORM, texels, 100), partlyChanged(0), {}, {.definite = definite}).matches);
  // A texel that is the same in all of `definite` is defined, whatever our texel is.
  definite = {partlyChanged(0), partlyChanged(0)};
  comparison = compare({}, ours, partlyChanged(0), {}, {.definite = definite});
  CHECK_FALSE(comparison.matches);
  CHECK(comparison.channels[0].undefined == 0);
}

TEST_CASE("the text says where unstable texels come from, and how many are integers") {
  std::vector<SceneResult> noise = {partlyChanged(3)};
  const std::vector<ResultVariations::NoiseOf> noiseOf = {
      {"arithmetic", {partlyChanged(0), partlyChanged(1)}}, {"halves", {partlyChanged(0)}}, {"places", {noise[0]}}};
  Comparison comparison = compare({}, partlyChanged(0), partlyChanged(3), {}, {.noise = noise, .noiseOf = noiseOf});
  CHECK(comparison.channels[0].unstable == 3);
  CHECK(comparison.text.find("3 of 100 unstable (arithmetic 1, places 3)") != std::string::npos);

  std::vector<SceneResult> buffers = {resultOfBuffer({bits(1.0f), 0x81234567, bits(2.0f)})};
  const SceneResult ours = resultOfBuffer({bits(1.0f), 0x80000001, bits(3.0f)});
  Tolerance tolerance;
  tolerance.perMilleUnstable = 1000;
  comparison = compare({}, ours, buffers[0], tolerance, {.noise = buffers});
  CHECK(comparison.text.find("2 of 3 unstable (integers 1)") != std::string::npos);
  CHECK(comparison.channels[0].unstableIntegers == 1);
}

TEST_CASE("an integer that noise moves is unstable only if a float of the program moves it") {
  const SceneResult ours = resultOfBuffer({5, 5, 5, 5, 5, 5, 5, 5, 5, 5}),
                    theirs = resultOfBuffer({6, 5, 5, 5, 5, 5, 5, 5, 5, 5});
  const std::vector<SceneResult> noise = {theirs};
  std::vector<SceneResult> perturbed = {theirs, theirs};
  CHECK(compare({}, ours, theirs, {}, {.noise = noise}).matches);
  CHECK_FALSE(compare({}, ours, theirs, {}, {.noise = noise, .perturbed = perturbed}).matches);
  perturbed.push_back(resultOfBuffer({7, 5, 5, 5, 5, 5, 5, 5, 5, 5}));
  CHECK(compare({}, ours, theirs, {}, {.noise = noise, .perturbed = perturbed}).matches);
}

TEST_CASE("more than a tenth of unstable texels is a difference") {
  std::vector<SceneResult> variations = {partlyChanged(11)};
  CHECK(compare({}, partlyChanged(0), partlyChanged(10), {}, {.noise = variations}).matches);
  CHECK_FALSE(compare({}, partlyChanged(0), partlyChanged(11), {}, {.noise = variations}).matches);
}

TEST_CASE("a target that only one side has, or another size, differs") {
  SceneResult full = resultOf<uint8_t>(VK_FORMAT_R8_UNORM, {1}, 1);
  CHECK_FALSE(compare({}, full, {}).matches);
  CHECK_FALSE(compare({}, {}, full).matches);
  CHECK_FALSE(compare({}, full, resultOf<uint8_t>(VK_FORMAT_R8_UNORM, {1, 1}, 2)).matches);
  CHECK_FALSE(compare({}, full, resultOf<uint8_t>(VK_FORMAT_R8_UINT, {1}, 1)).matches);
}

TEST_CASE("words of buffers are floats if both look like floats") {
  CHECK(buffersMatch({bits(1.0f), bits(0.0f)}, {bits(1.00001f), bits(1e-6f)}));
  CHECK_FALSE(buffersMatch({bits(1.0f)}, {bits(1.001f)}));
  CHECK_FALSE(buffersMatch({bits(1.0f)}, {bits(-1.0f)}));
  CHECK(buffersMatch({1, 0xffffffff}, {1, 0xffffffff}));
  CHECK_FALSE(buffersMatch({1}, {2}));
  CHECK_FALSE(buffersMatch({0}, {1}));
  CHECK_FALSE(buffersMatch({0xffffffff}, {0xfffffffe}));
}

TEST_CASE("doubles and halves in buffers are numbers where the shader has such") {
  auto matches = [](std::vector<uint32_t> ours, std::vector<uint32_t> reference, const Tolerance &tolerance) {
    return compare({}, resultOfBuffer(ours), resultOfBuffer(reference), tolerance).matches;
  };
  // 1.0 and the next double; 1.0 and 1.5.
  CHECK(matches({0, 0x3ff00000}, {1, 0x3ff00000}, {.buffersHoldDoubles = true}));
  CHECK_FALSE(matches({0, 0x3ff00000}, {1, 0x3ff00000}, {}));
  CHECK_FALSE(matches({0, 0x3ff00000}, {0, 0x3ff80000}, {.buffersHoldDoubles = true}));
  // Two halves in a word, 1 and a zero: four ulps of the lower, five of the upper one.
  CHECK(matches({0x00003c00}, {0x00003c04}, {.buffersHoldHalves = true}));
  CHECK_FALSE(matches({0x00003c00}, {0x00003c01}, {}));
  CHECK_FALSE(matches({0x00003c00}, {0x00053c00}, {.buffersHoldHalves = true}));
}

TEST_CASE("buffers are compared when both sides have them") {
  CHECK(compare({}, resultOfBuffer({1}), {}).matches);
  SceneResult more = resultOfBuffer({1});
  more.buffers.push_back({1});
  CHECK_FALSE(compare({}, resultOfBuffer({1}), more).matches);
  CHECK_FALSE(compare({}, resultOfBuffer({1}), resultOfBuffer({1, 1})).matches);
}

TEST_CASE("images are compared in the scene's format") {
  Scene scene;
  scene.images.resize(1);
  scene.images[0].format = VK_FORMAT_R8G8_UNORM;
  SceneResult ours, reference;
  ours.images = {{100, 50}};
  reference.images = {{101, 50}};
  CHECK(compare(scene, ours, reference).matches);
  scene.images[0].format = VK_FORMAT_R8G8_UINT;
  CHECK_FALSE(compare(scene, ours, reference).matches);
}
