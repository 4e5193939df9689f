// SPDX-License-Identifier: MIT
//
// Dynamic states as draws find them: each change shows in one number, and the states for such numbers are remembered.
#include "tools/programs/layer/known_states.h"
#include "tools/programs/layer/session/state_fields.h"
#include <doctest/doctest.h>
#include <set>

using namespace dovetail::layer;

namespace {

constexpr DynamicStates All = (DynamicStates(1) << DynamicStateCount) - 1;

// Another value, of the first field or of the last.
void change(DynamicValues &values, DynamicState state, bool isLast) {
  switch (state) {
  case DynamicState::VertexInput:
    if (isLast)
      values.attributes.push_back({1, 2, 3, 4});
    else
      values.bindings.push_back({1, 2, 3, 4});
    break;
  case DynamicState::ColorBlendEnable:
    values.targets[isLast ? MaxTargets - 1 : 0].blend_enable = 7;
    break;
  case DynamicState::ColorBlendEquation:
    (isLast ? values.targets.back().alpha_blend_op : values.targets.front().src_color_blend_factor) = 7;
    break;
  case DynamicState::ColorWriteMask:
    values.targets[isLast ? MaxTargets - 1 : 0].write_mask = 7;
    break;
  case DynamicState::ColorWriteEnable:
    values.writes[isLast ? MaxTargets - 1 : 0] = false;
    break;
  default:
    values.digests[static_cast<size_t>(state)] = isLast ? 7 : 8;
    return;
  }
  values.sumUp(state);
}

const dovetail_state *stateOf(uintptr_t number) {
  return reinterpret_cast<const dovetail_state *>(number);
}

} // namespace

TEST_CASE("a dynamic state is in the digest of the pipelines that have it, and of no others") {
  std::set<uint64_t> digests = {DynamicValues().digestOf(All)};
  for (size_t index = 0; index < DynamicStateCount; ++index)
    for (bool isLast : {false, true}) {
      CAPTURE(index);
      const auto state = static_cast<DynamicState>(index);
      DynamicValues values;
      change(values, state, isLast);
      CHECK(digests.insert(values.digestOf(All)).second);
      CHECK(values.digestOf(All & ~bitOf(state)) == DynamicValues().digestOf(All & ~bitOf(state)));
      DynamicValues same;
      change(same, state, isLast);
      CHECK(same.digestOf(All) == values.digestOf(All));
      values.clear();
      CHECK(values.digestOf(All) == DynamicValues().digestOf(All));
    }
}

TEST_CASE("two states that exchange their values have another digest") {
  DynamicValues values, exchanged;
  values.digests[0] = exchanged.digests[1] = 1;
  values.digests[1] = exchanged.digests[0] = 2;
  CHECK(values.digestOf(All) != exchanged.digestOf(All));
}

TEST_CASE("fields get what dynamic states have") {
  DynamicValues values;
  values.digests[static_cast<size_t>(DynamicState::PrimitiveTopology)] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  values.writes[1] = false;
  StateFields fields;
  fields.plain.color_targets[1].write_mask = 15;
  values.apply(bitOf(DynamicState::PrimitiveTopology), fields);
  CHECK(fields.plain.topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
  CHECK(fields.plain.color_targets[1].write_mask == 15);
  values.apply(bitOf(DynamicState::ColorWriteEnable), fields);
  CHECK(fields.plain.color_targets[1].write_mask == 0);
}

TEST_CASE("the states that were found last are known") {
  KnownStates known;
  CHECK(known.find(0) == nullptr);
  for (uintptr_t number = 1; number <= KnownStates::SetSize + 1; ++number)
    known.add(number * KnownStates::SetCount, stateOf(number)); // all of one set
  known.add(1, stateOf(100));
  CHECK(known.find(KnownStates::SetCount) == nullptr); // the oldest one had to go
  for (uintptr_t number = 2; number <= KnownStates::SetSize + 1; ++number)
    CHECK(known.find(number * KnownStates::SetCount) == stateOf(number));
  CHECK(known.find(1) == stateOf(100));
}
