// SPDX-License-Identifier: MIT
//
// Measures the distance of two results, and whether it is within what the formats allow.
#pragma once

#include "tools/proof/scene/scene.h"
#include <span>
#include <string>
#include <vector>

namespace dovetail {

struct Tolerance {
  // For 32-bit float components: |a - b| <= absolute + relative * max(|a|, |b|).
  double relative = 1e-4, absolute = 1e-5;
  double normalizedSteps = 1; // for normalised and sRGB components, in steps of the format
  uint32_t halfUlps = 1;      // for components of at most 16 bits with an exponent
  // For blended targets. GFX9 exports colours for small formats as half floats before it weights and subtracts them;
  // lavapipe does not. And lavapipe blends 8-bit formats in integers.
  uint32_t blendedHalfUlps = 4;
  double blendedHalfAbsolute = 0x1p-9;
  double blendedSteps = 2;
  // How many of a thousand texels may be unstable (see compare()). Any number may be undefined.
  double perMilleUnstable = 100;
  // Different words of buffers may belong to doubles, or hold two half floats.
  bool buffersHoldDoubles = false, buffersHoldHalves = false;
  double doubleRelative = 1e-12;
  uint32_t bufferHalfUlps = 4; // for chains of half float operations, which each round
};

struct ChannelDifference {
  std::string what;             // "color 0 r", "depth", "buffer 2"
  std::string unit;             // "steps" for normalised components, "ulps" for small floats, otherwise empty
  double maximum = 0, mean = 0; // in that unit; infinite if only one of the two is a number
  size_t texels = 0, outside = 0, unstable = 0, undefined = 0;
  size_t unstableIntegers = 0;    // the unstable ones among integer components, and words that are no floats
  std::vector<size_t> unstableBy; // how many of the unstable ones each of ResultVariations::noiseOf moves by itself
  size_t firstOutside = 0;        // texel index, row by row
  double ours = 0, reference = 0; // at that texel: numbers, or a buffer's words if they are no floats
  bool isWithin = true;           // no more outside, and no more unstable, than tolerated
};

struct Comparison {
  bool matches = true;
  std::vector<ChannelDifference> channels;
  std::string text; // one line for each channel
};

// Whether no channel differs at all.
bool isIdentical(const Comparison &comparison);

// Variations of results, as far as there are any.
struct ResultVariations {
  // From our code (tools/proof/emulator/run/variation.h).
  std::span<const SceneResult> noise;     // only with rounding noise
  std::span<const SceneResult> undefined; // with other choices where results are undefined
  // From an independent implementation: results of the shaders, and of copies that define the values that these shaders
  // leave undefined (tools/common/inputs/spirv/vary_undefined.h).
  std::span<const SceneResult> definite;
  // From the same implementation: results of the shaders, and of copies whose floats are all a little off
  // (tools/common/inputs/spirv/perturb_floats.h).
  std::span<const SceneResult> perturbed;
  // From our code, each with one kind of noise.
  struct NoiseOf {
    std::string_view name;
    std::vector<SceneResult> results;
  };
  std::span<const NoiseOf> noiseOf;
};

// Compares words of buffers as f32 if both look like ordinary floats, otherwise bit for bit. If `buffers` is empty on
// one side, buffers are not compared. The same holds for images, whose formats are the scene's.
//
// A component out of tolerance is unstable, rather than outside, if
// - noise alone takes it out of tolerance, and
// - the reference lies in the range of the variations, widened by the range's own length to both sides, and
// - for integers and words of buffers: one of the perturbed results differs, so a float of the program stands behind
//   it.
//
// It is undefined, rather than outside, in two cases. First, another choice takes it out of tolerance; then the
// reference may have any value. (If all choices give the reference's value, ours is none of them, and the component is
// outside.) Second, two of the definite results differ there. Our own code does not make definite results: it would be
// other code, in which a defect leaves another value in a register, or none.
Comparison compare(const Scene &scene, const SceneResult &ours, const SceneResult &reference,
                   const Tolerance &tolerance = {}, const ResultVariations &variations = {});

} // namespace dovetail
