// SPDX-License-Identifier: MIT
//
// The figures of a family, judged: how time grows from one size to the next, and what must not be passed.
#pragma once

#include "tools/bench/compile-growth/measure.h"
#include <vector>

namespace dovetail {

// Doubling what is in a shader multiplies the time by at most this.
constexpr double MaxRatio = 2.6;
constexpr double MaxSeconds = 10;
// A shader that is refused because of its size is refused within this.
constexpr double MaxRefusalSeconds = 1;
// Ratios are judged from this time on; less is noise and what does not depend on the size.
constexpr double MinJudgedSeconds = 0.2;

struct GrowthRow {
  unsigned size = 0;
  GrowthFigure figure;
  std::optional<double> ratio; // for each doubling since the row before
  bool isWithinBounds = true;
};

// What is compared from size to size. Instructions are the same in every run, but say nothing of the caches; where they
// cannot be counted, it is time.
enum class GrowthMeasure { Time, Instructions };

// Adds a row for a size that is larger than those before.
void addGrowthRow(std::vector<GrowthRow> &rows, const Family &family, unsigned size, const GrowthFigure &figure,
                  GrowthMeasure measure = GrowthMeasure::Time);

// One line, without the family.
std::string printGrowthRow(const GrowthRow &row);

} // namespace dovetail
