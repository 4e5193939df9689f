// SPDX-License-Identifier: MIT
//
// The table of sample positions that the driver keeps (entry 12 of the global table): for each of 16 patterns 16
// samples, for each sample 16 bytes, of which the first two floats are its offset from the pixel's centre, in pixels.
// Source: PAL, palDevice.h, SamplePos and SamplePatternPalette; gfx9ShaderRing.cpp and gfx6ShaderRing.cpp,
// SamplePosBuffer.
//
// The patterns are the client's. Pattern n is that of 2^n samples, as in AMD's Vulkan driver (xgl, vk_device.cpp,
// InitSamplePatternPalette and GetDefaultSamplePatternIndex), and in pattern 0 all samples are at the centre:
// invocations of more than one run with it where multisampling is turned off.
#pragma once

#include <bit>
#include <cstdint>

namespace dovetail {

constexpr uint32_t SamplePatternCount = 16;
constexpr uint32_t SamplesOfPattern = 16;
constexpr uint32_t SamplePositionBytes = 16;
constexpr uint32_t SamplePatternBytes = SamplesOfPattern * SamplePositionBytes;

// Where the pattern of a number of samples (a power of two) begins.
constexpr uint32_t samplePatternOffset(uint32_t samples) {
  return samples == 0 ? 0 : uint32_t(std::bit_width(samples) - 1) * SamplePatternBytes;
}

} // namespace dovetail
