// SPDX-License-Identifier: MIT
//
// Judges the figures of a family: how time grows from one size to the next, and which bounds hold.
#pragma once

#include "tools/bench/compile-growth/measure.h"
#include <vector>

namespace dovetail {

constexpr double MaxSeconds = 10;
// A shader that is too large is refused within this time.
constexpr double MaxRefusalSeconds = 1;
struct GrowthBounds {
  double maxRatio; // doubling what is in a shader multiplies the time by at most this
  // Ratios are judged from this time on. Smaller times are noise and work that does not depend on the size.
  double minJudgedSeconds;
};
constexpr GrowthBounds LlvmBounds = {2.6, 0.2}, FirstCodeBounds = {2.2, 0.03};

struct GrowthRow {
  unsigned size = 0;
  GrowthFigure figure;
  std::optional<double> ratio;     // for each doubling since the row before
  std::optional<double> restRatio; // likewise, of the time without SPIRV-Tools' validator
  bool isWithinBounds = true;      // maybe without the validator's time
  bool isSlowValidation = false;   // only without it
};

// The figure that is compared from size to size. Instructions are the same in every run, but ignore the caches. Where
// they cannot be counted, time is compared.
enum class GrowthMeasure { Time, Instructions };

// Adds a row for a size that is larger than the sizes before.
void addGrowthRow(std::vector<GrowthRow> &rows, const Family &family, unsigned size, const GrowthFigure &figure,
                  GrowthMeasure measure = GrowthMeasure::Time, const GrowthBounds &bounds = LlvmBounds);

// Refused: first code makes not even the smallest shader, so nothing is known of its growth.
enum class FamilyOutcome { Passed, Failed, Refused };
FamilyOutcome judgeFamily(const std::vector<GrowthRow> &rows);
// Whether it passes, but only without the validator's time.
bool hasSlowValidation(const std::vector<GrowthRow> &rows);

// One line, without the family.
std::string printGrowthRow(const GrowthRow &row);

} // namespace dovetail
