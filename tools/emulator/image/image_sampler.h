// SPDX-License-Identifier: MIT
//
// ImageSampler: an image seen through an S#: filtered, gathered and compared texels at coordinates of one lane.
#pragma once

#include "tools/emulator/image/level_of_detail.h"
#include "tools/emulator/image/texel_footprint.h"
#include <array>
#include <optional>

namespace dovetail::emulator {

struct SamplePoint {
  std::array<float, 3> position = {}; // s, t, r; on cubes s and t in [0, 1] of a face
  int32_t slice = 0;                  // of arrays; of cube arrays: +x of the cube
  unsigned face = 0;                  // of cubes
  std::array<int32_t, 3> offset = {}; // in texels
  std::optional<float> reference;     // of the depth comparison
};

class ImageSampler {
public:
  // Reads the S# in SGPRs ssamp... Nothing if the wave has trapped.
  static std::optional<ImageSampler> bind(Wave &wave, const Instruction &instruction, const ImageView &image);

  const SamplerDescriptor &descriptor() const { return m_descriptor; }
  const ImageView &image() const { return m_image; }

  // r, g, b, a.
  TexelValue sample(const SamplePoint &point, const LodResult &lod) const;
  // Whether all that is sampled is filtered linearly in one slice, so that linearFootprints() says which texels.
  bool isLinearInSlices() const {
    const ImageType type = m_image.descriptor().type;
    return m_descriptor.minFilter == 1 && m_descriptor.magFilter == 1 && type != ImageType::Cube &&
           type != ImageType::Dim3D;
  }
  // sample() of one level, there: of the slice's four texels, compared with the reference if there is one. Not yet
  // select()ed.
  std::array<float, 4> linearInSlice(unsigned level, const LinearFootprint &x, const LinearFootprint &y, int32_t slice,
                                     const std::optional<float> &reference) const;
  Axis axis(unsigned index) const { return m_axes[index]; } // without the level's size
  // One component of four texels, in the order (x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y). On GFX8 those of
  // integers are half a texel further along x and y.
  TexelValue gather(const SamplePoint &point, unsigned level, unsigned component) const;

private:
  using Color = std::array<float, 4>;

  // The four texels that a face or slice contributes to a filter: [y][x]. `corner` is the one that does not exist
  // because three faces of a cube meet there.
  struct Square {
    std::array<std::array<TexelPlace, 2>, 2> places;
    std::array<float, 2> weight = {}; // of x + 1 and y + 1
    std::optional<std::array<unsigned, 2>> corner;
  };

  ImageSampler(const ImageView &image, const SamplerDescriptor &descriptor);

  bool isCube() const { return m_image.descriptor().type == ImageType::Cube; }
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
  Square cubeSquare(const SamplePoint &point, unsigned level) const;
  TexelValue nearest(const SamplePoint &point, unsigned level) const;
  Color linear(const SamplePoint &point, unsigned level) const;
  Color blend(const Square &square, const SamplePoint &point) const;
  Color atLevel(const SamplePoint &point, unsigned level, bool isLinear) const;
  TexelValue texel(const TexelPlace &place, const std::optional<float> &reference) const;
  TexelValue border() const;
  float compare(float reference, float texel) const;

  const ImageView &m_image;
  SamplerDescriptor m_descriptor;
  std::array<Axis, 3> m_axes; // without what depends on the level and the place
};

} // namespace dovetail::emulator
