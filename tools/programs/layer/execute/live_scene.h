// SPDX-License-Identifier: MIT
//
// LiveScene: the scene of a recorded draw, made at the moment at which the GPU has done everything in front of the
// draw.
#pragma once

#include "tools/programs/layer/execute/scene_images.h"

namespace dovetail::layer {

struct LiveScene {
  Scene scene;
  // Where the contents of Scene::buffers and Scene::images are after the draw. nullptr: they do not change.
  struct Memory {
    const uint8_t *data = nullptr;
    size_t size = 0;
  };
  std::vector<Memory> buffers;
  std::vector<std::shared_ptr<TrackedView>> images;
};

// Errors: Unsupported, naming what a scene cannot have.
Result<LiveScene> makeScene(const DrawRecord &record);

// The driver's result, at the moment at which the GPU has done the draw.
SceneResult readResult(const DrawRecord &record, const LiveScene &live);

} // namespace dovetail::layer
