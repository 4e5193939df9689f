// SPDX-License-Identifier: MIT
//
// Reads and writes scenes and their results as bytes, for files and for the pipe to the reference's process. Bytes come
// from another process or from disk, so the reader checks everything.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <span>

namespace dovetail {

constexpr uint32_t MaxViewports = 16; // in a scene, as in a Vulkan device

std::vector<uint8_t> writeScene(const Scene &scene);
std::vector<uint8_t> writeSceneResult(const SceneResult &result);

// Errors: InvalidInput, naming the place ("scene: images[2].width: …"), for bytes that are cut short, left over or no
// scene at all, and for everything that checkScene() refuses.
Result<Scene> readScene(std::span<const uint8_t> bytes);
Result<SceneResult> readSceneResult(std::span<const uint8_t> bytes);

// Checks whether a scene can be drawn, as far as this can be told without its shaders: sizes are within limits, indices
// refer to existing items, images have as many bytes as their size and format need. Errors: InvalidInput, naming the
// place.
Result<void> checkScene(const Scene &scene);

// Does the same without the shaders, which may have been compiled elsewhere.
Result<void> checkDrawData(const Scene &scene);
Result<void> checkDispatchData(const Scene &scene);

} // namespace dovetail
