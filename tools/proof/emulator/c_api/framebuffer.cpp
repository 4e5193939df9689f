// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/c_api/framebuffer.h"
#include "tools/proof/emulator/draw/output/targets.h"
#include "tools/proof/scene/scene_file.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/sized_struct.h"
#include <algorithm>
#include <cstring>

namespace dovetail::emulator_library {

namespace {

using c_api::Outcome;

static_assert(DOVETAIL_EMULATOR_COLOR_TARGETS == MaxColorTargets);
static_assert(sizeof(dovetail_emulator_color) == sizeof(VkClearColorValue));

// In all layers; far more than anybody wants to wait for.
constexpr uint64_t MaxSamples = uint64_t(1) << 26;

std::string targetName(uint32_t target) {
  if (target == DOVETAIL_EMULATOR_DEPTH)
    return "depth";
  return target == DOVETAIL_EMULATOR_STENCIL ? "stencil" : fmt::format("color {}", target);
}

} // namespace

Outcome<dovetail_emulator_framebuffer> makeFramebuffer(const dovetail_emulator_framebuffer_description *given) {
  const dovetail_emulator_framebuffer_description description =
      DOVETAIL_C_TRY(c_api::readSized(given, {}, "description"));
  DOVETAIL_C_CHECK(c_api::checkReserved(description.reserved, "description->reserved"));
  dovetail_emulator_framebuffer framebuffer;
  Scene &shape = framebuffer.shape;
  shape.vertexCount = 0;
  shape.width = description.width;
  shape.height = description.height;
  shape.layers = std::max(description.layers, 1u);
  shape.state.rasterizationSamples = std::max(description.samples, 1u);
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    shape.state.colorTargets[i].format = static_cast<VkFormat>(description.color_formats[i]);
  shape.state.depthStencilFormat = static_cast<VkFormat>(description.depth_stencil_format);
  shape.clearDepth = 0;
  DOVETAIL_C_CHECK(checkDrawData(shape));
  const uint64_t samples = uint64_t(shape.width) * shape.height * shape.layers * shape.state.rasterizationSamples;
  if (samples > MaxSamples)
    return c_api::badArgument("{} samples are too many; at most {} are emulated", samples, MaxSamples);
  framebuffer.contents = DOVETAIL_C_TRY(emulator::Targets::make(shape)).finish();
  return framebuffer;
}

Outcome<void> clear(dovetail_emulator_framebuffer &framebuffer, const dovetail_emulator_clear_values *given) {
  const dovetail_emulator_clear_values values = DOVETAIL_C_TRY(c_api::readSized(given, {}, "values"));
  Scene shape = framebuffer.shape;
  std::memcpy(shape.clearColors.data(), values.colors, sizeof(values.colors));
  shape.clearDepth = values.depth;
  shape.clearStencil = values.stencil;
  DOVETAIL_C_CHECK(checkDrawData(shape));
  framebuffer.contents = DOVETAIL_C_TRY(emulator::Targets::make(shape)).finish();
  framebuffer.shape = std::move(shape);
  framebuffer.isCleared = true;
  return {};
}

Outcome<dovetail_emulator_picture> pictureOf(const dovetail_emulator_framebuffer &framebuffer, uint32_t target) {
  const SceneResult &contents = framebuffer.contents;
  if (target > DOVETAIL_EMULATOR_STENCIL)
    return c_api::badArgument("there is no target {}", target);
  const ScenePicture &picture = target == DOVETAIL_EMULATOR_DEPTH     ? contents.depth
                                : target == DOVETAIL_EMULATOR_STENCIL ? contents.stencil
                                                                      : contents.colors[target];
  if (picture.format == VK_FORMAT_UNDEFINED)
    return c_api::badArgument("the framebuffer has no {} that can be read", targetName(target));
  dovetail_emulator_picture answer = {};
  answer.format = picture.format;
  answer.width = picture.width;
  answer.height = picture.height;
  answer.layers = picture.layers;
  answer.texels = picture.bytes.data();
  answer.texel_bytes = picture.bytes.size();
  return answer;
}

Outcome<void> attach(const dovetail_emulator_framebuffer &framebuffer, Scene &scene) {
  const Scene &shape = framebuffer.shape;
  auto compare = [](const std::string &what, uint32_t ofState, uint32_t ofFramebuffer) -> Outcome<void> {
    if (ofState == ofFramebuffer)
      return {};
    return tl::unexpected<c_api::Failure>(
        c_api::Failure(DOVETAIL_STATE_MISMATCH,
                       fmt::format("{}: the state has {}, the framebuffer {}", what, ofState, ofFramebuffer)));
  };
  DOVETAIL_C_CHECK(compare("number of samples", scene.state.rasterizationSamples, shape.state.rasterizationSamples));
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    DOVETAIL_C_CHECK(
        compare("format of " + targetName(i), scene.state.colorTargets[i].format, shape.state.colorTargets[i].format));
  DOVETAIL_C_CHECK(
      compare("format of depth and stencil", scene.state.depthStencilFormat, shape.state.depthStencilFormat));
  scene.width = shape.width;
  scene.height = shape.height;
  scene.layers = shape.layers;
  scene.clearColors = shape.clearColors;
  scene.clearDepth = shape.clearDepth;
  scene.clearStencil = shape.clearStencil;
  return {};
}

} // namespace dovetail::emulator_library
