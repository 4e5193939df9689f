// SPDX-License-Identifier: MIT
//
// A shader is compiled without the pipeline's layout. Layout constants stand for what its code needs to know of the
// layout; the join fills them in (docs/linking.md). Code has each as a 32-bit literal, or as the offset field of a
// scalar load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dovetail {

// The kind of resource as which the shader reads a binding.
enum class ResourceKind : uint8_t {
  Image,
  Sampler,
  TexelBuffer,
  Buffer,
  Fmask,
  CompactBuffer,
  InlineUniforms,
  RootBuffer,       // in the root table, like DynamicOffset
  DynamicOffset,    // of a Buffer, in the root table
  ImmutableSampler, // in the layout itself
  ImagePlane1,      // the second plane of an Image, behind the first
  ImagePlane2
};
constexpr unsigned ResourceKindCount = 12;

constexpr bool isInRoot(ResourceKind kind) {
  return kind == ResourceKind::RootBuffer || kind == ResourceKind::DynamicOffset;
}

// "image", "texel_buffer", …
std::string_view toString(ResourceKind kind);

enum class LayoutQuantity : uint8_t {
  Offset,        // bytes from the start of the set's table, or of the root table, to one element of a binding
  Stride,        // bytes from element to element of a binding
  SetPointer,    // bytes from the start of the root table to the dword that has the address of the set's table
  PushConstants, // bytes from the start of the root table to the first push constant
  Size,          // bytes of an InlineUniforms binding
  Content,       // a dword of an ImmutableSampler's element, at byte `addend`
};
constexpr unsigned LayoutQuantityCount = 6;

struct LayoutConstant {
  LayoutQuantity quantity = LayoutQuantity::Offset;
  ResourceKind resource = ResourceKind::Buffer; // Offset, Stride
  uint32_t set = 0;                             // all but PushConstants
  uint32_t binding = 0;                         // Offset, Stride
  uint32_t element = 0;                         // Offset, Content
  uint32_t addend = 0;                          // bytes on top of the quantity

  auto operator<=>(const LayoutConstant &) const = default;
};

// The symbol that code refers to: "dovetail.layout.offset.buffer.2.3.0.16".
std::string symbolOf(const LayoutConstant &constant);
std::optional<LayoutConstant> layoutConstantOf(std::string_view symbol);

// Code marks a load that has a constant in its offset field by a symbol in front of it: this prefix, a number, a dot
// and the constant's symbol.
constexpr std::string_view LayoutFieldPrefix = "dovetail.field.";

// The field of a scalar load that holds a constant offset: 20 bits of its second dword, unsigned, bytes. Source: "Vega"
// ISA, SMEM: OFFSET (GFX9's has a sign above them); GFX8's has 20 bits.
constexpr unsigned ScalarOffsetBits = 20;
constexpr uint32_t MaxScalarOffset = (1u << ScalarOffsetBits) - 1;

} // namespace dovetail
