// SPDX-License-Identifier: MIT
//
// How image and sampler variables are used, where their types do not tell: GLSL's separate samplers are all of one
// type, and whether an image is compared with a reference depth is a matter of the instruction.
#pragma once

#include "src/spirv/module/module.h"
#include <compare>
#include <set>
#include <vector>

namespace dovetail::spirv {

// A global variable, or what is in it: members of structures on the way there, without indices of arrays.
struct ImagePlace {
  uint32_t variable = 0;
  std::vector<uint32_t> members;
  auto operator<=>(const ImagePlace &) const = default;
};

struct ImageUses {
  std::set<ImagePlace> comparing;       // images and samplers of depth comparisons
  std::set<ImagePlace> integerSamplers; // separate samplers that are combined with an image of integers
};

// Of a function and all that it calls. An image or sampler parameter stands for whatever any call passes.
ImageUses findImageUses(const Module &module, uint32_t function);

} // namespace dovetail::spirv
