// SPDX-License-Identifier: MIT
#include "tests/project/state_rows.h"
#include <regex>
#include <set>

namespace dovetail::project {

namespace {

// Field and reader.
using StateRow = std::pair<std::string, std::string>;

std::set<StateRow> findRows(const std::string &text, const std::regex &row) {
  std::set<StateRow> rows;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), row); match != std::sregex_iterator(); ++match)
    rows.insert({(*match)[1], (*match)[2]});
  return rows;
}

} // namespace

std::vector<std::string> findStateRowViolations(const SourceTree &tree) {
  static const std::regex TableRow("\\{\"(\\w+)\", (\\w+),");
  static const std::regex Comment("// Shows state: ((?:[^\\n]|\\n// )*)\\.\\n(TEST_CASE)?");
  static const std::regex ShownRow("(\\w+)\\s(?:// )?\\((\\w+)\\)");
  std::vector<std::string> violations;
  auto table = tree.find("variants/state/state_table.cpp");
  const std::set<StateRow> rows = findRows(table == tree.end() ? std::string() : table->second, TableRow);
  std::set<StateRow> shown;
  for (const auto &[path, text] : tree) {
    if (!path.starts_with("tests/") || !path.ends_with("_test.cpp") || path.starts_with("tests/project/"))
      continue;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), Comment); match != std::sregex_iterator();
         ++match) {
      if (!(*match)[2].matched)
        violations.push_back(path + ": no test case follows \"" + match->str(1) + "\"");
      shown.merge(findRows(match->str(1), ShownRow));
    }
  }
  for (const auto &[field, reader] : rows)
    if (!shown.contains({field, reader}))
      violations.push_back("no test case shows " + field + " (" + reader + ")");
  for (const auto &[field, reader] : shown)
    if (!rows.contains({field, reader}))
      violations.push_back("the table of states has no row for " + field + " (" + reader + ")");
  return violations;
}

} // namespace dovetail::project
