// SPDX-License-Identifier: MIT
#include "tools/common/report/page.h"
#include <doctest/doctest.h>

using namespace dovetail::report;

namespace {

std::string examplePage() {
  Page page("A & B");
  page.section("One <section>");
  page.paragraph("text < more");
  page.highlights({{"1.5 µs", "a wait"}});
  page.table({{"name", "time"}, {"a<b", "1"}});
  page.figure(LineChart{.x = {"n"}, .y = {"t"}, .series = {{"first & last", {{0, 1}, {1, 2}}}}, .colors = {3}},
              "caption");
  return page.html();
}

bool has(const std::string &text, const std::string &word) {
  return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a page needs nothing but itself") {
  const std::string html = examplePage();
  for (const char *word : {"http", "src=", "href=", "url(", "@import", "<script", "<link"}) {
    CAPTURE(word);
    CHECK_FALSE(has(html, word));
  }
}

TEST_CASE("what a page is given is text, not markup") {
  const std::string html = examplePage();
  CHECK(has(html, "<title>A &amp; B</title>"));
  CHECK(has(html, "<h2>One &lt;section&gt;</h2>"));
  CHECK(has(html, "<p>text &lt; more</p>"));
  CHECK(has(html, "<td>a&lt;b</td>"));
}

TEST_CASE("long texts of a table break their lines, and name their columns where the window is narrow") {
  Page page("long");
  page.proseTable({{"time", "why & how"}, {"1 ms", "a<b"}}, {1});
  const std::string html = page.html();
  CHECK(has(html, "<table class=\"prose\">"));
  CHECK(has(html, "<th>time</th><th class=\"text\">why &amp; how</th>"));
  CHECK(has(html, "<td data-name=\"time\"><span>1 ms</span></td>"));
  CHECK(has(html, "<td class=\"text\" data-name=\"why &amp; how\"><span>a&lt;b</span></td>"));
}

TEST_CASE("a figure is drawn for narrow and for wide windows, with a legend in its colours") {
  const std::string html = examplePage();
  CHECK(has(html, "<div class=\"narrow\"><svg"));
  CHECK(has(html, "<div class=\"wide\"><svg"));
  CHECK(has(html, "<i class=\"s3\"></i>first &amp; last"));
}

TEST_CASE("a picture is a file of its own, with its legend") {
  const std::string svg = picture(
      LineChart{
          .x = {"n"}, .y = {"t"}, .series = {{"first & last", {{0, 1}, {1, 2}}}, {"other", {{0, 3}}}}, .colors = {}},
      "what it shows");
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(has(svg, "aria-label=\"what it shows\""));
  CHECK(has(svg, ">first &amp; last</text>"));
  CHECK(has(svg, ".line.s1"));
}
