// SPDX-License-Identifier: MIT
#include "tests/project/state_rows.h"
#include <algorithm>
#include <regex>
#include <set>

namespace dovetail::project {

namespace {

// The names of all test cases outside of this folder. clang-format breaks long ones into adjacent literals.
std::set<std::string> testCases(const SourceTree &tree) {
  constexpr std::string_view Head = "TEST_CASE(\"";
  std::set<std::string> names;
  for (const auto &[path, text] : tree) {
    if (!path.starts_with("tests/") || path.starts_with("tests/project/") || !path.ends_with("_test.cpp"))
      continue;
    for (size_t at = text.find(Head); at != std::string::npos; at = text.find(Head, at)) {
      std::string name;
      for (at += Head.size(); at < text.size(); ++at) {
        const size_t end = text.find('"', at);
        name += text.substr(at, end - at);
        at = text.find_first_not_of(" \n", end + 1);
        if (at == std::string::npos || text[at] != '"')
          break;
      }
      names.insert(name);
    }
  }
  return names;
}

std::set<std::pair<std::string, std::string>> stateTableRows(const std::string &text) {
  static const std::regex Row("\\{\"(\\w+)\", (\\w+),");
  std::set<std::pair<std::string, std::string>> rows;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), Row); match != std::sregex_iterator(); ++match)
    rows.insert({(*match)[1], (*match)[2]});
  return rows;
}

} // namespace

std::vector<std::string> findStateRowViolations(const SourceTree &tree, const std::vector<StateCaseRow> &cases) {
  std::vector<std::string> violations;
  const std::set<std::string> tests = testCases(tree);
  auto table = tree.find("variants/state/state_table.cpp");
  const auto rows = stateTableRows(table == tree.end() ? std::string() : table->second);
  for (const auto &[field, reader] : rows)
    if (std::ranges::none_of(cases, [&](auto &row) { return row.field == field && row.reader == reader; }))
      violations.push_back(field + " in the " + reader + " has no test case");
  for (const StateCaseRow &row : cases) {
    if (!rows.contains({row.field, row.reader}))
      violations.push_back("the table of states has no row for " + row.field + " in the " + row.reader);
    if (!tests.contains(row.testCase))
      violations.push_back(row.field + ": there is no test case \"" + row.testCase + "\"");
  }
  return violations;
}

} // namespace dovetail::project
