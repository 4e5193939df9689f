// SPDX-License-Identifier: MIT
//
// A change-over from first code to LLVM's never shows in a picture.
#include "merge/check/check_image.h"
#include "tests/driver/own_shaders.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/bind/binder.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

SceneResult draw(const Scene &scene, const ShaderSet &shaders, const Variant &variant) {
  const Result<void> checked = checkImage(*variant.image);
  REQUIRE_MESSAGE(checked, checked.error().text);
  Result<SceneResult> result = emulate(scene, shaders, *variant.image);
  REQUIRE_MESSAGE(result, result.error().text);
  return std::move(*result);
}

} // namespace

TEST_CASE("programs draw the same before and after their change-over, bit for bit") {
  // A part of the programs; `dovetail corpus --draw --first-code` draws all.
  constexpr size_t Step = 6;
  const std::vector<OwnProgram> programs = readOwnPrograms();
  size_t changed = 0;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    DeviceOptions options;
    options.gpuName = gpu;
    const std::unique_ptr<Device> device = std::move(*Device::create(options));
    Binder binder(*device);
    for (size_t index = 0; index < programs.size(); index += Step) {
      CAPTURE(programs[index].name);
      const ShaderSet &shaders = programs[index].shaders;
      const Result<Scene> scene = makeScene(shaders, defaultState(shaders), {1, 16, 16});
      if (!scene) // it has no position
        continue;
      const ProgramRef program = *device->createProgramOf(shaders);
      const StateRef state = makeState(scene->state);
      const VariantRef first = (*binder.bind(program, state))->shared_from_this();
      if (!hasFirstCode(*first))
        continue;
      const SceneResult before = draw(*scene, shaders, *first);
      device->drain();
      const VariantRef llvms = (*binder.bind(program, state))->shared_from_this();
      CHECK_FALSE(hasFirstCode(*llvms));
      const Comparison comparison = compare(*scene, draw(*scene, shaders, *llvms), before);
      CHECK_MESSAGE(isIdentical(comparison), comparison.text);
      ++changed;
    }
    CHECK(device->statistics().changedOverVariants >= changed / 2);
  }
  CHECK(changed > 0);
}
