// SPDX-License-Identifier: MIT
//
// Scenes and their results as bytes, for files and for the pipe to the reference's process. The bytes come from another
// process or from a disk, so everything is checked when it is read.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <span>

namespace dovetail {

constexpr uint32_t MaxViewports = 16; // of a scene, as of a Vulkan device

std::vector<uint8_t> writeScene(const Scene &scene);
std::vector<uint8_t> writeSceneResult(const SceneResult &result);

// Errors: InvalidInput, naming the place ("scene: images[2].width: …"), for bytes that are cut short, left over or no
// scene at all, and for what checkScene() refuses.
Result<Scene> readScene(std::span<const uint8_t> bytes);
Result<SceneResult> readSceneResult(std::span<const uint8_t> bytes);

// Whether a scene is one that can be drawn as far as that can be told without its shaders: sizes are within limits,
// indices are of things that are there, images have as many bytes as their size and format say. Errors: InvalidInput,
// naming the place.
Result<void> checkScene(const Scene &scene);

// The same but for the shaders, which may have been compiled elsewhere.
Result<void> checkDrawData(const Scene &scene);
Result<void> checkDispatchData(const Scene &scene);

} // namespace dovetail
