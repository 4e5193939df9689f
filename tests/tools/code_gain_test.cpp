// SPDX-License-Identifier: MIT
//
// The statements about optimised variants. Nothing of their data may be lost between a worker process and the table.
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

CodeGain gainOf(const ProgramCost &joined, const ProgramCost &optimized) {
  return {"folder/water", "", {joined}, {optimized}, optimized.parameters};
}

bool says(const std::vector<CodeGain> &gains, std::string_view text) {
  const std::string table = printGains(gains);
  CAPTURE(table);
  return table.find(text) != std::string::npos;
}

constexpr ProgramCost Joined = {HardwareStage::Ps, 20, 10, 16};

} // namespace

TEST_CASE("a program is worse if it needs more of anything") {
  CHECK(says({gainOf(Joined, Joined)}, "0 programs are better, 1 equal, 0 worse"));
  CHECK(says({gainOf(Joined, {HardwareStage::Ps, 19, 10, 16})}, "1 programs are better, 0 equal, 0 worse"));
  CHECK(says({gainOf(Joined, {HardwareStage::Ps, 20, 10, 0})}, "1 programs are better, 0 equal, 0 worse"));
  CHECK(says({gainOf(Joined, {HardwareStage::Ps, 21, 9, 0})}, "0 programs are better, 0 equal, 1 worse"));
  CHECK(says({gainOf(Joined, {HardwareStage::Ps, 19, 11, 0})}, "0 programs are better, 0 equal, 1 worse"));
  CHECK(says({gainOf(Joined, {HardwareStage::Ps, 19, 9, 20})}, "0 programs are better, 0 equal, 1 worse"));
  constexpr ProgramCost exporting = {HardwareStage::Vs, 20, 10, 0, 3};
  CHECK(says({gainOf(exporting, {HardwareStage::Vs, 20, 10, 0, 2})}, "1 programs are better, 0 equal, 0 worse"));
  CHECK(says({gainOf(exporting, {HardwareStage::Vs, 19, 9, 0, 4})}, "0 programs are better, 0 equal, 1 worse"));
  // The number of instructions that a parameter is worth.
  CHECK(says({gainOf(exporting, {HardwareStage::Vs, 36, 10, 0, 2})}, "1 programs are better, 0 equal, 0 worse"));
  CHECK(says({gainOf(exporting, {HardwareStage::Vs, 37, 10, 0, 2})}, "0 programs are better, 0 equal, 1 worse"));
}

TEST_CASE("parameters are counted, and those that are more than would do are named") {
  const ProgramCost four = {HardwareStage::Vs, 20, 10, 0, 4}, two = {HardwareStage::Vs, 20, 10, 0, 2};
  CodeGain tight = gainOf(four, two), loose = tight;
  loose.name = "folder/fire";
  loose.leastParameters = 1;
  CHECK(says({tight, tight}, "8 parameters joined, 4 optimised; 4 would do for what is read\n"));
  CHECK_FALSE(says({tight, tight}, "more than would do"));
  CHECK(says({tight, loose}, "8 parameters joined, 4 optimised; 3 would do for what is read\n"
                             "1 have more than would do: fire (2 of 1)\n"));
}

TEST_CASE("pipelines without an optimised variant are named") {
  CodeGain rejected = gainOf(Joined, Joined), other = rejected;
  rejected.rejection = other.rejection = "no better";
  other.name = "blur.comp";
  CHECK(says({rejected, gainOf(Joined, Joined), other}, "2 rejected, no better: water, blur.comp\n"));
}

TEST_CASE("outcomes of draws survive the way from a worker process") {
  DrawOutcome outcome;
  outcome.name = "water";
  outcome.gain = gainOf({HardwareStage::Vs, 20, 10, 16, 4}, {HardwareStage::Vs, 18, 9, 8, 3});
  outcome.isOptimizedLikeReference = true;
  Result<std::vector<DrawOutcome>> read = parseDrawOutcomes(printDrawOutcomes({outcome, DrawOutcome()}));
  REQUIRE_MESSAGE(read.has_value(), read.error().text);
  REQUIRE(read->size() == 2);
  REQUIRE(read->front().gain.has_value());
  CHECK((read->front().gain->joined == outcome.gain->joined));
  CHECK((read->front().gain->optimized == outcome.gain->optimized));
  CHECK(read->front().gain->leastParameters == outcome.gain->leastParameters);
  CHECK(read->front().isOptimizedLikeReference);
  CHECK_FALSE(read->back().gain.has_value());
}
