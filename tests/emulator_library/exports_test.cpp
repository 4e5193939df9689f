// SPDX-License-Identifier: MIT
#include "tests/project/source_tree.h"
#include <cstdio>
#include <doctest/doctest.h>
#include <regex>
#include <set>

namespace {

std::set<std::string> allMatches(const std::string &text, const char *expression) {
  const std::regex regex(expression);
  std::set<std::string> found;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), regex); match != std::sregex_iterator(); ++match)
    found.insert((*match)[1]);
  return found;
}

} // namespace

TEST_CASE("the shared library exports the functions of dovetail_emulator.h and nothing else") {
  const std::string header = dovetail::project::readProject().at("tools/emulator-library/dovetail_emulator.h");
  std::string symbols;
  FILE *pipe = popen("nm -D --defined-only '" DOVETAIL_EMULATOR_LIBRARY "'", "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (size_t length = fread(buffer, 1, sizeof buffer, pipe))
    symbols.append(buffer, length);
  REQUIRE(pclose(pipe) == 0);
  const std::set<std::string> declared = allMatches(header, "\nDOVETAIL_API [^;(]*?(dovetail_emulator_\\w+)\\(");
  CHECK(declared.size() == 6);
  CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ ([^AT]) ").empty());
  CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ T (\\w+)@@DOVETAIL_EMULATOR_0") == declared);
}
