// SPDX-License-Identifier: MIT
//
// Numbers that shaders use as indices, and how large the arrays are: an index that is made up must lie within. What
// lies beyond an array is undefined, and proves nothing.
#pragma once

#include "src/base/error.h"
#include "variants/shader.h"
#include <cstdint>
#include <map>
#include <tuple>

namespace dovetail {

// A number without a limit.
constexpr uint32_t NoIndexLimit = 0xffffffff;

// An index must be less than its limit. Limits are guesses: arithmetic on the way from a number to an index is
// followed only roughly, and a number may be an index on some ways only.
struct IndexLimits {
  // Where a member of a block is: set, binding, bytes from the start of the block to the first element of the member.
  using Member = std::tuple<uint32_t, uint32_t, uint32_t>;
  static constexpr uint32_t PushConstants = 0xffffffff; // for the set, with binding 0

  std::map<Member, uint32_t> members;
  std::map<uint32_t, uint32_t> vertexInputs; // by location
  uint32_t instanceIndex = NoIndexLimit;
  uint32_t vertexIndex = NoIndexLimit;

  uint32_t ofMember(uint32_t set, uint32_t binding, uint32_t offset) const;
  uint32_t ofVertexInput(uint32_t location) const;
};

// How many elements the layout has of an array of descriptors, or 0 if it does not have the binding.
uint32_t elementsInLayout(const ShaderSet &shaders, uint32_t set, uint32_t binding);

// Follows indices from stage to stage. Errors: those of parseModule().
Result<IndexLimits> findIndexLimits(const ShaderSet &shaders);

} // namespace dovetail
