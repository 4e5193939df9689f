// SPDX-License-Identifier: MIT
#include "parts/compile/toolchain_version.h"
#include "tools/common/command/options.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include <CLI/CLI.hpp>

namespace dovetail {

namespace farm {

void addFarmOptions(CLI::App &command, FarmChoice &farm) {
  farm.redis.givesUp = areWorkersInterrupted;
  command.add_option("--queue", farm.redis.url, "the Redis server: redis://HOST[:PORT][/DATABASE] or unix:///PATH")
      ->required()
      ->check(notEmpty());
  command
      .add_option("--password-file", farm.redis.passwordFile,
                  "a file with the server's password, or a user and a password; only its owner may read it")
      ->check(notEmpty());
  command
      .add_option("--key-file", farm.keyFile,
                  "a file with a secret of 16 bytes or more, by which values of the server are recognised as our own")
      ->check(notEmpty());
  command
      .add_option_function<unsigned>(
          "--patience", [&farm](unsigned seconds) { farm.redis.patience = std::chrono::seconds(seconds); },
          "seconds to wait for a server that is not there")
      ->check(CLI::Range(0u, 86400u))
      ->default_str(std::to_string(std::chrono::duration_cast<std::chrono::seconds>(farm.redis.patience).count()));
}

Result<std::unique_ptr<WorkQueue>> openQueue(const FarmChoice &farm) {
  return WorkQueue::open(farm.redis, farm.keyFile, toolchainVersion().toHex());
}

} // namespace farm

void addFarmCommand(CLI::App &app, Command &chosen) {
  CLI::App *command = app.add_subcommand("farm", "Compile captures on several machines, through a Redis server");
  command->require_subcommand(1);
  farm::addSubmitCommand(*command, chosen);
  farm::addWorkCommand(*command, chosen);
  farm::addStatusCommand(*command, chosen);
  farm::addTendCommands(*command, chosen);
}

} // namespace dovetail
