// SPDX-License-Identifier: MIT
//
// T# and S#: the image resource and sampler descriptors of GFX9 ("Vega" ISA manual, sections 8.4.2
// and 8.4.3; GFX8 where it differs), and the place where the emulator keeps texels. Hardware tiling is not
// modelled: every image is linear, and code that runs cannot tell.
#pragma once

#include "src/base/error.h"
#include "tools/proof/emulator/isa/instruction.h"
#include "tools/proof/scene/scene.h"
#include <array>
#include <cstdint>

namespace dovetail::emulator {

// The descriptor of an image with texels at `address`, a multiple of 256, in the order of SceneImage::bytes. In
// multisampled images, the other samples follow each texel. Errors: Unsupported for a format that GFX9 images do not
// have.
Result<std::array<uint32_t, 8>> imageDescriptor(Generation generation, const SceneImage &image, uint64_t address);

// The bytes to put at `address`: SceneImage::bytes with the samples of multisampled images filled in.
std::vector<uint8_t> imageMemory(const SceneImage &image);

// `borderColor`: the standard kinds only.
std::array<uint32_t, 4> samplerDescriptor(const SceneSampler &sampler);
// The reverse, as far as scenes can express it: no anisotropy, no border colours from memory. The result always
// compares, with the descriptor's function.
SceneSampler toSceneSampler(const std::array<uint32_t, 4> &words);

// SQ_RSRC_IMG_*.
enum class ImageType : uint8_t {
  Dim1D = 8,
  Dim2D = 9,
  Dim3D = 10,
  Cube = 11,
  Array1D = 12,
  Array2D = 13,
  Msaa2D = 14,
  MsaaArray2D = 15,
};

// A T#, with the fields of the hardware.
struct ImageDescriptor {
  uint64_t address = 0; // bytes
  uint32_t minLod = 0;  // levels * 256, counted from level 0 of the resource
  uint32_t dataFormat = 0, numFormat = 0;
  uint32_t widthMinusOne = 0, heightMinusOne = 0; // at level 0 of the resource
  std::array<uint32_t, 4> dstSel = {4, 5, 6, 7};  // SQ_SEL: 0: zero, 1: one, 4..7: x..w
  uint32_t baseLevel = 0, lastLevel = 0;          // multisampled: 0 and log2 of the number of samples
  uint32_t swizzleMode = 0;                       // 0: linear, the only one here
  ImageType type = ImageType::Dim2D;
  uint32_t depthMinusOne = 0; // 3D: depth; GFX9: otherwise the last slice of the view
  uint32_t pitchMinusOne = 0;
  uint32_t borderSwizzle = 0; // GFX9: source in the border colour for each component of the texel
  uint32_t baseArray = 0;
  uint32_t lastArray = 0; // last slice of the view; each face of a cube counts; GFX9 has it in DEPTH
  uint32_t maxMip = 0;    // GFX9

  bool isMultisampled() const { return type == ImageType::Msaa2D || type == ImageType::MsaaArray2D; }
};

// An S#.
struct SamplerDescriptor {
  std::array<uint32_t, 3> clamp = {}; // SQ_TEX_CLAMP for x, y, z
  uint32_t maxAnisoRatio = 0;
  uint32_t compareFunc = 0; // in the order of VkCompareOp
  uint32_t forceUnnormalized = 0;
  uint32_t disableCubeWrap = 0;
  uint32_t filterMode = 0;               // 0: blend, 1: minimum, 2: maximum
  uint32_t minLod = 0, maxLod = 0;       // levels * 256
  uint32_t lodBias = 0;                  // levels * 256, 14 bits with a sign
  uint32_t magFilter = 0, minFilter = 0; // SQ_TEX_XY_FILTER: 0: point, 1: bilinear, 2, 3: anisotropic
  uint32_t zFilter = 0;                  // 0: as for x and y, 1: point, 2: linear
  uint32_t mipFilter = 0;                // 0: none, 1: point, 2: linear
  uint32_t borderColorType = 0;          // 0: transparent black, 1: opaque black, 2: white, 3: from memory
};

std::array<uint32_t, 8> encode(Generation generation, const ImageDescriptor &descriptor);
ImageDescriptor decodeImageDescriptor(Generation generation, const std::array<uint32_t, 8> &words);

std::array<uint32_t, 4> encode(const SamplerDescriptor &descriptor);
SamplerDescriptor decodeSamplerDescriptor(const std::array<uint32_t, 4> &words);

} // namespace dovetail::emulator
