// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/cold_states.h"
#include <algorithm>
#include <iterator>

namespace dovetail {

namespace {

// The ways to fetch an attribute: four rates, in the shader's own format or in a format of another order.
constexpr unsigned Rates = 4, Fetches = 2 * Rates, MaxAttributes = 4;
constexpr unsigned PlainDivisors[Rates] = {1, 1, 0, 3};
constexpr unsigned VertexRate = 0, OddDivisor = 3;

bool takesCompiler(unsigned fetch) {
  return fetch % Rates == OddDivisor || fetch >= Rates;
}

} // namespace

std::vector<PipelineState> coldVertexInputs(const PipelineState &base, unsigned count) {
  std::vector<PipelineState> states;
  const size_t attributes = std::min<size_t>(base.vertexAttributes.size(), MaxAttributes);
  unsigned numbers = 1;
  for (size_t i = 0; i < attributes; ++i)
    numbers *= Fetches;
  // The factor has no common divisor with `numbers`. So each number comes once, and similar ones are far apart.
  constexpr unsigned Factor = 2731;
  for (unsigned step = 1; step < numbers && states.size() < count; ++step) {
    PipelineState state = base;
    state.vertexBindings.clear();
    bool takesAny = false;
    unsigned rest = step * Factor % numbers;
    for (size_t i = 0; i < attributes; ++i, rest /= Fetches) {
      const unsigned fetch = rest % Fetches;
      takesAny |= takesCompiler(fetch);
      VertexAttribute &attribute = state.vertexAttributes[i];
      attribute.binding = uint32_t(i);
      attribute.offset = 0;
      if (fetch >= Rates)
        attribute.format = VK_FORMAT_B8G8R8A8_UNORM;
      const unsigned rate = fetch % Rates;
      state.vertexBindings.push_back({uint32_t(i), 16,
                                      rate == VertexRate ? VK_VERTEX_INPUT_RATE_VERTEX : VK_VERTEX_INPUT_RATE_INSTANCE,
                                      PlainDivisors[rate]});
    }
    if (takesAny)
      states.push_back(std::move(state));
  }
  return states;
}

std::vector<PipelineState> coldColors(const PipelineState &base, unsigned targets, unsigned count) {
  // All of these have different export formats.
  constexpr VkFormat Formats[] = {VK_FORMAT_R8G8B8A8_UNORM,     VK_FORMAT_R32G32B32A32_SFLOAT,
                                  VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SNORM,
                                  VK_FORMAT_R32_SFLOAT,         VK_FORMAT_R32G32_SFLOAT};
  constexpr unsigned Masks = 15;
  std::vector<PipelineState> states;
  for (unsigned number = 0; number < count; ++number) {
    PipelineState state = base;
    unsigned rest = number;
    for (unsigned target = 0; target < MaxColorTargets; ++target) {
      ColorTarget &color = state.colorTargets[target];
      color = {};
      if (target >= targets)
        continue;
      color.format = Formats[rest % std::size(Formats)];
      rest /= unsigned(std::size(Formats));
      color.writeMask = VkColorComponentFlags(Masks - (number / unsigned(std::size(Formats)) + target) % Masks);
    }
    states.push_back(std::move(state));
  }
  return states;
}

} // namespace dovetail
