// SPDX-License-Identifier: MIT
//
// Finds uses of image and sampler variables that their types do not show. GLSL's separate samplers all have one type,
// and only the instruction tells whether an image is compared with a reference depth.
#pragma once

#include "src/spirv/reflect/value_flow.h"
#include <compare>
#include <set>
#include <vector>

namespace dovetail::spirv {

// A global variable, or a member in it: the members of structures on the way there, without indices of arrays.
struct ImagePlace {
  uint32_t variable = 0;
  std::vector<uint32_t> members;
  auto operator<=>(const ImagePlace &) const = default;
};

struct ImageUses {
  std::set<ImagePlace> comparing;       // images and samplers that depth comparisons use
  std::set<ImagePlace> integerSamplers; // separate samplers that are combined with an image of integers
};

// The uses in a function and in all functions that it calls. An image or sampler parameter stands for the arguments of
// all calls.
ImageUses findImageUses(const ValueFlow &flow);

} // namespace dovetail::spirv
