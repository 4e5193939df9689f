// SPDX-License-Identifier: MIT
//
// What a compile of one stage may assume because it is made for one pipeline under one state, in the background, and is
// thrown away with it. A default StageKnowledge assumes nothing: that is what main parts are compiled with.
#pragma once

#include "src/abi/interface_slots.h"
#include "src/base/hash.h"
#include <cstdint>
#include <vector>

namespace dovetail {

// A 32-bit value that the caller promises will be found at this place of the shader's resources whenever the code runs.
struct InlinedUniform {
  enum class Place : uint8_t { PushConstants, UniformBuffer };
  Place place = Place::PushConstants;
  uint32_t set = 0, binding = 0; // UniformBuffer only; element 0 of the binding
  uint32_t offset = 0;           // bytes, a multiple of 4
  uint32_t value = 0;

  auto operator<=>(const InlinedUniform &) const = default;
};

struct StageKnowledge {
  // Outputs that nobody reads: they are not written, and what only they need is not computed. By slot
  // (interface_slots.h); point size, layer, clip and cull distances are slots like any others.
  SlotComponents droppedOutputs = {};
  SlotComponents droppedPatchOutputs = {};
  // Transform feedback is off.
  bool dropsTransformFeedback = false;
  // Inputs of vertices that are the same constant wherever they are read. Sorted by slot, component.
  std::vector<ConstantDword> constantInputs;
  // Sorted.
  std::vector<InlinedUniform> inlinedUniforms;
  // Control shaders and the vertex shaders in front of them: vertices in a patch of the draw; 0: not known. If the
  // control shader has as many outputs, invocation i of it runs in the lane that had vertex i.
  uint32_t patchControlPoints = 0;

  bool operator==(const StageKnowledge &) const = default;
};

// Field by field.
void addToHash(Hasher &hasher, const StageKnowledge &knowledge);

} // namespace dovetail
