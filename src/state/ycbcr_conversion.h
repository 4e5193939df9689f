// SPDX-License-Identifier: MIT
//
// The YCbCr conversion of a sampler, as VkSamplerYcbcrConversionCreateInfo describes it. The hardware has none: code
// samples each plane of the image and computes the colour, so that a shader is compiled for a conversion
// (ResourceFormKind::YcbcrConversion).
//
// Source: the Vulkan specification, chapter "Image Operations", "Chroma Reconstruction" (implicit) and "Sampler
// Y'CbCr Conversion"; for the planes of each format, "Compatible Formats of Planes of Multi-Planar Formats".
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <vulkan/vulkan_core.h>

namespace dovetail {

// How planes with fewer texels are filtered.
enum class ChromaFilter : uint8_t { AsSampler, Nearest, Linear };

struct YcbcrConversion {
  VkSamplerYcbcrModelConversion model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
  VkSamplerYcbcrRange range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
  // Of the result's r, g, b and a; in front of it all.
  std::array<VkComponentSwizzle, 4> components = {};
  // One plane has all components. Of two, the first has g, the second b and r as its r and g. Of three, the first has
  // g, the second b and the third r, each as its r.
  uint8_t planes = 1;
  // The planes behind the first have half as many texels. (What one plane has fewer of, as in 4:2:2, the hardware
  // reconstructs.)
  bool halfWidth = false, halfHeight = false;
  // Where those texels lie between the first plane's.
  VkChromaLocation xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT, yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  ChromaFilter chromaFilter = ChromaFilter::AsSampler;
  uint8_t bits = 8; // of a component: 8, 10, 12 or 16

  bool operator==(const YcbcrConversion &) const = default;
};

// All of it in one dword, as a layout has it (UserDataNodeType::YcbcrConversion) and as keys do. Conversions that give
// the same colours give the same dword.
uint32_t toDword(const YcbcrConversion &conversion);

// Errors: InvalidInput, naming the dword, if toDword() does not give it.
Result<YcbcrConversion> ycbcrConversionOf(uint32_t dword);

// Of a sampler with these filters. Errors: Unsupported, naming the member, for formats without a row, for explicit
// reconstruction, and for values that this Vulkan does not have.
Result<YcbcrConversion> ycbcrConversionOf(const VkSamplerYcbcrConversionCreateInfo &info, VkFilter magFilter,
                                          VkFilter minFilter);

} // namespace dovetail
