// SPDX-License-Identifier: MIT
//
// ImageSampler: an image seen through an S#: filtered, gathered and compared texels. It samples for all lanes of a wave
// together, and gathers for one lane.
#pragma once

#include "tools/proof/emulator/image/level_of_detail.h"
#include "tools/proof/emulator/image/texel_footprint.h"
#include <array>
#include <bit>
#include <optional>

namespace dovetail::emulator {

struct SamplePoint {
  std::array<float, 3> position = {}; // s, t, r; on cubes, s and t in [0, 1] of a face
  int32_t slice = 0;                  // of arrays; of cube arrays: face +x of the cube
  unsigned face = 0;                  // of cubes
  std::array<int32_t, 3> offset = {}; // in texels
  std::optional<float> reference;     // for the depth comparison
};

// The places where the lanes of a wave sample, and their parameters.
struct SampleLanes {
  uint64_t lanes = 0;                 // the other lanes have no values
  std::array<LaneFloats, 3> position; // as in SamplePoint
  std::array<LaneTexels, 3> offset;
  LaneTexels slice;
  std::array<uint8_t, WaveSize> face;
  const Lanes *reference = nullptr; // nullptr: none; otherwise bits of floats

  // As in LodResult.
  std::array<LaneTexels, 2> level;
  LaneFloats weight;
  uint64_t minified = 0;

  void setLod(unsigned lane, const LodResult &lod) {
    level[0][lane] = int32_t(lod.level[0]);
    level[1][lane] = int32_t(lod.level[1]);
    weight[lane] = lod.weight;
    minified |= uint64_t(lod.isMinified) << lane;
  }
  int32_t sliceOf(unsigned lane) const { return slice[lane] + face[lane]; } // with its texels
};

class ImageSampler {
public:
  // Reads the S# in SGPRs ssamp... Nothing if the wave has trapped.
  static std::optional<ImageSampler> bind(Wave &wave, const Instruction &instruction, const ImageView &image);

  const SamplerDescriptor &descriptor() const { return m_descriptor; }
  const ImageView &image() const { return m_image; }

  // r, g, b, a of the lanes. Returns the lanes with texels that are not resident.
  uint64_t sample(const SampleLanes &lanes, std::array<Lanes, 4> &components) const;
  // One component of four texels, in the order (x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y). On GFX8, texels of
  // integers are half a texel further along x and y.
  TexelValue gather(const SamplePoint &point, unsigned level, unsigned component) const;

private:
  // The components of a texel, for host vector instructions.
  struct Color {
    float __attribute__((vector_size(16))) xyzw;
  };

  // The four texels of a face or slice for a filter: [y][x]. `corner` is the texel that does not exist because three
  // faces of a cube meet there.
  struct Square {
    std::array<std::array<TexelPlace, 2>, 2> places;
    std::array<float, 2> weight = {}; // of x + 1 and y + 1
    std::optional<std::array<unsigned, 2>> corner;
  };
  struct LevelFootprints;

  ImageSampler(const ImageView &image, const SamplerDescriptor &descriptor);

  static Color toColor(const TexelValue &value) { return std::bit_cast<Color>(value); }
  static Color interpolate(const Color &a, const Color &b, float weight) {
    return {a.xyzw + weight * (b.xyzw - a.xyzw)};
  }
  bool isCube() const { return m_image.descriptor().type == ImageType::Cube; }
  bool is3D() const { return m_image.descriptor().type == ImageType::Dim3D; }
  bool isSeamless() const { return isCube() && !m_descriptor.disableCubeWrap; }
  Axis axis(unsigned index, unsigned level, const SamplePoint &point) const {
    Axis axis = m_axes[index];
    const LevelSize &size = m_image.size(level);
    axis.size = index == 0 ? size.width : index == 1 ? size.height : size.slices;
    axis.offset = point.offset[index];
    return axis;
  }
  int32_t sliceOf(const SamplePoint &point) const;
  bool misplacesGathers() const { return m_image.generation() == Generation::Gfx8 && m_image.layout().isInteger(); }
  Square square(const SamplePoint &point, unsigned level) const;
  Square cubeSquare(const SamplePoint &point, unsigned level, const LinearFootprint &x, const LinearFootprint &y) const;
  // sample() of the lanes in their first or second level. Returns the lanes with texels that are not resident.
  uint64_t sampleLevel(const SampleLanes &points, unsigned number, uint64_t lanes,
                       std::array<Color, WaveSize> &colors) const;
  void findFootprints(const SampleLanes &points, unsigned number, uint64_t lanes, LevelFootprints &footprints) const;
  Color nearest(const SampleLanes &points, unsigned lane, unsigned level, const LevelFootprints &footprints) const;
  Color linear(const SampleLanes &points, unsigned lane, unsigned level, const LevelFootprints &footprints) const;
  Color linearInSlice(unsigned level, const LinearFootprint &x, const LinearFootprint &y, int32_t slice,
                      const std::optional<float> &reference) const;
  Color blend(const Square &square, const std::optional<float> &reference) const;
  TexelValue texel(const TexelPlace &place, const std::optional<float> &reference) const;
  TexelValue border() const;
  float clampedReference(float reference) const;
  [[gnu::always_inline]] std::optional<float> referenceOf(const SampleLanes &points, unsigned lane) const {
    if (points.reference == nullptr)
      return std::nullopt;
    return clampedReference(std::bit_cast<float>((*points.reference)[lane]));
  }
  // texel() and the functions that it calls take clamped references.
  float compare(float reference, float texel) const;

  const ImageView &m_image;
  SamplerDescriptor m_descriptor;
  std::array<Axis, 3> m_axes; // without the values that depend on level and place
};

} // namespace dovetail::emulator
