// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/plain_state.h"
#include "variants/c_api/convert/sized_struct.h"
#include "variants/c_api/convert/state_fields.h"

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

dovetail_state *makeStateHandle(dovetail_device &device, StateRef state) {
  std::vector<dovetail_vertex_binding> bindings = toVertexBindings(state->fields);
  std::vector<dovetail_vertex_attribute> attributes = toVertexAttributes(state->fields);
  return makeHandle<dovetail_state>(device, std::move(state), std::move(bindings), std::move(attributes));
}

static_assert(int(InlinableUniform::Place::PushConstants) == DOVETAIL_UNIFORM_PUSH_CONSTANTS &&
              int(InlinableUniform::Place::UniformBuffer) == DOVETAIL_UNIFORM_BUFFER);

} // namespace

dovetail_status dovetail_state_create(dovetail_device *device, const dovetail_pipeline_state *description,
                                      dovetail_state **state, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(state, "state"));
    *state = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    const auto given = DOVETAIL_C_TRY(readSized(description, defaultPipelineState(), "description"));
    *state = makeStateHandle(*device, DOVETAIL_C_TRY(makeStateOf(given, "description")));
    return {};
  });
}

dovetail_status dovetail_state_create_default(dovetail_device *device, const dovetail_program *program,
                                              dovetail_state **state, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(state, "state"));
    *state = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    if (&program->owner.get() != device)
      return badArgument("program was made from another device");
    *state = makeStateHandle(*device, program->defaultState);
    return {};
  });
}

dovetail_status dovetail_state_get(const dovetail_state *state, dovetail_pipeline_state *description,
                                   dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(state, "state"));
    dovetail_pipeline_state answer =
        fromPipelineState(state->state->fields, state->vertexBindings, state->vertexAttributes);
    answer.user = state->state->user;
    return writeSized(answer, description, "description");
  });
}

void dovetail_state_destroy(dovetail_state *state) {
  destroyHandle(state);
}

dovetail_status dovetail_uniforms_create(dovetail_device *device, const dovetail_uniform_value *values, size_t count,
                                         dovetail_uniforms **uniforms, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(uniforms, "uniforms"));
    *uniforms = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    std::vector<InlinableUniform> inlinable;
    for (const dovetail_uniform_value &value : DOVETAIL_C_TRY(readArray(values, count, "values"))) {
      const auto place = DOVETAIL_C_TRY(readEnum(value.place, InlinableUniform::Place::UniformBuffer,
                                                 fmt::format("values[{}].place", inlinable.size())));
      inlinable.push_back({place, value.set, value.binding, value.offset, value.value});
    }
    *uniforms = makeHandle<dovetail_uniforms>(*device, DOVETAIL_C_TRY(makeUniformValues(std::move(inlinable))));
    return {};
  });
}

void dovetail_uniforms_destroy(dovetail_uniforms *uniforms) {
  destroyHandle(uniforms);
}
