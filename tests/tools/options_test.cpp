// SPDX-License-Identifier: MIT
#include "tools/command/options.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// What --gpu gives, as one GPU and as a list.
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

TEST_CASE("--gpu takes any name of a GPU, and leaves one that is not known to the command") {
  CHECK(gpuOf("Polaris10") == "gfx803");
  CHECK(gpuOf("RX 580") == "gfx803");
  CHECK(gpuOf("gfx1030") == "gfx1030");
  CHECK(gpusOf("vega10,RX 580,gfx906") == std::vector<std::string>{"gfx900", "gfx803", "gfx906"});
  CHECK(gpusOf("renoir,gfx1030") == std::vector<std::string>{"gfx90c", "gfx1030"});
}
