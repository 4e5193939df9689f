// SPDX-License-Identifier: MIT
//
// Every program of tests/shaders runs in the emulator without a trap, and a joined variant does what a monolithic one
// does.
#include "merge/check_image.h"
#include "tests/driver/emulate.h"
#include "tests/driver/tests/own_shaders.h"
#include "tests/scene/compare.h"
#include "tests/scene_maker/make_scene.h"
#include "variants/device.h"
#include <cstdlib>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Device &device() {
  static Result<std::unique_ptr<Device>> made = Device::create("gfx900");
  REQUIRE(made.has_value());
  return **made;
}

Result<SceneResult> run(const Scene &scene, const ShaderSet &shaders, bool monolithic) {
  VariantRef variant = DOVETAIL_TRY(device().bind(shaders, scene.state, {monolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return emulate(scene, shaders, *variant->image);
}

} // namespace

TEST_CASE("joined and monolithic programs do the same") {
  for (const OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    Result<Scene> scene = makeScene(program.shaders, randomState(program.shaders, 1), {1, 16, 16});
    if (!scene) {
      FAIL_CHECK(scene.error().text);
      continue;
    }
    Result<SceneResult> joined = run(*scene, program.shaders, false);
    Result<SceneResult> monolithic = run(*scene, program.shaders, true);
    if (!joined || !monolithic) {
      FAIL_CHECK((joined ? monolithic : joined).error().text);
      continue;
    }
    Comparison comparison = compare(*scene, *joined, *monolithic);
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
}
