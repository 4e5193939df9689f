// SPDX-License-Identifier: MIT
//
// Draws the same scenes with the emulator's fixed function and with lavapipe: triangles, lines and points with random
// corners, in a state that tries one rule of Vulkan's. The shaders only hand values on, so that a difference is one of
// coverage, clipping, interpolation, tests or blending. The tests draw nothing that Vulkan leaves open and the two do
// differently: perspective together with centroid or sample interpolation (lavapipe takes 1/w at the pixel's centre),
// scissors that begin inside a multisampled target (lavapipe lets samples of the pixels beside them through), coarse
// derivatives.
#pragma once

#include "tools/proof/scene/scene.h"
#include <functional>

namespace dovetail::fixed_function {

constexpr uint32_t Width = 37, Height = 29;

// Vertex shaders. All hand on a smooth value; the first also hands on the value flat and without perspective.
extern const char *const HandOn;
extern const char *const HandOnWithDistances;
extern const char *const HandOnToLayers;

// The text of a fragment shader before main().
inline const char *const Smooth = "layout(location = 0) in vec4 v; layout(location = 0) out vec4 c;";
inline const char *const Flat = "layout(location = 1) flat in vec4 v; layout(location = 0) out vec4 c;";
inline const char *const Linear = "layout(location = 2) noperspective in vec4 v; layout(location = 0) out vec4 c;";
inline const char *const Centroid = "layout(location = 0) centroid in vec4 v; layout(location = 0) out vec4 c;";
inline const char *const Sample = "layout(location = 0) sample in vec4 v; layout(location = 0) out vec4 c;";
inline const char *const Copy = "c = v;";

struct Case {
  const char *name;
  const char *declarations; // nullptr: there is no fragment shader
  const char *body = Copy;
  uint32_t vertices = 12;
  std::function<void(Scene &)> change; // changes the usual scene
  bool perspective = true;
  float spread = 1; // of positions; above 1 they are clipped
  std::pair<float, float> depth = {0, 1};
  const char *vertex = HandOn;
};

// Draws with three seeds on both sides. Fails the test where they differ.
void checkCase(const Case &drawn);

std::function<void(Scene &)> topology(VkPrimitiveTopology topology);
void useDepth(Scene &scene);
void useFourSamples(Scene &scene);

} // namespace dovetail::fixed_function
