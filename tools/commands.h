// SPDX-License-Identifier: MIT
//
// The subcommands of `dovetail`. Each adds its options to the command line and runs when it is chosen.
#pragma once

#include "src/base/error.h"
#include <functional>

namespace CLI {
class App;
}

namespace dovetail {

// What a subcommand does once its options are read; gives the exit status.
using Command = std::function<Result<int>()>;

// Each registers a subcommand and sets `chosen` when the command line names it.
void addCompileCommand(CLI::App &app, Command &chosen);
void addCorpusCommand(CLI::App &app, Command &chosen);
void addDrawCommand(CLI::App &app, Command &chosen);
void addDemoCommand(CLI::App &app, Command &chosen);

} // namespace dovetail
