// SPDX-License-Identifier: MIT
//
// A little of a layout changes the code of a shader: it decides how code finds a resource, not where. A resource form
// names such a fact. A shader that is compiled from its module alone assumes none of these forms.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dovetail {

enum class ResourceFormKind : uint8_t {
  NoFmask,       // a multisampled image that is read without FMASK
  CompactBuffer, // the rest: a buffer that code finds as the UserDataNodeType of the same name says
  InlineUniforms,
  RootBuffer,
  DynamicOffset,
  ImmutableSampler, // the code contains its dwords
  YcbcrConversion,  // of the sampler of one element
};

constexpr std::string_view toString(ResourceFormKind kind) {
  constexpr std::string_view Names[] = {
      "an image without FMASK",         "a compact buffer",     "inline uniforms",   "a buffer in the root table",
      "a buffer with a dynamic offset", "an immutable sampler", "a YCbCr conversion"};
  return Names[size_t(kind)];
}

// The form of one binding. A binding has several forms only if these differ in kind or in element.
struct ResourceForm {
  uint32_t set = 0;
  uint32_t binding = 0;
  ResourceFormKind kind = ResourceFormKind::NoFmask;
  uint32_t element = 0; // YcbcrConversion: which element of an array
  uint32_t content = 0; // YcbcrConversion: the conversion's dword; ImmutableSampler: the number of elements

  auto operator<=>(const ResourceForm &) const = default;
};

using ResourceForms = std::vector<ResourceForm>; // sorted

} // namespace dovetail
