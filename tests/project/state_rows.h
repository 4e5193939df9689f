// SPDX-License-Identifier: MIT
//
// Compares the table of the readers of each state field, taken from its source, with the table of the test cases that
// show it. (A test of tests/variants checks that the table has all fields.)
#pragma once

#include "tests/project/source_tree.h"
#include <string>
#include <vector>

namespace dovetail::project {

struct StateCaseRow {
  std::string field, reader, testCase;
};

// One sentence for each row of variants/state/state_table.cpp that has no test case, and for each case whose row or
// test does not exist.
std::vector<std::string> findStateRowViolations(const SourceTree &tree, const std::vector<StateCaseRow> &cases);

} // namespace dovetail::project
