// SPDX-License-Identifier: MIT
//
// Shaders find their resources through the driver's pipeline layout. This is the layout as plain data.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// The kind of place in which a resource is found. The root table is an array of dwords that the driver sets (user
// data). SGPRs hold as many of the dwords that a shader reads as fit; the shader reads the rest through the spill
// table.
enum class UserDataNodeType : uint32_t {
  DescriptorTable, // one root dword: low half of the address of the table of `set`
  PushConstants,   // sizeInDwords root dwords
  // Elements of a DescriptorTable: offsetInDwords counts from the start of that table.
  Image,
  Sampler,
  CombinedImageSampler, // image at +0, sampler at +8 dwords, stride 12 dwords
  TexelBuffer,
  Buffer,
  // The FMASK descriptor (8 dwords) of a multisampled image that has the same set and binding. Fetches read the image
  // through it. Without such a node, and where its dwords are 0, sample n is fragment n.
  Fmask,
  // Buffers in other forms. A shader that reads them is compiled for the form (resource_form.h).
  // Elements of a DescriptorTable:
  CompactBuffer,  // 2 dwords: the buffer's address; its end is not known
  InlineUniforms, // the data of a uniform block
  // In the root table, with the set and binding of their buffers:
  RootBuffer,    // 4 dwords: the descriptor
  DynamicOffset, // 1 dword for each element of a Buffer: bytes to add to its address
  // In place of a Sampler, or of the sampler beside an Image of the same set and binding: 4 dwords for each element.
  // offsetInDwords counts from the start of ResourceLayout::immutableSamplers(). The dwords are in the layout only, not
  // in memory.
  ImmutableSampler,
  // The YCbCr conversion of the sampler of the same set and binding: 1 dword for each element (ycbcr_conversion.h).
  // offsetInDwords counts as that of ImmutableSampler. A shader that reads the binding is compiled for the conversion.
  YcbcrConversion,
  // The descriptors (8 dwords) of the planes behind the first of an Image that has the same set and binding.
  ImagePlane1,
  ImagePlane2,
};

// Whether offsetInDwords counts from the start of the root table.
constexpr bool isInRoot(UserDataNodeType type) {
  return type == UserDataNodeType::DescriptorTable || type == UserDataNodeType::PushConstants ||
         type == UserDataNodeType::RootBuffer || type == UserDataNodeType::DynamicOffset;
}

// Whether offsetInDwords counts from the start of ResourceLayout::immutableSamplers().
constexpr bool isInLayout(UserDataNodeType type) {
  return type == UserDataNodeType::ImmutableSampler || type == UserDataNodeType::YcbcrConversion;
}

struct UserDataNode {
  UserDataNodeType type;
  uint32_t set = 0;
  uint32_t binding = 0; // not for DescriptorTable and PushConstants
  uint32_t offsetInDwords = 0;
  uint32_t sizeInDwords = 1;
  uint32_t strideInDwords = 0; // between the elements of an array binding

  bool operator==(const UserDataNode &) const = default;
};

// Dwords from element to element. A node without a stride is one element.
constexpr uint32_t strideOf(const UserDataNode &node) {
  return node.strideInDwords ? node.strideInDwords : node.sizeInDwords;
}

// The number of elements. A node without dwords has one element, which is empty.
constexpr uint32_t elementsOf(const UserDataNode &node) {
  return strideOf(node) ? node.sizeInDwords / strideOf(node) : 1;
}

// The nodes of the root table and, in the same list, the elements of the descriptor tables (each names its set).
using UserDataNodes = std::vector<UserDataNode>;

} // namespace dovetail
