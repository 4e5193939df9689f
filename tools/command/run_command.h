// SPDX-License-Identifier: MIT
//
// What the main() of a tool with subcommands does.
#pragma once

#include "src/base/error.h"
#include <functional>
#include <string_view>

namespace CLI {
class App;
}

namespace dovetail {

// What a subcommand does once its options are read; gives the exit status.
using Command = std::function<Result<int>()>;

// Reads the command line, which sets `chosen`, and runs that. An Error becomes one line that begins with the name of
// the tool, and exit status 1.
int runCommand(CLI::App &app, int argumentCount, char **arguments, const Command &chosen);

// To the standard output. Whether it arrived, runCommand() looks at.
void print(std::string_view text);

} // namespace dovetail
