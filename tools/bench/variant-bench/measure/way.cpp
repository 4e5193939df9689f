// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/way.h"
#include <cstddef>

namespace dovetail {

namespace {

constexpr double Pass::*Fields[] = {&Pass::wall,     &Pass::cpu,       &Pass::variants,
                                    &Pass::compiles, &Pass::codeBytes, &Pass::heapBytes};

} // namespace

std::string_view toString(Way way) {
  switch (way) {
  case Way::Parts:
    return "parts";
  case Way::Optimized:
    return "parts, optimised behind";
  case Way::Stored:
    return "parts from a store";
  case Way::Archived:
    return "parts from an archive";
  case Way::Monolithic:
    return "monolithic";
  case Way::RadvLinked:
    return "RADV, libraries";
  case Way::RadvAco:
    return "RADV with ACO";
  case Way::RadvLlvm:
    return "RADV with LLVM";
  case Way::RadvCached:
    return "RADV, from its cache";
  }
  return "";
}

std::string_view toWord(Way way) {
  constexpr std::string_view Words[WayCount] = {"parts",         "optimized", "stored",   "archived",  "monolithic",
                                                "radvLibraries", "radvAco",   "radvLlvm", "radvCached"};
  return Words[unsigned(way)];
}

std::vector<double> toNumbers(const Pass &pass) {
  std::vector<double> numbers;
  for (double Pass::*field : Fields)
    numbers.push_back(pass.*field);
  numbers.insert(numbers.end(), pass.ready.begin(), pass.ready.end());
  return numbers;
}

bool fromNumbers(const std::vector<double> &numbers, Pass &pass) {
  if (numbers.size() < std::size(Fields))
    return false;
  size_t index = 0;
  for (double Pass::*field : Fields)
    pass.*field = numbers[index++];
  pass.ready.assign(numbers.begin() + std::ptrdiff_t(index), numbers.end());
  return true;
}

} // namespace dovetail
