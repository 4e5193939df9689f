// SPDX-License-Identifier: MIT
//
// The subcommands of `dovetail`. Each adds its options to the command line and runs when it is chosen.
#pragma once

#include "tools/common/command/run_command.h"

namespace dovetail {

// Each registers a subcommand and sets `chosen` when the command line names it.
void addCompileCommand(CLI::App &app, Command &chosen);
void addCorpusCommand(CLI::App &app, Command &chosen);
void addDrawCommand(CLI::App &app, Command &chosen);
void addInspectCommand(CLI::App &app, Command &chosen);
void addDemoCommand(CLI::App &app, Command &chosen);
void addGpusCommand(CLI::App &app, Command &chosen);
void addWarmCommand(CLI::App &app, Command &chosen);
void addArchiveCommand(CLI::App &app, Command &chosen);
void addFarmCommand(CLI::App &app, Command &chosen);
void addCompareCommand(CLI::App &app, Command &chosen);

} // namespace dovetail
