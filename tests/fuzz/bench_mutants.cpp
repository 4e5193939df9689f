// SPDX-License-Identifier: MIT
#include "tests/fuzz/bench_mutants.h"
#include <CLI/CLI.hpp>

namespace dovetail::fuzz {

std::optional<int> readOptions(int argc, char **argv, const std::string &description, BenchOptions &options) {
  CLI::App app(description);
  app.add_option("--count", options.count, "Number of mutants");
  app.add_option("--first", options.first, "Number of the first mutant");
  app.add_option("--seed", options.seed, "Seed of the random numbers");
  app.add_flag("--verbose", options.isVerbose, "Print the Error of each mutant that is refused");
  app.add_option("modules", options.modules, "SPIR-V modules of programs")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error);
  }
  return std::nullopt;
}

bool noteRefusal(uint64_t mutant, const std::string &what, const Error &error, bool isVerbose) {
  if (isVerbose)
    fmt::print("mutant {}: {}: {}\n", mutant, what, error.text);
  if (error.text.empty())
    fmt::print(stderr, "mutant {}: an Error without a text\n", mutant);
  return !error.text.empty();
}

} // namespace dovetail::fuzz
