// SPDX-License-Identifier: MIT
//
// Samplers with YCbCr conversions. Colours are compared with those that the Vulkan specification's formulas give, in
// doubles.
#include "src/state/ycbcr_conversion.h"
#include "tests/features/computed_words.h"
#include "tests/features/drawn_texels.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;
using enum dovetail::UserDataNodeType;

namespace {

constexpr uint32_t VideoBinding = 1, Size = 16; // of the first plane
constexpr uint32_t Words = 64 * 4;              // a colour of each invocation

using Color = std::array<double, 4>;

struct Video {
  dovetail::YcbcrConversion conversion;
  VkFilter filter = VK_FILTER_LINEAR;
  bool isImmutable = false;

  SceneSampler sampler() const {
    SceneSampler result;
    result.magFilter = result.minFilter = filter;
    result.addressModeU = result.addressModeV = result.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return result;
  }
};

// The shaders with the elements of an array of videos at VideoBinding.
ShaderSet withVideos(ShaderSet shaders, const std::vector<Video> &videos) {
  UserDataNodes nodes = shaders.userDataNodes();
  std::vector<uint32_t> dwords = {7, 7, 7}; // other nodes' dwords
  uint32_t end = 0;
  for (const UserDataNode &node : nodes)
    if (!isInRoot(node.type))
      end = std::max(end, node.offsetInDwords + node.sizeInDwords);
  const uint32_t count = uint32_t(videos.size());
  if (videos[0].isImmutable) {
    const auto combined = std::ranges::find(nodes, CombinedImageSampler, &UserDataNode::type);
    REQUIRE(combined != nodes.end());
    combined->type = UserDataNodeType::Image;
    nodes.push_back({ImmutableSampler, 0, VideoBinding, uint32_t(dwords.size()), 4 * count, 4});
    for (const Video &video : videos)
      std::ranges::copy(emulator::samplerDescriptor(video.sampler()), std::back_inserter(dwords));
  }
  nodes.push_back({UserDataNodeType::YcbcrConversion, 0, VideoBinding, uint32_t(dwords.size()), count, 1});
  for (const Video &video : videos)
    dwords.push_back(toDword(video.conversion));
  for (UserDataNodeType plane : {ImagePlane1, ImagePlane2}) {
    nodes.push_back({plane, 0, VideoBinding, end, 8 * count, 8});
    end += 8 * count;
  }
  shaders.layout = std::make_shared<const ResourceLayout>(std::move(nodes), std::move(dwords));
  return shaders;
}

struct Planes {
  std::vector<SceneImage> images;
};

// Noise, so that a wrong place shows.
void fillPlanes(Scene &scene, const std::vector<Video> &videos, std::vector<Planes> *made) {
  std::mt19937 random(uint32_t(videos.size()) * 1000 + toDword(videos[0].conversion));
  for (SceneDescriptor &descriptor : scene.descriptors) {
    if (descriptor.binding != VideoBinding)
      continue;
    const Video &video = videos.at(descriptor.element);
    scene.samplers.at(descriptor.sampler) = video.sampler();
    Planes planes;
    for (unsigned plane = 0; plane < video.conversion.planes; ++plane) {
      SceneImage &image = scene.images.at(plane == 0 ? descriptor.image : descriptor.planes[plane - 1]);
      image.width = plane > 0 && video.conversion.halfWidth ? Size / 2 : Size;
      image.height = plane > 0 && video.conversion.halfHeight ? Size / 2 : Size;
      image.bytes.resize(size_t(image.width) * image.height * image.layers * texelLayout(image.format)->bytes);
      for (uint8_t &byte : image.bytes)
        byte = uint8_t(random());
      planes.images.push_back(image);
    }
    if (made)
      made->push_back(std::move(planes));
  }
}

// A channel of a plane at a normalized coordinate, moved by so many of its texels. Coordinates are clamped.
double sampleOf(const SceneImage &image, unsigned channel, double s, double t, double moveX, double moveY,
                VkFilter filter, uint32_t layer) {
  const TexelLayout layout = *texelLayout(image.format);
  auto texel = [&](double x, double y) {
    const auto i = uint32_t(std::clamp(std::floor(x), 0.0, image.width - 1.0));
    const auto j = uint32_t(std::clamp(std::floor(y), 0.0, image.height - 1.0));
    const size_t number = (size_t(layer) * image.height + j) * image.width + i;
    return double(std::bit_cast<float>(decodeTexel(layout, &image.bytes[number * layout.bytes])[channel]));
  };
  const double x = s * image.width + moveX, y = t * image.height + moveY;
  if (filter == VK_FILTER_NEAREST)
    return texel(x, y);
  const double left = std::floor(x - 0.5), top = std::floor(y - 0.5), a = x - 0.5 - left, b = y - 0.5 - top;
  return (1 - b) * ((1 - a) * texel(left, top) + a * texel(left + 1, top)) +
         b * ((1 - a) * texel(left, top + 1) + a * texel(left + 1, top + 1));
}

Color rawColor(const Video &video, const Planes &planes, double s, double t, uint32_t layer) {
  const dovetail::YcbcrConversion &conversion = video.conversion;
  auto at = [&](unsigned plane, unsigned channel) {
    const bool isSmall = plane > 0 && (conversion.halfWidth || conversion.halfHeight);
    VkFilter filter = video.filter;
    if (isSmall && conversion.chromaFilter != ChromaFilter::AsSampler)
      filter = conversion.chromaFilter == ChromaFilter::Linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    // u' = 0.5 * (u + 0.5) for cosited texels. A filter that chooses the nearest texel may treat cosited texels as
    // midpoint texels.
    const bool isNearest = conversion.chromaFilter == ChromaFilter::Nearest;
    auto move = [&](bool isHalf, VkChromaLocation location) {
      return isSmall && isHalf && !isNearest && location == VK_CHROMA_LOCATION_COSITED_EVEN ? 0.25 : 0;
    };
    return sampleOf(planes.images[plane], channel, s, t, move(conversion.halfWidth, conversion.xChromaOffset),
                    move(conversion.halfHeight, conversion.yChromaOffset), filter, layer);
  };
  switch (conversion.planes) {
  case 1:
    return {at(0, 0), at(0, 1), at(0, 2), at(0, 3)};
  case 2:
    return {at(1, 1), at(0, 0), at(1, 0), 1};
  default:
    return {at(2, 0), at(0, 0), at(1, 0), 1};
  }
}

Color expectedColor(const Video &video, const Planes &planes, double s, double t, uint32_t layer = 0) {
  const dovetail::YcbcrConversion &conversion = video.conversion;
  const Color raw = rawColor(video, planes, s, t, layer);
  Color color = {};
  for (unsigned i = 0; i < 4; ++i) {
    const VkComponentSwizzle from = conversion.components[i];
    color[i] = from == VK_COMPONENT_SWIZZLE_IDENTITY ? raw[i]
               : from == VK_COMPONENT_SWIZZLE_ZERO   ? 0
               : from == VK_COMPONENT_SWIZZLE_ONE    ? 1
                                                     : raw[from - VK_COMPONENT_SWIZZLE_R];
  }
  if (conversion.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
    return color;
  const double n = conversion.bits, most = std::pow(2, n) - 1;
  double y = color[1], cb = color[2], cr = color[0];
  if (conversion.range == VK_SAMPLER_YCBCR_RANGE_ITU_FULL) {
    cb -= std::pow(2, n - 1) / most;
    cr -= std::pow(2, n - 1) / most;
  } else {
    y = (y * most - 16 * std::pow(2, n - 8)) / (219 * std::pow(2, n - 8));
    cb = (cb * most - 128 * std::pow(2, n - 8)) / (224 * std::pow(2, n - 8));
    cr = (cr * most - 128 * std::pow(2, n - 8)) / (224 * std::pow(2, n - 8));
  }
  switch (conversion.model) { // the specification's matrices
  case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709:
    return {y + 1.5748 * cr, y - 0.13397432 / 0.7152 * cb - 0.33480248 / 0.7152 * cr, y + 1.8556 * cb, color[3]};
  case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601:
    return {y + 1.402 * cr, y - 0.202008 / 0.587 * cb - 0.419198 / 0.587 * cr, y + 1.772 * cb, color[3]};
  case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020:
    return {y + 1.4746 * cr, y - 0.11156702 / 0.6780 * cb - 0.38737742 / 0.6780 * cr, y + 1.8814 * cb, color[3]};
  default:
    return {cr, y, cb, color[3]};
  }
}

// Places halfway between two weights of a filter (8 bits), in planes of half the size.
const std::string Place =
    "vec2 at = vec2((i * 1103u & 2047u) * 2u + 1u, (i * 1871u + 77u & 2047u) * 2u + 1u) / 4096.0;";

std::array<double, 2> placeOf(uint32_t i) {
  return {((i * 1103 & 2047) * 2 + 1) / 4096.0, (((i * 1871 + 77) & 2047) * 2 + 1) / 4096.0};
}

const std::string Store = "for (int c = 0; c < 4; ++c) data[i * 4u + c] = floatBitsToUint(color[c]);";

Color colorOf(const std::vector<uint32_t> &words, uint32_t i) {
  Color color;
  for (unsigned c = 0; c < 4; ++c)
    color[c] = std::bit_cast<float>(words[i * 4 + c]);
  return color;
}

// Half a weight's step in either direction, times a model's factor for chroma.
constexpr double FilterError = 0.02;

// A way to read `sampler2D video` at `vec2 at`.
struct Look {
  std::string expression; // the colour
  double error = FilterError;
  std::string extensions, type = "sampler2D", functions;
  uint32_t layer = 0;
};

void checkColors(const Video &video, const Look &look) {
  CAPTURE(look.expression);
  const std::vector<Video> videos = {video};
  const ShaderSet shaders =
      withVideos(computeOf(look.extensions, "layout(binding = 1) uniform " + look.type + " video;" + look.functions,
                           Place + "vec4 color = " + look.expression + ";" + Store),
                 videos);
  std::vector<Planes> planes;
  const std::vector<uint32_t> words =
      computedWords(shaders, std::vector<uint32_t>(Words), [&](Scene &scene) { fillPlanes(scene, videos, &planes); });
  for (uint32_t i = 0; i < 64; ++i) {
    const auto [s, t] = placeOf(i);
    const Color color = colorOf(words, i), expected = expectedColor(video, planes.at(0), s, t, look.layer);
    for (unsigned c = 0; c < 4; ++c)
      CHECK_MESSAGE(std::abs(color[c] - expected[c]) <= look.error, i, ".", c, ": ", color[c], ", not ", expected[c]);
  }
}

Video randomVideo(uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t count) { return uint32_t(random() % count); };
  Video video;
  dovetail::YcbcrConversion &conversion = video.conversion;
  conversion.model = VkSamplerYcbcrModelConversion(below(5));
  conversion.range = VkSamplerYcbcrRange(below(2));
  conversion.planes = uint8_t(1 + below(3));
  conversion.halfWidth = below(4) != 0;
  conversion.halfHeight = conversion.halfWidth && below(3) != 0;
  conversion.xChromaOffset = VkChromaLocation(below(2));
  conversion.yChromaOffset = VkChromaLocation(below(2));
  conversion.chromaFilter = ChromaFilter(below(3));
  constexpr uint8_t Bits[] = {8, 10, 12, 16};
  conversion.bits = Bits[below(4)];
  for (VkComponentSwizzle &component : conversion.components)
    component = VkComponentSwizzle(below(2) ? 0 : below(7));
  video.isImmutable = below(2);
  video.filter = VkFilter(below(2));
  // In a plane whose texels lie elsewhere, the nearest texel may be another one.
  if (video.filter == VK_FILTER_NEAREST && conversion.chromaFilter == ChromaFilter::AsSampler)
    conversion.xChromaOffset = conversion.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  return video;
}

Video nv12(VkSamplerYcbcrModelConversion model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601) {
  Video video;
  video.conversion.model = model;
  video.conversion.range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
  video.conversion.planes = 2;
  video.conversion.halfWidth = video.conversion.halfHeight = true;
  video.conversion.xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN;
  return video;
}

// The error of a compile of this expression, which reads `uniform sampler2D videos[2]`.
std::string complaint(const std::string &expression, const std::vector<Video> &videos, const std::string &type) {
  const ShaderSet shaders = computeOf("", "layout(binding = 1) uniform " + type + " videos[2];",
                                      Place + "vec4 color = vec4(" + expression + ");" + Store);
  return compileError(withVideos(shaders, videos));
}

} // namespace

TEST_CASE("sampled colours are those of the specification's formulas, for conversions at random") {
  for (uint32_t seed = 1; seed <= 48; ++seed) {
    CAPTURE(seed);
    checkColors(randomVideo(seed), {"textureLod(video, at, 0.0)"});
  }
}

TEST_CASE("well known colours come out") {
  struct Known {
    VkSamplerYcbcrModelConversion model;
    uint8_t bits;
    std::array<uint32_t, 3> coded; // Y, Cb, Cr of the narrow range
    std::array<double, 3> color;
  };
  constexpr auto Bt601 = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601;
  constexpr auto Bt709 = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
  constexpr auto Bt2020 = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020;
  for (const Known &known :
       {Known{Bt601, 8, {235, 128, 128}, {1, 1, 1}}, Known{Bt601, 8, {16, 128, 128}, {0, 0, 0}},
        Known{Bt601, 8, {81, 90, 240}, {1, 0, 0}}, Known{Bt709, 8, {173, 42, 26}, {0, 1, 0}},
        Known{Bt709, 8, {32, 240, 118}, {0, 0, 1}}, Known{Bt2020, 10, {294, 387, 960}, {1, 0, 0}}}) {
    Video video;
    video.conversion.model = known.model;
    video.conversion.range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
    video.conversion.bits = known.bits;
    video.conversion.planes = 3;
    const ShaderSet shaders = withVideos(computeOf("", "layout(binding = 1) uniform sampler2D video;",
                                                   "vec4 color = textureLod(video, vec2(0.3), 0.0);" + Store),
                                         {video});
    const std::vector<uint32_t> words = computedWords(shaders, std::vector<uint32_t>(Words), [&](Scene &scene) {
      for (const SceneDescriptor &descriptor : scene.descriptors)
        for (unsigned plane = 0; plane < 3 && descriptor.binding == VideoBinding; ++plane) {
          SceneImage &image = scene.images.at(plane == 0 ? descriptor.image : descriptor.planes[plane - 1]);
          const uint32_t most = (1u << known.bits) - 1;
          const uint32_t value = known.coded[plane] * (known.bits == 8 ? 255u : 65535u) / most;
          for (size_t byte = 0; byte < image.bytes.size(); ++byte)
            image.bytes[byte] = uint8_t(known.bits == 8 || byte % 2 == 0 ? value : value >> 8);
        }
    });
    for (unsigned c = 0; c < 3; ++c)
      CHECK(colorOf(words, 5)[c] == doctest::Approx(known.color[c]).epsilon(0.005).scale(1));
  }
}

TEST_CASE("every kind of sample converts") {
  checkColors(nv12(), {"textureGrad(video, at, vec2(0.0), vec2(0.0))"});
  checkColors(nv12(), {"texture(video, at)"});
  checkColors(nv12(), {"textureProjLod(video, vec3(at * 2.0, 2.0), 0.0)"});
  checkColors(nv12(), {.expression = "textureLod(video, vec3(at, 1.0), 0.0)", .type = "sampler2DArray", .layer = 1});
}

TEST_CASE("a colour of halves is that of floats, rounded") {
  constexpr double error = FilterError + 2.0 / 2048; // of coordinates and of the colour
  Video video = nv12();
  video.filter = VK_FILTER_NEAREST;
  video.conversion.xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  checkColors(video, {.expression = "vec4(textureLod(video, f16vec2(at), 0.0hf))",
                      .error = error,
                      .extensions = "GL_AMD_gpu_shader_half_float_fetch "
                                    "GL_EXT_shader_explicit_arithmetic_types_float16",
                      .type = "f16sampler2D"});
}

TEST_CASE("a sampler that is handed to a function converts") {
  checkColors(nv12(), {.expression = "look(video, at)",
                       .functions = "vec4 look(sampler2D s, vec2 at) { return textureLod(s, at, 0.0); }"});
}

TEST_CASE("a colour of a conversion is resident where all its planes are") {
  const std::vector<Video> videos = {nv12()};
  const ShaderSet shaders =
      withVideos(computeOf("GL_ARB_sparse_texture2", "layout(binding = 1) uniform sampler2D video;",
                           Place + "vec4 color; int code = sparseTextureLodARB(video, at, 0.0, color);"
                                   "data[i] = sparseTexelsResidentARB(code) ? 1u : 0u;"),
                 videos);
  for (unsigned absent : {0u, 1u, 2u}) { // planes from the end
    const std::vector<uint32_t> words = computedWords(shaders, std::vector<uint32_t>(Words), [&](Scene &scene) {
      fillPlanes(scene, videos, nullptr);
      for (const SceneDescriptor &descriptor : scene.descriptors)
        if (descriptor.binding == VideoBinding && absent > 0) {
          SceneImage &image = scene.images.at(absent == 1 ? descriptor.planes[0] : descriptor.image);
          image.absentEnd = uint32_t(image.bytes.size());
        }
    });
    CHECK(std::all_of(words.begin(), words.begin() + 64, [&](uint32_t word) { return word == (absent == 0); }));
  }
}

TEST_CASE("the elements of an array convert each in its own way") {
  std::vector<Video> videos = {nv12(), randomVideo(7)};
  videos[1].isImmutable = videos[0].isImmutable;
  REQUIRE(toDword(videos[0].conversion) != toDword(videos[1].conversion));
  const ShaderSet shaders = withVideos(computeOf("", "layout(binding = 1) uniform sampler2D videos[2];",
                                                 Place +
                                                     "vec4 color = i < 32u ? textureLod(videos[0], at, 0.0)"
                                                     "                     : textureLod(videos[1], at, 0.0);" +
                                                     Store),
                                       videos);
  std::vector<Planes> planes;
  const std::vector<uint32_t> words = computedWords(shaders, std::vector<uint32_t>(Words), [&](Scene &scene) {
    planes.clear();
    fillPlanes(scene, videos, &planes);
  });
  for (uint32_t i = 0; i < 64; ++i) {
    const auto [s, t] = placeOf(i);
    const uint32_t element = i / 32;
    for (unsigned c = 0; c < 4; ++c)
      CHECK(std::abs(colorOf(words, i)[c] - expectedColor(videos[element], planes.at(element), s, t)[c]) <=
            FilterError);
  }
}

TEST_CASE("fragment shaders convert with implicit levels of detail") {
  const Video video = nv12(VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709);
  const ShaderSet shaders = withVideos(
      programOf({{lgc::ShaderStage::Vertex, wholeTarget()},
                 {lgc::ShaderStage::Fragment, "layout(location = 0) in vec2 at; layout(location = 0) out vec4 color;"
                                              "layout(binding = 1) uniform sampler2D video;"
                                              "void main() { color = texture(video, at / 8.0 + 1.0 / 4096.0); }"}}),
      {video});
  std::vector<Planes> planes;
  const std::vector<DrawnTexel> texels =
      drawnTexels(shaders, [&](Scene &scene) { fillPlanes(scene, {video}, &planes); });
  for (uint32_t y = 0; y < DrawnSize; ++y)
    for (uint32_t x = 0; x < DrawnSize; ++x) {
      const double s = (x + 0.5) / DrawnSize + 1 / 4096.0, t = (y + 0.5) / DrawnSize + 1 / 4096.0;
      const Color expected = expectedColor(video, planes.at(0), s, t);
      for (unsigned c = 0; c < 4; ++c)
        CHECK(std::abs(double(texels[y * DrawnSize + x][c]) - expected[c]) <= FilterError);
    }
}

TEST_CASE("what cannot be sampled through a conversion is refused by name") {
  const std::vector<Video> same = {nv12(), nv12()};
  const std::string noGather = "a sampler with a YCbCr conversion does not gather, and tells no level of detail";
  CHECK(complaint("textureGather(videos[1], at)", same, "sampler2D").find(noGather) != std::string::npos);
  CHECK(complaint("texelFetch(videos[1], ivec2(0), 0)", same, "sampler2D")
            .find("an image whose sampler has a YCbCr conversion is read without the sampler") != std::string::npos);
  const std::string onlyColors = "a sampler with a YCbCr conversion gives colours of 2D images";
  CHECK(complaint("textureLodOffset(videos[0], at, 0.0, ivec2(1))", same, "sampler2D").find(onlyColors) !=
        std::string::npos);
  CHECK(complaint("textureLod(videos[0], at.xyx, 0.0)", same, "sampler3D").find(onlyColors) != std::string::npos);
  CHECK(complaint("textureLod(videos[0], at.xyx, 0.0)", same, "sampler2DShadow").find(onlyColors) != std::string::npos);
  CHECK(complaint("textureLod(videos[0], at, 0.0)", same, "usampler2D").find(onlyColors) != std::string::npos);
  CHECK(complaint("textureLod(videos[data[0] & 1u], at, 0.0)", same, "sampler2D").empty());
  CHECK(complaint("textureLod(videos[data[0] & 1u], at, 0.0)", {nv12(), Video()}, "sampler2D")
            .find("set 0 binding 1: samplers with different YCbCr conversions are chosen at run time") !=
        std::string::npos);
  CHECK(complaint("textureLod(videos[1], at, 0.0)", {nv12()}, "sampler2D")
            .find("set 0 binding 1: element 1 of the samplers has no YCbCr conversion") != std::string::npos);
}

TEST_CASE("a layout without the dword of a conversion, or with another dword, is refused") {
  const ShaderSet shaders = computeOf("", "layout(binding = 1) uniform sampler2D video;",
                                      Place + "vec4 color = textureLod(video, at, 0.0);" + Store);
  UserDataNodes nodes = shaders.userDataNodes();
  nodes.push_back({UserDataNodeType::YcbcrConversion, 0, VideoBinding, 1, 1, 1});
  auto complaintOf = [&](std::vector<uint32_t> dwords) {
    ShaderSet other = shaders;
    other.layout = std::make_shared<const ResourceLayout>(nodes, std::move(dwords));
    return compileError(other);
  };
  CHECK(complaintOf({0}).find("set 0 binding 1: 0xffffffff is no YCbCr conversion") != std::string::npos);
  CHECK(complaintOf({0, 0}).find("set 0 binding 1: 0x0 is no YCbCr conversion") != std::string::npos);
  CHECK(complaintOf({0, toDword({})}).empty());
  CHECK(complaintOf({0, toDword(nv12().conversion)}).find("set 0 binding 1") != std::string::npos); // no second plane
}
