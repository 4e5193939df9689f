// SPDX-License-Identifier: MIT
//
// `dovetail` as a user runs it.
#pragma once

#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"

namespace dovetail {

// Runs `dovetail` with these arguments in a shell; `before` goes in front of it, for limits.
Run runTool(const std::string &arguments, const std::string &before = "");

extern const std::string Vertex, Fragment;

// A folder with a pair of shaders, good.vert and good.frag.
struct Shaders : TemporaryFolder {
  Shaders() : vertex(write("good.vert", Vertex)), fragment(write("good.frag", Fragment)) {}
  std::string pair() const { return vertex + " " + fragment; }
  std::string vertex, fragment;
};

} // namespace dovetail
