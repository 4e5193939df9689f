// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/plain_state.h"
#include "variants/c_api/convert/sized_struct.h"
#include "variants/c_api/convert/state_fields.h"
#include "variants/state/check_state.h"
#include <cstring>

namespace dovetail::c_api {

namespace {

// Every byte belongs to a member, so equal bytes mean equal fields.
static_assert(std::has_unique_object_representations_v<dovetail_pipeline_state> &&
              std::has_unique_object_representations_v<dovetail_vertex_binding> &&
              std::has_unique_object_representations_v<dovetail_vertex_attribute>);

dovetail_pipeline_state withoutArrays(dovetail_pipeline_state fields) {
  fields.vertex_bindings = nullptr;
  fields.vertex_attributes = nullptr;
  return fields;
}

// `elements` has as many elements as `given`. A missing array equals only an empty one.
template <typename T> bool areEqual(const T *given, const std::vector<T> &elements) {
  return elements.empty() || (given && std::memcmp(given, elements.data(), elements.size() * sizeof(T)) == 0);
}

} // namespace

Outcome<StateRef> makeStateOf(const dovetail_pipeline_state &given, const char *name) {
  PipelineState fields = DOVETAIL_C_TRY(toPipelineState(given, name));
  if (Result<void> checked = checkState(fields); !checked)
    return tl::unexpected<Failure>(
        Failure(makeError(checked.error().code, "{}: {}", name, checked.error().text).value()));
  return makeState(std::move(fields), given.user);
}

bool PlainState::isLast(const dovetail_pipeline_state &given) const {
  if (!m_state)
    return false;
  const dovetail_pipeline_state fields = withoutArrays(given);
  return std::memcmp(&fields, &m_fields, sizeof(fields)) == 0 && areEqual(given.vertex_bindings, m_bindings) &&
         areEqual(given.vertex_attributes, m_attributes);
}

Outcome<const StateRef *> PlainState::read(const dovetail_pipeline_state *given, const char *name) {
  const auto fields = DOVETAIL_C_TRY(readSized(given, defaultPipelineState(), name));
  if (isLast(fields))
    return &m_state;
  StateRef state = DOVETAIL_C_TRY(makeStateOf(fields, name));
  // If memory runs out here, there is no last struct.
  m_state.reset();
  m_bindings.assign(fields.vertex_bindings, fields.vertex_bindings + fields.vertex_binding_count);
  m_attributes.assign(fields.vertex_attributes, fields.vertex_attributes + fields.vertex_attribute_count);
  m_fields = withoutArrays(fields);
  m_state = std::move(state);
  return &m_state;
}

} // namespace dovetail::c_api
