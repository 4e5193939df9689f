// SPDX-License-Identifier: MIT
//
// The table of sample positions that the driver keeps (entry 12 of the global table). It has 16 patterns of 16 samples,
// and 16 bytes for each sample. The first two floats of these are the sample's offset from the pixel's centre, in
// pixels. Source: PAL, palDevice.h, SamplePos and SamplePatternPalette; gfx9ShaderRing.cpp and gfx6ShaderRing.cpp,
// SamplePosBuffer.
//
// The client chooses the patterns. Pattern n is that of 2^n samples, as in AMD's Vulkan driver (xgl, vk_device.cpp,
// InitSamplePatternPalette and GetDefaultSamplePatternIndex). In pattern 0 all samples are at the centre. Where
// multisampling is turned off, invocations of more than one sample run with pattern 0.
#pragma once

#include <bit>
#include <cstdint>

namespace dovetail {

constexpr uint32_t SamplesOfPattern = 16;
constexpr uint32_t SamplePositionBytes = 16;
constexpr uint32_t SamplePatternBytes = SamplesOfPattern * SamplePositionBytes;

// Where the pattern of a number of samples (a power of two) begins.
constexpr uint32_t samplePatternOffset(uint32_t samples) {
  return samples == 0 ? 0 : uint32_t(std::bit_width(samples) - 1) * SamplePatternBytes;
}

} // namespace dovetail
