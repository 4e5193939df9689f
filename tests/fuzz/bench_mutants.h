// SPDX-License-Identifier: MIT
//
// The common part of mutate_parts and mutate_elf: their options, and a bench for each generation of GPUs.
#pragma once

#include "src/base/error.h"
#include "tests/fuzz/run_mutants.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dovetail::fuzz {

struct BenchOptions {
  uint64_t count = 1000;
  uint64_t first = 0;
  uint64_t seed = 1;
  bool isVerbose = false;
  std::vector<std::string> modules;
};

// Returns the exit status if the program is to end.
std::optional<int> readOptions(int argc, char **argv, const std::string &description, BenchOptions &options);

// `Bench` has create(gpu, options), which returns a Result, and use(mutant, options, progress).
template <typename Bench, typename Progress> Mishaps runOnBenches(const BenchOptions &options, Progress &progress) {
  constexpr unsigned secondsPerMutant = 20;
  return runMutants(options.first, options.count, secondsPerMutant, [&]() -> Work {
    auto benches = std::make_shared<std::vector<std::unique_ptr<Bench>>>();
    for (const char *gpu : {"gfx900", "gfx803"}) {
      Result<std::unique_ptr<Bench>> bench = Bench::create(gpu, options);
      if (!bench) {
        fmt::print(stderr, "{}\n", bench.error().text);
        std::abort();
      }
      benches->push_back(std::move(*bench));
    }
    return [&options, &progress, benches](uint64_t mutant) {
      (*benches)[mutant % benches->size()]->use(mutant, options, progress);
    };
  });
}

// Reports a mutant that was refused with this Error. Returns false if the Error has no text.
bool noteRefusal(uint64_t mutant, const std::string &what, const Error &error, bool isVerbose);

} // namespace dovetail::fuzz
