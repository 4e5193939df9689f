// SPDX-License-Identifier: MIT
//
// What little of a layout changes the code of a shader, because it is about how a resource is found and not where. A
// shader that is compiled from its module alone assumes none of these forms.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dovetail {

enum class ResourceFormKind : uint8_t {
  NoFmask,       // a multisampled image that is read without FMASK
  CompactBuffer, // the rest: a buffer that is found as UserDataNodeType of the same name says
  InlineUniforms,
  RootBuffer,
  DynamicOffset,
  ImmutableSampler, // its dwords are in the code
  YcbcrConversion,  // of one element's sampler
};

constexpr std::string_view toString(ResourceFormKind kind) {
  switch (kind) {
  case ResourceFormKind::NoFmask:
    return "an image without FMASK";
  case ResourceFormKind::CompactBuffer:
    return "a compact buffer";
  case ResourceFormKind::InlineUniforms:
    return "inline uniforms";
  case ResourceFormKind::RootBuffer:
    return "a buffer in the root table";
  case ResourceFormKind::DynamicOffset:
    return "a buffer with a dynamic offset";
  case ResourceFormKind::ImmutableSampler:
    return "an immutable sampler";
  case ResourceFormKind::YcbcrConversion:
    return "a YCbCr conversion";
  }
  return "?";
}

// Of one binding. A binding has several at most if their kinds differ, or the elements that they are of.
struct ResourceForm {
  uint32_t set = 0;
  uint32_t binding = 0;
  ResourceFormKind kind = ResourceFormKind::NoFmask;
  uint32_t element = 0; // YcbcrConversion: of an array, which one
  uint32_t content = 0; // YcbcrConversion: its dword; ImmutableSampler: how many elements there are

  auto operator<=>(const ResourceForm &) const = default;
};

using ResourceForms = std::vector<ResourceForm>; // sorted

} // namespace dovetail
