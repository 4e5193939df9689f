// SPDX-License-Identifier: MIT
//
// part-dump looks into a part store, even while others use it.
#include "tools/programs/part-dump/commands.h"
#include <CLI/CLI.hpp>

int main(int argumentCount, char **arguments) {
  using namespace dovetail::part_dump;
  CLI::App app("Shows what is in a part store, also while it is in use, and tends it.", "part-dump");
  app.require_subcommand(1);
  dovetail::Command chosen;
  addListCommand(app, chosen);
  addShowCommand(app, chosen);
  addStatsCommand(app, chosen);
  addVerifyCommand(app, chosen);
  addPruneCommand(app, chosen);
  addExportCommand(app, chosen);
  addDiffCommand(app, chosen);
  return dovetail::runCommand(app, argumentCount, arguments, chosen);
}
