// SPDX-License-Identifier: MIT
//
// Where shaders find their resources: the driver's pipeline layout, as plain data.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// Where a resource is found. The root table is an array of dwords that the driver sets (user data); as many of those
// that a shader reads as fit arrive in SGPRs, the rest is read through the spill table.
enum class UserDataNodeType : uint32_t {
  DescriptorTable, // one root dword: low half of the address of a table; `set` says which
  PushConstants,   // sizeInDwords root dwords
  // Elements of a DescriptorTable: offsetInDwords counts from the start of that table.
  Image,
  Sampler,
  CombinedImageSampler, // image at +0, sampler at +8 dwords, stride 12 dwords
  TexelBuffer,
  Buffer,
  // The FMASK descriptor (8 dwords) of a multisampled image that has the same set and binding. Fetches read the image
  // through it; without such a node, and where its dwords are 0, sample n is fragment n.
  Fmask,
  // Buffers in other forms. A shader that reads them is compiled for the form (resource_form.h).
  // Elements of a DescriptorTable:
  CompactBuffer,  // 2 dwords: the buffer's address; nothing says where it ends
  InlineUniforms, // a uniform block itself
  // In the root table, with the set and binding that they are for:
  RootBuffer,    // 4 dwords: the descriptor
  DynamicOffset, // 1 dword for each element of a Buffer: bytes that are added to its address
  // In place of a Sampler, or of the sampler beside an Image of the same set and binding: 4 dwords for each element.
  // offsetInDwords counts from the start of ResourceLayout::immutableSamplers(), and no memory has them.
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

// Of a node without dwords: one, which has no room.
constexpr uint32_t elementsOf(const UserDataNode &node) {
  return strideOf(node) ? node.sizeInDwords / strideOf(node) : 1;
}

// The nodes of the root table and, in the same list, the elements of the descriptor tables (each names its set).
using UserDataNodes = std::vector<UserDataNode>;

} // namespace dovetail
