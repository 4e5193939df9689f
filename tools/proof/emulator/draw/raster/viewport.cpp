// SPDX-License-Identifier: MIT
//
// The transform is done in single precision, as in the reference (Mesa's draw module). If the vertex shader is the last
// stage and chooses no viewport, the reference transforms its vertices with a fused multiply-add (generate_viewport()
// in the vertex shader's code). It transforms vertices of other stages and of clipping without (draw_cliptest_tmp.h and
// draw_pipe_clip.c). Now and then, the last bit decides to which step of the pixel grid a vertex is snapped.
#include "tools/proof/emulator/draw/raster/viewport.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

bool fusesVertices(const HardwareRegisters &registers) {
  using namespace field;
  const uint32_t stages = registerValue(registers, reg::VGT_SHADER_STAGES_EN);
  const uint32_t outputs = registerValue(registers, reg::PA_CL_VS_OUT_CNTL);
  return VGT_SHADER_STAGES_EN::HS_EN.get(stages) == 0 && VGT_SHADER_STAGES_EN::GS_EN.get(stages) == 0 &&
         PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX.get(outputs) == 0;
}

} // namespace

PixelRect PixelRect::intersection(const PixelRect &other) const {
  return {std::max(x0, other.x0), std::max(y0, other.y0), std::min(x1, other.x1), std::min(y1, other.y1)};
}

WindowVertex Viewport::transform(const ClipVertex &vertex) const {
  WindowVertex result;
  result.weights = vertex.weights;
  result.linearWeights = vertex.linearWeights;
  result.drawsEdge = vertex.drawsEdge;
  result.drawsCorner = vertex.drawsCorner;
  result.inverseW = 1 / vertex.position[3];
  std::array<float, 3> window;
  for (unsigned i = 0; i < 3; ++i) {
    float divided = vertex.position[i] * result.inverseW;
    const bool isFused = fusesVertices && !vertex.isNew;
    window[i] = isFused ? std::fma(divided, scale[i], offset[i]) : divided * scale[i] + offset[i];
  }
  result.x = window[0];
  result.y = window[1];
  result.z = window[2];
  return result;
}

std::vector<Viewport> makeViewports(const Scene &scene, const HardwareRegisters &registers) {
  std::vector<VkViewport> states = scene.viewports;
  if (states.empty())
    states.push_back({0, 0, float(scene.width), float(scene.height), 0, 1});
  const PixelRect framebuffer = {0, 0, int(scene.width), int(scene.height)};

  std::vector<Viewport> viewports;
  const bool isFused = fusesVertices(registers);
  for (size_t i = 0; i < states.size(); ++i) {
    const VkViewport &state = states[i];
    Viewport viewport;
    viewport.fusesVertices = isFused;
    viewport.scale = {0.5f * state.width, 0.5f * state.height, state.maxDepth - state.minDepth};
    viewport.offset = {viewport.scale[0] + state.x, viewport.scale[1] + state.y, state.minDepth};
    if (scene.negativeOneToOne) {
      viewport.scale[2] = (state.maxDepth - state.minDepth) * 0.5f;
      viewport.offset[2] = (state.maxDepth + state.minDepth) * 0.5f;
    }
    viewport.minDepth = state.minDepth;
    viewport.maxDepth = state.maxDepth;
    viewport.region = framebuffer;
    if (i < scene.scissors.size()) {
      const VkRect2D &scissor = scene.scissors[i];
      viewport.region =
          framebuffer.intersection({scissor.offset.x, scissor.offset.y, scissor.offset.x + int(scissor.extent.width),
                                    scissor.offset.y + int(scissor.extent.height)});
    }
    // The first viewport bounds pixels by their centres. Only clipping bounds the other viewports, so samples of pixels
    // with centres outside may stay. Vulkan requires no sub-pixel bits of viewports; the reference has none, and does
    // the same (lp_setup_set_viewports(), LP_SETUP_NEW_SCISSOR). The height may be negative.
    viewport.pixels = framebuffer;
    if (i == 0) {
      float top = std::min(state.y, state.y + state.height), bottom = std::max(state.y, state.y + state.height);
      viewport.pixels = {int(std::ceil(state.x - 0.5f)), int(std::ceil(top - 0.5f)),
                         int(std::ceil(state.x + state.width - 0.5f)), int(std::ceil(bottom - 0.5f))};
    }
    viewports.push_back(viewport);
  }
  return viewports;
}

} // namespace dovetail::emulator
