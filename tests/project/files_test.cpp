// SPDX-License-Identifier: MIT
//
// Rules for every file of the project.
#include "tests/project/source_tree.h"
#include <array>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <regex>

using namespace dovetail::project;

namespace {

constexpr size_t MaxLines = 600;

// A table of facts may be as long as there are facts.
bool isTable(const std::string &path) {
  return path.ends_with(".def") || path.ends_with(".inc") || path.ends_with("_table.cpp") || path.ends_with("_table.h");
}

// Shaders are inputs, and licence and data files have no room for a head.
bool needsSpdxHead(const std::string &path, const std::string &text) {
  return isCpp(path) || path.ends_with(".c") || path.ends_with("meson.build") || path == "meson_options.txt" ||
         path.ends_with(".py") || path.ends_with(".sh") || path.ends_with("Makefile") || text.starts_with("#!");
}

bool isText(const std::string &text) {
  return text.find('\0') == std::string::npos;
}

// The output of a command and whether it succeeded.
std::pair<std::string, bool> run(const std::string &command) {
  std::string output;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::array<char, 4096> buffer;
  while (size_t length = fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), length);
  return {output, pclose(pipe) == 0};
}

} // namespace

TEST_CASE("every source is formatted as clang-format-14 formats it") {
  std::string command = "cd '" DOVETAIL_SOURCE_ROOT "' && clang-format-14 --dry-run -Werror";
  for (const auto &[path, text] : readProject())
    if (path.ends_with(".h") || path.ends_with(".cpp"))
      command += " '" + path + "'";
  auto [output, good] = run(command);
  if (!good)
    FAIL_CHECK(output.substr(0, 4000));
}

TEST_CASE("clang-format-14 refuses what is badly formatted") {
  auto [output, good] =
      run("printf 'int  f( ) {return 1;}\\n' | clang-format-14 --dry-run -Werror --assume-filename=a.cpp");
  CHECK_FALSE(good);
}

TEST_CASE("every source says its licence in its first lines") {
  for (const auto &[path, text] : readProject()) {
    if (!needsSpdxHead(path, text))
      continue;
    std::string head = text.substr(0, 120);
    CHECK_MESSAGE(head.find("SPDX-License-Identifier: MIT") != std::string::npos, path);
  }
}

TEST_CASE("a source that is not a table has at most 600 lines") {
  for (const auto &[path, text] : readProject())
    if (isCpp(path) && !isTable(path))
      CHECK_MESSAGE(countLines(text) <= MaxLines, path, " has ", countLines(text), " lines");
}

TEST_CASE("no file mentions a place outside the project") {
  // Put together here so that this file does not mention the places itself.
  const std::array<std::string, 3> places = {std::string("../") + "shared", std::string("/work/") + "shared",
                                             std::string("/work/") + ".mirror"};
  for (const auto &[path, text] : readProject())
    for (const std::string &place : places)
      if (isText(text))
        CHECK_MESSAGE(text.find(place) == std::string::npos, path, " mentions ", place);
}

TEST_CASE("a header is included once") {
  for (const auto &[path, text] : readProject())
    if (path.ends_with(".h") && path.find("/pch/") == std::string::npos)
      CHECK_MESSAGE(text.find("#pragma once") != std::string::npos, path);
}

namespace {

// The place of a DOVETAIL_TRY that may return before an object is destroyed that the same expression has made; empty:
// none.
std::string findLeakyTry(const std::string &text) {
  // Put together here so that this file does not match itself.
  static const std::string macro = std::string("DOVETAIL_") + "(?:C_)?TRY\\(";
  static const std::regex behindNew("\\bnew\\s+[\\w:<>]+\\s*[({][^;]*" + macro);
  static const std::regex behindAnother(macro + "[^;]*\\),\\s*(?:\\.\\w+ = )?" + macro);
  std::smatch found;
  if (std::regex_search(text, found, behindNew) || std::regex_search(text, found, behindAnother))
    return found.str();
  return {};
}

} // namespace

// When a statement in an expression returns, GCC does not destroy the objects that the expression has made so far.
TEST_CASE("no DOVETAIL_TRY stands behind something that would not be destroyed") {
  for (const auto &[path, text] : readProject())
    if (isCpp(path))
      CHECK_MESSAGE(findLeakyTry(text) == "", path);
}

TEST_CASE("a DOVETAIL_TRY in an expression that has made something is found") {
  const std::string macro = std::string("DOVETAIL_") + "TRY(";
  CHECK(findLeakyTry("x = new Thing(" + macro + "read(a)));") != "");
  CHECK(findLeakyTry("List list = {" + macro + "read(a)),\n  " + macro + "read(b))};") != "");
  CHECK(findLeakyTry("auto a = " + macro + "read(1)), b = " + macro + "read(2));") == "");
  CHECK(findLeakyTry("auto made = " + macro + "read(1));\nx = new Thing(made);") == "");
}

TEST_CASE("no source leaves work for later") {
  const std::array<std::string, 2> marks = {std::string("TO") + "DO", std::string("FIX") + "ME"};
  for (const auto &[path, text] : readProject())
    for (const std::string &mark : marks)
      if (isCpp(path))
        CHECK_MESSAGE(text.find(mark) == std::string::npos, path, " has ", mark);
}
