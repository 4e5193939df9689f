// SPDX-License-Identifier: MIT
//
// Compares the table of the readers of each state field, taken from its source, with the test cases that show them. A
// test case says so in a comment in front of it:
//
//   // Shows state: alphaTestFunc (FragmentEpilog), clampColor (FragmentEpilog).
//   TEST_CASE("…
//
// (A test of tests/variants checks that the table has all fields.)
#pragma once

#include "tests/project/source_tree.h"
#include <string>
#include <vector>

namespace dovetail::project {

// One sentence for each row of variants/state/state_table.cpp that no test case shows, and for each comment that names
// a row that does not exist, or stands before no test case.
std::vector<std::string> findStateRowViolations(const SourceTree &tree);

} // namespace dovetail::project
