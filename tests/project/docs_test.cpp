// SPDX-License-Identifier: MIT
#include "tests/project/docs.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail::project;

namespace {

// A project with one tool and a document of it.
SourceTree withDocument(const std::string &document) {
  return {{"docs/a.md", document},
          {"docs/b.md", ""},
          {"src/base/error.h", "struct Error {};\n"},
          {"tools/meson.build", "executable('tool', 'main_command.cpp')\n"},
          {"tools/main_command.cpp", "add_option(\"-o,--output\"); add_flag(\"--all\"); // v_rcp_f32\n"}};
}

std::vector<std::string> violationsOf(const std::string &document) {
  return findDocumentViolations(withDocument(document));
}

} // namespace

TEST_CASE("what documents refer to is there") {
  for (const std::string &violation : findDocumentViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("files that comments name are there") {
  for (const std::string &violation : findCommentViolations(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("every option of the command lines is in their documents") {
  for (const std::string &violation : findUnnamedOptions(readProject()))
    FAIL_CHECK(violation);
}

TEST_CASE("the check of documents finds nothing where nothing is wrong") {
  CHECK(violationsOf("[b](b.md) [x](https://x.org/y) `src/base` `src/base/*.h` `error.h` `Error` `v_rcp` `tool --all`\n"
                     "`-o x`\n\n    build/tools/tool --output x src/base/error.h\n")
            .empty());
}

TEST_CASE("the check of documents finds what is gone") {
  for (const char *document :
       {"[c](c.md)", "`src/gone.h`", "`src/base/*.cpp`", "`gone.cpp`", "`Gone`", "`gone()`", "`tool --gone`",
        "`build/tools/gone`", "    build/tools/gone x\n", "    build/tools/tool --gone\n", "```\nsrc/gone\n```\n"}) {
    CAPTURE(document);
    CHECK(violationsOf(document).size() == 1);
  }
}

TEST_CASE("the check of comments finds a file that is gone, and lets strings name what they like") {
  SourceTree tree = {{"src/a.cpp", "// As in src/gone.h: x\nauto x = \"src/nowhere.h\"; // see src/a.cpp\n"}};
  CHECK(findCommentViolations(tree) == std::vector<std::string>{"src/a.cpp: there is no src/gone.h"});
}

TEST_CASE("the check of options finds one that no document names") {
  SourceTree tree = withDocument("");
  tree["docs/command-line.md"] = "| `--all` | everything |\n| `-o FILE` | a file |\n";
  CHECK(findUnnamedOptions(tree).empty());
  tree["docs/command-line.md"] = "| `--all-else` | everything |\n| `-o FILE` | a file |\n";
  CHECK(findUnnamedOptions(tree).size() == 1);
}
