// SPDX-License-Identifier: MIT
//
// What the main() of a tool with subcommands does.
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

// What a subcommand does once its options are read; gives the exit status.
using Command = std::function<Result<int>()>;

// Reads the command line, which sets `chosen`, and runs that. `--version` is answered here, and a word that is no
// subcommand gets the one that was probably meant. An Error becomes one line that begins with the name of the tool, and
// exit status 1; if its text is diagnostics ("file:line: …"), they are listed before that line, one in each line.
int runCommand(CLI::App &app, int argumentCount, char **arguments, const Command &chosen);

// The word that differs least from this one, if that is so little that it may be a slip; otherwise "".
std::string closestWord(const std::string &word, const std::vector<std::string> &words);

} // namespace dovetail
