// SPDX-License-Identifier: MIT
//
// Level of detail: from derivatives, biases and clamps to the mip levels that are filtered.
#pragma once

#include "tools/proof/emulator/image/image_view.h"
#include <array>
#include <optional>

namespace dovetail::emulator {

// d(s, t, r)/dx and d(s, t, r)/dy; coordinates that do not exist are 0.
struct Gradients {
  std::array<float, 3> dx = {}, dy = {};
};

struct LodRequest {
  std::optional<float> level; // given by the instruction; otherwise from the gradients
  Gradients gradients;
  float bias = 0;               // of the instruction
  bool hasBias = false;         // even if it is 0
  std::optional<float> minimum; // LOD clamp of the instruction
};

struct LodResult {
  float unclamped = 0; // with all biases
  float clamped = 0;   // between the sampler's and the instruction's limits, relative to BASE_LEVEL
  bool isMinified = false;
  // Levels of the resource. `weight` is that of level[1].
  std::array<unsigned, 2> level = {};
  float weight = 0;
};

// Sets `result` field by field: a copy of what was just written in pieces would have to wait for them.
void findLevelOfDetail(const ImageView &image, const SamplerDescriptor &sampler, const LodRequest &request,
                       LodResult &result);

} // namespace dovetail::emulator
