// SPDX-License-Identifier: MIT
//
// The mutation check of a number of programs, and its figures.
#pragma once

#include "tests/mutations/subject.h"
#include <array>
#include <functional>
#include <map>

namespace dovetail::mutations {

struct Report {
  size_t images = 0;
  std::array<std::array<size_t, OutcomeCount>, MutationKindCount> counts = {}; // mutants that matter
  std::array<size_t, MutationKindCount> equivalent = {};                       // mutants that do not matter
  std::map<std::string, size_t> reasons;                                       // why they do not matter
  size_t falselyEquivalent = 0; // mutants with an `equivalent` that were caught: counted among those that matter
  std::vector<std::string> survivors;

  size_t total() const;
  size_t caught() const;
  double rate() const; // from 0 to 1
  // At least 98.5 %, the budget of the project.
  bool isGood() const { return total() != 0 && rate() >= 0.985; }
  std::string text() const; // a table by kind and outcome, then the survivors
};

// Checks `images` programs of tests/shaders and of tests/mutations/shaders (those have tables of constants), spread
// evenly over both lists. Also checks `staged` programs with tessellation or geometry shaders, on GFX9, where their
// programs are merged, and on GFX8 in turns; the first of them change MODE between the halves. `tier`: of the main
// parts; of first code's subjects, those in which no part is first code are left out. `progress` gets a line for each
// image. Errors: those of makeSubject() and judge().
Result<Report> checkMutations(size_t images, size_t staged, CodeTier tier,
                              const std::function<void(const std::string &)> &progress);

} // namespace dovetail::mutations
