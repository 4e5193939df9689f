// SPDX-License-Identifier: MIT
//
// DOVETAIL_SHADOW_EXECUTE: the emulator executes an application's draws, and the application does not notice it.
#include "tests/layer/run_layer.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/layer/execute/shader_uses.h"
#include <array>
#include <doctest/doctest.h>
#include <filesystem>

using namespace dovetail;
using namespace dovetail::layer_tests;

namespace {

// What became of the draws of a scenario. Its pictures must be the same as without the layer.
Json executionOf(const std::string &scenario, const TemporaryFolder &folder, const std::string &variables = "") {
  const Json report = reportOf(scenario, folder, "DOVETAIL_SHADOW_EXECUTE=compare " + variables);
  CHECK(report["warnings"].empty());
  return report["execution"];
}

// Every draw is executed and matches.
void checkAllMatch(const std::string &scenario, int draws) {
  TemporaryFolder folder;
  const Json execution = executionOf(scenario, folder);
  CHECK(execution["executed"] == draws);
  CHECK(execution["matched"].get<int>() + execution["explained"].get<int>() == draws);
  CHECK(execution["refusals"].empty());
  CHECK(execution["misses"].empty());
}

} // namespace

TEST_CASE("every draw of an application is executed, and matches") {
  checkAllMatch("static", 5);
  checkAllMatch("dynamic", 4);
  checkAllMatch("libraries", 1);
  checkAllMatch("compute", 1);
  checkAllMatch("sampled", 6);
  checkAllMatch("exit", 5); // ends with everything alive
}

TEST_CASE("without the option, nothing is executed") {
  TemporaryFolder folder;
  CHECK(!reportOf("static", folder).contains("execution"));
}

TEST_CASE("draws of all commands are executed each time that the GPU does them, and others are counted") {
  TemporaryFolder folder;
  const Json execution = executionOf("commands", folder);
  CHECK(execution["executed"] == 8);
  CHECK(execution["matched"] == 8);
  CHECK(execution["refusals"] == Json({{"a command of several draws, or of none", 1}}));
}

TEST_CASE("draws of pipelines that Dovetail refuses are counted") {
  TemporaryFolder folder;
  const Json execution = executionOf("refused", folder);
  CHECK(execution["executed"] == 0);
  CHECK(execution["refusals"] == Json({{"a pipeline that Dovetail refuses", 2}}));
}

TEST_CASE("options choose the draws") {
  TemporaryFolder every, fresh, small, late;
  const Json of4000 = executionOf("threads", every, "DOVETAIL_SHADOW_EXECUTE_EVERY=100 ");
  CHECK(of4000["matched"] == 40);
  CHECK(of4000["notChosen"] == 3960);
  CHECK(executionOf("static", fresh, "DOVETAIL_SHADOW_EXECUTE_DRAWS=new ")["executed"] == 2);
  const Json none = executionOf("static", small, "DOVETAIL_SHADOW_EXECUTE_PIXELS=100 ");
  CHECK(none["executed"] == 0);
  CHECK(none["notChosen"] == 5);
  CHECK(executionOf("static", late, "DOVETAIL_SHADOW_EXECUTE_SECONDS=0.000001 ")["notChosen"] == 5);
}

TEST_CASE("a fault is found, and its draw is kept as a scene that is drawn alone") {
  TemporaryFolder folder;
  const Json execution = executionOf("static", folder, "DOVETAIL_SHADOW_EXECUTE_FAULT=2 ");
  CHECK(execution["matched"] == 4);
  CHECK(execution["differed"] == 1);
  REQUIRE(execution["misses"].size() == 1);
  const Json &miss = execution["misses"][0];
  CHECK(miss["text"].get<std::string>().find("color 0") != std::string::npos);
  CHECK(readWholeFile(folder / miss["picture"].get<std::string>()).value().starts_with("\x89PNG"));
  CHECK(readOnly(folder, ".html").find("data:image/png;base64,iVBOR") != std::string::npos);
  // The fault is one of the result, so the scene matches.
  const Run drawn = runCommand(DOVETAIL_TOOL, "draw --compare " + (folder / miss["scene"].get<std::string>()));
  CHECK_MESSAGE(drawn.status == 0, drawn.errors);
  CHECK(drawn.output.find("emulator and lavapipe") != std::string::npos);
  CHECK(drawn.output.ends_with("match\n"));
}

TEST_CASE("a kept scene that is cut short is an error") {
  TemporaryFolder folder;
  const Json execution = executionOf("compute", folder, "DOVETAIL_SHADOW_EXECUTE_FAULT=1 ");
  REQUIRE(execution["misses"].size() == 1);
  const std::string scene = folder / execution["misses"][0]["scene"].get<std::string>();
  CHECK(runCommand(DOVETAIL_TOOL, "draw --compare " + scene).status == 0);
  std::filesystem::resize_file(scene, std::filesystem::file_size(scene) / 2);
  checkError(runCommand(DOVETAIL_TOOL, "draw " + scene), "cut short");
}

TEST_CASE("a variable counts as used if a function names it") {
  // Two variables with a set and a binding; one function loads the second.
  constexpr std::array<uint32_t, 25> Words = {
      0x07230203,    0x10000, 0,  20, 0, // header
      4u << 16 | 71, 8,       34, 1,     // OpDecorate %8 DescriptorSet 1
      4u << 16 | 71, 8,       33, 2,     // OpDecorate %8 Binding 2
      4u << 16 | 71, 9,       33, 5,     // OpDecorate %9 Binding 5
      4u << 16 | 54, 1,       10, 0,     // OpFunction, cut short
      4u << 16 | 61, 11,      12, 9,     // OpLoad %9
  };
  layer::ShaderUses uses;
  uses.add(Words);
  CHECK(uses.bindings == std::set<std::pair<uint32_t, uint32_t>>({{0, 5}}));
  CHECK(!uses.usesAddresses);
}
