// SPDX-License-Identifier: MIT
//
// Compares C's state with the library's own: C must be able to express all of it.
#include "src/state/state_fields.h"
#include "variants/c_api/convert/state_fields.h"
#include "variants/c_api/convert/state_pairs.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

PipelineState read(const dovetail_pipeline_state &description) {
  Outcome<PipelineState> state = toPipelineState(description, "description");
  if (!state)
    FAIL(state.error().text);
  return *state;
}

// Pointers to all members of type uint32_t.
std::vector<uint32_t *> numbersOf(dovetail_pipeline_state &description) {
  std::vector<uint32_t *> numbers;
#define ADD_NUMBER(member) numbers.push_back(&fields.member);
  for (dovetail_color_target &fields : description.color_targets) {
    DOVETAIL_COLOR_TARGET_FIELDS(ADD_NUMBER)
  }
  dovetail_pipeline_state &fields = description;
  DOVETAIL_PIPELINE_STATE_FIELDS(ADD_NUMBER)
#undef ADD_NUMBER
  return numbers;
}

} // namespace

TEST_CASE("C's initializer is the library's default state") {
  CHECK(read(DOVETAIL_PIPELINE_STATE_INIT) == PipelineState());
}

TEST_CASE("every number of C's state arrives, each in a field of its own, and comes back") {
  dovetail_pipeline_state defaults = DOVETAIL_PIPELINE_STATE_INIT;
  const size_t count = numbersOf(defaults).size();
  std::vector<PipelineState> seen = {PipelineState()};
  for (size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    uint32_t &number = *numbersOf(description)[i];
    // Each field accepts 0, 1 or 2; this takes a value other than the field's default.
    number = number == 0 ? 1 : number == 1 && &number == &description.rasterization_samples ? 2 : number == 1 ? 0 : 1;
    const PipelineState state = read(description);
    CHECK(std::ranges::find(seen, state) == seen.end());
    seen.push_back(state);
    const dovetail_pipeline_state back = fromPipelineState(state, {}, {});
    for (size_t other = 0; other < count; ++other)
      CHECK(*numbersOf(const_cast<dovetail_pipeline_state &>(back))[other] == *numbersOf(description)[other]);
  }
}

TEST_CASE("a number that its enumeration does not have is refused, in every field that has one") {
  dovetail_pipeline_state defaults = DOVETAIL_PIPELINE_STATE_INIT;
  std::vector<size_t> taken;
  for (size_t i = 0; i < numbersOf(defaults).size(); ++i) {
    CAPTURE(i);
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    *numbersOf(description)[i] = 0xffffffff;
    const Outcome<PipelineState> state = toPipelineState(description, "description");
    if (state) {
      taken.push_back(i);
      continue;
    }
    CHECK((state.error().status == DOVETAIL_BAD_ARGUMENT));
    CHECK_MESSAGE(state.error().text.find(" is 4294967295; it ") != std::string::npos, state.error().text);
  }
  // Two fields accept any number here: patch_control_points, whose limit a bind checks, and a mask of locations.
  const std::vector<uint32_t *> numbers = numbersOf(defaults);
  auto indexOf = [&](uint32_t &number) { return size_t(std::ranges::find(numbers, &number) - numbers.begin()); };
  CHECK(taken == std::vector<size_t>{indexOf(defaults.patch_control_points), indexOf(defaults.sprite_coord_enable)});
}

TEST_CASE("vertex input arrives and comes back") {
  const dovetail_vertex_binding bindings[] = {{3, 20, 1, 7}, {5, 8, 0, 1}};
  const dovetail_vertex_attribute attributes[] = {{9, 3, VK_FORMAT_R16G16_SNORM, 4}, {31, 5, VK_FORMAT_R8_UINT, 1}};
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  description.vertex_bindings = bindings;
  description.vertex_binding_count = 2;
  description.vertex_attributes = attributes;
  description.vertex_attribute_count = 2;
  const PipelineState state = read(description);
  PipelineState expected;
  expected.vertexBindings = {{3, 20, VK_VERTEX_INPUT_RATE_INSTANCE, 7}, {5, 8, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  expected.vertexAttributes = {{9, 3, VK_FORMAT_R16G16_SNORM, 4}, {31, 5, VK_FORMAT_R8_UINT, 1}};
  CHECK(state == expected);
  const auto backBindings = toVertexBindings(state);
  const auto backAttributes = toVertexAttributes(state);
  CHECK(read(fromPipelineState(state, backBindings, backAttributes)) == expected);
}

TEST_CASE("a field's name in C has underscores") {
  CHECK(isSameName("colorTwoSide", "color_two_side"));
  CHECK(isSameName("broadcastColor0", "broadcast_color0"));
  CHECK_FALSE(isSameName("colorTwoSide", "color_two_sides"));
  CHECK_FALSE(isSameName("colorTwoSides", "color_two_side"));
  CHECK_FALSE(isSameName("colorTwoSide", "colortwoside"));
  CHECK_FALSE(isSameName("clampColor", "clamp_"));
}
