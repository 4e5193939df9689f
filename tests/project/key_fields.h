// SPDX-License-Identifier: MIT
//
// Which fields keys and states have, read out of the sources, against the tables that say what each is for and which
// test shows it.
#pragma once

#include "tests/project/source_tree.h"
#include <string>
#include <utility>
#include <vector>

namespace dovetail::project {

struct KeyFieldRow {
  std::string structName, field, reader, testCase;
};

struct StateCaseRow {
  std::string field, reader, testCase;
};

// Of the first struct of that name in a file below `folder`. Functions, operators and static members are no fields.
// Empty if there is no such struct.
std::vector<std::string> fieldsOf(const SourceTree &tree, const std::string &folder, const std::string &structName);

// One sentence for each field that has no row, is not hashed by a partKey() of parts/, or is not mentioned by its
// reader; for each row that names no field, and for each test case that does not exist.
std::vector<std::string> findKeyFieldViolations(const SourceTree &tree, const std::vector<KeyFieldRow> &rows);

// One sentence for each field of PipelineState without a row of variants/build/state_table.cpp, for each row that names
// no field or has no test case, and for each case whose row or test does not exist.
std::vector<std::string> findStateRowViolations(const SourceTree &tree, const std::vector<StateCaseRow> &cases);

} // namespace dovetail::project
