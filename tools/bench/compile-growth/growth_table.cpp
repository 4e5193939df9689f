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

double secondsOfRest(const GrowthFigure &figure) {
  return std::max(figure.seconds - figure.validatorSeconds, 0.0);
}

// The library validates what it is given, so what the validator takes is in the time, but is none of our growth.
void judge(GrowthRow &row, const GrowthBounds &bounds) {
  auto isSlow = [&](const std::optional<double> &ratio, double seconds) {
    return ratio && *ratio > bounds.maxRatio && seconds >= bounds.minJudgedSeconds;
  };
  switch (row.figure.status) {
  case Status::Compiled: {
    const bool isBeyond = isSlow(row.ratio, row.figure.seconds);
    row.isSlowValidation = isBeyond && row.restRatio && !isSlow(row.restRatio, secondsOfRest(row.figure));
    row.isWithinBounds = row.figure.seconds <= MaxSeconds && (!isBeyond || row.isSlowValidation);
    break;
  }
  case Status::Refused:
    row.isWithinBounds = row.figure.seconds <= MaxRefusalSeconds;
    break;
  case Status::LlvmMade:
    row.isWithinBounds = true;
    break;
  default:
    row.isWithinBounds = false;
  }
}

} // namespace

void addGrowthRow(std::vector<GrowthRow> &rows, const Family &family, unsigned size, const GrowthFigure &figure,
                  GrowthMeasure measure, const GrowthBounds &bounds) {
  GrowthRow row;
  row.size = size;
  row.figure = figure;
  if (!rows.empty() && rows.back().figure.status == Status::Compiled && figure.status == Status::Compiled) {
    const GrowthFigure &before = rows.back().figure;
    const auto perDoubling = [&](double ratio) {
      return std::pow(ratio, 1 / doublings(family, rows.back().size, size));
    };
    const bool hasCounts = measure == GrowthMeasure::Instructions && figure.instructions > 0 && before.instructions > 0;
    row.ratio = perDoubling(quotient(figure, before, measure));
    if (!hasCounts) // the validator's instructions are not counted
      row.restRatio = perDoubling(secondsOfRest(figure) / std::max(secondsOfRest(before), 1e-6));
  }
  judge(row, bounds);
  rows.push_back(std::move(row));
}

bool hasSlowValidation(const std::vector<GrowthRow> &rows) {
  return std::ranges::all_of(rows, &GrowthRow::isWithinBounds) &&
         std::ranges::any_of(rows, &GrowthRow::isSlowValidation);
}

FamilyOutcome judgeFamily(const std::vector<GrowthRow> &rows) {
  if (!std::ranges::all_of(rows, &GrowthRow::isWithinBounds))
    return FamilyOutcome::Failed;
  return !rows.empty() && rows.front().figure.status == Status::LlvmMade ? FamilyOutcome::Refused
                                                                         : FamilyOutcome::Passed;
}

std::string printGrowthRow(const GrowthRow &row) {
  const GrowthFigure &figure = row.figure;
  const char *verdict = row.isSlowValidation ? "validator" : row.isWithinBounds ? "pass" : "FAIL";
  const auto print = [](const std::optional<double> &ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : ""; };
  switch (figure.status) {
  case Status::Compiled:
    return fmt::format("{:>7} {:>9.3f} {:>9.0f} {:>6} {:>7.3f} {:>6} {:>7.0f} {:>9} {:>9}  {}", row.size,
                       figure.seconds, figure.instructions / 1e6, print(row.ratio), figure.validatorSeconds,
                       print(row.restRatio), figure.megabytes, figure.words, figure.codeBytes, verdict);
  case Status::Refused:
    return fmt::format("{:>7} {:>9.3f} {:>9.0f} {:>6} {:>7} {:>6} {:>7.0f} {:>9} {:>9}  {}: {}", row.size,
                       figure.seconds, figure.instructions / 1e6, "", "", "", figure.megabytes, figure.words, "refused",
                       verdict, figure.reason);
  case Status::LlvmMade:
    return fmt::format("{:>7} {:>73}  first code refuses: {}", row.size, "by LLVM", figure.reason);
  default:
    return fmt::format("{:>7} {:>9} {:>9} {:>6} {:>7} {:>6} {:>7} {:>9} {:>9}  {}: {}", row.size,
                       figure.status == Status::TimedOut ? fmt::format(">{:.0f}", figure.seconds) : "crashed", "", "",
                       "", "", "", "", "", verdict, figure.reason);
  }
}

} // namespace dovetail
