// SPDX-License-Identifier: MIT
//
// What little state changes the code of a main part itself, because no prolog or epilog can do it. All of it is rare.
// variants/state/state_table.h says which states lead to it.
#pragma once

#include <cstdint>

namespace dovetail {

// Where inputs are interpolated, whatever the shader declares.
enum class InputPlacement : uint8_t { AsDeclared, Sample, Center };

struct MainPartState {
  // Fragment shaders. For those with interpolateAt*(), which start from the weights that a prolog would otherwise
  // replace.
  InputPlacement inputPlacement = InputPlacement::AsDeclared;
  // Alpha of each colour is multiplied by the covered part of the pixel, of so many samples; 0: it is not.
  uint8_t smoothingSamples = 0;
  // Pixels outside of the circle in the point are lost, and alpha of each colour is multiplied by how much of the pixel
  // the circle covers.
  bool pointSmoothing = false;
  // Input attachments are arrays, read at the layer of the fragment.
  bool layeredInputAttachments = false;
  // The last shader in front of the rasteriser: a bit for each location whose outputs are clamped to [0, 1].
  uint32_t clampedOutputs = 0;
  // The control shader that passes vertices through: how many a patch has.
  uint8_t passThroughVertices = 0;

  bool operator==(const MainPartState &) const = default;
};

} // namespace dovetail
