// SPDX-License-Identifier: MIT
#include "tools/commands.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace {

// One line, whatever the Error's text holds.
std::string singleLine(std::string text) {
  while (text.ends_with('\n'))
    text.pop_back();
  for (size_t at; (at = text.find('\n')) != std::string::npos;)
    text.replace(at, 1, "; ");
  return text;
}

} // namespace

int main(int argumentCount, char **arguments) {
  CLI::App app("Compiles shaders to parts and joins them to GPU programs.", "dovetail");
  app.require_subcommand(1);
  dovetail::Command chosen;
  dovetail::addCompileCommand(app, chosen);
  dovetail::addCorpusCommand(app, chosen);
  dovetail::addDrawCommand(app, chosen);
  dovetail::addDemoCommand(app, chosen);
  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error); // --help
    std::fprintf(stderr, "dovetail: %s\n", singleLine(error.what()).c_str());
    return 1;
  }
  dovetail::Result<int> result = chosen();
  // What was printed must have arrived: stdout may be a full disk.
  if (result && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    result = dovetail::makeError(dovetail::ErrorCode::Io, "cannot write to the standard output");
  if (!result) {
    std::fprintf(stderr, "dovetail: %s: %s\n", std::string(toString(result.error().code)).c_str(),
                 singleLine(result.error().text).c_str());
    return 1;
  }
  return *result;
}
