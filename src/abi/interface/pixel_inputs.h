// SPDX-License-Identifier: MIT
//
// What pixel shaders are launched with, as far as several rooms have to agree on it: the order of the inputs that are
// interpolated from parameters (SPI_PS_INPUT_CNTL_n, attribute n of v_interp), and which weights the hardware insists
// on.
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

constexpr size_t MaxFragmentInputs = 32; // SPI_PS_INPUT_CNTL_0 to 31: AMD's register headers

// The inputs of the main part come first, in the order of FragmentInterface::inputs. Behind them are those that
// the prolog makes GL's colours of: the front sides, then the back sides, because without two sides these are not
// there. `color`: which one of FragmentInterface::colorInputs.
inline size_t colorAttribute(const ShaderInterface &shader, size_t color, bool isBack) {
  return shader.fragment.inputs.size() + (isBack ? shader.fragment.colorInputs.size() : 0) + color;
}

// Whether PipelineState::spriteCoordEnable puts the point coordinate into an input on points. Only what is interpolated
// is replaced. GL's colours are not.
inline bool isReplacedOnPoints(const FragmentInput &input, uint32_t spriteCoordEnable) {
  constexpr unsigned locations = 32;
  return input.location < locations && spriteCoordEnable >> input.location & 1 && !input.flat && !input.ofVertices;
}

// How many there are.
inline size_t attributeCount(const ShaderInterface &shader, bool hasTwoSides) {
  return colorAttribute(shader, shader.fragment.colorInputs.size(), hasTwoSides);
}

// The pairs of weights (PsInputBits) of which one must be loaded beside these inputs; 0: none. Without any pair the GPU
// hangs, and POS_W needs a perspective pair (Mesa, si_shader_ps in si_state_shaders.cpp).
constexpr uint32_t missingPairs(uint32_t inputs) {
  const uint32_t wanted = inputs & PosWEna ? PerspectivePairs : BarycentricPairs;
  return inputs & wanted ? 0 : wanted;
}

} // namespace dovetail
