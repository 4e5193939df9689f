// SPDX-License-Identifier: MIT
//
// The tool as a user runs it, on small inputs.
#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace dovetail;

namespace {

const std::string Pair = DOVETAIL_BENCH_SHADERS "/textured.vert " DOVETAIL_BENCH_SHADERS "/textured.frag";
const std::string Little =
    " --vertex-inputs 3 --color-states 2 --other-states 1 --rounds 2 --first-uses 5 --known 100 ";

Run runBench(const std::string &arguments, const std::string &before = "") {
  return runCommand(DOVETAIL_VARIANT_BENCH, arguments, before);
}

// The figures of the last lines, by the words in front of them.
std::map<std::string, double> figuresOf(const std::string &output) {
  std::map<std::string, double> figures;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string unit, name, figure, more;
    if (words >> unit >> name >> figure && !(words >> more) && (unit == "ratio" || unit == "us" || unit == "ns"))
      figures[unit + " " + name] = std::stod(figure);
  }
  return figures;
}

struct Measured {
  Run run;
  nlohmann::json json;
};

// With RADV, if it is installed.
const Measured &measured() {
  static const Measured instance = [] {
    TemporaryFolder folder;
    Measured made;
    made.run = runBench(Pair + Little + "--json " + folder / "a.json");
    std::ifstream file(folder / "a.json");
    made.json = nlohmann::json::parse(file, nullptr, false);
    return made;
  }();
  return instance;
}

} // namespace

TEST_CASE("wrong options are refused") {
  CHECK(runBench("--rounds 0").status != 0);
  CHECK(runBench("--color-states x").status != 0);
  CHECK(runBench("--other-states 9").status != 0);
  CHECK(runBench("--json ''").status != 0);
  checkError(runBench("/nowhere.vert --no-radv"), "/nowhere.vert");
  checkError(runBench(Pair + " --no-radv --gpu gfx1"), "gfx1");
  checkError(runBench(Pair + " --no-radv --cpu 1023"), "CPU 1023");
  checkError(runBench("--json - --html -"), "standard output");
}

TEST_CASE("the report and its picture are written") {
  TemporaryFolder folder;
  const Run run = runBench(Pair + Little + "--no-radv --html " + folder / "a.html" + " --picture " + folder / "a.svg");
  REQUIRE(run.status == 0);
  std::ifstream page(folder / "a.html"), picture(folder / "a.svg");
  const std::string html(std::istreambuf_iterator<char>(page), {}), svg(std::istreambuf_iterator<char>(picture), {});
  CHECK(html.ends_with("</html>\n"));
  CHECK(html.find("Time to ready over the number of variants") != std::string::npos);
  CHECK(html.find("RADV was not measured") != std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("parts from a store") != std::string::npos);
}

TEST_CASE("the last lines have every figure once") {
  const Run &run = measured().run;
  INFO(run.errors);
  REQUIRE(run.status == 0);
  std::map<std::string, double> figures = figuresOf(run.output);
  for (const char *name :
       {"ratio cold_vertex_prolog", "ratio cold_epilog_1", "ratio cold_epilog_4", "ratio new_variant_textured",
        "ratio main_cpu_textured", "ratio main_wall_textured", "us first_use_p50", "us first_use_p99",
        "us trivial_part", "ns known_bind_1e2", "us first_draw_archived_textured", "us first_draw_radv_cached_textured",
        "ratio first_draw_textured", "ratio first_draws"}) {
    CAPTURE(name);
    CHECK(figures.contains(name));
  }
  CHECK(figures.size() == 14);
  CHECK(figures["us first_use_p50"] > 0);
  CHECK(figures["us trivial_part"] > 0);
  CHECK(figures["us first_use_p99"] >= figures["us first_use_p50"]);
  CHECK(figures["ns known_bind_1e2"] > 0);
}

TEST_CASE("variants, compiles and parts are counted") {
  const nlohmann::json &json = measured().json;
  REQUIRE_FALSE(json.is_discarded());
  CHECK(json["failures"].empty());
  const nlohmann::json &program = json["programs"][0];
  CHECK(program["name"] == "textured");
  CHECK(program["states"] == 6);
  for (const char *way : {"parts", "optimized", "stored", "archived", "monolithic"}) {
    CAPTURE(way);
    const nlohmann::json &rounds = program["rounds"][way];
    REQUIRE(rounds.size() == 2);
    for (const nlohmann::json &round : rounds) {
      CHECK(round["readyUs"].size() == 6);
      CHECK(round["variants"] == 6);
      CHECK(round["codeBytes"] > 0);
    }
  }
  // Two main parts as first code, and the same two by LLVM in the background, which the pass waits for; none; a vertex
  // shader for each of three inputs and a fragment shader for each of two colours.
  CHECK(program["rounds"]["parts"][0]["compiles"] == 4);
  CHECK(program["rounds"]["stored"][0]["compiles"] == 0);
  CHECK(program["rounds"]["archived"][0]["compiles"] == 0);
  CHECK(program["rounds"]["monolithic"][0]["compiles"] >= 5);
  CHECK(program["rounds"]["optimized"][0]["compiles"] > 4);
  for (const nlohmann::json &part : json["parts"]) {
    CAPTURE(part);
    CHECK(part["uses"] == 6);
    if (part["kind"] == "vertex prolog")
      CHECK(part["parts"] == 3);
    if (part["kind"] == "fragment main")
      CHECK(part["parts"] == 1);
  }
}

TEST_CASE("RADV is measured on the same shaders and states where it is installed") {
  const nlohmann::json &json = measured().json;
  REQUIRE_FALSE(json.is_discarded());
  if (json["noRadv"] != "")
    return;
  for (const char *way : {"radvLibraries", "radvAco", "radvCached"}) {
    CAPTURE(way);
    const nlohmann::json &rounds = json["programs"][0]["rounds"][way];
    REQUIRE(rounds.size() == 2);
    CHECK(rounds[0]["readyUs"].size() == 6);
    // RADV keeps no cached pipeline whose code is asked for.
    CHECK((rounds[0]["codeBytes"] > 0) == (way != std::string("radvCached")));
  }
  CHECK(json["programs"][0]["rounds"]["radvCached"][0]["wallUs"] <
        json["programs"][0]["rounds"]["radvAco"][0]["wallUs"]);
  CHECK(json["programs"][0]["rounds"]["radvAco"][0]["compiles"] == 12);
  for (const nlohmann::json &shader : json["code"]) {
    CHECK(shader["radvAco"]["instructions"] > 0);
    CHECK(shader["radvAco"]["waves"] > 0);
  }
  for (const nlohmann::json &step : json["steps"]) {
    CAPTURE(step["name"]);
    CHECK(step["oursUs"].size() == 2);
    if (json["noRadvLlvm"] == "")
      CHECK(step["radvUs"].size() == 2);
  }
}

TEST_CASE("tables say what was measured") {
  const std::string &output = measured().run.output;
  for (const char *text : {"parts from a store", "monolithic", "vertex prolog", "instructions / VGPRs / waves",
                           "translate, replay", "cold_epilog_1"}) {
    CAPTURE(text);
    CHECK(output.find(text) != std::string::npos);
  }
}

TEST_CASE("without RADV its figures are no numbers, and nothing else is missing") {
  const Run run = runBench(Pair + Little + "--no-radv --only-steps");
  REQUIRE(run.status == 0);
  std::map<std::string, double> figures = figuresOf(run.output);
  CHECK(std::isnan(figures["ratio cold_epilog_1"]));
  CHECK(figures["us first_use_p50"] > 0);
  CHECK(run.output.find("RADV was not measured") != std::string::npos);
}

TEST_CASE("RADV that is not there is reported and no error") {
  const Run run = runBench(Pair + Little + "--only-steps", "DOVETAIL_RADV_DRIVER=/nowhere.json ");
  CHECK(run.status == 0);
  CHECK(run.output.find("RADV was not measured: ") != std::string::npos);
}

TEST_CASE("a compute shader and a tessellated program are measured, too") {
  const std::string folder = DOVETAIL_BENCH_SHADERS;
  TemporaryFolder output;
  const Run run = runBench(DOVETAIL_OWN_SHADERS "/blur.comp " + folder + "/tess.vert " + folder + "/tess.tesc " +
                           folder + "/tess.tese " + folder +
                           "/tess.frag --quick --no-radv --vertex-inputs 1 --color-states 1 "
                           "--rounds 1 --known 100 --json " +
                           output / "a.json");
  INFO(run.errors);
  REQUIRE(run.status == 0);
  std::map<std::string, double> figures = figuresOf(run.output);
  CHECK(figures.contains("ratio main_cpu_blur"));
  CHECK(figures.contains("ratio main_cpu_tess"));
  std::ifstream file(output / "a.json");
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  CHECK(json["failures"].empty());
  for (const nlohmann::json &program : json["programs"])
    CHECK(program["failures"].empty());
}
