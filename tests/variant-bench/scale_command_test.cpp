// SPDX-License-Identifier: MIT
//
// bind-benchmark --scale as a user runs it, on small inputs.
#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace dovetail;

TEST_CASE("what binds cost among more and more variants is written as a table, as JSON and as charts") {
  TemporaryFolder folder;
  const Run run = runCommand(DOVETAIL_BIND_BENCHMARK,
                             "--scale --variants 2000 --json " + folder / "a.json" + " --html " + folder / "a.html");
  REQUIRE(run.status == 0);
  CHECK(run.output.find("other bytes") != std::string::npos);

  std::ifstream jsonFile(folder / "a.json"), htmlFile(folder / "a.html");
  const nlohmann::json json = nlohmann::json::parse(jsonFile, nullptr, false);
  REQUIRE(json["points"].size() == 2);
  CHECK(json["points"][0]["variants"] == 1000);
  CHECK(json["points"][1]["variants"] == 2000);
  for (const nlohmann::json &point : json["points"]) {
    CHECK(point["new_ns"] > 0);
    CHECK(point["new_p99_ns"] >= point["new_ns"]);
    CHECK(point["known_ns"] > 0);
    CHECK(point["code_bytes"] >= 256);
  }

  const std::string html(std::istreambuf_iterator<char>(htmlFile), {});
  for (const char *text : {"<figure", "Time of a bind", "Memory of a variant", "that finds its variant"})
    CHECK(html.find(text) != std::string::npos);
}

TEST_CASE("fewer variants than there are programs are refused") {
  CHECK(runCommand(DOVETAIL_BIND_BENCHMARK, "--scale --variants 500").status == 1);
}

TEST_CASE("a file that cannot be written is an Error of bind-benchmark") {
  const std::string belowAFile = DOVETAIL_BIND_BENCHMARK "/a.json";
  const Run run = runCommand(DOVETAIL_BIND_BENCHMARK, "--scale --variants 1000 --json " + belowAFile);
  CHECK(run.status == 1);
  CHECK(run.errors.find(belowAFile) != std::string::npos);
}
