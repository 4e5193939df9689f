// SPDX-License-Identifier: MIT
//
// The functions of dovetail_emulator.h, in its order.
#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include "tools/proof/emulator/c_api/draw_scene.h"
#include "tools/proof/emulator/c_api/framebuffer.h"
#include "tools/proof/emulator/c_api/scene_memory.h"
#include "tools/proof/emulator/c_api/variant_image.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/scene_file.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/sized_struct.h"
#include <utility>

using namespace dovetail;
using namespace dovetail::c_api;
using namespace dovetail::emulator_library;

namespace {

Outcome<void> tell(const EmulationStatistics &counted, dovetail_emulator_statistics *statistics) {
  if (!statistics)
    return {};
  return writeSized({sizeof(*statistics), counted.waves, counted.instructions}, statistics, "statistics");
}

// Runs before the draw, so that an error in the caller's struct is found before it.
Outcome<void> checkStatistics(const dovetail_emulator_statistics *statistics) {
  return statistics ? checkSize(statistics->size, alignof(dovetail_emulator_statistics), "statistics")
                    : Outcome<void>();
}

Outcome<VariantImage> imageFor(const dovetail_variant *variant, bool isCompute) {
  VariantImage image = DOVETAIL_C_TRY(imageOf(variant));
  if ((image.image.findStage(HardwareStage::Cs) != nullptr) != isCompute)
    return badArgument("the variant's program is {}", isCompute ? "not one of compute" : "one of compute");
  return image;
}

Outcome<void> draw(dovetail_emulator_framebuffer &framebuffer, const dovetail_emulator_draw_description &given,
                   dovetail_emulator_statistics *statistics) {
  DOVETAIL_C_CHECK(checkStatistics(statistics));
  const VariantImage image = DOVETAIL_C_TRY(imageFor(given.variant, false));
  const ShaderSet layout = DOVETAIL_C_TRY(layoutOf(given.program));
  Scene scene = DOVETAIL_C_TRY(sceneOf(given));
  SceneMemory memory(scene);
  DOVETAIL_C_CHECK(memory.addDescriptors(given.descriptors, given.descriptor_count));
  DOVETAIL_C_CHECK(memory.addPushConstants(given.push_constants, given.push_constant_size));
  DOVETAIL_C_CHECK(memory.addTransformFeedback(given.transform_feedback_buffers));
  DOVETAIL_C_CHECK(attach(framebuffer, scene));
  DOVETAIL_C_CHECK(checkDrawData(scene));

  // All arguments are checked: from here on, only the code itself can fail. Pictures hold no samples, so multisampled
  // targets are cleared again rather than loaded.
  const bool clears = framebuffer.isCleared && scene.state.rasterizationSamples > 1;
  EmulationStatistics counted;
  SceneResult result =
      DOVETAIL_C_TRY(emulate(scene, layout, image.image, &counted, {}, clears ? nullptr : &framebuffer.contents));
  memory.writeBack(result);
  framebuffer.contents.colors = std::move(result.colors);
  framebuffer.contents.depth = std::move(result.depth);
  framebuffer.contents.stencil = std::move(result.stencil);
  framebuffer.isCleared = false;
  return tell(counted, statistics);
}

Outcome<void> dispatch(const dovetail_emulator_dispatch_description &given, dovetail_emulator_statistics *statistics) {
  DOVETAIL_C_CHECK(checkStatistics(statistics));
  DOVETAIL_C_CHECK(checkReserved(given.reserved, "dispatch->reserved"));
  const VariantImage image = DOVETAIL_C_TRY(imageFor(given.variant, true));
  const ShaderSet layout = DOVETAIL_C_TRY(layoutOf(given.program));
  Scene scene;
  SceneMemory memory(scene);
  DOVETAIL_C_CHECK(memory.addDescriptors(given.descriptors, given.descriptor_count));
  DOVETAIL_C_CHECK(memory.addPushConstants(given.push_constants, given.push_constant_size));
  std::ranges::copy(given.workgroups, scene.workgroups.begin());
  DOVETAIL_C_CHECK(checkDispatchData(scene));

  // All arguments are checked: from here on, only the code itself can fail.
  EmulationStatistics counted;
  const SceneResult result = DOVETAIL_C_TRY(emulate(scene, layout, image.image, &counted));
  memory.writeBack(result);
  return tell(counted, statistics);
}

} // namespace

dovetail_status dovetail_emulator_framebuffer_create(const dovetail_emulator_framebuffer_description *description,
                                                     dovetail_emulator_framebuffer **framebuffer,
                                                     dovetail_message *message) {
  if (framebuffer)
    *framebuffer = nullptr;
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(framebuffer, "framebuffer"));
    auto made = DOVETAIL_C_TRY(makeFramebuffer(description));
    *framebuffer = new dovetail_emulator_framebuffer(std::move(made));
    return {};
  });
}

void dovetail_emulator_framebuffer_destroy(dovetail_emulator_framebuffer *framebuffer) {
  delete framebuffer;
}

dovetail_status dovetail_emulator_framebuffer_clear(dovetail_emulator_framebuffer *framebuffer,
                                                    const dovetail_emulator_clear_values *values,
                                                    dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(framebuffer, "framebuffer"));
    return emulator_library::clear(*framebuffer, values);
  });
}

dovetail_status dovetail_emulator_framebuffer_read(const dovetail_emulator_framebuffer *framebuffer, uint32_t target,
                                                   dovetail_emulator_picture *picture, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(framebuffer, "framebuffer"));
    return writeSized(DOVETAIL_C_TRY(pictureOf(*framebuffer, target)), picture, "picture");
  });
}

dovetail_status dovetail_emulator_draw(dovetail_emulator_framebuffer *framebuffer,
                                       const dovetail_emulator_draw_description *description,
                                       dovetail_emulator_statistics *statistics, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(framebuffer, "framebuffer"));
    const dovetail_emulator_draw_description defaults = DOVETAIL_EMULATOR_DRAW_INIT;
    return draw(*framebuffer, DOVETAIL_C_TRY(readSized(description, defaults, "draw")), statistics);
  });
}

dovetail_status dovetail_emulator_dispatch(const dovetail_emulator_dispatch_description *description,
                                           dovetail_emulator_statistics *statistics, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    return dispatch(DOVETAIL_C_TRY(readSized(description, {}, "dispatch")), statistics);
  });
}
