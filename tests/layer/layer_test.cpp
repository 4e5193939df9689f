// SPDX-License-Identifier: MIT
//
// The layer under an application: it counts right, and the application does not notice it.
#include "tests/layer/run_layer.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "variants/bind/device.h"
#include <doctest/doctest.h>
#include <filesystem>

using namespace dovetail;
using namespace dovetail::layer_tests;

namespace {

uint64_t bindsOf(const Json &report, const std::string &kind) {
  const Json &kinds = report["bindNanoseconds"];
  return kinds.contains(kind) ? kinds[kind]["count"].get<uint64_t>() : 0;
}

} // namespace

TEST_CASE("a pipeline without dynamic state is bound when it is made, and draws find it") {
  TemporaryFolder folder;
  const Json report = reportOf("static", folder);
  CHECK(report["gpu"] == "gfx900");
  CHECK(report["pipelines"] == 2);
  CHECK(report["shaders"] == 3); // two sets of specialisation constants
  CHECK(report["states"] == 2);
  CHECK(report["draws"] == 5);
  CHECK(report["pipelineBinds"] == 4);
  CHECK(report["pushConstantBytes"] == 5 * 12);
  CHECK(report["bindsOfPipelines"] == Json({{"compiled", 2}}));
  CHECK(bindsOf(report, "unchanged") == 1);
  CHECK(bindsOf(report, "known") == 4);
  CHECK(bindsOf(report, "all") == 5);
  CHECK(report["device"]["joinedVariants"] == 2);
  CHECK(report["errors"].empty());
  CHECK(report["notFollowed"].empty());
}

TEST_CASE("what is left to draws is compiled by draws") {
  TemporaryFolder folder;
  const Json report = reportOf("static", folder, "DOVETAIL_SHADOW_COMPILE=draw ");
  CHECK(report["bindsOfPipelines"].empty());
  CHECK(bindsOf(report, "compiled") == 2);
  CHECK(bindsOf(report, "known") == 2);
  CHECK(report["stalls"][0]["at"] == "draw");
  CHECK(report["stalls"][0]["partsCompiled"].get<int>() >= 1);
}

TEST_CASE("dynamic states are part of the state that a draw binds") {
  TemporaryFolder folder;
  const Json report = reportOf("dynamic", folder);
  CHECK(report["draws"] == 4);
  CHECK(report["states"] == 3);
  CHECK(report["stateChanges"] == 9);
  CHECK(bindsOf(report, "all") == 4);
  CHECK(bindsOf(report, "known") == 1); // the state of the second draw again
  CHECK(report["device"]["joinedVariants"] == 3);
  CHECK(report["errors"].empty());
}

TEST_CASE("a pipeline of libraries has the parts that were compiled with them") {
  TemporaryFolder folder;
  const Json report = reportOf("libraries", folder);
  CHECK(report["libraries"] == 4);
  CHECK(report["pipelines"] == 1);
  CHECK(report["shaders"] == 2);
  CHECK(report["bindsOfPipelines"] == Json({{"encoded", 1}})); // prolog and epilog; no main part
  CHECK(bindsOf(report, "known") == 1);
  CHECK(report["errors"].empty());
}

TEST_CASE("dispatches bind compute programs") {
  TemporaryFolder folder;
  const Json report = reportOf("compute", folder);
  CHECK(report["dispatches"] == 1);
  CHECK(report["bindsOfPipelines"] == Json({{"compiled", 1}}));
  CHECK(bindsOf(report, "known") == 1);
  CHECK(report["errors"].empty());
}

TEST_CASE("what is refused is told once, with its shaders, and the application goes on") {
  TemporaryFolder folder;
  const Json report = reportOf("refused", folder);
  REQUIRE(report["errors"].size() == 1);
  const Json &error = report["errors"][0];
  CHECK(error["draws"] == 2);
  CHECK(error["shaders"].get<std::string>().find("frag-") != std::string::npos);
  CHECK(error["text"].get<std::string>().find("R32G32B32A32_UINT") != std::string::npos);
  size_t modules = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder / "refused"))
    modules += entry.path().extension() == ".spv";
  CHECK(modules == 2);
}

TEST_CASE("threads record at the same time") {
  TemporaryFolder folder;
  const Json report = reportOf("threads", folder);
  CHECK(report["draws"] == 4000);
  CHECK(bindsOf(report, "all") == 4000);
  CHECK(bindsOf(report, "known") == 4);
  CHECK(bindsOf(report, "unchanged") == 3996);
  CHECK(report["errors"].empty());
}

TEST_CASE("what is captured comes to the same variants when it is read") {
  std::unique_ptr<Device> device = Device::create("gfx900").value();
  for (const char *scenario : {"static", "dynamic", "libraries", "compute", "sampled"}) {
    CAPTURE(scenario);
    TemporaryFolder folder, captures;
    const Json report =
        reportOf(scenario, folder, "DOVETAIL_SHADOW_POLICY=off DOVETAIL_SHADOW_CAPTURE=" + (captures / "") + " ");
    CHECK(report["warnings"].empty());
    std::string path;
    for (const auto &entry : std::filesystem::directory_iterator(captures.path()))
      path = entry.path();
    const std::vector<std::string> names = namesOfPipelines(path).value();
    REQUIRE(names.size() == report["captured"].size());
    CHECK(names.size() >= 1);
    for (size_t index = 0; index < names.size(); ++index) {
      Result<PipelineInput> read = readPipeline(names[index]);
      REQUIRE_MESSAGE(read.has_value(), read.error().text);
      const VariantRef variant = device->bind(read->shaders, read->state).value();
      const Json &captured = report["captured"][index];
      CHECK(names[index].ends_with(captured["pipeline"].get<std::string>()));
      CHECK(fmt::format("{:016x}{:016x}", variant->key.hash.high, variant->key.hash.low) == captured["key"]);
    }
  }
}

TEST_CASE("immutable samplers are the layout's, below the application and in its capture") {
  TemporaryFolder folder, captures;
  const Json report = reportOf("sampled", folder, "DOVETAIL_SHADOW_CAPTURE=" + (captures / "") + " ");
  CHECK(report["dispatches"] == 1);
  CHECK(report["errors"].empty());
  CHECK(report["notFollowed"].empty());
  for (const auto &entry : std::filesystem::directory_iterator(captures.path())) {
    const std::vector<std::string> names = namesOfPipelines(entry.path()).value();
    CHECK(names.size() == 3);
    for (const std::string &name : names) {
      const PipelineInput read = readPipeline(name).value();
      if (!read.shaders.shader(lgc::ShaderStage::Compute))
        continue;
      using enum UserDataNodeType;
      CHECK(read.shaders.userDataNodes() == UserDataNodes{{DescriptorTable, 0, 0, 0, 1, 0},
                                                          {Buffer, 0, 0, 0, 4, 4},
                                                          {ImmutableSampler, 0, 1, 0, 4, 4},
                                                          {Image, 0, 1, 4, 8, 8}});
      // Mirrored in u, bilinear, the first level alone.
      CHECK(read.shaders.layout->immutableSamplers() == std::vector<uint32_t>{1, 0, 1u << 20 | 1u << 22 | 1u << 26, 0});
    }
  }
}

TEST_CASE("the report comes on a signal") {
  TemporaryFolder folder;
  const Json report = reportOf("signal", folder, "DOVETAIL_SHADOW_SIGNAL=USR1 ");
  CHECK(report["draws"] == 5);
  CHECK(report["drawsByPipeline"].size() == 1); // of pipelines that are still there
}

TEST_CASE("the report comes when the process is told to end, and it ends by the signal") {
  TemporaryFolder folder;
  const Run run =
      runCommand(DOVETAIL_HEADLESS_APP, "terminated", Layer + "DOVETAIL_SHADOW_OUTPUT=" + (folder / "") + " ");
  CHECK(run.status != 0);
  CHECK(Json::parse(readOnly(folder, ".json"))["draws"] == 5);
}

TEST_CASE("a folder that cannot be written is named, and the summary goes to stderr") {
  const Run run = runCommand(DOVETAIL_HEADLESS_APP, "static",
                             Layer + "DOVETAIL_SHADOW_OUTPUT=" + DOVETAIL_HEADLESS_APP + "/reports ");
  CHECK(run.status == 0);
  CHECK(run.errors.find("no report can be written to " DOVETAIL_HEADLESS_APP "/reports: Not a directory") !=
        std::string::npos);
  CHECK(run.errors.find("5 draws") != std::string::npos);
}

TEST_CASE("the report comes when the process exits without destroying anything") {
  TemporaryFolder folder;
  CHECK(reportOf("exit", folder)["draws"] == 5);
}

TEST_CASE("the second process finds its parts in the store") {
  TemporaryFolder first, second, store;
  // The first process ends before LLVM has replaced first code, which the store does not get.
  const std::string variables = "DOVETAIL_SHADOW_FIRST_TIER=llvm DOVETAIL_SHADOW_STORE=" + (store / "parts ");
  CHECK(reportOf("static", first, variables)["device"]["storeWritten"].get<int>() > 0);
  const Json report = reportOf("static", second, variables);
  CHECK(report["device"]["partsMade"] == 0);
  CHECK(report["device"]["storeHits"].get<int>() > 0);
}

TEST_CASE("without a folder, the summary goes to stderr") {
  const Run run = runCommand(DOVETAIL_HEADLESS_APP, "static", Layer);
  CHECK(run.status == 0);
  CHECK(run.errors.find("dovetail shadow: headless_app") != std::string::npos);
  CHECK(run.errors.find("5 draws") != std::string::npos);
  CHECK(run.errors.find("0 errors") != std::string::npos);
}

TEST_CASE("the CPU time of all long binds is known if it is asked for") {
  TemporaryFolder folder, other;
  const Json report = reportOf("threads", folder, "DOVETAIL_SHADOW_CPU_TIME=all ");
  CHECK(report["warnings"].empty());
  CHECK(report["stalls"].size() >= 4); // one for each pipeline that was made
  for (const Json &stall : report["stalls"])
    CHECK(stall["cpuNanoseconds"] > 0);
  CHECK(report["knownBindCpuNanoseconds"]["count"] > 0);
  CHECK(report["emptyIntervalCpuNanoseconds"]["count"] == report["knownBindCpuNanoseconds"]["count"]);
  CHECK(reportOf("static", other, "DOVETAIL_SHADOW_CPU_TIME=some ")["warnings"].size() == 1);
}

TEST_CASE("the dynamic indexing of images is reported if it is asked for, and shaders that use it are refused") {
  const std::string shadowed = "DOVETAIL_SHADOW_FEATURES=image-indexing ";
  CHECK(picturesOf("indexing", Lavapipe) == "sampled 0, storage 0, module 0, pipeline 0\n");
  CHECK(picturesOf("indexing", Layer) == "sampled 0, storage 0, module 0, pipeline 0\n");
  TemporaryFolder folder;
  CHECK(picturesOf("indexing", Layer + shadowed + "DOVETAIL_SHADOW_OUTPUT=" + (folder / "") + " ") ==
        "sampled 1, storage 1, module -1000012000, pipeline -1000012000\n"); // VK_ERROR_INVALID_SHADER_NV
  const Json report = Json::parse(readOnly(folder, ".json"));
  CHECK(report["reportsImageIndexing"] == true);
  CHECK(report["notFollowed"].size() == 2);
  TemporaryFolder other; // shaders without it are taken, by a device that enables the features
  CHECK(reportOf("sampled", other, shadowed)["notFollowed"].empty());
}

TEST_CASE("options that cannot be are named, and the application runs") {
  TemporaryFolder folder;
  const Json report = reportOf("static", folder, "DOVETAIL_SHADOW_POLICY=often DOVETAIL_SHADOW_THREADS=many ");
  REQUIRE(report["warnings"].size() == 2);
  CHECK(report["warnings"][0].get<std::string>().find("DOVETAIL_SHADOW_POLICY is 'often'") != std::string::npos);
  CHECK(report["warnings"][1].get<std::string>().find("DOVETAIL_SHADOW_THREADS is 'many'") != std::string::npos);
  CHECK(report["draws"] == 5);
}

TEST_CASE("with a GPU that there is not, nothing is followed, and the application runs") {
  TemporaryFolder folder;
  const Json report = reportOf("static", folder, "DOVETAIL_SHADOW_GPU=gfx1 ");
  REQUIRE(report["warnings"].size() == 1);
  CHECK(report["warnings"][0].get<std::string>().find("gfx1") != std::string::npos);
  CHECK(report["draws"] == 0);
}
