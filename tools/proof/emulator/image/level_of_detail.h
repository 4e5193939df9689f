// SPDX-License-Identifier: MIT
//
// Level of detail: makes the mip levels that are filtered from derivatives, biases and clamps.
#pragma once

#include "tools/proof/emulator/image/image_view.h"
#include <array>
#include <optional>

namespace dovetail::emulator {

// d(s, t, r)/dx and d(s, t, r)/dy; coordinates that the image lacks are 0.
struct Gradients {
  std::array<float, 3> dx = {}, dy = {};
};

struct LodRequest {
  std::optional<float> level; // given by the instruction; if missing, the gradients decide
  Gradients gradients;
  float bias = 0;               // of the instruction
  bool hasBias = false;         // also true for a bias of 0
  std::optional<float> minimum; // LOD clamp of the instruction
};

struct LodResult {
  float unclamped = 0; // with all biases
  float clamped = 0;   // between the sampler's and the instruction's limits, relative to BASE_LEVEL
  bool isMinified = false;
  // Levels of the resource. `weight` applies to level[1].
  std::array<unsigned, 2> level = {};
  float weight = 0;
};

// Sets `result` field by field: copying a struct right after its parts were written would wait for the stores.
void findLevelOfDetail(const ImageView &image, const SamplerDescriptor &sampler, const LodRequest &request,
                       LodResult &result);

} // namespace dovetail::emulator
