// SPDX-License-Identifier: MIT
#include "tests/project/key_fields.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail::project;

namespace {

const std::vector<KeyFieldRow> KeyFields = {
#define KEY_FIELD(structName, field, reader, testCase) {#structName, #field, reader, testCase},
#include "tests/states/key_fields.def"
#undef KEY_FIELD
};

const std::vector<StateCaseRow> StateRows = {
#define STATE_ROW(field, reader, testCase) {#field, #reader, testCase},
#include "tests/states/state_rows.def"
#undef STATE_ROW
};

// A key with two fields as it should be.
SourceTree smallTree() {
  return {{"parts/a.h", "\nstruct AKey {\n  std::vector<int> list;\n  uint8_t count = 0; // of x\n\n"
                        "  bool operator==(const AKey &) const = default;\n  PartKey partKey() const;\n};\n"},
          {"parts/a.cpp", "PartKey AKey::partKey() const {\n  hasher.add(list).add(count);\n}\n"},
          {"parts/a_ir.cpp", "use(key.list, key.count);\n"},
          {"tests/a_test.cpp", "TEST_CASE(\"a list\") {}\nTEST_CASE(\"a \"\n          \"count\") {}\n"}};
}

std::vector<KeyFieldRow> smallTable() {
  return {{"AKey", "list", "parts/a_ir.cpp", "a list"}, {"AKey", "count", "parts/a_ir.cpp", "a count"}};
}

bool complains(const std::vector<std::string> &violations, const std::string &text) {
  return std::ranges::any_of(violations, [&](const auto &line) { return line.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("every field of a part's key is hashed, read and shown by a test") {
  for (const std::string &violation : findKeyFieldViolations(readProject(), KeyFields))
    FAIL_CHECK(violation);
}

TEST_CASE("the table of key fields has the keys of all prologs and epilogs") {
  for (const auto &[path, text] : readProject())
    for (const char *kind : {"Prolog", "Epilog"})
      if (size_t at = text.find(std::string(kind) + "Key {\n"); path.starts_with("parts/") && at != std::string::npos) {
        const size_t start = text.rfind(' ', at) + 1;
        const std::string name = text.substr(start, text.find(' ', start) - start);
        CHECK_MESSAGE(std::ranges::any_of(KeyFields, [&](const auto &row) { return row.structName == name; }), name);
      }
}

TEST_CASE("every field of the state has a reader and a test for each") {
  for (const std::string &violation : findStateRowViolations(readProject(), StateRows))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of key fields finds nothing where nothing is wrong") {
  CHECK(findKeyFieldViolations(smallTree(), smallTable()).empty());
}

TEST_CASE("the check of key fields finds what is missing") {
  SourceTree tree = smallTree();
  std::vector<KeyFieldRow> table = smallTable();
  table.pop_back();
  CHECK(complains(findKeyFieldViolations(tree, table), "AKey::count has no row"));
  table = smallTable();
  table.push_back({"AKey", "width", "parts/a_ir.cpp", "a list"});
  CHECK(complains(findKeyFieldViolations(tree, table), "AKey has no field width"));
  tree["parts/a.cpp"] = "PartKey AKey::partKey() const {\n  hasher.add(list);\n}\n";
  CHECK(complains(findKeyFieldViolations(tree, smallTable()), "AKey::count is not hashed"));
  tree = smallTree();
  tree["parts/a_ir.cpp"] = "use(key.list);\n";
  CHECK(complains(findKeyFieldViolations(tree, smallTable()), "does not read AKey::count"));
  tree = smallTree();
  tree["tests/a_test.cpp"] = "TEST_CASE(\"a list\") {}\n";
  CHECK(complains(findKeyFieldViolations(tree, smallTable()), "no test case \"a count\""));
}

TEST_CASE("the check of states finds a field without a row and a row without a test") {
  SourceTree tree = {{"src/state/s.h", "\nstruct PipelineState {\n  bool one = false;\n  bool two = false;\n};\n"},
                     {"variants/build/state_table.cpp", "    {\"one\", Register, \"text\"},\n"}};
  const std::vector<std::string> violations = findStateRowViolations(tree, {});
  CHECK(complains(violations, "PipelineState::two has no row"));
  CHECK(complains(violations, "one in the Register has no test case"));
}
