// SPDX-License-Identifier: MIT
//
// Binds with states that are plain structs instead of objects.
#include "tests/c_api/bad_calls.h"
#include <vector>

using namespace dovetail::c_test;

namespace {

constexpr uint32_t R32G32B32A32Sfloat = 109, R8Unorm = 9;

const dovetail_variant *bind(dovetail_binder *binder, const dovetail_program *program,
                             const dovetail_pipeline_state &description) {
  const dovetail_variant *variant = nullptr;
  CHECK_OK(dovetail_bind_pipeline_state(binder, program, &description, nullptr, nullptr, &variant, message));
  return variant;
}

uint32_t kindOfLast(const dovetail_binder *binder) {
  auto info = sized<dovetail_bind_info>();
  CHECK_OK(dovetail_binder_get_last_bind(binder, &info, message));
  return info.kind;
}

struct Bound {
  Device device;
  TexturedProgram program{device};
  State state{device, program};
  Binder binder{device};
};

} // namespace

TEST_CASE("C: a plain state gives the variant of a state object") {
  Bound bound;
  const dovetail_variant *ofObject = bound.binder.bind(bound.program, bound.state);
  CHECK(bind(bound.binder, bound.program, bound.state.get()) == ofObject);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_UNCHANGED);
}

TEST_CASE("C: an equal plain state is unchanged, wherever it lies") {
  Bound bound;
  const dovetail_pipeline_state first = bound.state.get();
  const dovetail_variant *variant = bind(bound.binder, bound.program, first);
  dovetail_pipeline_state second = first;
  const std::vector<dovetail_vertex_binding> bindings(first.vertex_bindings,
                                                      first.vertex_bindings + first.vertex_binding_count);
  const std::vector<dovetail_vertex_attribute> attributes(first.vertex_attributes,
                                                          first.vertex_attributes + first.vertex_attribute_count);
  second.vertex_bindings = bindings.data();
  second.vertex_attributes = attributes.data();
  CHECK(bind(bound.binder, bound.program, second) == variant);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_UNCHANGED);
}

TEST_CASE("C: a plain state that was written over is another one, also in its arrays") {
  Bound bound;
  dovetail_pipeline_state description = bound.state.get();
  std::vector<dovetail_vertex_attribute> attributes(description.vertex_attributes,
                                                    description.vertex_attributes + description.vertex_attribute_count);
  REQUIRE(!attributes.empty());
  description.vertex_attributes = attributes.data();
  bind(bound.binder, bound.program, description);

  description.color_targets[0].format = R32G32B32A32Sfloat;
  bind(bound.binder, bound.program, description);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_ENCODED);

  attributes[0].format = R8Unorm;
  bind(bound.binder, bound.program, description);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_ENCODED);

  description.vertex_attributes = bound.state.get().vertex_attributes;
  bind(bound.binder, bound.program, description);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_KNOWN);
}

TEST_CASE("C: a plain state that is refused changes nothing") {
  Bound bound;
  const dovetail_pipeline_state good = bound.state.get();
  bind(bound.binder, bound.program, good);
  dovetail_pipeline_state bad = good;
  bad.color_targets[0].write_mask = 16;
  const dovetail_variant *variant = garbage<dovetail_variant>();
  dovetail_message message;
  checkBad(dovetail_bind_pipeline_state(bound.binder, bound.program, &bad, nullptr, nullptr, &variant, &message),
           message, "description->color_targets[0].write_mask is 16");
  CHECK(variant == nullptr);
  bad = good;
  bad.vertex_attributes = nullptr;
  checkBad(dovetail_bind_pipeline_state(bound.binder, bound.program, &bad, nullptr, nullptr, &variant, &message),
           message, "description->vertex_attributes is NULL");
  bad = good;
  bad.color_targets[0].format = 1; // VK_FORMAT_R4G4_UNORM_PACK8
  CHECK(dovetail_bind_pipeline_state(bound.binder, bound.program, &bad, nullptr, nullptr, &variant, &message) ==
        DOVETAIL_UNSUPPORTED);
  CHECK(std::string_view(message.text).starts_with("description: "));
  bind(bound.binder, bound.program, good);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_UNCHANGED);
}

TEST_CASE("C: plain states of two users are bound apart and share their variant") {
  Bound bound;
  int user = 0;
  dovetail_pipeline_state description = bound.state.get();
  const dovetail_variant *variant = bind(bound.binder, bound.program, description);
  description.user = &user;
  CHECK(bind(bound.binder, bound.program, description) == variant);
  CHECK(kindOfLast(bound.binder) == DOVETAIL_BIND_FOUND);
}
