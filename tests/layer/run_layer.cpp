// SPDX-License-Identifier: MIT
#include "tests/layer/run_layer.h"
#include "tools/common/command/write_file.h"
#include <doctest/doctest.h>
#include <filesystem>

namespace dovetail::layer_tests {

const std::string Lavapipe = "VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json ";
const std::string Layer =
    Lavapipe + "VK_LAYER_PATH=" DOVETAIL_LAYER_FOLDER " VK_INSTANCE_LAYERS=VK_LAYER_DOVETAIL_shadow ";

std::string readOnly(const TemporaryFolder &folder, const std::string &extension) {
  std::vector<std::string> found;
  for (const auto &entry : std::filesystem::directory_iterator(folder / "."))
    if (entry.path().extension() == extension)
      found.push_back(readWholeFile(entry.path().string()).value());
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string picturesOf(const std::string &scenario, const std::string &variables) {
  const Run run = runCommand(DOVETAIL_HEADLESS_APP, scenario, variables);
  REQUIRE_MESSAGE(run.status == 0, run.errors);
  REQUIRE(run.output.size() >= 17);
  return run.output;
}

Json reportOf(const std::string &scenario, const TemporaryFolder &folder, const std::string &variables) {
  CAPTURE(scenario);
  const std::string given = variables + "DOVETAIL_SHADOW_OUTPUT=" + (folder / "") + " ";
  CHECK(picturesOf(scenario, Layer + given) == picturesOf(scenario, Lavapipe));
  return Json::parse(readOnly(folder, ".json"));
}

} // namespace dovetail::layer_tests
