// SPDX-License-Identifier: MIT
//
// Makes the states with which a program is drawn: M vertex inputs x K colour states x other states. First come states
// between which applications switch (demo_states.h), without GL's, which Vulkan lacks; then random ones.
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
  GridSize size; // the real size: a program that reads no attributes has one vertex input
  std::vector<PipelineState> states;

  size_t index(unsigned vertexInput, unsigned color, unsigned other) const {
    return (size_t(other) * size.vertexInputs + vertexInput) * size.colors + color;
  }
};

// For these shaders, any two of the vertex inputs differ, and so do any two of the colour states and of the other
// states. wanted.others: at most MaxOtherStates.
StateGrid makeStateGrid(const ShaderSet &shaders, const GridSize &wanted);

} // namespace dovetail
