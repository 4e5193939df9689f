// SPDX-License-Identifier: MIT
//
// Images of a recorded draw: plans how they are copied to memory around the draw, and turns the copies into a scene's
// images and pictures.
#pragma once

#include "src/base/error.h"
#include "tools/programs/layer/execute/draw_record.h"
#include "tools/proof/scene/scene.h"

namespace dovetail::layer {

// Plans the copies of all targets and of all images that the draw reads or writes, and makes staging buffers. Errors:
// Unsupported, naming what cannot be executed.
Result<void> planCopies(const DriverCommands &commands, DrawRecord &record);

// The content of a view that shaders read, at this moment. Errors: Unsupported.
Result<SceneImage> readImage(const DrawRecord &record, const TrackedView &view);
// The bytes of an image that shaders write, as SceneImage::bytes.
std::vector<uint8_t> readImageBytes(const DrawRecord &record, const TrackedView &view);

// The content of a target; without one, a picture without a format. Depths are floats.
ScenePicture readColor(const DrawRecord &record, size_t index);
ScenePicture readDepth(const DrawRecord &record);
ScenePicture readStencil(const DrawRecord &record);

bool hasDepth(VkFormat format);
bool hasStencil(VkFormat format);

} // namespace dovetail::layer
