// SPDX-License-Identifier: MIT
//
// Each allocation of the C++ library fails once, in calls that need no compiler. (An allocation that fails inside LLVM
// ends the process, whoever calls it.)
#include "tests/c_api/objects.h"
#include "tests/failing_allocations.h"
#include <algorithm>
#include <functional>
#include <memory>

using namespace dovetail::c_test;
using dovetail::test::allocationsLeft;

namespace {

constexpr unsigned MaxAllocations = 2000;

// Repeats `call`, each time with the next allocation failing, until no allocation fails. Returns the number of
// failures.
unsigned failEachAllocation(const std::function<dovetail_status(dovetail_message *)> &call) {
  for (unsigned count = 0; count < MaxAllocations; ++count) {
    dovetail_message message;
    allocationsLeft = long(count);
    const dovetail_status status = call(&message);
    const bool hasFailed = allocationsLeft < 0;
    allocationsLeft = -1;
    if (!hasFailed) {
      REQUIRE_MESSAGE(status == DOVETAIL_OK, message.text);
      return count;
    }
    REQUIRE_MESSAGE(status == DOVETAIL_OUT_OF_MEMORY, "allocation ", count, ": status ", int(status), ": ",
                    message.text);
  }
  FAIL("it never succeeds");
  return 0;
}

} // namespace

TEST_CASE("C: programs, states, uniforms and binders are made once there is memory") {
  Device device;
  TexturedProgram given(device);
  const dovetail_pipeline_state description = State(device, given).get();

  dovetail_program *program = nullptr;
  CHECK(failEachAllocation([&](dovetail_message *message) {
          return dovetail_program_create(device, given.shaders().data(), 2, nullptr, &program, message);
        }) > 5);
  dovetail_state *state = nullptr;
  dovetail_pipeline_state fresh = description;
  fresh.vertex_binding_count = fresh.vertex_attribute_count = 0;
  CHECK(failEachAllocation(
            [&](dovetail_message *message) { return dovetail_state_create(device, &fresh, &state, message); }) >= 2);
  dovetail_uniforms *uniforms = nullptr;
  const dovetail_uniform_value value = {0, 0, 0, 8, 1};
  CHECK(failEachAllocation([&](dovetail_message *message) {
          return dovetail_uniforms_create(device, &value, 1, &uniforms, message);
        }) >= 2);
  dovetail_binder *binder = nullptr;
  CHECK(failEachAllocation(
            [&](dovetail_message *message) { return dovetail_binder_create(device, &binder, message); }) >= 2);

  const dovetail_variant *variant = nullptr;
  CHECK_OK(dovetail_bind(binder, program, nullptr, uniforms, nullptr, &variant, message));
  CHECK(infoOf(variant).part_count == 4);
  dovetail_binder_destroy(binder);
  dovetail_uniforms_destroy(uniforms);
  dovetail_state_destroy(state);
  dovetail_program_destroy(program);
}

TEST_CASE("C: a bind of known parts succeeds once there is memory, and gives what it would have joined") {
  Device device(withLlvm()); // one that cannot plan a change-over does so at a later bind
  TexturedProgram program(device);
  State first(device, program);
  dovetail_pipeline_state description = first.get();
  description.color_targets[0].blend_enable = 1; // an epilog of its own
  description.color_targets[0].dst_color_blend_factor = 7;
  State second(device, description);
  description = first.get();
  std::vector<dovetail_vertex_attribute> attributes(description.vertex_attributes,
                                                    description.vertex_attributes + description.vertex_attribute_count);
  attributes[0].offset += 4; // a prolog of its own
  description.vertex_attributes = attributes.data();
  State third(device, description);
  description.color_targets[0].blend_enable = 1;
  description.color_targets[0].dst_color_blend_factor = 7;
  State both(device, description);
  Binder binder(device);
  for (const State *state : {&first, &second, &third})
    binder.bind(program, *state);
  const uint64_t partsMade = statisticsOf(device).parts_made;

  const dovetail_variant *variant = nullptr;
  CHECK(failEachAllocation([&](dovetail_message *message) {
          return dovetail_bind(binder, program, both, nullptr, nullptr, &variant, message);
        }) >= 1); // the variant and all it holds
  CHECK(statisticsOf(device).parts_made == partsMade);

  CHECK(failEachAllocation([&](dovetail_message *message) {
          const dovetail_variant *ofPlainState = nullptr;
          const dovetail_status status =
              dovetail_bind_pipeline_state(binder, program, &description, nullptr, nullptr, &ofPlainState, message);
          CHECK(ofPlainState == (status == DOVETAIL_OK ? variant : nullptr));
          return status;
        }) >= 3); // the state and copies of its arrays

  Device other(withLlvm());
  TexturedProgram sameProgram(other);
  State sameState(other, description);
  Binder otherBinder(other);
  const dovetail_variant_info info = infoOf(variant), expected = infoOf(otherBinder.bind(sameProgram, sameState));
  REQUIRE(info.code_size == expected.code_size);
  CHECK(std::equal(info.code, info.code + info.code_size, expected.code));

  CHECK(failEachAllocation([&](dovetail_message *message) {
          const dovetail_status status = dovetail_variant_retain(variant, message);
          if (status == DOVETAIL_OK)
            dovetail_variant_release(variant);
          return status;
        }) == 1);
  CHECK(failEachAllocation([&](dovetail_message *message) {
          size_t size = 0;
          return dovetail_variant_write_elf(variant, nullptr, &size, message);
        }) > 5);
}

TEST_CASE("C: a bind of the default tier succeeds once there is memory, and its variant changes over nevertheless") {
  Device device; // first code; the background makes LLVM's
  TexturedProgram program(device);
  State first(device, program);
  dovetail_pipeline_state description = first.get();
  std::vector<dovetail_vertex_attribute> attributes(description.vertex_attributes,
                                                    description.vertex_attributes + description.vertex_attribute_count);
  description.vertex_attributes = attributes.data();
  Binder binder(device);
  binder.bind(program, first);

  std::vector<std::unique_ptr<State>> states; // each with a prolog of its own
  unsigned failed = 0, planned = 0;
  for (bool hasFailed = true; hasFailed && states.size() < MaxAllocations;) {
    attributes[0].offset += 4;
    const State &state = *states.emplace_back(std::make_unique<State>(device, description));
    dovetail_message message;
    const dovetail_variant *variant = nullptr;
    allocationsLeft = long(states.size() - 1);
    const dovetail_status status = dovetail_bind(binder, program, state, nullptr, nullptr, &variant, &message);
    hasFailed = allocationsLeft < 0;
    allocationsLeft = -1;
    CAPTURE(states.size());
    CAPTURE(message.text);
    // Without memory for a change-over, first code is right nevertheless; a later bind plans it.
    REQUIRE((status == DOVETAIL_OK || (hasFailed && status == DOVETAIL_OUT_OF_MEMORY)));
    CHECK((variant != nullptr) == (status == DOVETAIL_OK));
    failed += status != DOVETAIL_OK;
    planned += hasFailed && status == DOVETAIL_OK;
    CHECK(infoOf(binder.bind(program, state)).part_count == 4);
  }
  CHECK(failed > 5);
  CHECK(states.size() < MaxAllocations);
  INFO(planned, " binds without memory for a change-over");

  constexpr unsigned EnoughBinds = 200; // for those that ask again
  for (const auto &state : states)
    for (unsigned i = 0; i < EnoughBinds; ++i)
      binder.bind(program, *state);
  CHECK_OK(dovetail_device_drain(device, message));
  for (const auto &state : states) {
    const dovetail_variant *variant = binder.bind(program, *state);
    for (uint32_t part = 0; part < infoOf(variant).part_count; ++part)
      CHECK(partOf(variant, part).tier != DOVETAIL_TIER_FIRST_CODE);
  }
}
