// SPDX-License-Identifier: MIT
#include "tests/project/key_fields.h"
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

// `field` as a member of something.
bool mentionsMember(const std::string &text, const std::string &field) {
  return std::regex_search(text, std::regex("(\\.|->|::)" + field + "\\b"));
}

bool mentionsWord(const std::string &text, const std::string &field) {
  return std::regex_search(text, std::regex("\\b" + field + "\\b"));
}

// The bodies of all partKey() functions of parts/.
std::string partKeyBodies(const SourceTree &tree) {
  std::string bodies;
  for (const auto &[path, text] : tree) {
    if (!path.starts_with("parts/") || !path.ends_with(".cpp"))
      continue;
    for (size_t at = text.find("::partKey() const {"); at != std::string::npos;
         at = text.find("::partKey() const {", at + 1)) {
      const size_t lineStart = text.rfind('\n', at) + 1;
      bodies += text.substr(lineStart, text.find("\n}\n", at) + 3 - lineStart);
    }
  }
  return bodies;
}

// What the partKey() that hashes a struct adds: its own body, or for parts of a key, the body that visits them.
std::string hashOf(const std::string &bodies, const std::string &structName) {
  std::string visiting;
  for (size_t at = bodies.find("PartKey "); at != std::string::npos;) {
    const size_t end = std::min(bodies.find("\n}\n", at), bodies.size());
    const std::string body = bodies.substr(at, end - at);
    if (body.starts_with("PartKey " + structName + "::"))
      return body.substr(body.find('{'));
    if (mentionsWord(body, structName))
      visiting = body.substr(body.find('{'));
    at = bodies.find("\nPartKey ", end);
    at = at == std::string::npos ? at : at + 1;
  }
  return visiting;
}

std::set<std::pair<std::string, std::string>> stateTableRows(const std::string &text) {
  static const std::regex Row("\\{\"(\\w+)\", (\\w+),");
  std::set<std::pair<std::string, std::string>> rows;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), Row); match != std::sregex_iterator(); ++match)
    rows.insert({(*match)[1], (*match)[2]});
  return rows;
}

} // namespace

std::vector<std::string> fieldsOf(const SourceTree &tree, const std::string &folder, const std::string &structName) {
  static const std::regex Field("^  (?!static|using|friend)[A-Za-z][^()=;{]*[ >](\\w+)( = [^;]*)?;",
                                std::regex::multiline);
  for (const auto &[path, text] : tree) {
    const size_t start = text.find("\nstruct " + structName + " {\n");
    if (!path.starts_with(folder) || !path.ends_with(".h") || start == std::string::npos)
      continue;
    const std::string body = text.substr(start, text.find("\n};", start) + 1 - start);
    std::vector<std::string> fields;
    for (auto match = std::sregex_iterator(body.begin(), body.end(), Field); match != std::sregex_iterator(); ++match)
      fields.push_back((*match)[1]);
    return fields;
  }
  return {};
}

std::vector<std::string> findKeyFieldViolations(const SourceTree &tree, const std::vector<KeyFieldRow> &rows) {
  std::vector<std::string> violations;
  const std::string bodies = partKeyBodies(tree);
  const std::set<std::string> tests = testCases(tree);
  std::set<std::string> structs;
  for (const KeyFieldRow &row : rows)
    structs.insert(row.structName);
  for (const std::string &name : structs) {
    const std::vector<std::string> fields = fieldsOf(tree, "parts/", name);
    const std::string hash = hashOf(bodies, name);
    auto isRow = [&](const std::string &field) {
      return std::ranges::any_of(rows, [&](auto &row) { return row.structName == name && row.field == field; });
    };
    for (const std::string &field : fields) {
      if (!isRow(field))
        violations.push_back(name + "::" + field + " has no row");
      if (!mentionsWord(hash, field))
        violations.push_back(name + "::" + field + " is not hashed");
    }
    for (const KeyFieldRow &row : rows)
      if (row.structName == name && std::ranges::find(fields, row.field) == fields.end())
        violations.push_back(name + " has no field " + row.field);
  }
  for (const KeyFieldRow &row : rows) {
    auto reader = tree.find(row.reader);
    if (reader == tree.end() || !mentionsMember(reader->second, row.field))
      violations.push_back(row.reader + " does not read " + row.structName + "::" + row.field);
    if (!tests.contains(row.testCase))
      violations.push_back(row.structName + "::" + row.field + ": there is no test case \"" + row.testCase + "\"");
  }
  return violations;
}

std::vector<std::string> findStateRowViolations(const SourceTree &tree, const std::vector<StateCaseRow> &cases) {
  std::vector<std::string> violations;
  const std::vector<std::string> fields = fieldsOf(tree, "src/state/", "PipelineState");
  const std::set<std::string> tests = testCases(tree);
  auto table = tree.find("variants/build/state_table.cpp");
  const auto rows = stateTableRows(table == tree.end() ? std::string() : table->second);
  for (const std::string &field : fields)
    if (std::ranges::none_of(rows, [&](const auto &row) { return row.first == field; }))
      violations.push_back("PipelineState::" + field + " has no row in the table of states");
  for (const auto &[field, reader] : rows) {
    if (std::ranges::find(fields, field) == fields.end())
      violations.push_back("the table of states has " + field + ", which is no field");
    if (std::ranges::none_of(cases, [&](auto &row) { return row.field == field && row.reader == reader; }))
      violations.push_back(field + " in the " + reader + " has no test case");
  }
  for (const StateCaseRow &row : cases) {
    if (!rows.contains({row.field, row.reader}))
      violations.push_back("the table of states has no row for " + row.field + " in the " + row.reader);
    if (!tests.contains(row.testCase))
      violations.push_back(row.field + ": there is no test case \"" + row.testCase + "\"");
  }
  return violations;
}

} // namespace dovetail::project
