// SPDX-License-Identifier: MIT
//
// The main() of a tool with subcommands.
#pragma once

#include "src/base/error.h"
#include "tools/common/command/output.h"
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dovetail {

// Runs a subcommand whose options are read; gives the exit status.
using Command = std::function<Result<int>()>;

// Reads the command line, which sets `chosen`, and runs `chosen`. Answers `--version` itself. For an unknown
// subcommand, suggests the one that was probably meant. An Error becomes one line that begins with the name of the
// tool, and exit status 1. If the Error's text is diagnostics ("file:line: …"), they are printed before that line, one
// per line.
int runCommand(CLI::App &app, int argumentCount, char **arguments, const Command &chosen);

// The word that differs least from this one, if the difference is small enough for a slip; otherwise "".
std::string closestWord(const std::string &word, const std::vector<std::string> &words);

} // namespace dovetail
