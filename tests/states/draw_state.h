// SPDX-License-Identifier: MIT
//
// Small programs drawn under a state. On each GPU, a picture is drawn by joined parts, by monolithic ones and by the
// optimised variant, which must agree on every byte. The tests work out the picture by hand.
#pragma once

#include "tools/proof/scene/scene.h"
#include "variants/bind/device.h"
#include <string>
#include <vector>

namespace dovetail {

struct GlslText {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::string text; // without its first line
};

// `colorInputs`: the fragment shader's inputs that are GL's colours.
ShaderSet stateShaders(const std::vector<GlslText> &texts,
                       const std::array<lgc::ColorInputLocations, 2> &colorInputs = {});

// Shaders are drawn into a target of StateSize × StateSize through a viewport of 256 × 256 around its upper left
// corner, so that nothing has to be clipped (which would split pixels between triangles) and NDC are pixels / 128.
constexpr uint32_t StateSize = 8;

// A triangle around the whole target, clockwise on the screen. `position` is in pixels from the upper left corner.
inline const char *const WholeTarget = R"(
  layout(location = 0) out vec2 position;
  void main() {
    position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
  }
)";

// A triangle that covers everything to the right of x = 4.5: of the pixels in column 4, the samples 1 and 3 of four.
inline const char *const RightOfHalfPixel = R"(
  layout(location = 0) out vec2 position;
  void main() {
    position = gl_VertexIndex == 0 ? vec2(4.5, -8.0) : gl_VertexIndex == 1 ? vec2(60.0, 16.0) : vec2(4.5, 40.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
  }
)";

// A target of four floats, no depth, three vertices.
Scene stateScene(const ShaderSet &shaders);

struct StatePicture {
  uint32_t width = 0, height = 0;
  std::vector<float> texels;   // RGBA, layer after layer; of target 0, unless it has another format
  std::vector<PartKind> kinds; // of the joined program's parts
  SceneResult result;          // of the joined program
  VariantRef variant;          // the joined one
  VariantRef optimized;        // the optimised one; nullptr if no program is better

  float at(uint32_t x, uint32_t y, unsigned component, uint32_t layer = 0) const {
    return texels[((layer * height + y) * width + x) * 4 + component];
  }
  bool has(PartKind kind) const;
};

// `gpuNames` begins with gfx900.
StatePicture drawState(const Scene &scene, const ShaderSet &shaders,
                       const std::vector<std::string> &gpuNames = {"gfx900", "gfx803"});

} // namespace dovetail
