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

// Refuses numbers that CLI11 would silently change: negative ones, and those of more than 64 bits. A unit may follow
// ("64M").
CLI::Validator wholeNumber();

// For files and folders: refuses the empty string, as a script's unset variable gives.
CLI::Validator notEmpty();

// LLVM's name of a GPU, for any of its names. An unknown name stays as it is; the compiler refuses it later.
std::string gpuNameOf(const std::string &name);

// Refuses words outside of this list; --help lists them.
CLI::Validator oneOf(const std::vector<std::string> &words);

// Adds --gpu. `gpu` gets gpuNameOf() of the argument.
CLI::Option *addGpuOption(CLI::App &command, std::string &gpu,
                          const std::string &description = "a GPU: LLVM's name, or that of a chip or a product");
// Adds --gpu for several GPUs, separated by commas.
CLI::Option *addGpuOption(CLI::App &command, std::vector<std::string> &gpus, const std::string &description);

// Adds --jobs and --timeout to a command that uses worker processes. `pool` holds the default timeout, and gets as many
// jobs as there are processors. `unit` names what the timeout is for ("pipeline").
void addPoolOptions(CLI::App &command, WorkerPoolOptions &pool, const std::string &unit);

// Adds --memory, the limit of each worker process; `pool` holds the default.
void addMemoryOption(CLI::App &command, WorkerPoolOptions &pool);

// Adds an option whose value is one of a few words; `choose` gets the value that the word stands for.
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
