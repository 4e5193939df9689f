// SPDX-License-Identifier: MIT
#include "tools/bench/compile-growth/growth_table.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dovetail {

namespace {

using Status = GrowthFigure::Status;

double doublings(const Family &family, unsigned from, unsigned to) {
  return family.isExponential ? to - from : std::log2(static_cast<double>(to) / from);
}

double quotient(const GrowthFigure &larger, const GrowthFigure &smaller, GrowthMeasure measure) {
  if (measure == GrowthMeasure::Instructions && larger.instructions > 0 && smaller.instructions > 0)
    return larger.instructions / smaller.instructions;
  return larger.seconds / std::max(smaller.seconds, 1e-6);
}

bool isWithinBounds(const GrowthRow &row, const GrowthBounds &bounds) {
  switch (row.figure.status) {
  case Status::Compiled:
    return row.figure.seconds <= MaxSeconds &&
           (!row.ratio || *row.ratio <= bounds.maxRatio || row.figure.seconds < bounds.minJudgedSeconds);
  case Status::Refused:
    return row.figure.seconds <= MaxRefusalSeconds;
  case Status::LlvmMade:
    return true;
  default:
    return false;
  }
}

} // namespace

void addGrowthRow(std::vector<GrowthRow> &rows, const Family &family, unsigned size, const GrowthFigure &figure,
                  GrowthMeasure measure, const GrowthBounds &bounds) {
  GrowthRow row{size, figure, std::nullopt, true};
  if (!rows.empty() && rows.back().figure.status == Status::Compiled && figure.status == Status::Compiled)
    row.ratio = std::pow(quotient(figure, rows.back().figure, measure), 1 / doublings(family, rows.back().size, size));
  row.isWithinBounds = isWithinBounds(row, bounds);
  rows.push_back(std::move(row));
}

FamilyOutcome judgeFamily(const std::vector<GrowthRow> &rows) {
  if (!std::ranges::all_of(rows, &GrowthRow::isWithinBounds))
    return FamilyOutcome::Failed;
  return !rows.empty() && rows.front().figure.status == Status::LlvmMade ? FamilyOutcome::Refused
                                                                         : FamilyOutcome::Passed;
}

std::string printGrowthRow(const GrowthRow &row) {
  const GrowthFigure &figure = row.figure;
  const char *verdict = row.isWithinBounds ? "pass" : "FAIL";
  const std::string ratio = row.ratio ? fmt::format("{:.2f}", *row.ratio) : "";
  switch (figure.status) {
  case Status::Compiled:
    return fmt::format("{:>7} {:>9.3f} {:>9.0f} {:>6} {:>7.0f} {:>9} {:>9}  {}", row.size, figure.seconds,
                       figure.instructions / 1e6, ratio, figure.megabytes, figure.words, figure.codeBytes, verdict);
  case Status::Refused:
    return fmt::format("{:>7} {:>9.3f} {:>9.0f} {:>6} {:>7.0f} {:>9} {:>9}  {}: {}", row.size, figure.seconds,
                       figure.instructions / 1e6, "", figure.megabytes, figure.words, "refused", verdict,
                       figure.reason);
  case Status::LlvmMade:
    return fmt::format("{:>7} {:>58}  first code refuses: {}", row.size, "by LLVM", figure.reason);
  default:
    return fmt::format("{:>7} {:>9} {:>9} {:>6} {:>7} {:>9} {:>9}  {}: {}", row.size,
                       figure.status == Status::TimedOut ? fmt::format(">{:.0f}", figure.seconds) : "crashed", "", "",
                       "", "", "", verdict, figure.reason);
  }
}

} // namespace dovetail
