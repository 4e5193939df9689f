// SPDX-License-Identifier: MIT
#include "tests/tools/run_command.h"
#include "tools/bench/compile-growth/growth_table.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using Status = GrowthFigure::Status;

GrowthFigure compiledIn(double seconds) {
  GrowthFigure figure;
  figure.seconds = seconds;
  return figure;
}

GrowthFigure refusedIn(double seconds) {
  GrowthFigure figure = compiledIn(seconds);
  figure.status = Status::Refused;
  figure.reason = "too large";
  return figure;
}

Family linear() {
  return {"a", "lines", lgc::ShaderStage::Fragment, Family::Language::Glsl, {}, false, nullptr};
}

Family exponential() {
  Family family = linear();
  family.isExponential = true;
  return family;
}

std::vector<GrowthRow> rowsOf(const Family &family, unsigned size, double seconds, unsigned nextSize,
                              const GrowthFigure &next) {
  std::vector<GrowthRow> rows;
  addGrowthRow(rows, family, size, compiledIn(seconds));
  addGrowthRow(rows, family, nextSize, next);
  return rows;
}

} // namespace

TEST_CASE("growth: the ratio is that of a doubling") {
  CHECK(*rowsOf(linear(), 10, 1, 20, compiledIn(3))[1].ratio == doctest::Approx(3));
  CHECK(*rowsOf(linear(), 10, 1, 40, compiledIn(4))[1].ratio == doctest::Approx(2));
  CHECK(*rowsOf(exponential(), 10, 1, 12, compiledIn(4))[1].ratio == doctest::Approx(2));
}

TEST_CASE("growth: instructions are compared where both were counted") {
  auto ratio = [](double before, double after) {
    GrowthFigure smaller = compiledIn(1), larger = compiledIn(3);
    smaller.instructions = before;
    larger.instructions = after;
    std::vector<GrowthRow> rows;
    addGrowthRow(rows, linear(), 10, smaller, GrowthMeasure::Instructions);
    addGrowthRow(rows, linear(), 20, larger, GrowthMeasure::Instructions);
    return *rows[1].ratio;
  };
  CHECK(ratio(100, 210) == doctest::Approx(2.1));
  CHECK(ratio(100, 0) == doctest::Approx(3));
}

TEST_CASE("growth: a ratio above 2.6 fails, but not that of times that are all overhead") {
  CHECK_FALSE(rowsOf(linear(), 10, 1, 20, compiledIn(2.7))[1].isWithinBounds);
  CHECK(rowsOf(linear(), 10, 1, 20, compiledIn(2.5))[1].isWithinBounds);
  CHECK(rowsOf(linear(), 10, 0.01, 20, compiledIn(0.1))[1].isWithinBounds);
}

TEST_CASE("growth: first code has narrower bounds, and is judged from shorter times on") {
  auto isGood = [](double before, double after, const GrowthBounds &bounds) {
    std::vector<GrowthRow> rows;
    addGrowthRow(rows, linear(), 10, compiledIn(before), GrowthMeasure::Time, bounds);
    addGrowthRow(rows, linear(), 20, compiledIn(after), GrowthMeasure::Time, bounds);
    return rows[1].isWithinBounds;
  };
  CHECK_FALSE(isGood(1, 2.3, FirstCodeBounds));
  CHECK(isGood(1, 2.3, LlvmBounds));
  CHECK(isGood(1, 2.1, FirstCodeBounds));
  CHECK_FALSE(isGood(0.04, 0.1, FirstCodeBounds));
  CHECK(isGood(0.04, 0.1, LlvmBounds));
}

TEST_CASE("growth: a family that only the validator slows down passes, and its row says so") {
  auto after = [](double seconds, double validatorSeconds) {
    GrowthFigure smaller = compiledIn(1), larger = compiledIn(seconds);
    smaller.validatorSeconds = 0.2;
    larger.validatorSeconds = validatorSeconds;
    std::vector<GrowthRow> rows;
    addGrowthRow(rows, linear(), 10, smaller, GrowthMeasure::Time, FirstCodeBounds);
    addGrowthRow(rows, linear(), 20, larger, GrowthMeasure::Time, FirstCodeBounds);
    return rows;
  };
  const std::vector<GrowthRow> slow = after(2.6, 1);
  CHECK(*slow[1].ratio == doctest::Approx(2.6));
  CHECK(*slow[1].restRatio == doctest::Approx(2));
  CHECK(hasSlowValidation(slow));
  CHECK((judgeFamily(slow) == FamilyOutcome::Passed));
  CHECK(printGrowthRow(slow[1]).ends_with("  validator"));
  CHECK((judgeFamily(after(2.6, 0.4)) == FamilyOutcome::Failed));
  CHECK_FALSE(hasSlowValidation(after(2.6, 0.4)));
  CHECK_FALSE(hasSlowValidation(after(2.1, 0.4)));
}

TEST_CASE("growth: what first code refuses is no failure, and its row has the reason") {
  GrowthFigure figure = compiledIn(0.1);
  figure.status = Status::LlvmMade;
  figure.reason = "too few SGPRs";
  const GrowthRow row = rowsOf(linear(), 10, 1, 20, figure)[1];
  CHECK(row.isWithinBounds);
  CHECK_FALSE(row.ratio);
  CHECK(printGrowthRow(row).find("first code refuses: too few SGPRs") != std::string::npos);
}

TEST_CASE("growth: a family that first code refuses from its smallest shader on has not passed") {
  GrowthFigure refused = compiledIn(0.1);
  refused.status = Status::LlvmMade;
  std::vector<GrowthRow> rows;
  addGrowthRow(rows, linear(), 10, refused);
  CHECK((judgeFamily(rows) == FamilyOutcome::Refused));
  CHECK((judgeFamily(rowsOf(linear(), 10, 1, 20, refused)) == FamilyOutcome::Passed));
  CHECK((judgeFamily(rowsOf(linear(), 10, 1, 20, compiledIn(2.7))) == FamilyOutcome::Failed));
}

TEST_CASE("growth: ten seconds are too long, and a second for what is refused") {
  CHECK_FALSE(rowsOf(linear(), 10, 6, 20, compiledIn(10.1))[1].isWithinBounds);
  CHECK_FALSE(rowsOf(linear(), 10, 1, 20, refusedIn(1.1))[1].isWithinBounds);
  CHECK(rowsOf(linear(), 10, 1, 20, refusedIn(0.9))[1].isWithinBounds);
}

TEST_CASE("growth: what crashes or hangs fails, and says so") {
  GrowthFigure figure = compiledIn(30);
  figure.status = Status::TimedOut;
  figure.reason = "took too long";
  const GrowthRow row = rowsOf(linear(), 10, 1, 20, figure)[1];
  CHECK_FALSE(row.isWithinBounds);
  CHECK(printGrowthRow(row).find("FAIL: took too long") != std::string::npos);
}

TEST_CASE("growth: the smallest shader of each family compiles") {
  const Run run = runCommand(DOVETAIL_COMPILE_GROWTH, "--sizes 1 --timeout 300");
  CHECK_MESSAGE(run.output.find("refused") == std::string::npos, run.output);
  CHECK(run.output.find("crashed") == std::string::npos);
  for (const Family &family : compileGrowthFamilies())
    CHECK(run.output.find(std::string(family.name) + " (") != std::string::npos);
}

TEST_CASE("growth: first code makes the smallest shader of most families") {
  const Run run =
      runCommand(DOVETAIL_COMPILE_GROWTH, "straight-line loop-sequence array-return --sizes 1 --first-code");
  CHECK_MESSAGE(run.status == 0, run.output);
  CHECK(run.output.find("CPU s") != std::string::npos);
  CHECK(run.output.find("crashed") == std::string::npos);
}

TEST_CASE("growth: a module that is exponential for the validator is refused, and what is too large is named") {
  const Run run = runCommand(DOVETAIL_COMPILE_GROWTH, "nested-copies nested-blocks --timeout 300");
  CHECK(run.output.find("OpTypeStruct at word") != std::string::npos);
  CHECK(run.output.find("took too long") == std::string::npos);
}

TEST_CASE("growth: an unknown family is an error") {
  checkError(runCommand(DOVETAIL_COMPILE_GROWTH, "no-such-family"), "there is no family");
}
