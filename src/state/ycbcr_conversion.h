// SPDX-License-Identifier: MIT
//
// The hardware cannot convert YCbCr colours. So code samples each plane of the image and computes the colour, and a
// shader is compiled for a conversion (ResourceFormKind::YcbcrConversion). This is the conversion of a sampler, as
// VkSamplerYcbcrConversionCreateInfo describes it.
//
// Source: the Vulkan specification, chapter "Image Operations", "Chroma Reconstruction" (implicit) and "Sampler Y'CbCr
// Conversion"; for the planes of each format, "Compatible Formats of Planes of Multi-Planar Formats".
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <vulkan/vulkan_core.h>

namespace dovetail {

// The filter of planes with fewer texels.
enum class ChromaFilter : uint8_t { AsSampler, Nearest, Linear };

struct YcbcrConversion {
  VkSamplerYcbcrModelConversion model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
  VkSamplerYcbcrRange range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
  // Sources of the result's r, g, b and a; this swizzle comes before everything else.
  std::array<VkComponentSwizzle, 4> components = {};
  // The number of planes.
  // - 1: the plane has all components.
  // - 2: the first has g, the second b and r as its r and g.
  // - 3: the first has g, the second b and the third r, each as its r.
  uint8_t planes = 1;
  // Whether the planes behind the first have half as many texels. (The hardware itself reconstructs components of which
  // a single plane has fewer, as in 4:2:2.)
  bool halfWidth = false, halfHeight = false;
  // Where those planes' texels lie between the first plane's.
  VkChromaLocation xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT, yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  ChromaFilter chromaFilter = ChromaFilter::AsSampler;
  uint8_t bits = 8; // of a component: 8, 10, 12 or 16

  bool operator==(const YcbcrConversion &) const = default;
};

// Packs a conversion into one dword, for layouts (UserDataNodeType::YcbcrConversion) and keys. Conversions that give
// the same colours give the same dword.
uint32_t toDword(const YcbcrConversion &conversion);

// Unpacks a dword. Errors: InvalidInput, naming the dword, if no conversion has it.
Result<YcbcrConversion> ycbcrConversionOf(uint32_t dword);

// The conversion of a sampler with these filters. Errors: Unsupported, naming the member, for formats without a row,
// for explicit reconstruction, and for values that this version of Vulkan does not have.
Result<YcbcrConversion> ycbcrConversionOf(const VkSamplerYcbcrConversionCreateInfo &info, VkFilter magFilter,
                                          VkFilter minFilter);

} // namespace dovetail
