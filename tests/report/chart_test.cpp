// SPDX-License-Identifier: MIT
#include "tools/common/report/chart.h"
#include "tools/common/report/svg.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail::report;

namespace {

size_t count(const std::string &text, const std::string &word) {
  size_t number = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++number;
  return number;
}

} // namespace

TEST_CASE("numbers have their unit") {
  CHECK(format(0, Unit::Plain) == "0");
  CHECK(format(96, Unit::Plain) == "96");
  CHECK(format(1200, Unit::Plain) == "1200");
  CHECK(format(98'448, Unit::Plain) == "98.4k");
  CHECK(format(1e6, Unit::Plain) == "1M");
  CHECK(format(0.25, Unit::Plain) == "0.25");
  CHECK(format(1.5, Unit::Microseconds) == "1.5 µs");
  CHECK(format(0.055, Unit::Microseconds) == "55 ns");
  CHECK(format(12'340, Unit::Microseconds) == "12.3 ms");
  CHECK(format(2e6, Unit::Microseconds) == "2 s");
  CHECK(format(999.9, Unit::Microseconds) == "1 ms");
  CHECK(format(1536, Unit::Bytes) == "1.5 KB");
  CHECK(format(10, Unit::Percent) == "10 %");
  CHECK(format(0.1, Unit::Percent) == "0.1 %");
}

TEST_CASE("text is escaped") {
  CHECK(escape("a<b & \"c\">") == "a&lt;b &amp; &quot;c&quot;&gt;");
}

TEST_CASE("names that are too wide are shortened between characters") {
  CHECK(shorten("short", 100) == "short");
  const std::string shortened = shorten("µµµµµµµµµµµµµµµµ", 60);
  CHECK(widthOf(shortened) <= 60);
  CHECK(shortened.ends_with("µ…"));
}

TEST_CASE("a line chart has a line for each series, with its colour") {
  const LineChart chart = {
      .x = {"n"}, .y = {"t"}, .series = {{"a", {{0, 1}, {1, 2}}}, {"b", {{0, 3}}}, {"none", {}}}, .colors = {0, 5}};
  const std::string svg = draw(chart, 400, "what it is");
  CHECK(count(svg, "<polyline") == 2);
  CHECK(count(svg, "line s0") == 1);
  CHECK(count(svg, "line s5") == 1);
  CHECK(svg.find("aria-label=\"what it is\"") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("steps go to the right before they go up") {
  LineChart chart = {.x = {"n"}, .y = {"t"}, .series = {{"a", {{0, 1}, {1, 2}, {2, 1}}}}, .colors = {}};
  auto points = [&] {
    const std::string svg = draw(chart, 400, "");
    const size_t begin = svg.find("points=\"");
    return count(svg.substr(begin, svg.find("\"/>", begin) - begin), ",");
  };
  CHECK(points() == 3);
  chart.hasSteps = true;
  CHECK(points() == 5);
}

TEST_CASE("a logarithmic chart leaves out what has no logarithm") {
  const LineChart chart = {
      .x = {"n"}, .y = {"t", Unit::Plain, true}, .series = {{"a", {{0, 0}, {1, 10}, {2, 100}}}}, .colors = {}};
  const std::string svg = draw(chart, 400, "");
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("a dot chart has a dot for each value that there is, and each says what it is") {
  const DotChart chart = {.x = {"VGPRs"},
                          .series = {"joined", "other"},
                          .rows = {{"phong <ps>", {27, 40}}, {"tess hs", {19, NAN}}},
                          .colors = {}};
  for (unsigned width : {336u, 800u}) {
    const std::string svg = draw(chart, width, "");
    CHECK(count(svg, "<circle") == 3);
    CHECK(svg.find("<title>phong &lt;ps&gt;, other: 40</title>") != std::string::npos);
    CHECK(count(svg, ">tess hs<") == 1);
  }
}

TEST_CASE("bars stand side by side, or one behind the other with their sum") {
  BarChart chart = {
      .x = {"t", Unit::Microseconds}, .series = {"a", "b"}, .rows = {{"row", {1000, 3000}}}, .colors = {}};
  const std::string grouped = draw(chart, 860, "");
  CHECK(count(grouped, "<rect") == 2);
  CHECK(grouped.find(">1 ms<") != std::string::npos);
  CHECK(grouped.find(">3 ms<") != std::string::npos);
  chart.isStacked = true;
  const std::string stacked = draw(chart, 860, "");
  CHECK(count(stacked, "<rect") == 2);
  CHECK(stacked.find(">4 ms<") != std::string::npos);
}
