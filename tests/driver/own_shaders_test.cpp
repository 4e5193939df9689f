// SPDX-License-Identifier: MIT
//
// Every program of tests/shaders runs in the emulator without a trap, on both generations, and a joined variant does
// what a monolithic one does.
#include "merge/check_image.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tools/emulator/driver/emulate.h"
#include "tools/scene/compare.h"
#include "tools/scene/maker/make_scene.h"
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

TEST_CASE("joined and monolithic programs do the same on GFX9 and GFX8") {
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
      const char *gpu;
      bool monolithic;
    };
    for (Other other : {Other{"gfx900", true}, Other{"gfx803", false}, Other{"gfx803", true}}) {
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
