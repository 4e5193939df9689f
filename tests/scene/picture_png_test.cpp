// SPDX-License-Identifier: MIT
#include "tools/proof/scene/picture_png.h"
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using Bytes = std::vector<uint8_t>;

template <typename Word> ScenePicture picture(VkFormat format, uint32_t width, const std::vector<Word> &words) {
  ScenePicture picture = {format, width, 1, 1, {}};
  picture.bytes.resize(words.size() * sizeof(Word));
  std::memcpy(picture.bytes.data(), words.data(), picture.bytes.size());
  return picture;
}

Raster shown(const ScenePicture &picture) {
  Result<Raster> raster = showPicture(picture);
  if (!raster)
    FAIL(raster.error().text);
  return *raster;
}

} // namespace

TEST_CASE("a picture survives PNG") {
  Raster raster = {2, 2, {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 0, 10, 11, 12, 128}};
  Bytes png = encodePng(raster).value();
  CHECK(Bytes(png.begin(), png.begin() + 4) == Bytes{0x89, 'P', 'N', 'G'});
  Raster back = decodePng(png).value();
  CHECK(back.width == 2);
  CHECK(back.height == 2);
  // Colours of transparent pixels survive, too.
  CHECK(back.rgba == raster.rgba);
}

TEST_CASE("bytes that are no PNG are an Error") {
  Bytes png = encodePng({1, 1, {1, 2, 3, 255}}).value();
  CHECK_FALSE(decodePng({}).has_value());
  CHECK_FALSE(decodePng(Bytes{1, 2, 3}).has_value());
  for (size_t size = 0; size + 16 < png.size(); ++size)
    CHECK_FALSE(decodePng(std::span(png).first(size)).has_value());
}

TEST_CASE("normalised targets are shown as they are stored, whatever the order of their components") {
  CHECK(shown(picture<uint8_t>(VK_FORMAT_R8G8B8A8_UNORM, 1, {10, 20, 30, 40})).rgba == Bytes{10, 20, 30, 255});
  CHECK(shown(picture<uint8_t>(VK_FORMAT_B8G8R8A8_SRGB, 1, {10, 20, 30, 40})).rgba == Bytes{30, 20, 10, 255});
}

TEST_CASE("floats are clamped, and a NaN is magenta") {
  CHECK(shown(picture<float>(VK_FORMAT_R32G32B32A32_SFLOAT, 2, {-1, 0.2f, 7, 0, 0, NAN, 0, 0})).rgba ==
        Bytes{0, 51, 255, 255, 255, 0, 255, 255});
}

TEST_CASE("integers are scaled by the largest in the picture") {
  CHECK(shown(picture<uint32_t>(VK_FORMAT_R32_UINT, 3, {0, 50, 100})).rgba ==
        Bytes{0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255});
  CHECK(shown(picture<int8_t>(VK_FORMAT_R8G8_SINT, 1, {-4, 2})).rgba == Bytes{255, 128, 0, 255});
}

TEST_CASE("layers and targets stand side by side") {
  ScenePicture layered = {VK_FORMAT_R8_UNORM, 1, 2, 2, {1, 2, 3, 4}};
  CHECK(shown(layered).rgba == Bytes{1, 1, 1, 255, 3, 3, 3, 255, 2, 2, 2, 255, 4, 4, 4, 255});
  SceneResult result;
  result.colors[0] = picture<uint8_t>(VK_FORMAT_R8_UNORM, 1, {5});
  result.colors[2] = picture<uint8_t>(VK_FORMAT_R8_UNORM, 1, {6});
  Raster both = showResult(result).value();
  CHECK(both.width == 3);
  CHECK(both.rgba == Bytes{5, 5, 5, 255, 128, 128, 128, 255, 6, 6, 6, 255});
}

TEST_CASE("a result without colours shows its depth, and one without pictures is a pixel") {
  SceneResult result;
  result.depth = picture<float>(VK_FORMAT_D32_SFLOAT, 1, {1.0f});
  CHECK(showResult(result).value().rgba == Bytes{255, 255, 255, 255});
  CHECK(showResult({}).value().width == 1);
}

TEST_CASE("a difference is scaled to its largest channel, and black without one") {
  Raster a = {1, 2, {10, 10, 10, 255, 0, 0, 0, 255}}, b = {1, 2, {12, 10, 10, 255, 0, 4, 0, 255}};
  CHECK(showDifference(a, b).rgba == Bytes{127, 0, 0, 255, 0, 255, 0, 255});
  CHECK(showDifference(a, a).rgba == Bytes{0, 0, 0, 255, 0, 0, 0, 255});
  CHECK(showDifference(a, {1, 1, {0, 0, 0, 0}}).rgba == Bytes{255, 0, 0, 255});
}

TEST_CASE("a picture whose bytes do not fit its size is an Error") {
  CHECK_FALSE(showPicture({VK_FORMAT_R8_UNORM, 2, 1, 1, {1}}).has_value());
  CHECK_FALSE(showPicture({VK_FORMAT_BC1_RGB_UNORM_BLOCK, 1, 1, 1, {1}}).has_value());
}
