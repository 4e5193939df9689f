// SPDX-License-Identifier: MIT
//
// Every program of tests/shaders runs in the emulator without a trap, on both generations, and a joined variant does
// what a monolithic one does. The other GPUs take turns: each program runs on one of them, on all of them in
// tools/soak.
#include "merge/check/check_image.h"
#include "src/abi/target_info.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

using namespace dovetail;

namespace {

Result<SceneResult> run(const std::string &gpu, const Scene &scene, const ShaderSet &shaders, bool monolithic) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {monolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return emulate(scene, shaders, *variant->image);
}

} // namespace

TEST_CASE("joined and monolithic programs do the same on GFX9 and GFX8, and on the other GPUs") {
  std::vector<std::string> others;
  for (const TargetInfo &target : allTargets())
    if (target.gpuName != "gfx900" && target.gpuName != "gfx803")
      others.emplace_back(target.gpuName);
  const bool areAll = std::getenv("DOVETAIL_SOAK") != nullptr;
  size_t turn = 0;
  for (const OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    Result<Scene> scene = makeScene(program.shaders, randomState(program.shaders, 1), {1, 16, 16});
    if (!scene) {
      FAIL_CHECK(scene.error().text);
      continue;
    }
    Result<SceneResult> joined = run("gfx900", *scene, program.shaders, false);
    if (!joined) {
      FAIL_CHECK(joined.error().text);
      continue;
    }
    struct Other {
      std::string gpu;
      bool monolithic;
    };
    std::vector<Other> runs = {{"gfx900", true}, {"gfx803", false}, {"gfx803", true}};
    for (size_t i = 0; i < (areAll ? others.size() : 1); ++i)
      runs.push_back({others[turn++ % others.size()], false});
    for (const Other &other : runs) {
      CAPTURE(other.gpu);
      CAPTURE(other.monolithic);
      Result<SceneResult> result = run(other.gpu, *scene, program.shaders, other.monolithic);
      if (!result) {
        FAIL_CHECK(result.error().text);
        continue;
      }
      Comparison comparison = compare(*scene, *joined, *result);
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
  }
}
