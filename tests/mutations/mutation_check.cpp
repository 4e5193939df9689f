// SPDX-License-Identifier: MIT
//
// mutation-check [--first-code] [IMAGES [STAGED]]: breaks the images of IMAGES programs (50), and of STAGED programs
// that have tessellation or geometry shaders (24), in every way of subject.h. Prints which mutants were caught, how,
// and which were not. --first-code: main parts are first code, where it does not refuse them.
#include "tests/mutations/report.h"
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>

using namespace dovetail;
using namespace dovetail::mutations;

int main(int argc, char **argv) {
  const bool isFirst = argc > 1 && std::strcmp(argv[1], "--first-code") == 0;
  argc -= isFirst;
  argv += isFirst;
  size_t count = argc > 1 ? size_t(std::atoi(argv[1])) : 50;
  size_t staged = argc > 2 ? size_t(std::atoi(argv[2])) : 24;
  const CodeTier tier = isFirst ? CodeTier::FirstCode : CodeTier::Llvm;
  Result<Report> report = checkMutations(count, staged, tier, [](const std::string &line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  if (!report) {
    fmt::print(stderr, "{}\n", report.error().text);
    return 1;
  }
  fmt::print("{}", report->text());
  return report->isGood() ? 0 : 1;
}
