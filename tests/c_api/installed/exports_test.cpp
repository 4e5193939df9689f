// SPDX-License-Identifier: MIT
//
// The symbols that the shared libraries show to the outside, read with binutils, and the promises of their headers.
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

std::set<std::string> allWith(const std::set<std::string> &names, const char *suffix) {
  std::set<std::string> result;
  for (const std::string &name : names)
    result.insert(name + suffix);
  return result;
}

// The text of all headers whose paths begin with `prefix`.
std::string headersAt(const std::string &prefix) {
  std::string text;
  for (const auto &[path, content] : dovetail::project::readProject())
    if (path.starts_with(prefix) && path.ends_with(".h"))
      text += content;
  return text;
}

constexpr const char *PublicHeaders = "variants/c_api/include/dovetail";

struct Library {
  const char *file, *headers;
  // The expected number of functions. It shows whether the test misreads a header.
  size_t functions;
  const char *version, *soname;
};

constexpr Library Libraries[] = {
    {DOVETAIL_LIBRARY, PublicHeaders, 67, "@@DOVETAIL_0.2", "[libdovetail.so.0.2]"},
    {DOVETAIL_EMULATOR_LIBRARY, "tools/proof/emulator/c_api/dovetail_emulator", 6, "@@DOVETAIL_EMULATOR_0.2",
     "[libdovetail-emulator.so.0.2]"},
};

} // namespace

TEST_CASE("a shared library exports the functions of its header and nothing else") {
  for (const Library &library : Libraries) {
    CAPTURE(library.file);
    const std::string header = headersAt(library.headers);
    const std::set<std::string> declared = allMatches(header, "\nDOVETAIL_API [^;(]*?(\\w+)\\(");
    CHECK(declared.size() == library.functions);
    // A line has an address, a type, and a name with its version. The version itself is an absolute symbol (type A).
    const std::string symbols = outputOf("nm -D --defined-only '" + std::string(library.file) + "'");
    CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ ([^AT]) ").empty());
    CHECK(allMatches(symbols, "(?:^|\n)[0-9a-f]+ T (\\w+@@[\\w.]+)") == allWith(declared, library.version));
  }
}

TEST_CASE("a shared library has a soname and no text relocations") {
  for (const Library &library : Libraries) {
    CAPTURE(library.file);
    const std::string dynamic = outputOf("readelf -d '" + std::string(library.file) + "'");
    CHECK(dynamic.find(library.soname) != std::string::npos);
    CHECK(dynamic.find("TEXTREL") == std::string::npos);
    CHECK(dynamic.find("NODELETE") == std::string::npos);
  }
}

TEST_CASE("dovetail.h says of each function what threads may do") {
  const std::string header = headersAt(PublicHeaders);
  // A comment and the function directly behind it.
  const std::regex documented("/\\*((?:[^*]|\\*(?!/))*)\\*/\nDOVETAIL_API [^;(]*?(\\w+)\\(");
  std::set<std::string> functions;
  for (auto match = std::sregex_iterator(header.begin(), header.end(), documented); match != std::sregex_iterator();
       ++match) {
    const std::string comment = (*match)[1];
    CHECK_MESSAGE(std::regex_search(comment, std::regex("[Tt]hread-safe|One[ \n*]+thread")), (*match)[2].str());
    functions.insert((*match)[2]);
  }
  CHECK(functions == allMatches(header, "\nDOVETAIL_API [^;(]*?(\\w+)\\("));
}

TEST_CASE("no handler of signals or of LLVM's fatal errors is set by our code") {
  // The library's own sources call none of these functions.
  for (const auto &[path, text] : dovetail::project::readProject()) {
    if (path.starts_with("tests/") || path.starts_with("tools/") || !dovetail::project::isCpp(path))
      continue;
    for (const char *word : {"sigaction(", "signal(", "install_fatal_error_handler", "install_bad_alloc_error_handler",
                             "install_out_of_memory_new_handler", "PrettyStackTrace", "InitLLVM",
                             "ParseCommandLineOptions", "set_new_handler", "set_terminate", "setenv(", "atexit("})
      CHECK_MESSAGE(text.find(word) == std::string::npos, path, " has ", word);
  }
}
