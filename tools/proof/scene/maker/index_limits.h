// SPDX-License-Identifier: MIT
//
// Finds numbers that shaders use as indices, and the lengths of the arrays. A made-up index must be within its array:
// results beyond an array are undefined and prove nothing.
#pragma once

#include "src/base/error.h"
#include "variants/shader.h"
#include <cstdint>
#include <map>
#include <tuple>

namespace dovetail {

// Means that a number has no limit.
constexpr uint32_t NoIndexLimit = 0xffffffff;

// An index must be less than its limit. Limits are guesses: the search follows arithmetic between a number and an index
// only roughly, and a number may be an index only on some paths.
struct IndexLimits {
  // A member of a block: set, binding, bytes from the start of the block to the member's first element.
  using Member = std::tuple<uint32_t, uint32_t, uint32_t>;
  static constexpr uint32_t PushConstants = 0xffffffff; // in place of the set, with binding 0

  std::map<Member, uint32_t> members;
  std::map<uint32_t, uint32_t> vertexInputs; // by location
  uint32_t instanceIndex = NoIndexLimit;
  uint32_t vertexIndex = NoIndexLimit;

  uint32_t ofMember(uint32_t set, uint32_t binding, uint32_t offset) const;
  uint32_t ofVertexInput(uint32_t location) const;
};

// How many elements an array of descriptors has in the layout; 0: the layout lacks the binding.
uint32_t elementsInLayout(const ShaderSet &shaders, uint32_t set, uint32_t binding);

// Follows indices from stage to stage. Errors: those of parseModule().
Result<IndexLimits> findIndexLimits(const ShaderSet &shaders);

} // namespace dovetail
