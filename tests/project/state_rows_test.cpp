// SPDX-License-Identifier: MIT
#include "tests/project/state_rows.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail::project;

namespace {

const std::vector<StateCaseRow> StateRows = {
#define STATE_ROW(field, reader, testCase) {#field, #reader, testCase},
#include "tests/states/state_rows.def"
#undef STATE_ROW
};

// One row, and a test case whose name is broken into two literals.
SourceTree smallTree() {
  return {{"variants/state/state_table.cpp", "    {\"one\", Register, \"text\"},\n"},
          {"tests/a_test.cpp", "TEST_CASE(\"one \"\n          \"way\") {}\n"}};
}

bool complains(const std::vector<std::string> &violations, const std::string &text) {
  return std::ranges::any_of(violations, [&](const auto &line) { return line.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("every reader of a field of the state has a test") {
  for (const std::string &violation : findStateRowViolations(readProject(), StateRows))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of states finds nothing where nothing is wrong") {
  CHECK(findStateRowViolations(smallTree(), {{"one", "Register", "one way"}}).empty());
}

TEST_CASE("the check of states finds a row without a test, and cases of what is not there") {
  CHECK(complains(findStateRowViolations(smallTree(), {}), "one in the Register has no test case"));
  CHECK(complains(findStateRowViolations(smallTree(), {{"two", "Register", "one way"}}),
                  "no row for two in the Register"));
  CHECK(complains(findStateRowViolations(smallTree(), {{"one", "Register", "another"}}),
                  "there is no test case \"another\""));
}
