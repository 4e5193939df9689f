// SPDX-License-Identifier: MIT
//
// T# and S#: the image resource and sampler descriptors of GFX9 ("Vega" ISA manual, tables "Image Resource Definition"
// and "Image Sampler Definition"; GFX8 where it differs), and where the emulator keeps texels. Hardware tiling is not
// modelled: every image is linear, and code that runs cannot tell.
#pragma once

#include "src/base/error.h"
#include "tests/emulator/instruction.h"
#include "tests/scene/scene.h"
#include <array>
#include <cstdint>

namespace dovetail::emulator {

// The descriptor of an image whose texels lie at `address` in the order of SceneImage::bytes (multisampled images: each
// texel is followed by its other samples). Errors: Unsupported for a format that GFX9 images do not have.
Result<std::array<uint32_t, 8>> imageDescriptor(Generation generation, const SceneImage &image, uint64_t address);

// The bytes to put at `address`: SceneImage::bytes with the samples of multisampled images filled in.
std::vector<uint8_t> imageMemory(const SceneImage &image);

// `borderColor` of the standard kinds only.
std::array<uint32_t, 4> samplerDescriptor(const SceneSampler &sampler);

} // namespace dovetail::emulator
