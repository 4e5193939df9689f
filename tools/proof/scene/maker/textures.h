// SPDX-License-Identifier: MIT
//
// Makes images, samplers and texel buffers. Their contents change slowly from texel to texel, and levels agree. So
// rounding errors in a coordinate or a level of detail change a picture only a little.
#pragma once

#include "src/base/error.h"
#include "src/spirv/reflect/reflection.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// The uses of a binding's image.
struct ImageNeeds {
  spirv::ImageShape shape;
  bool isStorage = false;
  bool comparesDepth = false;
  uint32_t storageSide = 16;                    // width and height of a storage image that invocations index
  uint32_t targetWidth = 16, targetHeight = 16; // of the framebuffer and of input attachments
};

// Errors: Unsupported for a shape that no view has, and for formats without a texel layout.
Result<SceneImage> makeImage(const ImageNeeds &needs, Random &random);

// Makes one plane of a YCbCr image: a 2D image of one level.
Result<SceneImage> makePlane(VkFormat format, uint32_t width, uint32_t height, uint32_t layers, bool isArrayed,
                             Random &random);

// `integers`: for images that cannot be filtered.
SceneSampler makeSampler(bool comparesDepth, bool integers, Random &random);

// Chooses a texel buffer's format to suit the shader's declaration, and makes its texels.
VkFormat texelBufferFormat(const spirv::ImageShape &shape, bool isStorage, Random &random);
Result<std::vector<uint8_t>> makeTexels(VkFormat format, uint32_t count, Random &random);

} // namespace dovetail
