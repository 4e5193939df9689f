// SPDX-License-Identifier: MIT
//
// The Vulkan specification, chapter "Texel Input Operations", leaves the LOD some freedom. Here it is used as in
// llvmpipe (Mesa 22.3, lp_build_rho() and lp_build_lod_selector() with GALLIVM_PERF=no_quad_lod). rho is the longer of
// the two gradients in texels of the base level, and the logarithm of its square is linear between powers of two. Then
// follow, in this order: the instruction's bias, the sampler's bias, the maximum, the minimum. The magnification filter
// is for LOD <= 0. Hardware rounds the LOD to 8 bits of fraction; this file does not. How hardware approximates the
// logarithm is not documented.
//
// The sampler's bias and limits also apply to levels that instructions give, including the _lz variants. This is the
// Vulkan rule, and drivers rely on it when they turn a constant level 0 into _lz.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/image/level_of_detail.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace dovetail::emulator {

namespace {

enum MipFilter : uint32_t { None = 0, Point = 1, Linear = 2 };

constexpr uint32_t FractionSteps = 256;
constexpr uint32_t HighestLevel = 15; // a maximum of this or more limits nothing
// log2(rho^2) without any movement, and with unbounded movement.
constexpr float LowestSquaredLog = -127, HighestSquaredLog = 128;

float lengthSquared(const std::array<float, 3> &gradient, const std::array<float, 3> &size) {
  float sum = 0;
  for (unsigned i = 0; i != 3; ++i) {
    float texels = gradient[i] * size[i];
    sum += texels * texels;
  }
  return sum;
}

float rhoSquared(const ImageView &image, const SamplerDescriptor &sampler, const Gradients &gradients) {
  const LevelSize &texels = image.size(image.baseLevel());
  std::array<float, 3> size = {float(texels.width), float(texels.height), float(texels.slices)};
  if (sampler.forceUnnormalized)
    size.fill(1);
  return std::max(lengthSquared(gradients.dx, size), lengthSquared(gradients.dy, size));
}

// floor(log2(x)) + x / 2^floor(log2(x)) - 1.
float linearLog2(float value) {
  if (!std::isfinite(value))
    return HighestSquaredLog;
  if (value < std::numeric_limits<float>::min())
    return LowestSquaredLog;
  constexpr uint32_t MantissaBits = 23, Mantissa = (1u << MantissaBits) - 1, ExponentOfTwo = 128;
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto mantissa = std::bit_cast<float>((bits & Mantissa) | (ExponentOfTwo - 1) << MantissaBits); // in [1, 2)
  return float(int(bits >> MantissaBits) - int(ExponentOfTwo)) + mantissa;
}

float signedBias(uint32_t field) {
  return float(int32_t(field << 18) >> 18) / FractionSteps;
}

} // namespace

void findLevelOfDetail(const ImageView &image, const SamplerDescriptor &sampler, const LodRequest &request,
                       LodResult &result) {
  const unsigned base = image.baseLevel(), last = image.lastLevel();
  const float bias = signedBias(sampler.lodBias);
  float lowest = float(sampler.minLod) / FractionSteps;
  float highest = float(sampler.maxLod) / FractionSteps;
  if (request.minimum)
    lowest = std::max(lowest, *request.minimum);
  lowest = std::max(lowest, float(image.descriptor().minLod) / FractionSteps - float(base));

  float rho = request.level ? 0 : rhoSquared(image, sampler, request.gradients);
  result.unclamped = (request.level ? *request.level : 0.5f * linearLog2(rho) + request.bias) + bias;
  if (std::isnan(result.unclamped))
    result.unclamped = 0;
  result.clamped = std::max(std::min(result.unclamped, highest), lowest);
  result.isMinified = result.clamped > 0;
  result.level = {base, base};
  result.weight = 0;

  // If the LOD is rho's only, llvmpipe rounds halves up; otherwise to the even level.
  bool isPlain = !request.level && !request.hasBias && bias == 0 && lowest == 0 && sampler.maxLod >= HighestLevel << 8;
  float bounded = std::clamp(result.clamped, -float(HighestLevel) - 1, float(HighestLevel) + 1);
  switch (sampler.mipFilter) {
  case Linear: {
    const int whole = int(bounded) - (bounded < float(int(bounded)) ? 1 : 0); // rounded down
    const int level = whole + int(base);
    result.weight = level < int(base) || level >= int(last) ? 0 : bounded - float(whole);
    result.level[0] = unsigned(std::clamp(level, int(base), int(last)));
    result.level[1] = std::min(result.level[0] + 1, last);
    break;
  }
  case Point: {
    float nearest = isPlain ? std::floor(bounded + 0.5f) : std::nearbyint(bounded);
    result.level[0] = unsigned(std::clamp(int(nearest) + int(base), int(base), int(last)));
    break;
  }
  default:
    break;
  }
}

} // namespace dovetail::emulator
