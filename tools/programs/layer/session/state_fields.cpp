// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/state_fields.h"
#include <xxhash.h>

namespace dovetail::layer {

namespace {

struct SimpleDynamicState {
  VkDynamicState enumerator;
  uint32_t dovetail_pipeline_state::*field;
};

constexpr SimpleDynamicState SimpleDynamicStates[] = {
#define DYNAMIC_STATE(name, enumerator, field) {enumerator, &dovetail_pipeline_state::field},
#include "dynamic_states.inc"
#undef DYNAMIC_STATE
};
static_assert(std::size(SimpleDynamicStates) == SimpleDynamicStateCount);

#define APPEND_FIELD(member) words.push_back(fields.member);
void append(const dovetail_vertex_binding &fields, std::vector<uint32_t> &words) {
  DOVETAIL_VERTEX_BINDING_FIELDS(APPEND_FIELD)
}
void append(const dovetail_vertex_attribute &fields, std::vector<uint32_t> &words) {
  DOVETAIL_VERTEX_ATTRIBUTE_FIELDS(APPEND_FIELD)
}
void append(const dovetail_color_target &fields, std::vector<uint32_t> &words) {
  DOVETAIL_COLOR_TARGET_FIELDS(APPEND_FIELD)
}
void append(const dovetail_pipeline_state &fields, std::vector<uint32_t> &words) {
  DOVETAIL_PIPELINE_STATE_FIELDS(APPEND_FIELD)
}
#undef APPEND_FIELD

template <typename List> void appendAll(const List &list, std::vector<uint32_t> &words) {
  words.push_back(static_cast<uint32_t>(std::size(list)));
  for (const auto &fields : list)
    append(fields, words);
}

} // namespace

DynamicStates bitOf(VkDynamicState state) {
  switch (static_cast<int>(state)) {
  case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
    return bitOf(DynamicState::VertexInput);
  case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    return bitOf(DynamicState::ColorBlendEnable);
  case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    return bitOf(DynamicState::ColorBlendEquation);
  case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
    return bitOf(DynamicState::ColorWriteMask);
  case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
    return bitOf(DynamicState::ColorWriteEnable);
  default:
    for (size_t simple = 0; simple < SimpleDynamicStateCount; ++simple)
      if (SimpleDynamicStates[simple].enumerator == state)
        return bitOf(static_cast<DynamicState>(simple));
    return 0;
  }
}

dovetail_pipeline_state StateFields::description() const {
  dovetail_pipeline_state description = plain;
  description.vertex_bindings = bindings.data();
  description.vertex_binding_count = bindings.size();
  description.vertex_attributes = attributes.data();
  description.vertex_attribute_count = attributes.size();
  return description;
}

void StateFields::appendWords(std::vector<uint32_t> &words) const {
  appendAll(bindings, words);
  appendAll(attributes, words);
  append(plain, words);
  appendAll(plain.color_targets, words);
}

void DynamicValues::clear() {
  digests = {};
  bindings.clear();
  attributes.clear();
  targets = {};
  writes.fill(true);
}

void DynamicValues::sumUp(DynamicState state) {
  uint64_t digest = 0;
  const auto add = [&](const void *bytes, size_t size) { digest = XXH3_64bits_withSeed(bytes, size, digest); };
  const auto addTargets = [&](auto... fields) {
    for (const dovetail_color_target &target : targets) {
      const uint32_t words[] = {target.*fields...};
      add(words, sizeof words);
    }
  };
  using Target = dovetail_color_target;
  switch (state) {
  case DynamicState::VertexInput:
    add(bindings.data(), bindings.size() * sizeof bindings[0]);
    add(attributes.data(), attributes.size() * sizeof attributes[0]);
    break;
  case DynamicState::ColorBlendEnable:
    addTargets(&Target::blend_enable);
    break;
  case DynamicState::ColorBlendEquation:
    addTargets(&Target::src_color_blend_factor, &Target::dst_color_blend_factor, &Target::color_blend_op,
               &Target::src_alpha_blend_factor, &Target::dst_alpha_blend_factor, &Target::alpha_blend_op);
    break;
  case DynamicState::ColorWriteMask:
    addTargets(&Target::write_mask);
    break;
  case DynamicState::ColorWriteEnable:
    add(writes.data(), sizeof writes);
    break;
  default: // its value is its digest
    return;
  }
  digests[static_cast<size_t>(state)] = digest;
}

void DynamicValues::apply(DynamicStates states, StateFields &fields) const {
  for (size_t index = 0; index < SimpleDynamicStateCount; ++index)
    if (states & bitOf(static_cast<DynamicState>(index)))
      fields.plain.*SimpleDynamicStates[index].field = static_cast<uint32_t>(digests[index]);
  if (states & bitOf(DynamicState::VertexInput)) {
    fields.bindings = bindings;
    fields.attributes = attributes;
  }
  for (size_t index = 0; index < MaxTargets; ++index) {
    dovetail_color_target &target = fields.plain.color_targets[index];
    const dovetail_color_target &set = targets[index];
    if (states & bitOf(DynamicState::ColorBlendEnable))
      target.blend_enable = set.blend_enable;
    if (states & bitOf(DynamicState::ColorBlendEquation)) {
      target.src_color_blend_factor = set.src_color_blend_factor;
      target.dst_color_blend_factor = set.dst_color_blend_factor;
      target.color_blend_op = set.color_blend_op;
      target.src_alpha_blend_factor = set.src_alpha_blend_factor;
      target.dst_alpha_blend_factor = set.dst_alpha_blend_factor;
      target.alpha_blend_op = set.alpha_blend_op;
    }
    if (states & bitOf(DynamicState::ColorWriteMask))
      target.write_mask = set.write_mask;
    if (states & bitOf(DynamicState::ColorWriteEnable) && !writes[index])
      target.write_mask = 0;
  }
}

void setBlending(const VkColorBlendEquationEXT &equation, dovetail_color_target &target) {
  target.src_color_blend_factor = equation.srcColorBlendFactor;
  target.dst_color_blend_factor = equation.dstColorBlendFactor;
  target.color_blend_op = equation.colorBlendOp;
  target.src_alpha_blend_factor = equation.srcAlphaBlendFactor;
  target.dst_alpha_blend_factor = equation.dstAlphaBlendFactor;
  target.alpha_blend_op = equation.alphaBlendOp;
}

} // namespace dovetail::layer
