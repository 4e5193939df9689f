// SPDX-License-Identifier: MIT
//
// What libdovetail.so shows to the outside, read with binutils.
#include "tests/project/source_tree.h"
#include <cstdio>
#include <doctest/doctest.h>
#include <regex>
#include <set>
#include <string>

using dovetail::project::SourceTree;

namespace {

std::string outputOf(const std::string &command) {
  std::string output;
  FILE *pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (size_t length = fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, length);
  REQUIRE(pclose(pipe) == 0);
  return output;
}

std::set<std::string> allMatches(const std::string &text, const char *expression) {
  const std::regex regex(expression);
  std::set<std::string> found;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), regex); match != std::sregex_iterator(); ++match)
    found.insert((*match)[1]);
  return found;
}

} // namespace

TEST_CASE("the shared library exports the functions of dovetail.h and nothing else") {
  const std::string header = dovetail::project::readProject().at("variants/c_api/dovetail.h");
  const std::set<std::string> declared = allMatches(header, "\nDOVETAIL_API [^;(]*?(\\w+)\\(");
  CHECK(declared.size() > 30);
  // Address, type, name with its version; the version itself is an absolute symbol.
  const std::string symbols = outputOf("nm -D --defined-only '" DOVETAIL_LIBRARY "'");
  CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ ([^AT]) ").empty());
  CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ T (\\w+)@@DOVETAIL_0") == declared);
}

TEST_CASE("the shared library has a soname and no text relocations") {
  const std::string dynamic = outputOf("readelf -d '" DOVETAIL_LIBRARY "'");
  CHECK(dynamic.find("[libdovetail.so.0]") != std::string::npos);
  CHECK(dynamic.find("TEXTREL") == std::string::npos);
  CHECK(dynamic.find("NODELETE") == std::string::npos);
}

TEST_CASE("no handler of signals or of LLVM's fatal errors is set by our code") {
  // None of these is called by any source that is part of the library.
  for (const auto &[path, text] : dovetail::project::readProject()) {
    if (path.starts_with("tests/") || path.starts_with("tools/") || !dovetail::project::isCpp(path))
      continue;
    for (const char *word : {"sigaction(", "signal(", "install_fatal_error_handler", "install_bad_alloc_error_handler",
                             "install_out_of_memory_new_handler", "PrettyStackTrace", "InitLLVM",
                             "ParseCommandLineOptions", "set_new_handler", "set_terminate", "setenv(", "atexit("})
      CHECK_MESSAGE(text.find(word) == std::string::npos, path, " has ", word);
  }
}

TEST_CASE("docs/c-api.md shows the example that is compiled") {
  const SourceTree tree = dovetail::project::readProject();
  std::string example = tree.at("tests/c_api/example.c");
  example.erase(0, example.find('\n') + 1); // the licence
  CHECK(tree.at("docs/c-api.md").find("```c\n" + example + "```\n") != std::string::npos);
}
