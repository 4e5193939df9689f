// SPDX-License-Identifier: MIT
#include "tests/project/state_rows.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail::project;

namespace {

// A table of two rows, and the text of a test.
SourceTree treeWith(const std::string &test) {
  return {
      {"variants/state/state_table.cpp", "    {\"one\", Register, \"text\"},\n    {\"two\", Register, \"text\"},\n"},
      {"tests/a_test.cpp", test}};
}

bool complains(const std::string &test, const std::string &text) {
  return std::ranges::any_of(findStateRowViolations(treeWith(test)),
                             [&](const auto &line) { return line.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("every reader of a field of the state has a test") {
  for (const std::string &violation : findStateRowViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of states finds nothing where nothing is wrong") {
  CHECK(findStateRowViolations(treeWith("// Shows state: one (Register),\n// two (Register).\nTEST_CASE(\"a\") {}\n"))
            .empty());
}

TEST_CASE("the check of states finds a row without a test, and comments on what is not there") {
  CHECK(complains("// Shows state: one (Register).\nTEST_CASE(\"a\") {}\n", "no test case shows two (Register)"));
  CHECK(complains("// Shows state: one (Register), three (Register).\nTEST_CASE(\"a\") {}\n",
                  "no row for three (Register)"));
  CHECK(complains("// Shows state: one (Register).\n\nvoid f();\n", "no test case follows \"one (Register)\""));
}
