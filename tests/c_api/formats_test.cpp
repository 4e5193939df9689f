// SPDX-License-Identifier: MIT
//
// Tests dovetail_format_get_info() against the makers of prologs and epilogs. For each VkFormat, the test makes a part
// for each type that shaders can read or write it as; exactly those that the query promises must work. (The test uses
// the library's own functions, because dovetail_state_create() refuses the formats that must fail.)
#include "src/state/format_table.h"
#include "test_shaders.inc" // made by the build
#include "variants/bind/device.h"
#include "variants/c_api/include/dovetail.h"
#include "variants/state/check_state.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

constexpr VkFormat EveryFormat[] = {
#define FORMAT(name) VK_FORMAT_##name,
#include "src/state/format_names.def"
#undef FORMAT
};

dovetail_format_info infoOf(const char *gpu, VkFormat format) {
  dovetail_format_info info = {};
  info.size = sizeof info;
  dovetail_message message;
  REQUIRE_MESSAGE(dovetail_format_get_info(gpu, uint32_t(format), &info, &message) == DOVETAIL_OK, message.text);
  return info;
}

template <size_t Count> ShaderRef shader(const uint32_t (&words)[Count], lgc::ShaderStage stage) {
  ShaderDescription description;
  description.name = "test";
  description.words.assign(words, words + Count);
  description.stage = stage;
  return createShader(std::move(description)).value();
}

ShaderSet setOf(const ShaderRef &vertex, const ShaderRef &fragment) {
  return makeShaderSet(std::vector<ShaderRef>{vertex, fragment}).value();
}

bool canBind(Device &device, const ShaderSet &set, const PipelineState &state) {
  Result<VariantRef> variant = device.bind(set, state);
  if (!variant)
    CHECK_MESSAGE((variant.error().code == ErrorCode::StateMismatch || variant.error().code == ErrorCode::Unsupported),
                  variant.error().text);
  return variant.has_value();
}

PipelineState withAttribute(VkFormat format) {
  PipelineState state;
  state.vertexBindings = {{0, 32}};
  state.vertexAttributes = {{0, 0, format, 0}};
  return state;
}

PipelineState withTarget(VkFormat format) {
  PipelineState state = withAttribute(VK_FORMAT_R32G32B32A32_SFLOAT);
  state.colorTargets[0].format = format;
  return state;
}

} // namespace

TEST_CASE("the formats that the query calls vertex formats are those that prologs are made for") {
  const ShaderRef fragment = shader(white_frag, lgc::ShaderStage::Fragment);
  const ShaderSet floats = setOf(shader(reads_float_vert, lgc::ShaderStage::Vertex), fragment);
  const ShaderSet ints = setOf(shader(reads_int_vert, lgc::ShaderStage::Vertex), fragment);
  const ShaderSet uints = setOf(shader(reads_uint_vert, lgc::ShaderStage::Vertex), fragment);
  const ShaderSet doubles = setOf(shader(reads_double_vert, lgc::ShaderStage::Vertex), fragment);
  for (const char *gpu : {"gfx803", "gfx900"}) {
    std::unique_ptr<Device> device = Device::create(gpu).value();
    unsigned count = 0;
    for (VkFormat format : EveryFormat) {
      CAPTURE(formatName(format));
      const dovetail_format_info info = infoOf(gpu, format);
      const bool isWide = info.component_bits == 64;
      const PipelineState state = withAttribute(format);
      for (const ShaderSet *set : {&floats, &ints, &uints})
        CHECK(canBind(*device, *set, state) == (info.is_vertex_format && !isWide));
      CHECK(canBind(*device, doubles, state) == (info.is_vertex_format && isWide));
      CHECK(checkState(state).has_value() == bool(info.is_vertex_format));
      count += info.is_vertex_format;
    }
    CHECK(count > 60);
    CHECK(count < std::size(EveryFormat) / 2);
  }
}

TEST_CASE("the formats that the query calls colour formats are those that epilogs are made for") {
  const ShaderRef vertex = shader(reads_float_vert, lgc::ShaderStage::Vertex);
  const ShaderSet floats = setOf(vertex, shader(white_frag, lgc::ShaderStage::Fragment));
  const ShaderSet ints = setOf(vertex, shader(writes_int_frag, lgc::ShaderStage::Fragment));
  const ShaderSet uints = setOf(vertex, shader(writes_uint_frag, lgc::ShaderStage::Fragment));
  for (const char *gpu : {"gfx803", "gfx900"}) {
    std::unique_ptr<Device> device = Device::create(gpu).value();
    unsigned count = 0;
    for (VkFormat format : EveryFormat) {
      if (format == VK_FORMAT_UNDEFINED)
        continue; // no target at all
      CAPTURE(formatName(format));
      const dovetail_format_info info = infoOf(gpu, format);
      const bool isFloat = info.numeric_class == DOVETAIL_NUMERIC_FLOAT;
      const PipelineState state = withTarget(format);
      CHECK(canBind(*device, floats, state) == (info.is_color_format && isFloat));
      CHECK(canBind(*device, ints, state) == (info.is_color_format && !isFloat));
      CHECK(canBind(*device, uints, state) == (info.is_color_format && !isFloat));
      CHECK(checkState(state).has_value() == bool(info.is_color_format));
      count += info.is_color_format;
    }
    CHECK(count > 40);
    CHECK(count < std::size(EveryFormat) / 2);
  }
}

TEST_CASE("blending asks nothing of an epilog where the query says that the format does not blend") {
  const ShaderRef vertex = shader(reads_float_vert, lgc::ShaderStage::Vertex);
  const ShaderSet floats = setOf(vertex, shader(white_frag, lgc::ShaderStage::Fragment));
  const ShaderSet uints = setOf(vertex, shader(writes_uint_frag, lgc::ShaderStage::Fragment));
  std::unique_ptr<Device> device = Device::create("gfx900").value();
  for (VkFormat format : EveryFormat) {
    const dovetail_format_info info = infoOf("gfx900", format);
    if (!info.is_color_format)
      continue;
    CAPTURE(formatName(format));
    // The destination's blend factor is the source's alpha. So the epilog must export an alpha that these targets lack.
    PipelineState state = withTarget(format);
    state.colorTargets[0].dstColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    const bool isFloat = info.numeric_class == DOVETAIL_NUMERIC_FLOAT;
    const ShaderSet &set = isFloat ? floats : uints;
    const VariantRef plain = device->bind(set, state).value();
    state.colorTargets[0].blendEnable = true;
    const VariantRef blended = device->bind(set, state).value();
    CHECK(bool(info.is_blendable) == isFloat);
    if (!info.is_blendable)
      CHECK(blended->image->parts.back().part == plain->image->parts.back().part);
    else if (info.component_count == 1) // a valid neighbour
      CHECK(blended->image->parts.back().part != plain->image->parts.back().part);
  }
}

TEST_CASE("the query says nothing of numbers that are no format, and refuses a GPU that is not known") {
  for (uint32_t number : {0u, 12345u, 0xffffffffu}) {
    const dovetail_format_info info = infoOf("gfx900", VkFormat(number));
    CHECK(info.is_vertex_format == 0);
    CHECK(info.is_color_format == 0);
    CHECK(info.component_count == 0);
  }
  const dovetail_format_info info = infoOf("gfx900", VK_FORMAT_R16G16B16_SNORM);
  CHECK(info.is_vertex_format == 1);
  CHECK(info.is_color_format == 0);
  CHECK(info.component_count == 3);
  CHECK(info.component_bits == 16);
  CHECK(info.element_bytes == 6);
  dovetail_format_info unused = {};
  unused.size = sizeof unused;
  dovetail_message message;
  CHECK(dovetail_format_get_info("gfx1", 37, &unused, &message) == DOVETAIL_UNKNOWN_GPU);
  CHECK(std::string_view(message.text).find("gfx900") != std::string_view::npos);
}

TEST_CASE("C: conversions that give the same colours have the same dword") {
  dovetail_ycbcr_conversion conversion = {};
  conversion.size = sizeof conversion;
  conversion.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  conversion.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
  conversion.range = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
  conversion.chroma_filter = conversion.mag_filter = conversion.min_filter = VK_FILTER_LINEAR;
  dovetail_message message;
  auto dwordOf = [&](const dovetail_ycbcr_conversion &given) {
    uint32_t dword = 0;
    REQUIRE_MESSAGE(dovetail_ycbcr_conversion_get_dword(&given, &dword, &message) == DOVETAIL_OK, message.text);
    return dword;
  };
  const uint32_t dword = dwordOf(conversion);
  dovetail_ycbcr_conversion other = conversion;
  other.components[1] = VK_COMPONENT_SWIZZLE_G;
  CHECK(dwordOf(other) == dword);
  other.chroma_filter = VK_FILTER_NEAREST;
  CHECK(dwordOf(other) != dword);
  other.mag_filter = other.min_filter = VK_FILTER_NEAREST;
  const uint32_t nearest = dwordOf(other);
  other.y_chroma_offset = VK_CHROMA_LOCATION_MIDPOINT; // nobody sees the chroma offset of the nearest texel
  CHECK(dwordOf(other) == nearest);
  other = conversion;
  other.y_chroma_offset = VK_CHROMA_LOCATION_MIDPOINT;
  CHECK(dwordOf(other) != dword);
  auto complaintOf = [&](auto change) {
    dovetail_ycbcr_conversion changed = conversion;
    change(changed);
    uint32_t unused = 0;
    CHECK(dovetail_ycbcr_conversion_get_dword(&changed, &unused, &message) != DOVETAIL_OK);
    return std::string(message.text);
  };
  using C = dovetail_ycbcr_conversion;
  CHECK(complaintOf([](C &c) { c.format = VK_FORMAT_R8G8B8A8_UINT; }).find("VK_FORMAT_R8G8B8A8_UINT") !=
        std::string::npos);
  CHECK(complaintOf([](C &c) { c.model = 5; }).find("ycbcrModel 5") != std::string::npos);
  CHECK(complaintOf([](C &c) { c.components[3] = UINT32_MAX; }).find("component swizzle 2147483647") !=
        std::string::npos);
  CHECK(complaintOf([](C &c) { c.force_explicit_reconstruction = 1; }).find("forceExplicitReconstruction") !=
        std::string::npos);
  CHECK(complaintOf([](C &c) { c.reserved = 1; }).find("conversion->reserved") != std::string::npos);
}

TEST_CASE("patches of a size that there is not are refused, unless the topology is another one") {
  PipelineState state;
  state.patchControlPoints = 33;
  CHECK(checkState(state).has_value());
  state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  REQUIRE_FALSE(checkState(state).has_value());
  CHECK((checkState(state).error().code == ErrorCode::StateMismatch));
  state.patchControlPoints = 32;
  CHECK(checkState(state).has_value());
  state.patchControlPoints = 0;
  CHECK_FALSE(checkState(state).has_value());
}
