// SPDX-License-Identifier: MIT
//
// How far two results are apart, and whether that is within what the formats allow.
#pragma once

#include "tools/proof/scene/scene.h"
#include <span>
#include <string>
#include <vector>

namespace dovetail {

struct Tolerance {
  // Of 32-bit float components: |a - b| <= absolute + relative * max(|a|, |b|).
  double relative = 1e-4, absolute = 1e-5;
  double normalizedSteps = 1; // of normalised and sRGB components, in steps of the format
  uint32_t halfUlps = 1;      // of components of at most 16 bits with an exponent
  // In targets that are blended. GFX9 exports colours for small formats as half floats before they are weighted and
  // subtracted, lavapipe does not, and lavapipe blends 8-bit formats in integers.
  uint32_t blendedHalfUlps = 4;
  double blendedHalfAbsolute = 0x1p-9;
  double blendedSteps = 2;
  // Texels that may be unstable (see compare()), of a thousand. Any number may be undefined.
  double perMilleUnstable = 100;
  // Words of buffers that differ may belong to doubles, or hold two half floats.
  bool buffersHoldDoubles = false, buffersHoldHalves = false;
  double doubleRelative = 1e-12;
  uint32_t bufferHalfUlps = 4; // of chains of operations on half floats, each of which is rounded
};

struct ChannelDifference {
  std::string what;             // "color 0 r", "depth", "buffer 2"
  std::string unit;             // "steps" of normalised components, "ulps" of small floats, otherwise empty
  double maximum = 0, mean = 0; // in that unit; infinite where only one of the two is a number
  size_t texels = 0, outside = 0, unstable = 0, undefined = 0;
  size_t unstableIntegers = 0;    // among the unstable: components of integers, and words that are no floats
  std::vector<size_t> unstableBy; // how many of the unstable each of ResultVariations::noiseOf moves by itself
  size_t firstOutside = 0;        // texel index, row by row
  double ours = 0, reference = 0; // of that texel: numbers, or the words of a buffer that are no floats
  bool isWithin = true;           // not more outside, and not more unstable, than tolerated
};

struct Comparison {
  bool matches = true;
  std::vector<ChannelDifference> channels;
  std::string text; // one line for each channel
};

// Results with a variation, if there are any.
struct ResultVariations {
  // Our own (tools/proof/emulator/run/variation.h).
  std::span<const SceneResult> noise;     // with rounding noise alone
  std::span<const SceneResult> undefined; // with other choices where results are undefined
  // What an independent implementation makes of the shaders, and of shaders that say something where these say nothing
  // (tools/common/inputs/spirv/vary_undefined.h).
  std::span<const SceneResult> definite;
  // What it makes of the shaders, and of shaders whose floats are all a little off
  // (tools/common/inputs/spirv/perturb_floats.h).
  std::span<const SceneResult> perturbed;
  // Our own with noise of one kind only, by kind.
  struct NoiseOf {
    std::string_view name;
    std::vector<SceneResult> results;
  };
  std::span<const NoiseOf> noiseOf;
};

// Buffers are compared as f32 where both words look like ordinary floats, otherwise bit for bit; `buffers` may be empty
// on either side, and is then not compared; likewise images, whose formats are the scene's.
//
// A component is unstable, rather than outside, if noise alone takes it out of tolerance, and the reference lies in the
// range of the variations widened by its own length to both sides; of integers, and of words in buffers, also if one of
// the perturbed results is another one, so that there is a float of the program behind it. It is undefined, rather than
// outside, if another choice takes it out of tolerance; the reference may then have anything, but for what all choices
// give: then ours is none of them. It is undefined, too, if two of the definite results are apart there. Our own code
// is not asked for those: it would be other code, in which what a defect leaves in a register is something else, or
// nothing.
Comparison compare(const Scene &scene, const SceneResult &ours, const SceneResult &reference,
                   const Tolerance &tolerance = {}, const ResultVariations &variations = {});

} // namespace dovetail
