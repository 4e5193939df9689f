// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/state_fields.h"
#include "src/state/state_values.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/state_pairs.h"
#include <bitset>

namespace dovetail::c_api {

namespace {

// A struct of the caller's: "state", or an element of an array in it. Binds read whole states, so a text is made only
// for an error.
struct Place {
  const char *state;
  const char *array = nullptr;
  size_t index = 0;

  std::string text() const { return array ? fmt::format("{}->{}[{}]", state, array, index) : state; }
  std::string member(std::string_view field) const { return fmt::format("{}{}{}", text(), array ? "." : "->", field); }
};

// Reads all numbers of a struct. Errors: the first that its field cannot have.
template <typename Ours, typename Theirs>
Outcome<void> readFields(const Place &place, Ours &ours, const Theirs &theirs) {
  std::string complaint;
  visitPairs(ours, theirs, [&]<typename Field>(const NamePair &names, Field &field, uint32_t value) {
    // A bad value must not become one of our enumerators.
    if (const std::optional<std::string> refusal = refuseValue<Field>(names.ours, value); !refusal)
      field = static_cast<Field>(value);
    else if (complaint.empty())
      complaint = fmt::format("{} is {}; it {}", place.member(names.theirs), value, *refusal);
  });
  if (!complaint.empty())
    return tl::unexpected<Failure>(Failure(DOVETAIL_BAD_ARGUMENT, complaint));
  return {};
}

template <typename Theirs, typename Ours> Theirs writeFields(const Ours &ours, Theirs theirs = {}) {
  visitPairs(ours, theirs,
             [](const NamePair &, const auto &field, uint32_t &value) { value = static_cast<uint32_t>(field); });
  return theirs;
}

Outcome<void> readVertexInput(const dovetail_pipeline_state &given, const char *name, PipelineState &state) {
  const auto bindings = DOVETAIL_C_TRY(
      readArray(given.vertex_bindings, given.vertex_binding_count, fmt::format("{}->vertex_bindings", name)));
  const auto attributes = DOVETAIL_C_TRY(
      readArray(given.vertex_attributes, given.vertex_attribute_count, fmt::format("{}->vertex_attributes", name)));
  if (bindings.size() > MaxVertexBindings)
    return badArgument("{}->vertex_binding_count is {}; at most {} are possible", name, bindings.size(),
                       MaxVertexBindings);
  for (const dovetail_vertex_binding &binding : bindings) {
    const Place place = {name, "vertex_bindings", state.vertexBindings.size()};
    for (const VertexBinding &other : state.vertexBindings)
      if (other.binding == binding.binding)
        return badArgument("{}->vertex_bindings: binding {} is described twice", name, binding.binding);
    DOVETAIL_C_CHECK(readFields(place, state.vertexBindings.emplace_back(), binding));
  }
  std::bitset<MaxVertexAttributes> locations;
  for (const dovetail_vertex_attribute &attribute : attributes) {
    const Place place = {name, "vertex_attributes", state.vertexAttributes.size()};
    DOVETAIL_C_CHECK(readFields(place, state.vertexAttributes.emplace_back(), attribute));
    if (locations.test(attribute.location))
      return badArgument("{}: location {} is described twice", place.text(), attribute.location);
    locations.set(attribute.location);
    if (std::ranges::find(state.vertexBindings, attribute.binding, &VertexBinding::binding) ==
        state.vertexBindings.end())
      return badArgument("{}: there is no vertex binding {}", place.text(), attribute.binding);
  }
  return {};
}

// A struct with an odd number of fields ends with a reserved word.
template <typename Theirs> Outcome<void> checkPadding(const Theirs &given, const char *name) {
  if constexpr (requires { given.reserved; })
    return checkReserved(given.reserved, fmt::format("{}->reserved", name));
  return {};
}

} // namespace

dovetail_pipeline_state defaultPipelineState() {
  return DOVETAIL_PIPELINE_STATE_INIT;
}

Outcome<PipelineState> toPipelineState(const dovetail_pipeline_state &given, const char *name) {
  PipelineState state;
  DOVETAIL_C_CHECK(readVertexInput(given, name, state));
  DOVETAIL_C_CHECK(checkPadding(given, name));
  DOVETAIL_C_CHECK(readFields({name}, state, given));
  static_assert(std::extent_v<decltype(given.color_targets)> == MaxColorTargets);
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    DOVETAIL_C_CHECK(readFields({name, "color_targets", i}, state.colorTargets[i], given.color_targets[i]));
  return state;
}

std::vector<dovetail_vertex_binding> toVertexBindings(const PipelineState &state) {
  std::vector<dovetail_vertex_binding> bindings;
  for (const VertexBinding &binding : state.vertexBindings)
    bindings.push_back(writeFields<dovetail_vertex_binding>(binding));
  return bindings;
}

std::vector<dovetail_vertex_attribute> toVertexAttributes(const PipelineState &state) {
  std::vector<dovetail_vertex_attribute> attributes;
  for (const VertexAttribute &attribute : state.vertexAttributes)
    attributes.push_back(writeFields<dovetail_vertex_attribute>(attribute));
  return attributes;
}

dovetail_pipeline_state fromPipelineState(const PipelineState &state,
                                          std::span<const dovetail_vertex_binding> vertexBindings,
                                          std::span<const dovetail_vertex_attribute> vertexAttributes) {
  dovetail_pipeline_state answer = writeFields(state, defaultPipelineState());
  answer.vertex_bindings = vertexBindings.data();
  answer.vertex_binding_count = vertexBindings.size();
  answer.vertex_attributes = vertexAttributes.data();
  answer.vertex_attribute_count = vertexAttributes.size();
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    answer.color_targets[i] = writeFields<dovetail_color_target>(state.colorTargets[i]);
  return answer;
}

} // namespace dovetail::c_api
