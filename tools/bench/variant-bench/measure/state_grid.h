// SPDX-License-Identifier: MIT
//
// The states that a program is drawn with: M vertex inputs x K colour states x other states. They are those that an
// application switches between (demo_states.h), without GL's, which Vulkan does not have; then random ones.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <vector>

namespace dovetail {

struct GridSize {
  unsigned vertexInputs = 8, colors = 11, others = 2;

  unsigned count() const { return vertexInputs * colors * others; }
};
constexpr unsigned MaxOtherStates = 4;

struct StateGrid {
  GridSize size; // what there is: a program that reads no attributes has one vertex input
  std::vector<PipelineState> states;

  size_t index(unsigned vertexInput, unsigned color, unsigned other) const {
    return (size_t(other) * size.vertexInputs + vertexInput) * size.colors + color;
  }
};

// Each two of the vertex inputs, of the colour states and of the other states differ for these shaders. wanted.others:
// at most MaxOtherStates.
StateGrid makeStateGrid(const ShaderSet &shaders, const GridSize &wanted);

} // namespace dovetail
