// SPDX-License-Identifier: MIT
//
// What a compile of one stage may assume because it is made for one pipeline under one state, in the background, and is
// thrown away with it. A default StageKnowledge assumes nothing: that is what main parts are compiled with.
#pragma once

#include "src/abi/interface/interface_slots.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace dovetail {

// One dword of push constants or of element 0 of a uniform buffer.
struct UniformPlace {
  enum class Place : uint8_t { PushConstants, UniformBuffer };
  Place place = Place::PushConstants;
  uint32_t set = 0, binding = 0; // UniformBuffer only
  uint32_t offset = 0;           // bytes, a multiple of 4

  auto operator<=>(const UniformPlace &) const = default;
};

// The value that the caller promises will be found there whenever the code runs.
struct InlinableUniform : UniformPlace {
  uint32_t value = 0;

  auto operator<=>(const InlinableUniform &) const = default;
};

// Fragment shaders: where droppedOutputs has colours (by location, second sources of blending 8 further on), depth,
// stencil (x each) and the sample mask.
enum FragmentOutputSlot : uint8_t {
  ColorOutputSlot = 0,
  DepthOutputSlot = 16,
  StencilOutputSlot,
  SampleMaskOutputSlot
};

// A component of a parameter: of what the last stage before rasterisation hands to the fragment shader.
struct ParameterPlace {
  uint8_t location = 0; // of the API, or a ParameterLocation (shader_interface.h)
  uint8_t component = 0;

  auto operator<=>(const ParameterPlace &) const = default;
};

enum class DwordPart : uint8_t { Whole, LowHalf, HighHalf };

// Where a component travels instead, so that no room is left between those that are used. One of 16 bits may share its
// dword.
struct PackedParameter {
  ParameterPlace declared;
  ParameterPlace packed; // location: PackedParameter0 and on
  DwordPart part = DwordPart::Whole;

  auto operator<=>(const PackedParameter &) const = default;
};

struct StageKnowledge {
  // Outputs that the next shader does not read: they are not handed to it, and what only they need is not computed. By
  // slot (interface_slots.h); point size, layer, clip and cull distances are slots like any others. Fragment shaders:
  // by FragmentOutputSlot, what the epilog has no use for.
  SlotComponents droppedOutputs = {};
  SlotComponents droppedPatchOutputs = {};
  // Fragment shaders: a bit for each FragmentOutputSlot of a colour. The epilog asks whether the shader has these
  // colours, though it may want no value of them: if all components of one are dropped, one stays and is 0.
  uint16_t keptColors = 0;
  // The same for what the fixed function behind the last stage before rasterisation would take: point size where no
  // points are drawn, clip distances that do not clip. An output may be dropped for one of the two and not for the
  // other, and what transform feedback captures is computed anyway.
  SlotComponents droppedFixedFunctionOutputs = {};
  // Transform feedback is off.
  bool dropsTransformFeedback = false;
  // Inputs of vertices that are the same constant wherever they are read. Sorted by slot, component.
  std::vector<ConstantDword> constantInputs;
  // Sorted.
  std::vector<InlinableUniform> inlinableUniforms;
  // Control shaders: vertices in a patch of the draw; 0: not known. If the shader has as many outputs, invocation i of
  // it runs in the lane that had vertex i of the patch.
  uint32_t patchControlPoints = 0;
  // Fragment shaders and the last stage before rasterisation, both or none of them: where components of parameters are,
  // if not at their own places. Sorted.
  std::vector<PackedParameter> packedParameters;

  bool operator==(const StageKnowledge &) const = default;

  // Where a component of a parameter travels; at its own place, if nobody says otherwise.
  PackedParameter placeOf(ParameterPlace declared) const {
    auto found = std::ranges::lower_bound(packedParameters, declared, {}, &PackedParameter::declared);
    return found == packedParameters.end() || found->declared != declared ? PackedParameter{declared, declared}
                                                                          : *found;
  }
};

} // namespace dovetail
