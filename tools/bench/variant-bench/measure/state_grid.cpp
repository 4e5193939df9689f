// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/state_grid.h"
#include "tools/common/pipelines/demo_states.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <set>

namespace dovetail {

namespace {

// After so many random states in vain, no further state will differ.
constexpr unsigned MaxTries = 1000;

constexpr uint32_t SomeSamples = 4;

void takeVertexInput(PipelineState &state, const PipelineState &from) {
  state.vertexBindings = from.vertexBindings;
  state.vertexAttributes = from.vertexAttributes;
}

void takeColors(PipelineState &state, const PipelineState &from) {
  state.colorTargets = from.colorTargets;
  state.alphaToCoverageEnable = from.alphaToCoverageEnable;
  if (from.alphaToCoverageEnable)
    state.rasterizationSamples = SomeSamples;
}

// Takes pieces of `states`, then of random states, that make `base` a different state, up to the wanted number.
std::vector<PipelineState> distinctPieces(const ShaderSet &shaders, const PipelineState &base,
                                          const std::vector<PipelineState> &known, unsigned wanted,
                                          void (*take)(PipelineState &, const PipelineState &)) {
  std::vector<PipelineState> pieces;
  std::set<Hash128> seen;
  for (unsigned number = 0; pieces.size() < wanted && number < MaxTries; ++number) {
    PipelineState piece = base;
    take(piece, number < known.size() ? known[number] : randomState(shaders, number));
    if (seen.insert(hashState(canonicalize(piece, shaders)).hash()).second)
      pieces.push_back(std::move(piece));
  }
  return pieces;
}

void setOther(PipelineState &state, unsigned other) {
  if (other % 2 != 0) {
    state.rasterizationSamples = SomeSamples;
    state.sampleShadingEnable = true;
  }
  if (other / 2 != 0) {
    state.flatProvokingVertexLast = true;
    state.depthClampEnable = true;
  }
}

} // namespace

StateGrid makeStateGrid(const ShaderSet &shaders, const GridSize &wanted) {
  StateGrid grid;
  const PipelineState base = defaultState(shaders);
  if (shaders.shader(lgc::ShaderStage::Compute)) { // a compute shader has no state
    grid.size = {1, 1, 1};
    grid.states = {base};
    return grid;
  }
  std::vector<PipelineState> colors = colorStates(base);
  std::erase_if(colors, [](const PipelineState &state) { return state.alphaTestFunc != VK_COMPARE_OP_ALWAYS; });
  const std::vector<PipelineState> inputPieces =
      distinctPieces(shaders, base, vertexInputStates(base), wanted.vertexInputs, takeVertexInput);
  const std::vector<PipelineState> colorPieces = distinctPieces(shaders, base, colors, wanted.colors, takeColors);
  grid.size = {unsigned(inputPieces.size()), unsigned(colorPieces.size()), wanted.others};
  for (unsigned other = 0; other < wanted.others; ++other)
    for (const PipelineState &inputs : inputPieces)
      for (const PipelineState &color : colorPieces) {
        PipelineState &state = grid.states.emplace_back(inputs);
        takeColors(state, color);
        setOther(state, other);
      }
  return grid;
}

} // namespace dovetail
