// SPDX-License-Identifier: MIT
//
// Options of command lines beyond what CLI11 has.
#pragma once

#include "tools/common/command/worker_pool.h"
#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dovetail {

// Refuses what CLI11 would silently make another number of: negative numbers, and those of more than 64 bits. A unit
// may follow ("64M").
CLI::Validator wholeNumber();

// Refuses the empty string, which is what an unset variable of a script is; for files and folders.
CLI::Validator notEmpty();

// LLVM's name of a GPU, whichever of its names is given; one that is not known stays as it is, for whoever compiles for
// it to refuse.
std::string gpuNameOf(const std::string &name);

// Refuses what is none of these words; --help lists them.
CLI::Validator oneOf(const std::vector<std::string> &words);

// --gpu. `gpu` gets gpuNameOf() what is given.
CLI::Option *addGpuOption(CLI::App &command, std::string &gpu,
                          const std::string &description = "a GPU: LLVM's name, or that of a chip or a product");
// Several, with commas between them.
CLI::Option *addGpuOption(CLI::App &command, std::vector<std::string> &gpus, const std::string &description);

// --jobs and --timeout of a command that works in processes of its own; `pool` has the time until then, and gets as
// many jobs as there are processors. `unit`: what the time is for ("pipeline").
void addPoolOptions(CLI::App &command, WorkerPoolOptions &pool, const std::string &unit);

// An option whose value is one of a few words; `choose` is given what the word stands for.
template <typename Value>
CLI::Option *addChoice(CLI::App &command, const std::string &name, const std::map<std::string, Value> &choices,
                       std::function<void(Value)> choose, const std::string &description) {
  std::vector<std::string> words;
  for (const auto &[word, value] : choices)
    words.push_back(word);
  return command
      .add_option_function<std::string>(
          name, [choices, choose](const std::string &word) { choose(choices.at(word)); }, description)
      ->check(oneOf(words));
}

} // namespace dovetail
