// SPDX-License-Identifier: MIT
#include "src/lgc/state/inter_shader_data.h"
#include "src/base/field_bytes.h"

using dovetail::Hash128;
using dovetail::PackedParameter;
using dovetail::ParameterPlace;

namespace lgc {

enum class InterShaderData::Question : uint32_t {
  OutputDropped,
  PatchOutputDropped,
  FixedFunctionOutputDropped,
  ColorKept,
  TransformFeedbackDropped,
  ConstantInput,
  Uniform,
  PatchControlPoints,
  ParameterPlace,
};

void InterShaderData::note(Question question, std::initializer_list<uint32_t> words) const {
  if (m_hash == Hash128())
    return;
  dovetail::FieldWriter bytes;
  bytes.add(m_hash).add(question);
  for (uint32_t word : words)
    bytes.add(word);
  m_hash = bytes.hash();
}

bool InterShaderData::isDropped(Question question, const dovetail::SlotComponents &dropped, unsigned slot,
                                unsigned component) const {
  if (slot >= dropped.size() || !(dropped[slot] >> component & 1))
    return false;
  note(question, {slot, component});
  return true;
}

bool InterShaderData::isOutputDropped(unsigned slot, unsigned component) const {
  return isDropped(Question::OutputDropped, m_knowledge.droppedOutputs, slot, component);
}

bool InterShaderData::isPatchOutputDropped(unsigned slot, unsigned component) const {
  return isDropped(Question::PatchOutputDropped, m_knowledge.droppedPatchOutputs, slot, component);
}

bool InterShaderData::isFixedFunctionOutputDropped(unsigned slot, unsigned component) const {
  return isDropped(Question::FixedFunctionOutputDropped, m_knowledge.droppedFixedFunctionOutputs, slot, component);
}

bool InterShaderData::isColorKept(unsigned slot) const {
  if (slot >= dovetail::DepthOutputSlot || !(m_knowledge.keptColors >> slot & 1))
    return false;
  note(Question::ColorKept, {slot});
  return true;
}

bool InterShaderData::dropsTransformFeedback() const {
  if (m_knowledge.dropsTransformFeedback)
    note(Question::TransformFeedbackDropped, {});
  return m_knowledge.dropsTransformFeedback;
}

std::optional<uint32_t> InterShaderData::constantInput(unsigned slot, unsigned component) const {
  auto found = std::ranges::find_if(m_knowledge.constantInputs, [&](const dovetail::ConstantDword &input) {
    return input.slot == slot && input.component == component;
  });
  if (found == m_knowledge.constantInputs.end())
    return std::nullopt;
  note(Question::ConstantInput, {slot, component, found->value});
  return found->value;
}

std::optional<uint32_t> InterShaderData::uniformAt(const dovetail::UniformPlace &place) const {
  const bool isBuffer = place.place == dovetail::UniformPlace::Place::UniformBuffer;
  auto found = std::ranges::find_if(m_knowledge.inlinableUniforms, [&](const dovetail::UniformPlace &uniform) {
    return uniform.place == place.place && uniform.offset == place.offset &&
           (!isBuffer || (uniform.set == place.set && uniform.binding == place.binding));
  });
  if (found == m_knowledge.inlinableUniforms.end())
    return std::nullopt;
  note(Question::Uniform, {static_cast<uint32_t>(place.place), place.set, place.binding, place.offset, found->value});
  return found->value;
}

uint32_t InterShaderData::patchControlPoints() const {
  if (m_knowledge.patchControlPoints != 0)
    note(Question::PatchControlPoints, {m_knowledge.patchControlPoints});
  return m_knowledge.patchControlPoints;
}

PackedParameter InterShaderData::placeOf(ParameterPlace declared) const {
  const PackedParameter packed = m_knowledge.placeOf(declared);
  if (packed != PackedParameter{declared, declared})
    note(Question::ParameterPlace, {declared.location, declared.component, packed.packed.location,
                                    packed.packed.component, static_cast<uint32_t>(packed.part)});
  return packed;
}

} // namespace lgc
