// SPDX-License-Identifier: MIT
#include "tools/command/run_command.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

namespace dovetail {

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

int runCommand(CLI::App &app, int argumentCount, char **arguments, const Command &chosen) {
  const std::string name = app.get_name();
  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error); // --help
    std::fprintf(stderr, "%s: %s\n", name.c_str(), singleLine(error.what()).c_str());
    return 1;
  }
  Result<int> result = chosen();
  // What was printed must have arrived: stdout may be a full disk.
  if (result && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    result = makeError(ErrorCode::Io, "cannot write to the standard output");
  if (!result) {
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), std::string(toString(result.error().code)).c_str(),
                 singleLine(result.error().text).c_str());
    return 1;
  }
  return *result;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace dovetail
