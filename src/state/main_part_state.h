// SPDX-License-Identifier: MIT
//
// A little state changes the code of a main part itself, because no prolog or epilog can do it. All of it is rare.
// variants/state/state_table.h says which states lead to it.
#pragma once

#include <cstdint>

namespace dovetail {

// Where the state wants inputs interpolated, whatever the shader declares.
enum class InputPlacement : uint8_t { AsDeclared, Sample, Center };

struct MainPartState {
  // Fragment shaders with interpolateAt*(): these start from the weights, so a prolog cannot replace the weights.
  InputPlacement inputPlacement = InputPlacement::AsDeclared;
  // The alpha of each float colour is multiplied by the covered fraction of the pixel's samples. The number of samples;
  // 0: no smoothing.
  uint8_t smoothingSamples = 0;
  // Pixels outside of the circle in the point are discarded, and the alpha of each float colour is multiplied by the
  // fraction of the pixel that the circle covers.
  bool pointSmoothing = false;
  // Input attachments are arrays, read at the layer of the fragment.
  bool layeredInputAttachments = false;
  // The last shader in front of the rasteriser: bit i: outputs of location i are clamped to [0, 1].
  uint32_t clampedOutputs = 0;
  // The control shader that passes vertices through: the number of vertices in a patch.
  uint8_t passThroughVertices = 0;

  bool operator==(const MainPartState &) const = default;
};

} // namespace dovetail
