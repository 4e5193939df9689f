// SPDX-License-Identifier: MIT
//
// The table of what reads each field of the state, read out of its source, against the table of the test cases that
// show it. (That the table has all fields is a test of tests/variants.)
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
