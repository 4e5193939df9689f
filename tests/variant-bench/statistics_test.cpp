// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/bench.h"
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/print_bench.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;

TEST_CASE("a percentile is the smallest value that the share does not exceed") {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  CHECK(percentile(values, 0) == 1);
  CHECK(percentile(values, 0.2) == 1);
  CHECK(percentile(values, 0.21) == 2);
  CHECK(median(values) == 3);
  CHECK(percentile(values, 0.99) == 5);
  CHECK(percentile(values, 1) == 5);
  CHECK(std::isnan(median({})));
}

TEST_CASE("rounds are reduced value by value") {
  CHECK(medianOfRounds({{1, 9}, {2, 7}, {30, 8}}) == std::vector<double>{2, 8});
  CHECK(medianOfRounds({}).empty());
}

TEST_CASE("ratios are those of equal rounds") {
  CHECK(StepComparison{"x", "y", {1, 6}, {2, 3}}.ratios() == std::vector<double>{0.5, 2});
  CHECK(StepComparison{"x", "y", {1, 6}, {}}.ratios().empty());
}

TEST_CASE("a pass goes through a pipe and back") {
  Pass pass;
  pass.ready = {1.5, 2.5};
  pass.wall = 1;
  pass.cpu = 2;
  pass.variants = 3;
  pass.compiles = 4;
  pass.codeBytes = 5;
  pass.heapBytes = 6;
  Pass back;
  REQUIRE(fromNumbers(toNumbers(pass), back));
  CHECK(back.ready == pass.ready);
  CHECK(toNumbers(back) == toNumbers(pass));
  CHECK_FALSE(fromNumbers({1, 2, 3}, back));
}

TEST_CASE("numbers are as long as they need to be") {
  CHECK(shortNumber(4.126) == "4.13");
  CHECK(shortNumber(41.26) == "41.3");
  CHECK(shortNumber(412.6) == "413");
  CHECK(shortNumber(1234567) == "1,234,567");
  CHECK(shortNumber(-12345) == "-12,345");
  CHECK(shortNumber(96) == "96");
  CHECK(shortNumber(NAN) == "-");
  CHECK(shortCount(1'000'000) == "1e6");
  CHECK(shortCount(10) == "1e1");
  CHECK(shortCount(1) == "1");
  CHECK(shortCount(1200) == "1200");
}

TEST_CASE("the total of ways is over the programs that all of them could be used for") {
  Pass one, two;
  one.ready = {1, 2};
  one.wall = 3;
  one.variants = 2;
  two.ready = {5};
  two.wall = 5;
  two.variants = 1;
  BenchResults results;
  results.programs.resize(3);
  for (ProgramResult &program : results.programs)
    program.passes[unsigned(Way::Parts)] = {one};
  results.programs[0].passes[unsigned(Way::RadvAco)] = {two};
  results.programs[2].passes[unsigned(Way::RadvAco)] = {two};
  const std::vector<WayTotal> totals = totalsOfWays(results);
  REQUIRE(totals.size() == 2);
  CHECK(bool(totals[0].way == Way::Parts));
  CHECK(totals[0].ready == std::vector<double>{1, 2, 1, 2});
  CHECK(totals[0].wall == std::vector<double>{6});
  CHECK(totals[0].variants == 4);
  CHECK(bool(totals[1].way == Way::RadvAco));
  CHECK(totals[1].ready == std::vector<double>{5, 5});
}
