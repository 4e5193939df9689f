// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/commands.h"
#include <CLI/CLI.hpp>

int main(int argumentCount, char **arguments) {
  CLI::App app("Compiles shaders to parts and joins them to GPU programs.", "dovetail");
  app.require_subcommand(1);
  dovetail::Command chosen;
  dovetail::addCompileCommand(app, chosen);
  dovetail::addCorpusCommand(app, chosen);
  dovetail::addDrawCommand(app, chosen);
  dovetail::addInspectCommand(app, chosen);
  dovetail::addDemoCommand(app, chosen);
  dovetail::addGpusCommand(app, chosen);
  dovetail::addWarmCommand(app, chosen);
  dovetail::addArchiveCommand(app, chosen);
  dovetail::addFarmCommand(app, chosen);
  dovetail::addCompareCommand(app, chosen);
  return dovetail::runCommand(app, argumentCount, arguments, chosen);
}
