// SPDX-License-Identifier: MIT
#include "tools/common/command/run_command.h"
#include "parts/compile/toolchain_version.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <regex>
#include <sstream>

namespace dovetail {

namespace {

// Makes one line of an Error's text.
std::string singleLine(std::string text) {
  while (text.ends_with('\n'))
    text.pop_back();
  for (size_t at; (at = text.find('\n')) != std::string::npos;)
    text.replace(at, 1, "; ");
  return text;
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Whether the line is a diagnostic that editors understand: "shaders/light.frag:12: …".
bool isDiagnostic(const std::string &line) {
  static const std::regex located("[^ ].*?:[0-9]+: .*");
  return std::regex_match(line, located);
}

void printError(const std::string &tool, const Error &error) {
  const std::string code(toString(error.code));
  const std::vector<std::string> lines = linesOf(error.text);
  const size_t count = std::ranges::count_if(lines, isDiagnostic);
  if (count == 0) {
    std::fprintf(stderr, "%s: %s: %s\n", tool.c_str(), code.c_str(), singleLine(error.text).c_str());
    return;
  }
  for (const std::string &line : lines)
    std::fprintf(stderr, "%s\n", line.c_str());
  std::fprintf(stderr, "%s: %s: %zu error%s\n", tool.c_str(), code.c_str(), lines.size(), lines.size() == 1 ? "" : "s");
}

// How many letters must be changed, added, removed or swapped with the next one to turn one word into the other.
size_t distance(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  std::iota(table[0].begin(), table[0].end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    table[i][0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

// The complaint about an unknown subcommand; "" if it is known, or if there is none.
std::string complaintAboutSubcommand(const CLI::App &app, int argumentCount, char **arguments) {
  if (argumentCount < 2 || arguments[1][0] == '-')
    return "";
  const std::string word = arguments[1];
  std::vector<std::string> known;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    known.push_back(command->get_name());
  if (std::ranges::find(known, word) != known.end())
    return "";
  const std::string meant = closestWord(word, known);
  if (!meant.empty())
    return fmt::format("there is no subcommand \"{}\"; did you mean \"{}\"?", word, meant);
  return fmt::format("there is no subcommand \"{}\"; these are: {}", word, fmt::join(known, ", "));
}

// The complaint about an option that the program and the subcommand both lack; "" if there is none.
std::string complaintAboutOption(const CLI::App &app) {
  std::vector<std::string> known;
  auto addNames = [&](const CLI::App &command) {
    for (const CLI::Option *option : command.get_options())
      for (const std::string &name : option->get_lnames())
        known.push_back("--" + name);
  };
  addNames(app);
  for (const CLI::App *command : app.get_subcommands())
    addNames(*command);
  for (const std::string &word : app.remaining(true)) {
    if (!word.starts_with('-'))
      continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string meant = closestWord(name, known);
    return fmt::format("there is no option \"{}\"{}", name,
                       meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant));
  }
  return "";
}

// The complaint about "--store=" without a value, for which CLI11 would take the next argument; "" if there is none.
std::string complaintAboutEmptyValue(int argumentCount, char **arguments) {
  for (int index = 1; index < argumentCount; ++index) {
    const std::string_view argument = arguments[index];
    if (argument == "--")
      break;
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      return fmt::format("{}: is empty", argument.substr(0, argument.size() - 1));
  }
  return "";
}

} // namespace

std::string closestWord(const std::string &word, const std::vector<std::string> &words) {
  std::string closest;
  size_t least = word.size() / 3 + 2; // exclusive
  for (const std::string &other : words)
    if (const size_t apart = distance(word, other); apart < least && apart < other.size()) {
      least = apart;
      closest = other;
    }
  return closest;
}

int runCommand(CLI::App &app, int argumentCount, char **arguments, const Command &chosen) {
  const std::string name = app.get_name();
  app.set_version_flag("--version", fmt::format("{} {} (LLVM {}, build {})", name, dovetailVersion(), llvmVersion(),
                                                toolchainVersion().toHex()));
  auto refuse = [&](const std::string &complaint) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), complaint.c_str());
    return 1;
  };
  if (const std::string complaint = complaintAboutSubcommand(app, argumentCount, arguments); !complaint.empty())
    return refuse(complaint);
  if (const std::string complaint = complaintAboutEmptyValue(argumentCount, arguments); !complaint.empty())
    return refuse(complaint);
  Result<int> result = 0;
  try {
    app.parse(argumentCount, arguments);
    result = chosen();
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() != 0) {
      const std::string complaint = complaintAboutOption(app);
      return refuse(complaint.empty() ? singleLine(error.what()) : complaint);
    }
    std::ostringstream text; // --help, --version
    app.exit(error, text, text);
    print(text.str());
  }
  if (Result<void> finished = finishOutput(); result && !finished)
    result = tl::unexpected(finished.error());
  if (!result) {
    printError(name, result.error());
    return 1;
  }
  return *result;
}

} // namespace dovetail
