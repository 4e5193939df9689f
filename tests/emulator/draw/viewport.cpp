// SPDX-License-Identifier: MIT
//
// The transform is done in single precision as the reference does it: the vertex shader's own vertices with a fused
// multiply-add, those that clipping made without.
#include "tests/emulator/draw/viewport.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

PixelRect PixelRect::intersection(const PixelRect &other) const {
  return {std::max(x0, other.x0), std::max(y0, other.y0), std::min(x1, other.x1), std::min(y1, other.y1)};
}

WindowVertex Viewport::transform(const ClipVertex &vertex) const {
  WindowVertex result;
  result.weights = vertex.weights;
  result.linearWeights = vertex.linearWeights;
  result.inverseW = 1 / vertex.position[3];
  std::array<float, 3> window;
  for (unsigned i = 0; i < 3; ++i) {
    float divided = vertex.position[i] * result.inverseW;
    window[i] = vertex.isNew ? divided * scale[i] + offset[i] : std::fma(divided, scale[i], offset[i]);
  }
  result.x = window[0];
  result.y = window[1];
  result.z = window[2];
  return result;
}

std::vector<Viewport> makeViewports(const Scene &scene) {
  std::vector<VkViewport> states = scene.viewports;
  if (states.empty())
    states.push_back({0, 0, float(scene.width), float(scene.height), 0, 1});
  const PixelRect framebuffer = {0, 0, int(scene.width), int(scene.height)};

  std::vector<Viewport> viewports;
  for (size_t i = 0; i < states.size(); ++i) {
    const VkViewport &state = states[i];
    Viewport viewport;
    viewport.scale = {0.5f * state.width, 0.5f * state.height, state.maxDepth - state.minDepth};
    viewport.offset = {viewport.scale[0] + state.x, viewport.scale[1] + state.y, state.minDepth};
    viewport.minDepth = state.minDepth;
    viewport.maxDepth = state.maxDepth;
    viewport.region = framebuffer;
    if (i < scene.scissors.size()) {
      const VkRect2D &scissor = scene.scissors[i];
      viewport.region =
          framebuffer.intersection({scissor.offset.x, scissor.offset.y, scissor.offset.x + int(scissor.extent.width),
                                    scissor.offset.y + int(scissor.extent.height)});
    }
    // The pixels whose centres lie in the viewport. Its height may be negative.
    float top = std::min(state.y, state.y + state.height), bottom = std::max(state.y, state.y + state.height);
    viewport.pixels = {int(std::ceil(state.x - 0.5f)), int(std::ceil(top - 0.5f)),
                       int(std::ceil(state.x + state.width - 0.5f)), int(std::ceil(bottom - 0.5f))};
    viewports.push_back(viewport);
  }
  return viewports;
}

} // namespace dovetail::emulator
