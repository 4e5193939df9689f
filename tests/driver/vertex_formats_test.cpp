// SPDX-License-Identifier: MIT
//
// Every vertex format from the buffer to the shader. Each vertex draws a point. Its pixel shows the bits that eight
// attributes have in the shader, in as many targets. They must be the bits of the format's definition (texel.h), and
// the bits that lavapipe reads.
#include "src/state/format_table.h"
#include "tests/driver/shared_device.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/texel.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <numeric>

using namespace dovetail;

namespace {

constexpr uint32_t Side = 8, Vertices = Side * Side;
constexpr uint32_t Offset = 4; // of the attribute in its binding's elements

using Formats = std::vector<const FormatInfo *>;

// All formats of up to four dwords, in eights.
std::vector<Formats> batches() {
  std::vector<Formats> result(1);
  for (const FormatInfo &info : allFormats()) {
    if (info.vertexFetch == VertexFetchMethod::None || info.vertexFetch == VertexFetchMethod::Wide)
      continue;
    if (result.back().size() == MaxColorTargets)
      result.emplace_back();
    result.back().push_back(&info);
  }
  return result;
}

// The vertices are the pixels, row by row.
const std::string PositionText =
    fmt::format("  gl_Position = vec4((vec2(gl_VertexIndex % {0}, gl_VertexIndex / {0}) + 0.5) * 2 / {0} - 1, 0, 1);\n"
                "  gl_PointSize = 1;\n",
                Side);

std::string vertexText(const Formats &formats) {
  std::string declarations, body;
  for (size_t i = 0; i != formats.size(); ++i) {
    bool isUint = formats[i]->numeric == FormatNumeric::Uint, isSint = formats[i]->numeric == FormatNumeric::Sint;
    declarations += fmt::format("layout(location = {0}) in {1} a{0};\nlayout(location = {0}) flat out uvec4 v{0};\n", i,
                                isUint   ? "uvec4"
                                : isSint ? "ivec4"
                                         : "vec4");
    body += fmt::format("  v{0} = {1}(a{0});\n", i, isUint || isSint ? "uvec4" : "floatBitsToUint");
  }
  return "#version 450\n" + declarations + "void main() {\n" + body + PositionText + "}\n";
}

std::string fragmentText(size_t targets) {
  std::string declarations, body;
  for (size_t i = 0; i != targets; ++i) {
    declarations +=
        fmt::format("layout(location = {0}) flat in uvec4 v{0};\nlayout(location = {0}) out uvec4 c{0};\n", i);
    body += fmt::format("  c{0} = v{0};\n", i);
  }
  return "#version 450\n" + declarations + "void main() {\n" + body + "}\n";
}

// Larger than an attribute, so that there are gaps between elements.
uint32_t strideOf(const FormatInfo &info) {
  return Offset + (info.bytes + 3u) / 4 * 4 + 4;
}

struct Draw {
  Scene scene;
  ShaderSet shaders;
};

// The formats, each in a binding of random bytes; format i at locations[i]. All targets show four dwords.
Draw drawOf(const Formats &formats, const std::vector<uint32_t> &locations, const std::string &vertexText,
            size_t targets) {
  auto modules = translateGlsl({{lgc::ShaderStage::Vertex, "vertex", vertexText},
                                {lgc::ShaderStage::Fragment, "fragment", fragmentText(targets)}});
  if (!modules)
    FAIL(modules.error().text);
  auto vertex = createShader({"vertex", (*modules)[0], "main", lgc::ShaderStage::Vertex, {}});
  auto fragment = createShader({"fragment", (*modules)[1], "main", lgc::ShaderStage::Fragment, {}});
  REQUIRE(vertex);
  REQUIRE(fragment);
  std::array<ShaderRef, 2> refs = {*vertex, *fragment};
  auto set = makeShaderSet(refs);
  REQUIRE(set);

  Scene scene;
  scene.shaders = {{"vertex", VK_SHADER_STAGE_VERTEX_BIT, (*modules)[0], "main", {}},
                   {"fragment", VK_SHADER_STAGE_FRAGMENT_BIT, (*modules)[1], "main", {}}};
  scene.width = scene.height = Side;
  scene.vertexCount = Vertices;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  for (size_t i = 0; i != targets; ++i)
    scene.state.colorTargets[i].format = VK_FORMAT_R32G32B32A32_UINT;
  uint64_t random = 1;
  for (uint32_t i = 0; i != formats.size(); ++i) {
    uint32_t stride = strideOf(*formats[i]);
    scene.state.vertexBindings.push_back({i, stride, VK_VERTEX_INPUT_RATE_VERTEX, 1});
    scene.state.vertexAttributes.push_back({locations[i], i, formats[i]->format, Offset});
    SceneVertexBuffer buffer = {i, std::vector<uint8_t>(stride * Vertices)};
    for (uint8_t &byte : buffer.bytes) {
      random = random * 6364136223846793005 + 1442695040888963407;
      byte = uint8_t(random >> 56);
    }
    scene.vertexBuffers.push_back(std::move(buffer));
  }
  return {std::move(scene), std::move(*set)};
}

// Format i at location i, shown in target i.
Draw drawOf(const Formats &formats) {
  std::vector<uint32_t> locations(formats.size());
  std::iota(locations.begin(), locations.end(), 0);
  return drawOf(formats, locations, vertexText(formats), formats.size());
}

TexelValue pixel(const SceneResult &result, size_t target, uint32_t vertex) {
  TexelValue value = {};
  REQUIRE(result.colors[target].bytes.size() == Vertices * sizeof(value));
  std::memcpy(value.data(), &result.colors[target].bytes[vertex * sizeof(value)], sizeof(value));
  return value;
}

// Bits of one component. Normalised values come out of a multiplication, which may be an ulp off.
bool isSame(const FormatInfo &info, uint32_t a, uint32_t b, int ulps) {
  float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  if (a == b || info.isInteger())
    return a == b;
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return (std::signbit(x) == std::signbit(y) && std::abs(int64_t(a) - int64_t(b)) <= ulps) || (x == 0 && y == 0);
}

constexpr const char *Gpus[] = {"gfx900", "gfx803"};

SceneResult emulated(const Draw &draw, bool monolithic, const std::string &gpu = "gfx900") {
  CAPTURE(gpu);
  Result<VariantRef> variant = sharedDevice(gpu).bind(draw.shaders, draw.scene.state, {monolithic});
  if (!variant)
    FAIL(variant.error().text);
  Result<SceneResult> result = emulate(draw.scene, draw.shaders, *(*variant)->image);
  if (!result)
    FAIL(result.error().text);
  return *result;
}

// Shows state: vertexAttributes (VertexProlog).
TEST_CASE("every vertex format means in the shader what its definition says") {
  size_t count = 0;
  for (const Formats &formats : batches()) {
    Draw draw = drawOf(formats);
    for (const char *gpu : Gpus)
      for (bool monolithic : {false, true}) {
        CAPTURE(gpu);
        CAPTURE(monolithic);
        SceneResult result = emulated(draw, monolithic, gpu);
        for (size_t i = 0; i != formats.size(); ++i) {
          const FormatInfo &info = *formats[i];
          CAPTURE(formatName(info.format));
          Result<TexelLayout> layout = texelLayout(info.format);
          REQUIRE(layout);
          for (uint32_t vertex = 0; vertex != Vertices; ++vertex) {
            CAPTURE(vertex);
            TexelValue expected =
                decodeTexel(*layout, &draw.scene.vertexBuffers[i].bytes[vertex * strideOf(info) + Offset]);
            TexelValue found = pixel(result, i, vertex);
            for (unsigned c = 0; c != 4; ++c)
              CHECK_MESSAGE(isSame(info, found[c], expected[c], 1),
                            "component " << c << ": " << found[c] << " for " << expected[c]);
          }
          ++count;
        }
      }
  }
  CHECK(count >= 2 * 2 * 80);
}

TEST_CASE("lavapipe reads the same from every vertex format that it has") {
  size_t count = 0;
  for (Formats formats : batches()) {
    while (!formats.empty()) {
      Draw draw = drawOf(formats);
      Result<SceneResult> reference = drawReference(draw.scene);
      if (!reference) {
        // The error names the format that lavapipe lacks.
        size_t before = formats.size();
        std::erase_if(formats, [&](const FormatInfo *info) {
          return reference.error().text.find(formatName(info->format)) != std::string::npos;
        });
        REQUIRE_MESSAGE(formats.size() < before, reference.error().text);
        continue;
      }
      SceneResult result = emulated(draw, false);
      for (size_t i = 0; i != formats.size(); ++i) {
        CAPTURE(formatName(formats[i]->format));
        for (uint32_t vertex = 0; vertex != Vertices; ++vertex) {
          TexelValue theirs = pixel(*reference, i, vertex), ours = pixel(result, i, vertex);
          for (unsigned c = 0; c != 4; ++c)
            CHECK_MESSAGE(isSame(*formats[i], ours[c], theirs[c], 2),
                          "component " << c << " of vertex " << vertex << ": " << ours[c] << " for " << theirs[c]);
        }
        ++count;
      }
      break;
    }
  }
  CHECK(count >= 70);
}

// As zink reads doubles: from formats of integers, through inputs that are floats.
TEST_CASE("inputs of another class than their format get its bits") {
  const Formats formats = {findFormat(VK_FORMAT_R32G32B32A32_UINT), findFormat(VK_FORMAT_R16G16_SINT),
                           findFormat(VK_FORMAT_R32G32B32A32_SFLOAT), findFormat(VK_FORMAT_R8G8B8A8_UNORM)};
  const std::string text = R"(#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec2 b;
layout(location = 2) in uvec4 c;
layout(location = 3) in ivec4 d;
layout(location = 0) flat out uvec4 v0;
layout(location = 1) flat out uvec4 v1;
layout(location = 2) flat out uvec4 v2;
layout(location = 3) flat out uvec4 v3;
void main() {
  v0 = floatBitsToUint(a);
  v1 = uvec4(floatBitsToUint(b), 0, 1);
  v2 = c;
  v3 = uvec4(d);
)" + PositionText + "}\n";
  Draw draw = drawOf(formats, {0, 1, 2, 3}, text, 4);
  for (const char *gpu : Gpus)
    for (bool monolithic : {false, true}) {
      SceneResult result = emulated(draw, monolithic, gpu);
      for (size_t i = 0; i != formats.size(); ++i) {
        CAPTURE(formatName(formats[i]->format));
        for (uint32_t vertex = 0; vertex != Vertices; ++vertex) {
          TexelValue expected =
              decodeTexel(texelLayout(formats[i]->format).value(),
                          &draw.scene.vertexBuffers[i].bytes[vertex * strideOf(*formats[i]) + Offset]);
          TexelValue found = pixel(result, i, vertex);
          for (unsigned c = 0; c != 4; ++c)
            CHECK_MESSAGE(isSame(*formats[i], found[c], expected[c], 1),
                          "component " << c << ": " << found[c] << " for " << expected[c]);
        }
      }
    }
}

// Doubles take up two dwords a component; those of three and four have two locations.
TEST_CASE("doubles arrive with all their bits") {
  Formats formats;
  for (VkFormat format :
       {VK_FORMAT_R64_SFLOAT, VK_FORMAT_R64G64_SFLOAT, VK_FORMAT_R64G64B64_SFLOAT, VK_FORMAT_R64G64B64A64_SFLOAT})
    formats.push_back(findFormat(format));
  std::string text = R"(#version 450
layout(location = 0) in double a;
layout(location = 1) in dvec2 b;
layout(location = 2) in dvec3 c;
layout(location = 4) in dvec4 d;
)";
  for (unsigned i = 0; i != 6; ++i)
    text += fmt::format("layout(location = {0}) flat out uvec4 v{0};\n", i);
  text += R"(uvec4 both(dvec2 x) { return uvec4(unpackDouble2x32(x.x), unpackDouble2x32(x.y)); }
void main() {
  v0 = both(dvec2(a));
  v1 = both(b);
  v2 = both(c.xy);
  v3 = both(c.zz);
  v4 = both(d.xy);
  v5 = both(d.zw);
)" + PositionText +
          "}\n";
  Draw draw = drawOf(formats, {0, 1, 2, 4}, text, 6);
  // For each target: the binding, and the dwords at which its two doubles begin.
  constexpr unsigned Places[6][3] = {{0, 0, 0}, {1, 0, 2}, {2, 0, 2}, {2, 4, 4}, {3, 0, 2}, {3, 4, 6}};
  for (const char *gpu : Gpus)
    for (bool monolithic : {false, true}) {
      SceneResult result = emulated(draw, monolithic, gpu);
      for (unsigned target = 0; target != 6; ++target) {
        const auto &[binding, first, second] = Places[target];
        for (uint32_t vertex = 0; vertex != Vertices; ++vertex) {
          const uint8_t *element =
              &draw.scene.vertexBuffers[binding].bytes[vertex * strideOf(*formats[binding]) + Offset];
          TexelValue expected;
          std::memcpy(&expected[0], element + first * 4, 8);
          std::memcpy(&expected[2], element + second * 4, 8);
          CHECK(pixel(result, target, vertex) == expected);
        }
      }
    }
}

} // namespace
