// SPDX-License-Identifier: MIT
//
// Targets keep samples in their own format, so that blending and the depth test read back values that are rounded as in
// memory. The samples of a pixel lie side by side.
// Sources: the Vulkan specification's formats, and its "Multisample Resolve".
#include "tools/proof/emulator/draw/output/targets.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dovetail::emulator {

namespace {

struct DepthStencilFormat {
  VkFormat format;
  uint8_t depthBits; // 32: float
  bool hasStencil;
};

constexpr DepthStencilFormat DepthStencilFormats[] = {
    {VK_FORMAT_UNDEFINED, 0, false},
    {VK_FORMAT_D16_UNORM, 16, false},
    {VK_FORMAT_X8_D24_UNORM_PACK32, 24, false},
    {VK_FORMAT_D32_SFLOAT, 32, false},
    {VK_FORMAT_S8_UINT, 0, true},
    {VK_FORMAT_D16_UNORM_S8_UINT, 16, true},
    {VK_FORMAT_D24_UNORM_S8_UINT, 24, true},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, 32, true},
};

constexpr unsigned FloatDepth = 32;

uint8_t operate(VkLogicOp op, uint8_t source, uint8_t destination) {
  // Bit 3 - n of Vulkan's numbers is the result for the source bit n / 2 and the destination bit n % 2.
  uint8_t result = 0;
  for (unsigned pair = 0; pair < 4; ++pair)
    if ((unsigned(op) >> (3 - pair) & 1) != 0)
      result |= uint8_t((pair & 2 ? source : ~source) & (pair & 1 ? destination : ~destination));
  return result;
}

} // namespace

bool hasLogicOperation(const TexelLayout &layout) {
  return layout.isInteger() || layout.numeric == TexelNumeric::Unorm || layout.numeric == TexelNumeric::Snorm;
}

Result<Targets> Targets::make(const Scene &scene, const SceneResult *before) {
  Targets targets;
  targets.m_width = scene.width;
  targets.m_height = scene.height;
  targets.m_layers = std::max(scene.layers, 1u);
  targets.m_samples = std::max(scene.state.rasterizationSamples, 1u);
  targets.m_keepsSamples = targets.m_samples == 1 || scene.keepSamples;
  const size_t samples = size_t(scene.width) * scene.height * targets.m_layers * targets.m_samples;

  for (unsigned i = 0; i < MaxColorTargets; ++i) {
    Color &color = targets.m_colors[i];
    color.format = scene.state.colorTargets[i].format;
    if (color.format == VK_FORMAT_UNDEFINED)
      continue;
    color.layout = DOVETAIL_TRY(texelLayout(color.format));
    if (!scene.initialColors[i].empty()) {
      color.bytes = scene.initialColors[i];
      continue;
    }
    TexelValue clear; // floats or integers: the bits are the same
    std::memcpy(clear.data(), &scene.clearColors[i], sizeof(clear));
    color.bytes.resize(samples * color.layout.bytes);
    encodeTexel(color.layout, clear, color.bytes.data());
    // Doubles what is filled.
    for (size_t filled = color.layout.bytes; filled < color.bytes.size(); filled *= 2)
      std::memcpy(&color.bytes[filled], color.bytes.data(), std::min(filled, color.bytes.size() - filled));
  }

  const VkFormat depthStencil = scene.state.depthStencilFormat;
  const auto *format = std::ranges::find(DepthStencilFormats, depthStencil, &DepthStencilFormat::format);
  if (format == std::end(DepthStencilFormats))
    return makeError(ErrorCode::Unsupported, "format {} is no depth or stencil target", int(depthStencil));
  targets.m_depthBits = format->depthBits;
  // checkScene() has compared the sizes of the initial contents.
  if (format->depthBits != 0 && scene.initialDepth.empty())
    targets.m_depth.assign(samples, targets.quantiseDepth(scene.clearDepth));
  if (!scene.initialDepth.empty()) {
    targets.m_depth.resize(samples);
    std::memcpy(targets.m_depth.data(), scene.initialDepth.data(), scene.initialDepth.size());
    if (format->depthBits != FloatDepth) {
      // Most depths equal their neighbour.
      float known = 0, quantised = 0;
      for (float &depth : targets.m_depth) {
        if (depth != known) {
          known = depth;
          quantised = targets.quantiseDepth(depth);
        }
        depth = quantised;
      }
    }
  }
  if (format->hasStencil)
    targets.m_stencil = scene.initialStencil.empty() ? std::vector<uint8_t>(samples, uint8_t(scene.clearStencil))
                                                     : scene.initialStencil;
  if (before)
    DOVETAIL_CHECK(targets.load(*before));
  return targets;
}

Result<void> Targets::load(const SceneResult &before) {
  if (!m_keepsSamples)
    return makeError(ErrorCode::Unsupported, "targets of {} samples can be drawn to once only", m_samples);
  const uint32_t width = m_width * m_samples; // of a picture with all samples
  auto copy = [&](std::string_view what, const ScenePicture &picture, VkFormat format, void *to,
                  size_t bytes) -> Result<void> {
    if (picture.format != format || picture.width != width || picture.height != m_height ||
        picture.layers != m_layers || picture.bytes.size() != bytes)
      return makeError(ErrorCode::StateMismatch,
                       "{}: the draw has {} x {} x {} of format {}, its targets hold {} x {} x {} of format {}", what,
                       width, m_height, m_layers, int(format), picture.width, picture.height, picture.layers,
                       int(picture.format));
    std::memcpy(to, picture.bytes.data(), bytes);
    return {};
  };
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    if (Color &color = m_colors[i]; color.format != VK_FORMAT_UNDEFINED)
      DOVETAIL_CHECK(
          copy(fmt::format("color {}", i), before.colors[i], color.format, color.bytes.data(), color.bytes.size()));
  if (hasDepth())
    DOVETAIL_CHECK(copy("depth", before.depth, VK_FORMAT_D32_SFLOAT, m_depth.data(), m_depth.size() * sizeof(float)));
  if (hasStencil())
    DOVETAIL_CHECK(copy("stencil", before.stencil, VK_FORMAT_S8_UINT, m_stencil.data(), m_stencil.size()));
  return {};
}

TexelValue Targets::readColor(unsigned target, const SamplePlace &place) const {
  const Color &color = m_colors[target];
  return decodeTexel(color.layout, &color.bytes[index(place) * color.layout.bytes]);
}

void Targets::writeColor(unsigned target, const SamplePlace &place, const TexelValue &value, unsigned mask) {
  Color &color = m_colors[target];
  encodeTexel(color.layout, value, &color.bytes[index(place) * color.layout.bytes], mask);
}

void Targets::combineColor(unsigned target, const SamplePlace &place, const TexelValue &value, unsigned mask,
                           VkLogicOp op) {
  Color &color = m_colors[target];
  uint8_t *stored = &color.bytes[index(place) * color.layout.bytes];
  std::array<uint8_t, 16> source = {}, written = {}; // `written`: the bits of the masked components
  encodeTexel(color.layout, value, source.data());
  for (unsigned i = 0; i < 4; ++i)
    if (const TexelComponent component = color.layout.components[i]; (mask >> i & 1) != 0)
      for (unsigned bit = component.shift; bit < component.shift + component.bits; ++bit)
        written[bit / 8] |= uint8_t(1u << bit % 8);
  for (unsigned byte = 0; byte < color.layout.bytes; ++byte)
    stored[byte] = uint8_t((stored[byte] & ~written[byte]) | (operate(op, source[byte], stored[byte]) & written[byte]));
}

float Targets::quantiseDepth(float value) const {
  if (m_depthBits == FloatDepth)
    return value;
  const double steps = double((1u << m_depthBits) - 1);
  return float(std::nearbyint(std::clamp(double(value), 0.0, 1.0) * steps) / steps);
}

void Targets::writeDepth(const SamplePlace &place, float value) {
  m_depth[index(place)] = quantiseDepth(value);
}

// The mean of the samples. Integers have no mean: the first sample.
TexelValue Targets::resolve(const Color &color, size_t texel, RoundingNoise &noise) const {
  const uint8_t *samples = &color.bytes[texel * m_samples * color.layout.bytes];
  TexelValue first = decodeTexel(color.layout, samples);
  if (m_samples == 1 || color.layout.isInteger())
    return first;
  std::array<float, 4> sum = {};
  for (unsigned sample = 0; sample < m_samples; ++sample) {
    TexelValue value = decodeTexel(color.layout, samples + sample * color.layout.bytes);
    for (unsigned i = 0; i < 4; ++i)
      sum[i] += std::bit_cast<float>(value[i]);
  }
  TexelValue mean;
  for (unsigned i = 0; i < 4; ++i) {
    const float component = sum[i] / float(m_samples);
    mean[i] = std::bit_cast<uint32_t>(
        noise.isOf(NoiseSource::Conversions) ? noise.apply(component, /*mayLookExact=*/false) : component);
  }
  return mean;
}

SceneResult Targets::finish(RoundingNoise noise) const {
  SceneResult result;
  result.counts.samplesPassed = m_samplesPassed;
  const size_t texels = size_t(m_width) * m_height * m_layers;
  for (unsigned i = 0; i < MaxColorTargets; ++i) {
    const Color &color = m_colors[i];
    if (color.format == VK_FORMAT_UNDEFINED)
      continue;
    ScenePicture &picture = result.colors[i];
    picture = {color.format, m_width, m_height, m_layers, {}};
    if (m_keepsSamples) {
      picture.width *= m_samples;
      picture.bytes = color.bytes;
      continue;
    }
    picture.bytes.resize(texels * color.layout.bytes);
    for (size_t texel = 0; texel < texels; ++texel)
      encodeTexel(color.layout, resolve(color, texel, noise), &picture.bytes[texel * color.layout.bytes]);
  }
  if (m_keepsSamples && hasDepth()) {
    result.depth = {VK_FORMAT_D32_SFLOAT, m_width * m_samples, m_height, m_layers, {}};
    const auto *bytes = reinterpret_cast<const uint8_t *>(m_depth.data());
    result.depth.bytes.assign(bytes, bytes + m_depth.size() * sizeof(float));
  }
  if (m_keepsSamples && hasStencil())
    result.stencil = {VK_FORMAT_S8_UINT, m_width * m_samples, m_height, m_layers, m_stencil};
  return result;
}

} // namespace dovetail::emulator
