// SPDX-License-Identifier: MIT
//
// How image and sampler variables are used, where their types do not tell: GLSL's separate samplers are all of one
// type, and whether an image is compared with a reference depth is a matter of the instruction.
#pragma once

#include "src/spirv/module/module.h"
#include <unordered_set>

namespace dovetail::spirv {

// Ids of global variables.
struct ImageUses {
  std::unordered_set<uint32_t> comparing;       // images and samplers of depth comparisons
  std::unordered_set<uint32_t> integerSamplers; // separate samplers that are combined with an image of integers
};

// Of a function and all that it calls. An image or sampler parameter stands for whatever any call passes.
ImageUses findImageUses(const Module &module, uint32_t function);

} // namespace dovetail::spirv
