// SPDX-License-Identifier: MIT
//
// Images, samplers and texel buffers with contents that change slowly from texel to texel and agree from level to
// level, so that a coordinate or level of detail that is off by rounding does not change a picture much.
#pragma once

#include "src/base/error.h"
#include "src/spirv/reflect/reflection.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// What the image of a binding is used for.
struct ImageNeeds {
  spirv::ImageShape shape;
  bool isStorage = false;
  bool comparesDepth = false;
  uint32_t storageSide = 16;                    // width and height of a storage image that invocations index
  uint32_t targetWidth = 16, targetHeight = 16; // of the framebuffer, and of input attachments
};

// Errors: Unsupported for a shape that no view has, and for formats without a texel layout.
Result<SceneImage> makeImage(const ImageNeeds &needs, Random &random);

// One plane of a YCbCr image: a 2D image of one level.
Result<SceneImage> makePlane(VkFormat format, uint32_t width, uint32_t height, uint32_t layers, bool isArrayed,
                             Random &random);

// `integers`: of images that cannot be filtered.
SceneSampler makeSampler(bool comparesDepth, bool integers, Random &random);

// The format of a texel buffer for what the shader declares, and texels for it.
VkFormat texelBufferFormat(const spirv::ImageShape &shape, bool isStorage, Random &random);
Result<std::vector<uint8_t>> makeTexels(VkFormat format, uint32_t count, Random &random);

} // namespace dovetail
