// SPDX-License-Identifier: MIT
//
// A tool as a user runs it.
#pragma once

#include <string>

namespace dovetail {

struct Run {
  std::string tool; // as it calls itself
  int status = -1;
  std::string output, errors;
};

// Runs an executable with these arguments in a shell; `before` goes in front of it, for limits and variables.
Run runCommand(const std::string &executable, const std::string &arguments, const std::string &before = "");

// Checks that the tool failed with exit status 1 and one line that contains the text.
void checkError(const Run &run, const std::string &text);

} // namespace dovetail
