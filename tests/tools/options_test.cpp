// SPDX-License-Identifier: MIT
#include "tools/common/command/options.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// The values of --gpu, as one GPU and as a list.
std::vector<std::string> gpusOf(const std::string &value) {
  CLI::App app;
  std::vector<std::string> gpus;
  addGpuOption(app, gpus, "");
  app.parse(std::vector<std::string>{value, "--gpu"}); // the last one first
  return gpus;
}
std::string gpuOf(const std::string &value) {
  CLI::App app;
  std::string gpu;
  addGpuOption(app, gpu);
  app.parse(std::vector<std::string>{value, "--gpu"});
  return gpu;
}

} // namespace

TEST_CASE("--jobs and --timeout set up a pool, which has the processors and the command's time without them") {
  auto pool = [](std::vector<std::string> arguments) {
    CLI::App app;
    WorkerPoolOptions options = {.timeout = std::chrono::minutes(5)};
    addPoolOptions(app, options, "unit");
    std::ranges::reverse(arguments);
    app.parse(arguments);
    return options;
  };
  CHECK(pool({}).jobs >= 1);
  CHECK(pool({}).timeout == std::chrono::seconds(300));
  CHECK(pool({"--jobs", "3"}).jobs == 3);
  CHECK(pool({"--timeout", "7"}).timeout == std::chrono::seconds(7));
  CHECK_THROWS_AS(pool({"--jobs", "0"}), CLI::ParseError);
  CHECK_THROWS_AS(pool({"--timeout", "0"}), CLI::ParseError);
  CHECK_THROWS_AS(pool({"--timeout", "1.5"}), CLI::ParseError);
}

TEST_CASE("--gpu takes any name of a GPU, and leaves one that is not known to the command") {
  CHECK(gpuOf("Polaris10") == "gfx803");
  CHECK(gpuOf("RX 580") == "gfx803");
  CHECK(gpuOf("gfx1030") == "gfx1030");
  CHECK(gpusOf("vega10,RX 580,gfx906") == std::vector<std::string>{"gfx900", "gfx803", "gfx906"});
  CHECK(gpusOf("renoir,gfx1030") == std::vector<std::string>{"gfx90c", "gfx1030"});
}
