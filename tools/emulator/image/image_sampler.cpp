// SPDX-License-Identifier: MIT
//
// Texels are compared before they are filtered, and filtered as components X, Y, Z, W before DST_SEL makes r, g, b, a
// of them. Where the hardware's order of roundings is not documented, it is llvmpipe's (Mesa 22.3,
// lp_bld_sample_soa.c): first along x, then y, then z, then between levels, each as a + weight * (b - a).
//
// Cubes are seamless: a texel beyond an edge of a face is taken from its neighbour, and the one that a corner does not
// have is the mean of the three others.
// What is believed here: docs/hardware-facts.md.
#include "tools/emulator/image/image_sampler.h"
#include "tools/emulator/image/cube_face.h"
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

uint32_t asBits(float value) {
  return std::bit_cast<uint32_t>(value);
}

std::array<float, 4> toColor(const TexelValue &value) {
  return {asFloat(value[0]), asFloat(value[1]), asFloat(value[2]), asFloat(value[3])};
}

TexelValue toTexel(const std::array<float, 4> &color) {
  return {asBits(color[0]), asBits(color[1]), asBits(color[2]), asBits(color[3])};
}

std::array<float, 4> interpolate(const std::array<float, 4> &a, const std::array<float, 4> &b, float weight) {
  std::array<float, 4> result;
  for (unsigned i = 0; i != 4; ++i)
    result[i] = a[i] + weight * (b[i] - a[i]);
  return result;
}

} // namespace

std::optional<ImageSampler> ImageSampler::bind(Wave &wave, const Instruction &instruction, const ImageView &image) {
  std::array<uint32_t, 4> words = {};
  for (unsigned i = 0; i != 4; ++i)
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

// Reference first: result = reference FUNCTION texel. Reference values are clamped as far as the format is.
float ImageSampler::compare(float reference, float texel) const {
  TexelNumeric numeric = m_image.layout().numeric;
  if (numeric != TexelNumeric::Float && numeric != TexelNumeric::Ufloat)
    reference = std::clamp(std::isnan(reference) ? 0 : reference, 0.0f, 1.0f);
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
    value.fill(asBits(compare(*reference, asFloat(m_image.select(value)[0]))));
  return value;
}

ImageSampler::Square ImageSampler::cubeSquare(const SamplePoint &point, unsigned level) const {
  const int size = m_image.size(level).width;
  Axis axis;
  axis.wrap = WrapMode::ClampBorder; // -1 and size are the neighbours
  axis.size = size;
  LinearFootprint x = linearFootprint(axis, std::max(point.position[0], 0.0f));
  LinearFootprint y = linearFootprint(axis, std::max(point.position[1], 0.0f));

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
  if (isCube() && !m_descriptor.disableCubeWrap)
    return cubeSquare(point, level);
  std::array<std::array<int32_t, 2>, 2> footprint;
  for (unsigned i = 0; i != 2; ++i)
    footprint[i] = gatherFootprint(axis(i, level, point), point.position[i]);
  Square square;
  for (unsigned j = 0; j != 2; ++j)
    for (unsigned i = 0; i != 2; ++i)
      square.places[j][i] = {level, footprint[0][i], footprint[1][j], sliceOf(point), 0};
  return square;
}

TexelValue ImageSampler::nearest(const SamplePoint &point, unsigned level) const {
  TexelPlace place = {level, nearestTexel(axis(0, level, point), point.position[0]),
                      nearestTexel(axis(1, level, point), point.position[1]), sliceOf(point), 0};
  if (m_image.descriptor().type == ImageType::Dim3D)
    place.slice = nearestTexel(axis(2, level, point), point.position[2]);
  return texel(place, point.reference);
}

ImageSampler::Color ImageSampler::blend(const Square &square, const SamplePoint &point) const {
  std::array<std::array<Color, 2>, 2> colors;
  for (unsigned j = 0; j != 2; ++j)
    for (unsigned i = 0; i != 2; ++i) {
      const bool isCorner = square.corner && (*square.corner)[0] == j && (*square.corner)[1] == i;
      colors[j][i] = isCorner ? Color{} : toColor(texel(square.places[j][i], point.reference));
    }
  if (square.corner) {
    Color mean = {};
    for (unsigned i = 0; i != 4; ++i)
      mean[i] = (colors[0][0][i] + colors[0][1][i] + colors[1][0][i] + colors[1][1][i]) * (1.0f / 3);
    colors[(*square.corner)[0]][(*square.corner)[1]] = mean;
  }
  return interpolate(interpolate(colors[0][0], colors[0][1], square.weight[0]),
                     interpolate(colors[1][0], colors[1][1], square.weight[0]), square.weight[1]);
}

ImageSampler::Color ImageSampler::linearInSlice(unsigned level, const LinearFootprint &x, const LinearFootprint &y,
                                                int32_t slice, const std::optional<float> &reference) const {
  std::array<std::array<TexelValue, 2>, 2> texels;
  const TexelPlace first = {level, x.texel[0], y.texel[0], slice, 0}, last = {level, x.texel[1], y.texel[1], slice, 0};
  if (m_image.contains(first) && m_image.contains(last)) {
    // The texels of a row and those of a column have the same distances.
    const size_t index = m_image.indexOf(first);
    const auto right = size_t(x.texel[1] - x.texel[0]);
    const auto below = size_t((y.texel[1] - y.texel[0]) * m_image.size(level).width);
    texels = {{{m_image.texel(index), m_image.texel(index + right)},
               {m_image.texel(index + below), m_image.texel(index + below + right)}}};
    if (reference)
      for (std::array<TexelValue, 2> &line : texels)
        for (TexelValue &value : line)
          value.fill(asBits(compare(*reference, asFloat(m_image.select(value)[0]))));
  } else {
    for (unsigned j = 0; j != 2; ++j)
      for (unsigned i = 0; i != 2; ++i)
        texels[j][i] = texel({level, x.texel[i], y.texel[j], slice, 0}, reference);
  }
  return interpolate(interpolate(toColor(texels[0][0]), toColor(texels[0][1]), x.weight),
                     interpolate(toColor(texels[1][0]), toColor(texels[1][1]), x.weight), y.weight);
}

ImageSampler::Color ImageSampler::linear(const SamplePoint &point, unsigned level) const {
  if (isCube() && !m_descriptor.disableCubeWrap)
    return blend(cubeSquare(point, level), point);
  const LinearFootprint x = linearFootprint(axis(0, level, point), point.position[0]);
  const LinearFootprint y = linearFootprint(axis(1, level, point), point.position[1]);
  if (m_image.descriptor().type != ImageType::Dim3D)
    return linearInSlice(level, x, y, sliceOf(point), point.reference);

  Axis depth = axis(2, level, point);
  LinearFootprint z = linearFootprint(depth, point.position[2]);
  if (m_descriptor.zFilter == ZPoint) {
    z.texel.fill(nearestTexel(depth, point.position[2]));
    z.weight = 0;
  }
  return interpolate(linearInSlice(level, x, y, z.texel[0], point.reference),
                     linearInSlice(level, x, y, z.texel[1], point.reference), z.weight);
}

ImageSampler::Color ImageSampler::atLevel(const SamplePoint &point, unsigned level, bool isLinear) const {
  return isLinear ? linear(point, level) : toColor(nearest(point, level));
}

TexelValue ImageSampler::sample(const SamplePoint &point, const LodResult &lod) const {
  bool isLinear = (lod.isMinified ? m_descriptor.minFilter : m_descriptor.magFilter) == 1;
  if (!isLinear && lod.weight == 0)
    return m_image.select(nearest(point, lod.level[0]));
  Color color = atLevel(point, lod.level[0], isLinear);
  if (lod.weight > 0)
    color = interpolate(color, atLevel(point, lod.level[1], isLinear), lod.weight);
  return m_image.select(toTexel(color));
}

// Mesa's ac_nir_to_llvm.c, lower_gather4_integer: GFX8 does not filter integers, and gathers the texels of a place half
// a texel further on.
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
  std::optional<unsigned> missing;
  for (unsigned i = 0; i != 4; ++i) {
    if (texels.corner && *texels.corner == Order[i]) {
      missing = i;
      continue;
    }
    result[i] = m_image.select(texel(texels.places[Order[i][0]][Order[i][1]], point.reference))[component];
    sum += asFloat(result[i]);
  }
  if (missing && m_image.layout().isInteger()) // that of the same column
    result[*missing] = result[3 - *missing];
  else if (missing)
    result[*missing] = asBits(sum * (1.0f / 3));
  return result;
}

} // namespace dovetail::emulator
