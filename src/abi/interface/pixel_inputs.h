// SPDX-License-Identifier: MIT
//
// Several rooms must agree on what pixel shaders are launched with. This file has the order of the inputs that are
// interpolated from parameters (SPI_PS_INPUT_CNTL_n, attribute n of v_interp), and the weights that the hardware
// requires.
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

constexpr size_t MaxFragmentInputs = 32; // SPI_PS_INPUT_CNTL_0 to 31: AMD's register headers

// The attribute number of one of GL's colours. The inputs of the main part come first, in the order of
// FragmentInterface::inputs. Behind them are the inputs from which the prolog makes GL's colours: the front sides, then
// the back sides, which are there only with two sides. `color`: index into FragmentInterface::colorInputs.
inline size_t colorAttribute(const ShaderInterface &shader, size_t color, bool isBack) {
  return shader.fragment.inputs.size() + (isBack ? shader.fragment.colorInputs.size() : 0) + color;
}

// Whether PipelineState::spriteCoordEnable puts the point coordinate into an input on points. The hardware replaces
// interpolated inputs only. GL's colours stay.
inline bool isReplacedOnPoints(const FragmentInput &input, uint32_t spriteCoordEnable) {
  constexpr unsigned locations = 32;
  return input.location < locations && spriteCoordEnable >> input.location & 1 && !input.flat && !input.ofVertices;
}

// The number of attributes.
inline size_t attributeCount(const ShaderInterface &shader, bool hasTwoSides) {
  return colorAttribute(shader, shader.fragment.colorInputs.size(), hasTwoSides);
}

// Pairs of weights (PsInputBits) of which one must be loaded beside these inputs; 0: none is missing. Without any pair
// the GPU hangs, and POS_W needs a perspective pair (Mesa, si_shader_ps in si_state_shaders.cpp).
constexpr uint32_t missingPairs(uint32_t inputs) {
  const uint32_t wanted = inputs & PosWEna ? PerspectivePairs : BarycentricPairs;
  return inputs & wanted ? 0 : wanted;
}

// The PsInputBit of a value that a fragment shader takes in a VGPR from the hardware; 0: it is none.
inline uint32_t pixelInputOf(const Binding &input) {
  if (input.reg.bank != RegisterBank::Vgpr || input.value.kind < ValueKind::PerspSample ||
      input.value.kind > ValueKind::PosFixedPt)
    return 0;
  return 1u << (unsigned(input.value.kind) - unsigned(ValueKind::PerspSample));
}

inline uint32_t pixelInputsOf(const ShaderInterface &shader) {
  uint32_t mask = 0;
  for (const Binding &input : shader.inputs)
    mask |= pixelInputOf(input);
  return mask;
}

} // namespace dovetail
