// SPDX-License-Identifier: MIT
//
// The layer as an analyser of stutter: long frames, their pipelines by name, what would have helped, and reports of an
// application that is killed.
#include "tests/layer/run_layer.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>

using namespace dovetail;
using namespace dovetail::layer_tests;

namespace {

const std::string FramesApp = std::filesystem::path(DOVETAIL_HEADLESS_APP).parent_path() / "frames-app";

// The pipeline with this label in a long frame, and the frame.
struct Found {
  Json frame, pipeline;
};

Found findInLongFrames(const Json &report, const std::string &label) {
  for (const Json &frame : report["frameTimes"]["long"])
    for (const Json &pipeline : frame["pipelines"])
      if (pipeline["name"].get<std::string>().starts_with(label))
        return {frame, pipeline};
  return {};
}

bool has(const std::string &text, const std::string &word) {
  return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a program that presents nothing has the times of its submissions") {
  TemporaryFolder folder;
  const Json report = reportOf("stutter", folder, "DOVETAIL_SHADOW_COMPILE=draw DOVETAIL_SHADOW_FIRST_TIER=llvm ");
  CHECK(report["frames"] == 0);
  CHECK(report["frameTimes"]["end"] == "submission");
  CHECK(report["frameTimes"]["count"] == 39); // before the first is the start
  CHECK(report["frameTimes"]["start"]["help"]["compiles"]["count"] == 2);
  CHECK(report["compiles"]["atDraws"]["count"] == 3);
  CHECK(report["compiles"]["atPipelines"]["count"] == 0);
}

TEST_CASE("a frame that a compile makes long is told with its pipeline, and what would have saved how much") {
  TemporaryFolder folder;
  const Run run = runCommand(
      FramesApp, DOVETAIL_LAYER_FOLDER "/libVkLayer_dovetail_shadow.so",
      "DOVETAIL_SHADOW_COMPILE=draw DOVETAIL_SHADOW_FIRST_TIER=llvm DOVETAIL_SHADOW_OUTPUT=" + (folder / "") + " ");
  REQUIRE_MESSAGE(run.status == 0, run.errors);
  const Json report = Json::parse(readOnly(folder, ".json"));
  CHECK(report["frames"] == 40);
  CHECK(report["frameTimes"]["end"] == "presentation");
  CHECK(report["frameTimes"]["count"] == 39);

  const Found found = findInLongFrames(report, "explosion (vert-"); // the name of VK_EXT_debug_marker
  REQUIRE(!found.frame.is_null());
  CHECK(found.frame["number"] == 29);
  CHECK(found.frame["longByDovetail"] == true);
  REQUIRE(found.pipeline["compiles"].size() == 1);
  const Json &compile = found.pipeline["compiles"][0];
  CHECK(compile["part"] == "fragment shader");
  CHECK(compile["tier"] == "LLVM");
  const auto took = compile["nanoseconds"].get<uint64_t>();
  CHECK(took <= found.pipeline["nanoseconds"].get<uint64_t>());
  CHECK(found.pipeline["nanoseconds"] == found.frame["dovetailNanoseconds"]);
  CHECK(found.frame["dovetailNanoseconds"].get<uint64_t>() <= found.frame["nanoseconds"].get<uint64_t>());

  const Json &help = found.frame["help"];
  CHECK(help["compiles"]["nanoseconds"] == took);
  CHECK(help["storeWouldSaveNanoseconds"] == took - 22000);
  const auto background = help["backgroundWouldSaveNanoseconds"].get<uint64_t>();
  CHECK(background > 0);
  CHECK(background <= took);
  const auto milliseconds = [](uint64_t nanoseconds) { return fmt::format("{:.1f} ms", double(nanoseconds) / 1e6); };
  const std::string text = readOnly(folder, ".txt");
  CHECK(has(text, "an archive, would have saved " + milliseconds(took - 22000) + " of "));
  CHECK(has(text, "1 part took " + milliseconds(took) + " to compile"));
  CHECK(help["sentences"].size() == 3);
  for (const Json &sentence : help["sentences"])
    CHECK(has(text, sentence.get<std::string>()));
  CHECK(has(readOnly(folder, ".html"), "explosion (vert-"));
}

TEST_CASE("first code's time stands beside LLVM's for the same part") {
  TemporaryFolder folder;
  const Json report =
      reportOf("stutter", folder, "DOVETAIL_SHADOW_COMPILE=draw DOVETAIL_SHADOW_FIRST_TIER=first-code ");
  // The application ends after the background has compiled at least one of the first pipeline's parts, or before.
  const Json &tiers = report["frameTimes"]["help"]["firstCodeInsteadOfLlvm"];
  CHECK(report["compiles"]["inBackground"]["count"].get<int>() >= tiers["parts"].get<int>());
  CHECK((tiers["parts"] > 0) == (tiers["llvmNanoseconds"] > 0));
  CHECK((tiers["parts"] > 0) == (tiers["firstCodeNanoseconds"] > 0));
}

TEST_CASE("compiles at the making of pipelines are counted apart, also in the page's tiles") {
  TemporaryFolder folder;
  const Json report = reportOf("stutter", folder);
  CHECK(report["compiles"]["atPipelines"]["count"] == 3);
  CHECK(report["compiles"]["atDraws"]["count"] == 0);
  CHECK(report["frameTimes"]["start"]["pipelines"].size() == 2);
  CHECK(report["frameTimes"]["start"]["pipelines"][0]["made"] == true);
  const std::string page = readOnly(folder, ".html");
  CHECK(has(page, "3 parts compiled while pipelines were made"));
  CHECK(has(page, "0 parts compiled while drawing"));
}

TEST_CASE("pipelines have their label, the labels of their shaders and the entry points beside hashes") {
  TemporaryFolder folder;
  const Json report = reportOf("stutter", folder);
  CHECK(report["application"] == "Quads");
  CHECK(report["engine"] == "headless");
  REQUIRE(report["drawsByPipeline"].size() == 2);
  const Json &often = report["drawsByPipeline"][0], &rare = report["drawsByPipeline"][1];
  CHECK(often["draws"] == 40);
  CHECK(often["entryPoints"] == "main colors:main");
  CHECK(often["name"] == "main colors:main (" + often["shaders"].get<std::string>() + ")");
  CHECK(rare["draws"] == 1);
  CHECK(rare["label"] == "explosion");
  CHECK(rare["name"] == "explosion (" + rare["shaders"].get<std::string>() + ")");
  CHECK(has(readOnly(folder, ".txt"), "\"Quads\" on headless"));
}

TEST_CASE("the second process measures how long a part takes to read") {
  TemporaryFolder first, second, store;
  const std::string variables = "DOVETAIL_SHADOW_FIRST_TIER=llvm DOVETAIL_SHADOW_STORE=" + (store / "parts ");
  (void)reportOf("stutter", first, variables);
  const Json report = reportOf("stutter", second, variables);
  CHECK(report["compiles"]["atPipelines"]["count"] == 0);
  CHECK(report["frameTimes"]["help"]["sentences"].empty());
  CHECK(report["partReadNanoseconds"] > 0);
}

TEST_CASE("a killed process leaves the last report, which says that it is not final") {
  TemporaryFolder folder;
  const std::string report = folder / "*.json";
  const std::string script = "'" DOVETAIL_HEADLESS_APP " waiting & application=$!; for try in $(seq 600); do "
                             "grep -qs \"\\\"draws\\\": 5\" " +
                             report +
                             " && break; sleep 0.1; done; "
                             "kill -KILL $application; wait $application; test $? = 137'";
  const Run run = runCommand("sh", "-c " + script,
                             Layer + "DOVETAIL_SHADOW_REPORT_EVERY=0.2 DOVETAIL_SHADOW_OUTPUT=" + (folder / "") + " ");
  CHECK_MESSAGE(run.status == 0, run.errors);
  const Json last = Json::parse(readOnly(folder, ".json"));
  CHECK(last["draws"] == 5);
  CHECK(last["isFinal"] == false);
  CHECK(has(last["written"], "while the application ran"));
  CHECK(has(readOnly(folder, ".txt"), "not final: written after"));
  CHECK(has(readOnly(folder, ".html"), "not final: written after"));
}

TEST_CASE("a report that comes on the signal is not final, and the one at the end is") {
  TemporaryFolder asked, ended, told;
  const Json report = reportOf("signal", asked, "DOVETAIL_SHADOW_REPORT_EVERY=0 ");
  CHECK(report["isFinal"] == false);
  CHECK(has(report["written"], "on the signal"));
  CHECK(reportOf("static", ended)["isFinal"] == true);
  (void)runCommand(DOVETAIL_HEADLESS_APP, "terminated", Layer + "DOVETAIL_SHADOW_OUTPUT=" + (told / "") + " ");
  CHECK(Json::parse(readOnly(told, ".json"))["isFinal"] == true);
}
