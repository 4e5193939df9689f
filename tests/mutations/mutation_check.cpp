// SPDX-License-Identifier: MIT
//
// mutation-check [IMAGES [STAGED]]: breaks the images of IMAGES programs (50), and of STAGED programs that have
// tessellation or geometry shaders (24), in every way of subject.h. Prints which mutants were caught, how, and which
// were not.
#include "tests/mutations/report.h"
#include <cstdlib>
#include <fmt/core.h>

using namespace dovetail;
using namespace dovetail::mutations;

int main(int argc, char **argv) {
  size_t count = argc > 1 ? size_t(std::atoi(argv[1])) : 50;
  size_t staged = argc > 2 ? size_t(std::atoi(argv[2])) : 24;
  Result<Report> report = checkMutations(count, staged, [](const std::string &line) {
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
