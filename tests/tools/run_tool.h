// SPDX-License-Identifier: MIT
//
// `dovetail` as a user runs it.
#pragma once

#include "tests/tools/temporary_folder.h"

namespace dovetail {

struct Run {
  int status;
  std::string output;
  std::string errors;
};

// Runs `dovetail` with these arguments in a shell; `before` goes in front of it, for limits.
Run runTool(const std::string &arguments, const std::string &before = "");

// Failed with exit status 1 and one line that contains the text.
void checkError(const Run &run, const std::string &text);

extern const std::string Vertex, Fragment;

// A folder with a pair of shaders, good.vert and good.frag.
struct Shaders : TemporaryFolder {
  Shaders() : vertex(write("good.vert", Vertex)), fragment(write("good.frag", Fragment)) {}
  std::string pair() const { return vertex + " " + fragment; }
  std::string vertex, fragment;
};

} // namespace dovetail
