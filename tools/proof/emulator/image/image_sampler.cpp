// SPDX-License-Identifier: MIT
//
// The sampler compares texels before it filters them. It filters components X, Y, Z, W before DST_SEL makes r, g, b, a
// of them. Nothing documents some of the hardware's order of roundings; there it is llvmpipe's (Mesa 22.3,
// lp_bld_sample_soa.c): first along x, then y, then z, then between levels, each as a + weight * (b - a).
//
// Cubes are seamless: a texel beyond an edge of a face comes from the neighbouring face. A corner lacks one texel; the
// mean of the three others replaces it.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/image/image_sampler.h"
#include "tools/proof/emulator/image/cube_face.h"
#include "tools/proof/emulator/image/image_operands.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr uint32_t FirstAnisotropicFilter = 2, BorderFromMemory = 3;
enum ZFilter : uint32_t { AsXy = 0, ZPoint = 1 };
enum CompareFunction : uint32_t { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };

float asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

// The axis along a cube face that is filtered with its neighbours: texels -1 and `size` are theirs.
Axis seamlessAxis(int32_t size) {
  Axis axis;
  axis.wrap = WrapMode::ClampBorder;
  axis.size = size;
  return axis;
}

uint32_t asBits(float value) {
  return std::bit_cast<uint32_t>(value);
}

} // namespace

std::optional<ImageSampler> ImageSampler::bind(Wave &wave, const Instruction &instruction, const ImageView &image) {
  std::array<uint32_t, 4> words = {}; // for an instruction without lanes
  for (unsigned i = 0; i != 4 && wave.exec() != 0; ++i)
    words[i] = wave.readSgpr(instruction.ssamp + i);
  SamplerDescriptor sampler = decodeSamplerDescriptor(words);
  if (sampler.magFilter >= FirstAnisotropicFilter || sampler.minFilter >= FirstAnisotropicFilter)
    wave.trap(TrapKind::Unsupported, "S# in s{} has an anisotropic filter", instruction.ssamp);
  if (sampler.filterMode != 0)
    wave.trap(TrapKind::Unsupported, "S# in s{} has filter mode {}", instruction.ssamp, sampler.filterMode);
  if (sampler.borderColorType == BorderFromMemory)
    wave.trap(TrapKind::Unsupported, "S# in s{} has its border colour in memory", instruction.ssamp);
  if (image.descriptor().isMultisampled())
    wave.trap(TrapKind::BadDescriptor, "T# in s{} is multisampled and is filtered", instruction.srsrc);
  if (wave.trapped())
    return std::nullopt;
  sampler.forceUnnormalized |= instruction.unorm;
  if (image.layout().isInteger()) { // integers are not filtered
    sampler.magFilter = sampler.minFilter = 0;
    sampler.mipFilter = std::min(sampler.mipFilter, 1u);
  }
  return ImageSampler(image, sampler);
}

ImageSampler::ImageSampler(const ImageView &image, const SamplerDescriptor &descriptor)
    : m_image(image), m_descriptor(descriptor) {
  const LevelSize &whole = image.size(0);
  const std::array<int32_t, 3> wholes = {whole.width, whole.height, whole.slices};
  for (unsigned i = 0; i != 3; ++i) {
    m_axes[i].wrap = isCube() ? WrapMode::ClampLastTexel : WrapMode(descriptor.clamp[i]);
    m_axes[i].isPowerOfTwo = std::has_single_bit(uint32_t(wholes[i]));
    m_axes[i].isNormalized = !descriptor.forceUnnormalized;
  }
}

int32_t ImageSampler::sliceOf(const SamplePoint &point) const {
  return isCube() ? point.slice + int32_t(point.face) : point.slice;
}

TexelValue ImageSampler::border() const {
  uint32_t one = m_image.one();
  TexelValue rgba = {};
  if (m_descriptor.borderColorType == 2)
    rgba = {one, one, one, one};
  else if (m_descriptor.borderColorType == 1)
    rgba[3] = one;
  static constexpr uint8_t Orders[8][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 1, 0}, {3, 0, 1, 2},
                                           {2, 1, 0, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  const uint8_t(&order)[4] = Orders[m_image.descriptor().borderSwizzle & 7];
  return {rgba[order[0]], rgba[order[1]], rgba[order[2]], rgba[order[3]]};
}

// Clamped if the format is.
float ImageSampler::clampedReference(float reference) const {
  TexelNumeric numeric = m_image.layout().numeric;
  if (numeric == TexelNumeric::Float || numeric == TexelNumeric::Ufloat)
    return reference;
  return std::clamp(std::isnan(reference) ? 0 : reference, 0.0f, 1.0f);
}

// The reference comes first: result = reference FUNCTION texel.
float ImageSampler::compare(float reference, float texel) const {
  auto holds = [&] {
    switch (CompareFunction(m_descriptor.compareFunc)) {
    case Never:
      return false;
    case Less:
      return reference < texel;
    case Equal:
      return reference == texel;
    case LessEqual:
      return reference <= texel;
    case Greater:
      return reference > texel;
    case NotEqual:
      return reference != texel;
    case GreaterEqual:
      return reference >= texel;
    case Always:
      break;
    }
    return true;
  };
  return holds() ? 1.0f : 0.0f;
}

TexelValue ImageSampler::texel(const TexelPlace &place, const std::optional<float> &reference) const {
  const LevelSize &size = m_image.size(place.level);
  bool isBorder = uint32_t(place.x) >= uint32_t(size.width) || uint32_t(place.y) >= uint32_t(size.height) ||
                  uint32_t(place.slice) >= uint32_t(size.slices);
  TexelValue value = isBorder ? border() : m_image.load(place);
  if (reference)
    value.fill(asBits(compare(*reference, asFloat(m_image.select(value, 0)))));
  return value;
}

ImageSampler::Square ImageSampler::cubeSquare(const SamplePoint &point, unsigned level, const LinearFootprint &x,
                                              const LinearFootprint &y) const {
  const int size = m_image.size(level).width;
  Square square;
  square.weight = {x.weight, y.weight};
  auto isOutside = [&](int texel) { return texel < 0 || texel >= size; };
  for (unsigned j = 0; j != 2; ++j)
    for (unsigned i = 0; i != 2; ++i) {
      if (isOutside(x.texel[i]) && isOutside(y.texel[j])) {
        square.corner = {j, i};
        continue;
      }
      CubeTexel there = cubeTexelAcrossEdge({point.face, x.texel[i], y.texel[j]}, size);
      square.places[j][i] = {level, there.x, there.y, point.slice + int32_t(there.face), 0};
    }
  return square;
}

// The texels that a gather returns.
ImageSampler::Square ImageSampler::square(const SamplePoint &point, unsigned level) const {
  if (isSeamless()) {
    const Axis axis = seamlessAxis(m_image.size(level).width);
    return cubeSquare(point, level, linearFootprint(axis, std::max(point.position[0], 0.0f)),
                      linearFootprint(axis, std::max(point.position[1], 0.0f)));
  }
  std::array<std::array<int32_t, 2>, 2> footprint;
  for (unsigned i = 0; i != 2; ++i)
    footprint[i] = gatherFootprint(axis(i, level, point), point.position[i]);
  Square square;
  for (unsigned j = 0; j != 2; ++j)
    for (unsigned i = 0; i != 2; ++i)
      square.places[j][i] = {level, footprint[0][i], footprint[1][j], sliceOf(point), 0};
  return square;
}

ImageSampler::Color ImageSampler::blend(const Square &square, const std::optional<float> &reference) const {
  std::array<std::array<Color, 2>, 2> colors;
  for (unsigned j = 0; j != 2; ++j)
    for (unsigned i = 0; i != 2; ++i) {
      const bool isCorner = square.corner && (*square.corner)[0] == j && (*square.corner)[1] == i;
      colors[j][i] = isCorner ? Color{} : toColor(texel(square.places[j][i], reference));
    }
  if (square.corner)
    colors[(*square.corner)[0]][(*square.corner)[1]] = {
        (colors[0][0].xyzw + colors[0][1].xyzw + colors[1][0].xyzw + colors[1][1].xyzw) * (1.0f / 3)};
  return interpolate(interpolate(colors[0][0], colors[0][1], square.weight[0]),
                     interpolate(colors[1][0], colors[1][1], square.weight[0]), square.weight[1]);
}

[[gnu::always_inline]] inline ImageSampler::Color
ImageSampler::linearInSlice(unsigned level, const LinearFootprint &x, const LinearFootprint &y, int32_t slice,
                            const std::optional<float> &reference) const {
  const LevelSize &size = m_image.size(level);
  auto isInside = [](const std::array<int32_t, 2> &texel, int32_t end) {
    return uint32_t(texel[0]) < uint32_t(end) && uint32_t(texel[1]) < uint32_t(end);
  };
  const TexelValue *texels = m_image.decodedSlice(level, slice);
  if (texels == nullptr || !isInside(x.texel, size.width) || !isInside(y.texel, size.height)) {
    Square square;
    square.weight = {x.weight, y.weight};
    for (unsigned j = 0; j != 2; ++j)
      for (unsigned i = 0; i != 2; ++i)
        square.places[j][i] = {level, x.texel[i], y.texel[j], slice, 0};
    return blend(square, reference);
  }
  const TexelValue *upper = texels + size_t(y.texel[0]) * size_t(size.width);
  const TexelValue *lower = texels + size_t(y.texel[1]) * size_t(size.width);
  auto at = [&](const TexelValue *line, unsigned i) {
    const TexelValue &value = line[x.texel[i]];
    if (!reference)
      return toColor(value);
    const float result = compare(*reference, asFloat(m_image.select(value, 0)));
    return Color{{result, result, result, result}};
  };
  return interpolate(interpolate(at(upper, 0), at(upper, 1), x.weight),
                     interpolate(at(lower, 0), at(lower, 1), x.weight), y.weight);
}

// The texels of the lanes in one level along each axis, as far as they are needed.
struct ImageSampler::LevelFootprints {
  std::array<LaneFootprints, 3> linear;
  std::array<LaneTexels, 3> nearest;

  LinearFootprint linearOf(unsigned index, unsigned lane) const {
    return {{linear[index].texel[0][lane], linear[index].texel[1][lane]}, linear[index].weight[lane]};
  }
};

void ImageSampler::findFootprints(const SampleLanes &points, unsigned number, uint64_t lanes,
                                  LevelFootprints &footprints) const {
  std::array<LaneAxis, 3> axes;
  for (LaneAxis &axis : axes)
    axis.sizes.fill(1);
  forEachLane(lanes, [&](unsigned lane) {
    const LevelSize &size = m_image.size(unsigned(points.level[number][lane]));
    axes[0].sizes[lane] = size.width;
    axes[1].sizes[lane] = size.height;
    axes[2].sizes[lane] = size.slices;
  });
  const bool anyLinear = m_descriptor.minFilter == 1 || m_descriptor.magFilter == 1;
  const bool anyNearest = m_descriptor.minFilter != 1 || m_descriptor.magFilter != 1;
  for (unsigned i = 0; i != (is3D() ? 3 : 2); ++i) {
    LaneAxis &axis = axes[i];
    axis.common = m_axes[i];
    axis.offsets = points.offset[i];
    if (anyNearest || (i == 2 && m_descriptor.zFilter == ZPoint))
      nearestTexels(axis, points.position[i], footprints.nearest[i]);
    if (!anyLinear)
      continue;
    if (!isSeamless()) {
      linearFootprints(axis, points.position[i], footprints.linear[i]);
      continue;
    }
    axis.common = seamlessAxis(1);
    axis.offsets.fill(0);
    LaneFloats onFace;
    for (unsigned lane = 0; lane != WaveSize; ++lane)
      onFace[lane] = std::max(points.position[i][lane], 0.0f);
    linearFootprints(axis, onFace, footprints.linear[i]);
  }
}

[[gnu::always_inline]] inline ImageSampler::Color ImageSampler::nearest(const SampleLanes &points, unsigned lane,
                                                                        unsigned level,
                                                                        const LevelFootprints &footprints) const {
  const std::array<LaneTexels, 3> &texels = footprints.nearest;
  const int32_t slice = is3D() ? texels[2][lane] : points.sliceOf(lane);
  return toColor(texel({level, texels[0][lane], texels[1][lane], slice, 0}, referenceOf(points, lane)));
}

[[gnu::always_inline]] inline ImageSampler::Color ImageSampler::linear(const SampleLanes &points, unsigned lane,
                                                                       unsigned level,
                                                                       const LevelFootprints &footprints) const {
  const LinearFootprint x = footprints.linearOf(0, lane), y = footprints.linearOf(1, lane);
  const std::optional<float> reference = referenceOf(points, lane);
  if (!is3D()) {
    auto isAcrossEdge = [size = m_image.size(level).width](const LinearFootprint &footprint) {
      return footprint.texel[0] < 0 || footprint.texel[1] >= size;
    };
    if (isSeamless() && (isAcrossEdge(x) || isAcrossEdge(y))) {
      SamplePoint point;
      point.slice = points.slice[lane];
      point.face = points.face[lane];
      return blend(cubeSquare(point, level, x, y), reference);
    }
    return linearInSlice(level, x, y, points.sliceOf(lane), reference);
  }
  LinearFootprint z = footprints.linearOf(2, lane);
  if (m_descriptor.zFilter == ZPoint) {
    z.texel.fill(footprints.nearest[2][lane]);
    z.weight = 0;
  }
  return interpolate(linearInSlice(level, x, y, z.texel[0], reference),
                     linearInSlice(level, x, y, z.texel[1], reference), z.weight);
}

uint64_t ImageSampler::sampleLevel(const SampleLanes &points, unsigned number, uint64_t lanes,
                                   std::array<Color, WaveSize> &colors) const {
  LevelFootprints footprints;
  findFootprints(points, number, lanes, footprints);
  const uint64_t isLinear =
      (m_descriptor.minFilter == 1 ? points.minified : 0) | (m_descriptor.magFilter == 1 ? ~points.minified : 0);
  uint64_t missed = 0;
  forEachLane(lanes, [&](unsigned lane) {
    const auto level = unsigned(points.level[number][lane]);
    const Color color = (isLinear >> lane & 1) != 0 ? linear(points, lane, level, footprints)
                                                    : nearest(points, lane, level, footprints);
    colors[lane] = number == 0 ? color : interpolate(colors[lane], color, points.weight[lane]);
    missed |= uint64_t(m_image.takeMiss()) << lane;
  });
  return missed;
}

uint64_t ImageSampler::sample(const SampleLanes &points, std::array<Lanes, 4> &components) const {
  std::array<Color, WaveSize> colors;
  uint64_t betweenLevels = 0;
  forEachLane(points.lanes, [&](unsigned lane) { betweenLevels |= uint64_t(points.weight[lane] > 0) << lane; });
  uint64_t missed = sampleLevel(points, 0, points.lanes, colors);
  if (betweenLevels != 0)
    missed |= sampleLevel(points, 1, betweenLevels, colors);
  for (unsigned i = 0; i != 4; ++i) {
    const unsigned from = m_image.descriptor().dstSel[i];
    forEachLane(points.lanes, [&](unsigned lane) {
      components[i][lane] = from >= 4 ? asBits(colors[lane].xyzw[from - 4]) : from == 1 ? m_image.one() : 0;
    });
  }
  return missed;
}

// GFX8 does not filter integers; it gathers their texels half a texel further on (Mesa's ac_nir_to_llvm.c,
// lower_gather4_integer).
TexelValue ImageSampler::gather(const SamplePoint &wanted, unsigned level, unsigned component) const {
  SamplePoint point = wanted;
  if (misplacesGathers())
    for (unsigned i = 0; i != 2; ++i) {
      const Axis along = axis(i, level, point);
      point.position[i] += along.isNormalized || isCube() ? 0.5f / float(along.size) : 0.5f;
    }
  Square texels = square(point, level);
  constexpr std::array<std::array<unsigned, 2>, 4> Order = {{{1, 0}, {1, 1}, {0, 1}, {0, 0}}};
  TexelValue result = {};
  float sum = 0;
  std::optional<float> reference;
  if (point.reference)
    reference = clampedReference(*point.reference);
  std::optional<unsigned> missing;
  for (unsigned i = 0; i != 4; ++i) {
    if (texels.corner && *texels.corner == Order[i]) {
      missing = i;
      continue;
    }
    result[i] = m_image.select(texel(texels.places[Order[i][0]][Order[i][1]], reference), component);
    sum += asFloat(result[i]);
  }
  if (missing && m_image.layout().isInteger()) // the texel of the same column
    result[*missing] = result[3 - *missing];
  else if (missing)
    result[*missing] = asBits(sum * (1.0f / 3));
  return result;
}

} // namespace dovetail::emulator
