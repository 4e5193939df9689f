// SPDX-License-Identifier: MIT
#include "src/state/state_fields.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;

namespace {

std::set<std::string_view> fields() {
  std::set<std::string_view> names;
  const PipelineState state;
  forEachField(state, [&](std::string_view name, const auto &) { names.insert(name); });
  return names;
}

} // namespace

TEST_CASE("every field of the state has a reader") {
  for (std::string_view field : fields())
    CHECK_MESSAGE(std::ranges::find(stateTable(), field, &StateRow::field) != stateTable().end(), field);
}

TEST_CASE("the table of states names only fields that there are") {
  for (const StateRow &row : stateTable())
    CHECK_MESSAGE(fields().contains(row.field), row.field);
}
