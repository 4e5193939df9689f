// SPDX-License-Identifier: MIT
//
// Scenes from GLSL text, for tests of the reference.
#pragma once

#include "tools/proof/reference/reference.h"
#include <string>

namespace dovetail {

// A vertex shader without any input that draws one triangle over everything.
extern const char *const FullScreenVertex;

// 4x4 pixels, one R8G8B8A8_UNORM target, cleared to transparent black.
Scene graphicsScene(const std::string &vertex, const std::string &fragment);
Scene computeScene(const std::string &text);

// Draws with the reference; a failure fails the test.
SceneResult drawn(const Scene &scene);

// The bytes of one texel of a picture.
std::vector<uint8_t> texelAt(const ScenePicture &picture, uint32_t x, uint32_t y, uint32_t layer = 0);
float floatAt(const ScenePicture &picture, uint32_t x, uint32_t y);

} // namespace dovetail
