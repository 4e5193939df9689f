// SPDX-License-Identifier: MIT
//
// The subcommands of `part-dump`. Each adds its options to the command line and runs when it is chosen.
#pragma once

#include "tools/common/command/run_command.h"

namespace dovetail::part_dump {

// Each registers a subcommand and sets `chosen` when the command line names it.
void addListCommand(CLI::App &app, Command &chosen);
void addShowCommand(CLI::App &app, Command &chosen);
void addStatsCommand(CLI::App &app, Command &chosen);
void addVerifyCommand(CLI::App &app, Command &chosen);
void addPruneCommand(CLI::App &app, Command &chosen);
void addExportCommand(CLI::App &app, Command &chosen);
void addDiffCommand(CLI::App &app, Command &chosen);

} // namespace dovetail::part_dump
