// SPDX-License-Identifier: MIT
//
// The state of a draw as the layer collects it: the pipeline's, with the dynamic states of the command buffer put over
// it.
#pragma once

#include "variants/c_api/dovetail.h"
#include <array>
#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

// Dynamic states that can change code. First those of one value, each of which is a field of the state.
enum class DynamicState : uint32_t {
#define DYNAMIC_STATE(name, enumerator, field) name,
#include "dynamic_states.inc" // made by the build
#undef DYNAMIC_STATE
  VertexInput,
  ColorBlendEnable,
  ColorBlendEquation,
  ColorWriteMask,
  ColorWriteEnable,
};
constexpr size_t SimpleDynamicStateCount = static_cast<size_t>(DynamicState::VertexInput);

// A bit for each DynamicState.
using DynamicStates = uint32_t;
constexpr DynamicStates bitOf(DynamicState state) {
  return DynamicStates(1) << static_cast<uint32_t>(state);
}
// 0 for one that cannot change code.
DynamicStates bitOf(VkDynamicState state);

constexpr size_t MaxTargets = 8;

struct StateFields {
  dovetail_pipeline_state plain = DOVETAIL_PIPELINE_STATE_INIT; // without its arrays of vertex inputs
  std::vector<dovetail_vertex_binding> bindings;
  std::vector<dovetail_vertex_attribute> attributes;

  // What dovetail_state_create() reads; points into this object.
  dovetail_pipeline_state description() const;
  // Every field, one behind the other.
  void appendWords(std::vector<uint32_t> &words) const;
};

// What a command buffer has set.
struct DynamicValues {
  std::array<uint32_t, SimpleDynamicStateCount> simple = {};
  std::vector<dovetail_vertex_binding> bindings;
  std::vector<dovetail_vertex_attribute> attributes;
  // Of each target. Formats are not among them.
  std::array<dovetail_color_target, MaxTargets> targets = {};
  std::array<bool, MaxTargets> writes = {true, true, true, true, true, true, true, true};

  // Those of `states`, one behind the other.
  void appendWords(DynamicStates states, std::vector<uint32_t> &words) const;
  // Puts those of `states` over the fields.
  void apply(DynamicStates states, StateFields &fields) const;
};

// Sets the blending of a target.
void setBlending(const VkColorBlendEquationEXT &equation, dovetail_color_target &target);

} // namespace dovetail::layer
