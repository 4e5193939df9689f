// SPDX-License-Identifier: MIT
//
// The subcommands of `dovetail farm` (docs/farm.md).
#pragma once

#include "tools/common/command/run_command.h"
#include "tools/programs/dovetail/farm/work_queue.h"

namespace dovetail::farm {

struct FarmChoice {
  RedisOptions redis;
  std::string keyFile;
};
// Adds --queue, --password-file, --key-file and --patience.
void addFarmOptions(CLI::App &command, FarmChoice &farm);

// The queue of this build of Dovetail and LLVM.
Result<std::unique_ptr<WorkQueue>> openQueue(const FarmChoice &farm);

void addSubmitCommand(CLI::App &farm, Command &chosen);
void addWorkCommand(CLI::App &farm, Command &chosen);
void addStatusCommand(CLI::App &farm, Command &chosen);
// retry, drop, sync
void addTendCommands(CLI::App &farm, Command &chosen);

} // namespace dovetail::farm
