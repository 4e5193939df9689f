// SPDX-License-Identifier: MIT
//
// The command line's output files, and its texts about itself.
#include "src/abi/target_info.h"
#include "tests/tools/run_tool.h"
#include "tools/common/command/run_command.h"
#include "tools/common/command/write_file.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace dovetail;

TEST_CASE("--version names the version, LLVM's, and the build") {
  const Run run = runTool("--version");
  CHECK(run.status == 0);
  CHECK(run.errors.empty());
  CHECK_MESSAGE(run.output.starts_with("dovetail 0.2.0 (LLVM "), run.output);
  const size_t build = run.output.find("build ");
  REQUIRE(build != std::string::npos);
  CHECK(run.output.substr(build + 6 + 32) == ")\n");
}

TEST_CASE("a misspelt subcommand gets a hint, and one that is like none gets the list") {
  checkError(runTool("compil x.vert"), "there is no subcommand \"compil\"; did you mean \"compile\"?");
  checkError(runTool("drwa"), "did you mean \"draw\"?");
  checkError(runTool("corpora"), "did you mean \"corpus\"?");
  checkError(runTool("gpu"), "did you mean \"gpus\"?");
  checkError(runTool("frobnicate"), "there is no subcommand \"frobnicate\"; these are: compile, corpus, draw, inspect, "
                                    "demo, gpus, warm, archive, farm, compare");
  CHECK(runTool("gpus").status == 0);
}

TEST_CASE("a misspelt option gets a hint, too") {
  Shaders shaders;
  checkError(runTool("--verison"), "there is no option \"--verison\"; did you mean \"--version\"?");
  checkError(runTool("compile --ams=lines " + shaders.pair()), "\"--ams\"; did you mean \"--asm\"?");
  checkError(runTool("corpus --job 3 " + shaders.path().string()), "did you mean \"--jobs\"?");
  checkError(runTool("gpus --frobnicate"), "there is no option \"--frobnicate\"");
}

TEST_CASE("the closest word is the one that is fewest slips away, if they are few") {
  const std::vector<std::string> words = {"list", "show", "stats"};
  CHECK(closestWord("stat", words) == "stats");
  CHECK(closestWord("sohw", words) == "show");
  CHECK(closestWord("lst", words) == "list");
  CHECK(closestWord("l", words).empty());
  CHECK(closestWord("verify", words).empty());
}

TEST_CASE("gpus lists every GPU that can be compiled for") {
  const Run run = runTool("gpus");
  CHECK(run.status == 0);
  for (const TargetInfo &target : allTargets())
    CHECK(run.output.find("\n" + std::string(target.gpuName) + " ") != std::string::npos);
  CHECK(size_t(std::ranges::count(run.output, '\n')) == allTargets().size() + 1);
}

TEST_CASE("--stats=json has what the table has") {
  Shaders shaders;
  const Run run = runTool("compile --stats=json " + shaders.pair());
  CHECK_MESSAGE(run.status == 0, run.errors);
  const auto json = nlohmann::json::parse(run.output, nullptr, false);
  REQUIRE(json.is_object());
  CHECK(json["gpu"] == "gfx900");
  REQUIRE(json["parts"].size() == 4);
  CHECK(json["parts"][0]["name"] == "vs.vertex_prolog");
  CHECK(json["parts"][0]["from"] == "made");
  for (const char *field : {"bytes", "instructions", "cycles", "spilledSgprs", "spilledVgprs", "sgprs", "vgprs",
                            "waves", "scratchBytes", "ldsBytes"})
    CHECK(json["parts"][1][field].is_number_unsigned());
  CHECK(json["parts"][1]["microseconds"].get<double>() > 0);
  REQUIRE(json["programs"].size() == 2);
  CHECK(json["programs"][1]["bytes"].get<unsigned>() > 0);
  CHECK(json["programs"][1]["cycles"].get<unsigned>() >= 4 * json["programs"][1]["instructions"].get<unsigned>());
  for (const char *phase : {"validate", "translate", "replay", "optimize", "lower", "prepare", "select", "schedule",
                            "allocate", "emit", "read", "check"})
    CHECK_MESSAGE(json["phases"][phase].get<double>() > 0, phase);
  CHECK(json["phases"].size() == 12);
  CHECK(json["image"]["bytes"].get<unsigned>() >= 256);
  checkError(runTool("compile --stats=xml " + shaders.pair()), "xml");
  CHECK(runTool("compile --stats " + shaders.pair()).output.starts_with("part "));
}

TEST_CASE("-o - writes the file to the standard output and everything else to the standard error") {
  Shaders shaders;
  const std::string file = shaders / "out.elf";
  CHECK(runTool("compile -o " + file + " " + shaders.pair()).status == 0);
  const Run run = runTool("compile -o - --stats " + shaders.pair());
  CHECK(run.status == 0);
  CHECK(run.output == readWholeFile(file).value());
  CHECK(run.errors.starts_with("part "));
  checkError(runTool("compile -o - " + shaders.pair() + " >/dev/full"),
             "cannot write the standard output: No space left on device");
}

TEST_CASE("a file that is read is not overwritten") {
  Shaders shaders;
  const std::string before = readWholeFile(shaders.vertex).value();
  checkError(runTool("compile " + shaders.pair() + " -o " + shaders.vertex),
             shaders.vertex + " is read, and would be overwritten");
  checkError(runTool("draw " + shaders.pair() + " --diff " + (shaders / "./good.vert")),
             " is read, and would be overwritten");
  CHECK(readWholeFile(shaders.vertex).value() == before);
  const std::string numbered = shaders.write("odd#1/good.vert", Vertex);
  checkError(runTool("compile '" + numbered + "' -o '" + numbered + "'"), " is read, and would be overwritten");
}

TEST_CASE("draw -o - writes a picture, and two files cannot both be the standard output") {
  Shaders shaders;
  const Run run = runTool("draw -o - " + shaders.pair());
  CHECK_MESSAGE(run.status == 0, run.errors);
  CHECK(run.output.starts_with("\x89PNG"));
  CHECK(run.errors.find("waves") != std::string::npos);
  checkError(runTool("draw -o - --reference - " + shaders.pair()), "two files");
}

TEST_CASE("corpus --json - writes JSON to the standard output") {
  Shaders shaders;
  const Run run = runTool("corpus --json - " + shaders.path().string());
  CHECK(run.status == 0);
  CHECK(nlohmann::json::parse(run.output, nullptr, false)["compiled"] == 2);
  CHECK(run.errors.ends_with("2 compiled, 0 failed, 0 not valid input\n"));
}

TEST_CASE("-o - refuses a terminal") {
  Shaders shaders;
  // script gives the command a terminal of its own.
  const Run run = runCommand("/usr/bin/script",
                             "-qec \"" DOVETAIL_TOOL " compile -o - " + shaders.pair() + "\" /dev/null </dev/null");
  CHECK(run.status == 1);
  CHECK_MESSAGE(run.output.find("the standard output is a terminal") != std::string::npos, run.output);
}

TEST_CASE("-o /dev/stdout appends to the file behind it") {
  Shaders shaders;
  const std::string file = shaders / "out.elf", log = shaders.write("log", "before\n");
  CHECK(runTool("compile -o " + file + " " + shaders.pair()).status == 0);
  CHECK(runTool("compile -o /dev/stdout " + shaders.pair() + " >>" + log).status == 0);
  CHECK(readWholeFile(log).value() == "before\n" + readWholeFile(file).value());
}
