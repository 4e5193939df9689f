// SPDX-License-Identifier: MIT
//
// The state of a draw as the layer collects it: the pipeline's state, with the command buffer's dynamic states put over
// it.
#pragma once

#include "variants/c_api/include/dovetail.h"
#include <array>
#include <bit>
#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

// Dynamic states that can change code. States of one value come first; each is a field of the state.
enum class DynamicState : uint32_t {
#define DYNAMIC_STATE(name, enumerator, field) name,
#include "dynamic_states.inc" // made by the build
#undef DYNAMIC_STATE
  VertexInput,
  ColorBlendEnable,
  ColorBlendEquation,
  ColorWriteMask,
  ColorWriteEnable,
  Count,
};
constexpr size_t DynamicStateCount = static_cast<size_t>(DynamicState::Count);
constexpr size_t SimpleDynamicStateCount = static_cast<size_t>(DynamicState::VertexInput);

// A bit for each DynamicState.
using DynamicStates = uint32_t;
constexpr DynamicStates bitOf(DynamicState state) {
  return DynamicStates(1) << static_cast<uint32_t>(state);
}
// 0 for a state that cannot change code.
DynamicStates bitOf(VkDynamicState state);

constexpr size_t MaxTargets = 8;

// Spreads numbers: two numbers that differ in any bit get results that differ in about half of their bits. Different
// numbers get different results.
constexpr uint64_t scatter(uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

struct StateFields {
  dovetail_pipeline_state plain = DOVETAIL_PIPELINE_STATE_INIT; // without the arrays of vertex inputs
  std::vector<dovetail_vertex_binding> bindings;
  std::vector<dovetail_vertex_attribute> attributes;

  // The argument of dovetail_state_create(); it points into this object.
  dovetail_pipeline_state description() const;
  // Appends every field.
  void appendWords(std::vector<uint32_t> &words) const;
};

// The dynamic states that a command buffer has set. Each change computes a digest, so a draw need not read all values.
struct DynamicValues {
  // For each state: its value, or a hash of its fields below; 0 if it was not set.
  std::array<uint64_t, DynamicStateCount> digests = {};
  std::vector<dovetail_vertex_binding> bindings;
  std::vector<dovetail_vertex_attribute> attributes;
  // For each target. Formats are not dynamic.
  std::array<dovetail_color_target, MaxTargets> targets = {};
  std::array<bool, MaxTargets> writes = {true, true, true, true, true, true, true, true};

  // Forgets everything that was set.
  void clear();
  // To be called after the fields of a state have changed.
  void sumUp(DynamicState state);
  // Equal for equal values of these states; different values nearly always give different numbers.
  uint64_t digestOf(DynamicStates states) const {
    uint64_t sum = 0;
    for (; states != 0; states &= states - 1) {
      const auto state = static_cast<size_t>(std::countr_zero(states));
      sum += scatter(digests[state] ^ uint64_t(state + 1) << 56);
    }
    return sum;
  }
  // Puts the values of `states` over the fields.
  void apply(DynamicStates states, StateFields &fields) const;
};

// Sets the blending of a target.
void setBlending(const VkColorBlendEquationEXT &equation, dovetail_color_target &target);

} // namespace dovetail::layer
