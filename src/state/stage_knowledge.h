// SPDX-License-Identifier: MIT
//
// The background compiler makes a stage for one pipeline under one state, and throws its code away with the pipeline.
// StageKnowledge says what such a compile may assume. A default StageKnowledge assumes nothing: main parts are compiled
// with it.
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

// A value that the caller promises to be there whenever the code runs.
struct InlinableUniform : UniformPlace {
  uint32_t value = 0;

  auto operator<=>(const InlinableUniform &) const = default;
};

// Fragment shaders: the slots of droppedOutputs. Colours are at their locations, second sources of blending 8 slots
// further; behind them depth and stencil (component x each) and the sample mask.
enum FragmentOutputSlot : uint8_t {
  ColorOutputSlot = 0,
  DepthOutputSlot = 16,
  StencilOutputSlot,
  SampleMaskOutputSlot
};

// A component of a parameter, which the last stage before rasterisation hands to the fragment shader.
struct ParameterPlace {
  uint8_t location = 0; // of the API, or a ParameterLocation (shader_interface.h)
  uint8_t component = 0;

  auto operator<=>(const ParameterPlace &) const = default;
};

enum class DwordPart : uint8_t { Whole, LowHalf, HighHalf };

// Another place for a component, chosen so that parameters have no gaps. A component of 16 bits may share its dword.
struct PackedParameter {
  ParameterPlace declared;
  ParameterPlace packed; // location: PackedParameter0 and on
  DwordPart part = DwordPart::Whole;

  auto operator<=>(const PackedParameter &) const = default;
};

struct StageKnowledge {
  // Outputs that the next shader does not read: they are not handed over, and values that only they need are not
  // computed. By slot (interface_slots.h); point size, layer, clip and cull distances are slots like any others.
  // Fragment shaders: by FragmentOutputSlot, outputs that the epilog does not use.
  SlotComponents droppedOutputs = {};
  SlotComponents droppedPatchOutputs = {};
  // Fragment shaders: a bit for each FragmentOutputSlot of a colour. The epilog asks whether the shader has these
  // colours, even if it needs no value of them. If all components of such a colour are dropped, one component stays and
  // is 0.
  uint16_t keptColors = 0;
  // Outputs that the fixed function behind the last stage before rasterisation does not need: point size where no
  // points are drawn, clip distances that do not clip. An output may be in one of these two lists and not in the other.
  // Outputs that transform feedback captures are computed in any case.
  SlotComponents droppedFixedFunctionOutputs = {};
  // Transform feedback is off.
  bool dropsTransformFeedback = false;
  // Inputs of vertices that have the same constant wherever they are read. Sorted by slot, component.
  std::vector<ConstantDword> constantInputs;
  // Sorted.
  std::vector<InlinableUniform> inlinableUniforms;
  // Control shaders: vertices in a patch of the draw; 0: not known. If the shader has the same number of outputs, its
  // invocation i runs in the lane that had vertex i of the patch.
  uint32_t patchControlPoints = 0;
  // Places of components of parameters that are not at their own places. Either both the fragment shader and the last
  // stage before rasterisation have this list, or neither has. Sorted.
  std::vector<PackedParameter> packedParameters;

  bool operator==(const StageKnowledge &) const = default;

  // The place in which a component of a parameter travels: its own place unless packedParameters has another.
  PackedParameter placeOf(ParameterPlace declared) const {
    auto found = std::ranges::lower_bound(packedParameters, declared, {}, &PackedParameter::declared);
    return found == packedParameters.end() || found->declared != declared ? PackedParameter{declared, declared}
                                                                          : *found;
  }
};

} // namespace dovetail
