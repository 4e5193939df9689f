// SPDX-License-Identifier: MIT
//
// Targets: the colour, depth and stencil images to which a draw writes, sample by sample, and the pictures that are
// read from them in the end.
#pragma once

#include "src/base/error.h"
#include "tools/proof/emulator/numerics/rounding_noise.h"
#include "tools/proof/scene/scene.h"
#include "tools/proof/scene/texel.h"

namespace dovetail::emulator {

struct SamplePlace {
  uint32_t x = 0, y = 0, layer = 0, sample = 0;
};

// Whether logic operations apply to a format. To others, colours go as they are, and without blending.
bool hasLogicOperation(const TexelLayout &layout);

class Targets {
public:
  // Targets with the scene's initial contents, or with those of an earlier draw. Errors: Unsupported, naming a format
  // that cannot be a target here, and for a second draw to multisampled targets whose pictures hold no samples;
  // StateMismatch if the earlier targets differ.
  static Result<Targets> make(const Scene &scene, const SceneResult *before = nullptr);

  bool hasColor(unsigned target) const { return m_colors[target].layout.bytes != 0; }
  const TexelLayout &colorLayout(unsigned target) const { return m_colors[target].layout; }
  TexelValue readColor(unsigned target, const SamplePlace &place) const;
  // `mask`: the components to write.
  void writeColor(unsigned target, const SamplePlace &place, const TexelValue &value, unsigned mask);
  // Combines the stored bits with those of the value.
  void combineColor(unsigned target, const SamplePlace &place, const TexelValue &value, unsigned mask, VkLogicOp op);

  bool hasDepth() const { return !m_depth.empty(); }
  bool hasStencil() const { return !m_stencil.empty(); }
  float depth(const SamplePlace &place) const { return m_depth[index(place)]; }
  void writeDepth(const SamplePlace &place, float value);
  uint8_t stencil(const SamplePlace &place) const { return m_stencil[index(place)]; }
  void writeStencil(const SamplePlace &place, uint8_t value) { m_stencil[index(place)] = value; }
  // Counts a sample that has passed all tests.
  void countSample() { ++m_samplesPassed; }
  // The value that the depth target would store.
  float quantiseDepth(float value) const;

  // Pictures of all targets; multisampled targets are resolved, unless the scene keeps samples. With noise, a mean
  // between two values of the format becomes either.
  SceneResult finish(RoundingNoise noise = RoundingNoise()) const;

private:
  Result<void> load(const SceneResult &before);

  struct Color {
    VkFormat format = VK_FORMAT_UNDEFINED;
    TexelLayout layout;
    std::vector<uint8_t> bytes;
  };

  size_t index(const SamplePlace &place) const {
    return ((size_t(place.layer) * m_height + place.y) * m_width + place.x) * m_samples + place.sample;
  }
  TexelValue resolve(const Color &color, size_t texel, RoundingNoise &noise) const;

  uint32_t m_width = 0, m_height = 0, m_layers = 0, m_samples = 0;
  bool m_keepsSamples = false; // pictures are not resolved
  std::array<Color, MaxColorTargets> m_colors;
  unsigned m_depthBits = 0; // of a normalised depth; 32: float
  std::vector<float> m_depth;
  std::vector<uint8_t> m_stencil;
  uint64_t m_samplesPassed = 0;
};

} // namespace dovetail::emulator
