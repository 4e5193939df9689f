// SPDX-License-Identifier: MIT
//
// Compares two values of a component in the unit in which their format can err. Normalised components are compared as
// stored integers, small floats by their position in the order of all floats of their size, and 32-bit floats by
// relative difference. Integers must be equal. Buffers have no format: a pair of words counts as floats if both words
// look like floats.
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace dovetail {

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

struct Distance {
  double value = 0;
  bool isOutside = false;
  bool isUnstable = false;
  bool isUndefined = false;
  bool isInteger = false;
  bool mayBeInteger = false;      // a component of integers, or a word of a buffer
  uint64_t movedBy = 0;           // if unstable: a bit for each of Variations::noiseOf
  double ours = 0, reference = 0; // the two values
};

// The bytes of one target, buffer or image in each variation.
struct Variations {
  std::vector<std::span<const uint8_t>> noise, undefined, definite, perturbed;
  std::vector<std::vector<std::span<const uint8_t>>> noiseOf;
};

// Judges a component that is outside by the effect of variations on it. `between` compares the component's bytes in two
// results; `number` takes its bytes in one.
template <typename Between, typename Number>
void allowForVariations(Distance &distance, const uint8_t *ours, const uint8_t *reference, size_t offset,
                        const Variations &variations, Between between, Number number) {
  if (!distance.isOutside)
    return;
  const auto anyIsFar = [&](const uint8_t *from) {
    return std::ranges::any_of(variations.undefined,
                               [&](auto variation) { return between(from, &variation[offset]).isOutside; });
  };
  distance.isUndefined =
      (anyIsFar(ours) && anyIsFar(reference)) || std::ranges::any_of(variations.definite, [&](auto definite) {
        return between(&variations.definite.front()[offset], &definite[offset]).isOutside;
      });
  double least = number(ours), greatest = least, theirs = number(reference);
  bool isMoved = false;
  for (std::span<const uint8_t> variation : variations.noise) {
    const uint8_t *bytes = &variation[offset];
    least = std::min(least, number(bytes));
    greatest = std::max(greatest, number(bytes));
    isMoved |= between(ours, bytes).isOutside;
  }
  double range = greatest - least;
  const bool hasFloat = !distance.mayBeInteger || variations.perturbed.empty() ||
                        std::ranges::any_of(variations.perturbed, [&](auto each) {
                          return number(&variations.perturbed.front()[offset]) != number(&each[offset]);
                        });
  distance.isUnstable =
      !distance.isUndefined && isMoved && hasFloat && theirs >= least - range && theirs <= greatest + range;
  distance.isOutside = !distance.isUnstable && !distance.isUndefined;
  if (distance.isUnstable)
    for (size_t kind = 0; kind < variations.noiseOf.size(); ++kind)
      for (std::span<const uint8_t> variation : variations.noiseOf[kind])
        if (between(ours, &variation[offset]).isOutside)
          distance.movedBy |= uint64_t(1) << kind;
}

// The stored bits of a component, which span at most 64 bits.
uint32_t storedBits(const TexelComponent &component, const uint8_t *texel) {
  unsigned first = component.shift / 8, last = (component.shift + component.bits - 1) / 8;
  uint64_t bits = 0;
  for (unsigned byte = first; byte <= last; ++byte)
    bits |= uint64_t(texel[byte]) << (8 * (byte - first));
  return static_cast<uint32_t>((bits >> (component.shift % 8)) & ((uint64_t(1) << component.bits) - 1));
}

int64_t signExtended(uint32_t bits, unsigned width) {
  int64_t sign = int64_t(1) << (width - 1);
  return (int64_t(bits) ^ sign) - sign;
}

Distance compareFloats(float ours, float reference, const Tolerance &tolerance) {
  if (std::bit_cast<uint32_t>(ours) == std::bit_cast<uint32_t>(reference) || ours == reference ||
      (std::isnan(ours) && std::isnan(reference)))
    return {};
  double distance = std::abs(double(ours) - double(reference));
  if (!std::isfinite(distance))
    return {Infinity, true};
  double scale = std::max(std::abs(double(ours)), std::abs(double(reference)));
  return {distance, distance > tolerance.absolute + tolerance.relative * scale};
}

// For floats of at most 16 bits. Counts ulps in the order of all floats of this size. Values near zero may be many ulps
// apart; the absolute tolerance covers them.
Distance compareSmallFloats(uint32_t ours, uint32_t reference, float oursValue, float referenceValue, unsigned bits,
                            bool isSigned, const Tolerance &tolerance) {
  if (oursValue == referenceValue || (std::isnan(oursValue) && std::isnan(referenceValue)))
    return {};
  if (std::isnan(oursValue) || std::isnan(referenceValue))
    return {Infinity, true};
  auto place = [&](uint32_t stored) {
    uint32_t sign = isSigned ? 1u << (bits - 1) : 0;
    return stored & sign ? -int64_t(stored & ~sign) : int64_t(stored);
  };
  double ulps = std::abs(double(place(ours) - place(reference)));
  bool isNear = std::abs(double(oursValue) - double(referenceValue)) <= tolerance.absolute;
  return {ulps, ulps > tolerance.halfUlps && !isNear};
}

// For texels with one exponent for all components: a step is that of the larger exponent.
Distance compareSharedExponent(const uint8_t *ours, const uint8_t *reference, float oursValue, float referenceValue,
                               const Tolerance &tolerance) {
  constexpr int MantissaBits = 9, Bias = 15;
  int exponent = std::max(ours[3] >> 3, reference[3] >> 3) - Bias - MantissaBits;
  double steps = std::abs(double(oursValue) - double(referenceValue)) / std::ldexp(1.0, exponent);
  return {steps, steps > tolerance.normalizedSteps};
}

Distance compareComponent(const TexelLayout &layout, unsigned channel, const uint8_t *ours, const uint8_t *reference,
                          const TexelValue &oursValue, const TexelValue &referenceValue, const Tolerance &tolerance) {
  const TexelComponent &component = layout.components[channel];
  auto asFloat = [&](const TexelValue &value) { return std::bit_cast<float>(value[channel]); };
  if (layout.numeric == TexelNumeric::SharedExponent)
    return compareSharedExponent(ours, reference, asFloat(oursValue), asFloat(referenceValue), tolerance);
  uint32_t a = storedBits(component, ours), b = storedBits(component, reference);
  switch (layout.numeric) {
  case TexelNumeric::Float:
  case TexelNumeric::Ufloat:
    if (component.bits == 32)
      return compareFloats(asFloat(oursValue), asFloat(referenceValue), tolerance);
    return compareSmallFloats(a, b, asFloat(oursValue), asFloat(referenceValue), component.bits,
                              layout.numeric == TexelNumeric::Float, tolerance);
  case TexelNumeric::Snorm: {
    // Two codes mean the least value.
    int64_t least = -(int64_t(1) << (component.bits - 1)) + 1;
    int64_t difference =
        std::max(signExtended(a, component.bits), least) - std::max(signExtended(b, component.bits), least);
    double steps = std::abs(double(difference));
    return {steps, steps > tolerance.normalizedSteps};
  }
  case TexelNumeric::Unorm:
  case TexelNumeric::Srgb: {
    double steps = std::abs(double(a) - double(b));
    return {steps, steps > tolerance.normalizedSteps};
  }
  case TexelNumeric::Sint:
  case TexelNumeric::Sscaled:
    return {std::abs(double(signExtended(a, component.bits) - signExtended(b, component.bits))), a != b};
  default:
    return {std::abs(double(a) - double(b)), a != b};
  }
}

// A component's value as a number, to measure ranges.
double componentNumber(const TexelLayout &layout, unsigned channel, const uint8_t *texel) {
  if (layout.numeric == TexelNumeric::Float || layout.numeric == TexelNumeric::Ufloat ||
      layout.numeric == TexelNumeric::SharedExponent)
    return std::bit_cast<float>(decodeTexel(layout, texel)[channel]);
  const TexelComponent &component = layout.components[channel];
  uint32_t bits = storedBits(component, texel);
  bool isSigned = layout.numeric == TexelNumeric::Snorm || layout.numeric == TexelNumeric::Sint ||
                  layout.numeric == TexelNumeric::Sscaled;
  return isSigned ? double(signExtended(bits, component.bits)) : double(bits);
}

std::string unitOf(const TexelLayout &layout, const TexelComponent &component) {
  switch (layout.numeric) {
  case TexelNumeric::Unorm:
  case TexelNumeric::Snorm:
  case TexelNumeric::Srgb:
  case TexelNumeric::SharedExponent:
    return "steps";
  case TexelNumeric::Float:
  case TexelNumeric::Ufloat:
    return component.bits == 32 ? "" : "ulps";
  default:
    return "";
  }
}

double comparedNumber(const TexelLayout &layout, uint32_t value) {
  if (layout.numeric == TexelNumeric::Uint)
    return value;
  return layout.numeric == TexelNumeric::Sint ? double(int32_t(value)) : double(std::bit_cast<float>(value));
}

// Sums up one channel.
class ChannelSum {
public:
  ChannelSum(std::string what, std::string unit) {
    m_difference.what = std::move(what);
    m_difference.unit = std::move(unit);
  }

  void add(size_t index, const Distance &distance) {
    m_difference.maximum = std::max(m_difference.maximum, distance.value);
    m_sum += distance.value;
    if (distance.isOutside && m_difference.outside++ == 0) {
      m_difference.firstOutside = index;
      m_difference.ours = distance.ours;
      m_difference.reference = distance.reference;
    }
    m_difference.unstable += distance.isUnstable;
    m_difference.unstableIntegers += distance.isUnstable && distance.isInteger;
    m_difference.unstableBy.resize(std::max<size_t>(m_difference.unstableBy.size(), std::bit_width(distance.movedBy)));
    for (size_t kind = 0; kind < m_difference.unstableBy.size(); ++kind)
      m_difference.unstableBy[kind] += distance.movedBy >> kind & 1;
    m_difference.undefined += distance.isUndefined;
    ++m_difference.texels;
  }

  ChannelDifference finish() {
    m_difference.mean = m_difference.texels > 0 ? m_sum / static_cast<double>(m_difference.texels) : 0;
    return m_difference;
  }

private:
  ChannelDifference m_difference;
  double m_sum = 0;
};

// The difference of two things of different size or format: everything is outside.
ChannelDifference unlike(const std::string &what) {
  ChannelDifference difference;
  difference.what = what + " (of another size or format)";
  difference.maximum = difference.mean = Infinity;
  difference.texels = difference.outside = 1;
  return difference;
}

void compareTexels(const std::string &what, VkFormat format, std::span<const uint8_t> ours,
                   std::span<const uint8_t> reference, const Variations &variations, const Tolerance &tolerance,
                   std::vector<ChannelDifference> &channels) {
  Result<TexelLayout> layout = texelLayout(format);
  if (!layout || ours.size() != reference.size() || ours.size() % layout->bytes != 0) {
    channels.push_back(unlike(what));
    return;
  }
  constexpr std::array<const char *, 4> Names = {" r", " g", " b", " a"};
  bool isSingle = layout->components[1].bits == 0 && layout->components[3].bits == 0;
  std::array<std::optional<ChannelSum>, 4> sums;
  for (unsigned channel = 0; channel < 4; ++channel)
    if (layout->components[channel].bits > 0)
      sums[channel].emplace(what + (isSingle ? "" : Names[channel]), unitOf(*layout, layout->components[channel]));
  for (size_t at = 0; at < ours.size(); at += layout->bytes) {
    const uint8_t *a = &ours[at], *b = &reference[at];
    if (std::equal(a, a + layout->bytes, b)) { // most texels are equal
      for (std::optional<ChannelSum> &sum : sums)
        if (sum)
          sum->add(at / layout->bytes, {});
      continue;
    }
    TexelValue aValue = decodeTexel(*layout, a), bValue = decodeTexel(*layout, b);
    for (unsigned channel = 0; channel < 4; ++channel) {
      if (!sums[channel])
        continue;
      Distance distance = compareComponent(*layout, channel, a, b, aValue, bValue, tolerance);
      auto between = [&](const uint8_t *x, const uint8_t *y) {
        return compareComponent(*layout, channel, x, y, decodeTexel(*layout, x), decodeTexel(*layout, y), tolerance);
      };
      auto number = [&](const uint8_t *bytes) { return componentNumber(*layout, channel, bytes); };
      distance.isInteger = distance.mayBeInteger = layout->isInteger();
      allowForVariations(distance, a, b, at, variations, between, number);
      distance.ours = comparedNumber(*layout, aValue[channel]);
      distance.reference = comparedNumber(*layout, bValue[channel]);
      sums[channel]->add(at / layout->bytes, distance);
    }
  }
  for (std::optional<ChannelSum> &sum : sums)
    if (sum)
      channels.push_back(sum->finish());
}

void comparePictures(const std::string &what, const ScenePicture &ours, const ScenePicture &reference,
                     const Variations &variations, const Tolerance &tolerance,
                     std::vector<ChannelDifference> &channels) {
  if (ours.format == VK_FORMAT_UNDEFINED && reference.format == VK_FORMAT_UNDEFINED)
    return;
  if (ours.format != reference.format || ours.width != reference.width || ours.height != reference.height ||
      ours.layers != reference.layers)
    channels.push_back(unlike(what));
  else
    compareTexels(what, ours.format, ours.bytes, reference.bytes, variations, tolerance, channels);
}

// Whether a word looks like a float: zero, or a magnitude that is common in shaders. As floats, all but huge integers
// are denormal.
bool looksLikeFloat(uint32_t word) {
  uint32_t exponent = (word >> 23) & 0xff;
  return (word << 1) == 0 || (exponent >= 127 - 40 && exponent <= 127 + 40);
}

Distance compareWords(uint32_t ours, uint32_t reference, const Tolerance &tolerance) {
  if (looksLikeFloat(ours) && looksLikeFloat(reference))
    return compareFloats(std::bit_cast<float>(ours), std::bit_cast<float>(reference), tolerance);
  return {std::abs(double(ours) - double(reference)), ours != reference};
}

// Whether both halves of the words look like half floats within tolerance.
bool areNearHalves(uint32_t ours, uint32_t reference, const Tolerance &tolerance) {
  for (unsigned shift : {0, 16}) {
    uint32_t a = (ours >> shift) & 0xffff, b = (reference >> shift) & 0xffff;
    auto place = [](uint32_t half) { return half & 0x8000 ? -int64_t(half & 0x7fff) : int64_t(half); };
    bool areNans = (a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00;
    if (!areNans && std::abs(place(a) - place(b)) > int64_t(tolerance.bufferHalfUlps))
      return false;
  }
  return true;
}

// Whether the word at an offset belongs to a double within tolerance.
bool belongsToNearDouble(std::span<const uint8_t> ours, std::span<const uint8_t> reference, size_t offset,
                         const Tolerance &tolerance) {
  size_t begin = offset & ~size_t(7);
  if (begin + sizeof(double) > ours.size())
    return false;
  double a = 0, b = 0;
  std::memcpy(&a, &ours[begin], sizeof(a));
  std::memcpy(&b, &reference[begin], sizeof(b));
  if (std::isnan(a) && std::isnan(b))
    return true;
  auto looksLikeDouble = [](double value) { return std::abs(value) >= 0x1p-100 && std::abs(value) <= 0x1p100; };
  return looksLikeDouble(a) && looksLikeDouble(b) && std::abs(a - b) <= tolerance.doubleRelative * std::abs(b);
}

void compareBuffers(const std::string &what, std::span<const uint8_t> ours, std::span<const uint8_t> reference,
                    const Variations &variations, const Tolerance &tolerance,
                    std::vector<ChannelDifference> &channels) {
  if (ours.size() != reference.size()) {
    channels.push_back(unlike(what));
    return;
  }
  ChannelSum sum(what, "");
  for (size_t at = 0; at < ours.size(); at += 4) {
    size_t size = std::min<size_t>(4, ours.size() - at);
    auto word = [&](const uint8_t *bytes) {
      uint32_t value = 0;
      std::memcpy(&value, bytes, size);
      return value;
    };
    uint32_t a = word(&ours[at]);
    Distance distance = compareWords(a, word(&reference[at]), tolerance);
    if (distance.isOutside && tolerance.buffersHoldDoubles)
      distance.isOutside = !belongsToNearDouble(ours, reference, at, tolerance);
    if (distance.isOutside && tolerance.buffersHoldHalves)
      distance.isOutside = !areNearHalves(a, word(&reference[at]), tolerance);
    bool isFloat = looksLikeFloat(a);
    distance.isInteger = !isFloat;
    distance.mayBeInteger = true;
    auto between = [&](const uint8_t *x, const uint8_t *y) { return compareWords(word(x), word(y), tolerance); };
    auto number = [&](const uint8_t *bytes) {
      return isFloat ? double(std::bit_cast<float>(word(bytes))) : double(word(bytes));
    };
    allowForVariations(distance, &ours[at], &reference[at], at, variations, between, number);
    distance.ours = number(&ours[at]);
    distance.reference = number(&reference[at]);
    sum.add(at / 4, distance);
  }
  channels.push_back(sum.finish());
}

// The causes of instability, as far as they are known.
std::string describeUnstable(const ChannelDifference &channel, std::span<const ResultVariations::NoiseOf> noiseOf) {
  std::string text;
  auto add = [&](std::string_view name, size_t count) {
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, count);
  };
  add("integers", channel.unstableIntegers);
  for (size_t kind = 0; kind < std::min(channel.unstableBy.size(), noiseOf.size()); ++kind)
    add(noiseOf[kind].name, channel.unstableBy[kind]);
  return text.empty() ? "" : text + ")";
}

std::string describe(const ChannelDifference &channel, std::span<const ResultVariations::NoiseOf> noiseOf) {
  std::string unit = channel.unit.empty() ? "" : " " + channel.unit;
  std::string text = fmt::format("{}: maximum {:.3g}{}, mean {:.3g}{}, {}", channel.what, channel.maximum, unit,
                                 channel.mean, unit, channel.isWithin ? "within tolerance" : "NOT within tolerance");
  if (channel.unstable > 0)
    text += fmt::format(", {} of {} unstable{}", channel.unstable, channel.texels, describeUnstable(channel, noiseOf));
  if (channel.undefined > 0)
    text += fmt::format(", {} of {} undefined", channel.undefined, channel.texels);
  if (channel.outside > 0)
    text += fmt::format(": {} of {} outside, the first is {} with {:.8g} for {:.8g}", channel.outside, channel.texels,
                        channel.firstOutside, channel.ours, channel.reference);
  return text + "\n";
}

constexpr VkDescriptorType BufferTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
constexpr VkDescriptorType ImageTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

// Whether shaders can write a resource. A result that stands alone has no descriptors; then any resource may be
// writable.
bool isWritable(const Scene &scene, std::span<const VkDescriptorType> types, uint32_t SceneDescriptor::*resource,
                size_t index) {
  if (scene.descriptors.empty())
    return true;
  return std::ranges::any_of(scene.descriptors, [&](const SceneDescriptor &descriptor) {
    return descriptor.*resource == index && std::ranges::find(types, descriptor.type) != types.end();
  });
}

// A resource that shaders cannot write gets a line only if it has changed.
void addResource(const std::vector<ChannelDifference> &channels, bool writable, Comparison &comparison) {
  for (const ChannelDifference &channel : channels)
    if (writable || channel.outside > 0)
      comparison.channels.push_back(channel);
}

// The tolerance for a blended target.
Tolerance blendedTolerance(Tolerance tolerance, VkFormat format) {
  Result<TexelLayout> layout = texelLayout(format);
  bool isFloat32 = layout && layout->numeric == TexelNumeric::Float && layout->components[0].bits == 32;
  tolerance.halfUlps = tolerance.blendedHalfUlps;
  tolerance.normalizedSteps = std::max(tolerance.normalizedSteps, tolerance.blendedSteps);
  if (!isFloat32)
    tolerance.absolute = std::max(tolerance.absolute, tolerance.blendedHalfAbsolute);
  return tolerance;
}

} // namespace

bool isIdentical(const Comparison &comparison) {
  return std::ranges::all_of(comparison.channels,
                             [](const ChannelDifference &channel) { return channel.maximum == 0; });
}

Comparison compare(const Scene &scene, const SceneResult &ours, const SceneResult &reference,
                   const Tolerance &tolerance, const ResultVariations &variations) {
  // Leave out results of another size; noise never causes one.
  auto variationsOf = [&](const std::vector<uint8_t> &bytes, auto bytesOf) {
    auto listOf = [&](std::span<const SceneResult> results) {
      std::vector<std::span<const uint8_t>> list;
      for (const SceneResult &result : results)
        if (bytesOf(result).size() == bytes.size())
          list.push_back(bytesOf(result));
      return list;
    };
    Variations list = {listOf(variations.noise),
                       listOf(variations.undefined),
                       listOf(variations.definite),
                       listOf(variations.perturbed),
                       {}};
    for (const ResultVariations::NoiseOf &kind : variations.noiseOf)
      list.noiseOf.push_back(listOf(kind.results));
    return list;
  };
  Comparison comparison;
  auto comparePicturesOf = [&](const std::string &what, const Tolerance &allowed, auto pictureOf) {
    const ScenePicture &picture = pictureOf(ours);
    auto bytesOf = [&](const SceneResult &result) { return std::span(pictureOf(result).bytes); };
    comparePictures(what, picture, pictureOf(reference), variationsOf(picture.bytes, bytesOf), allowed,
                    comparison.channels);
  };
  for (size_t index = 0; index < ours.colors.size(); ++index) {
    bool isBlended = scene.state.colorTargets[index].blendEnable;
    comparePicturesOf(fmt::format("color {}", index),
                      isBlended ? blendedTolerance(tolerance, ours.colors[index].format) : tolerance,
                      [index](const SceneResult &result) -> const ScenePicture & { return result.colors[index]; });
  }
  // Depth and stencil of multisampled targets are not kept, so compare them only where both sides have them.
  if (ours.depth.format != VK_FORMAT_UNDEFINED && reference.depth.format != VK_FORMAT_UNDEFINED)
    comparePicturesOf("depth", tolerance,
                      [](const SceneResult &result) -> const ScenePicture & { return result.depth; });
  if (ours.stencil.format != VK_FORMAT_UNDEFINED && reference.stencil.format != VK_FORMAT_UNDEFINED)
    comparePicturesOf("stencil", tolerance,
                      [](const SceneResult &result) -> const ScenePicture & { return result.stencil; });
  if (!ours.buffers.empty() && !reference.buffers.empty())
    for (size_t index = 0; index < std::max(ours.buffers.size(), reference.buffers.size()); ++index) {
      std::string what = fmt::format("buffer {}", index);
      auto bytesOf = [&](const SceneResult &result) { return std::span(result.buffers[index]); };
      std::vector<ChannelDifference> channels;
      if (index >= ours.buffers.size() || index >= reference.buffers.size())
        channels.push_back(unlike(what));
      else
        compareBuffers(what, ours.buffers[index], reference.buffers[index], variationsOf(ours.buffers[index], bytesOf),
                       tolerance, channels);
      addResource(channels, isWritable(scene, BufferTypes, &SceneDescriptor::buffer, index), comparison);
    }
  if (!ours.images.empty() && !reference.images.empty())
    for (size_t index = 0; index < scene.images.size(); ++index) {
      std::string what = fmt::format("image {}", index);
      auto bytesOf = [&](const SceneResult &result) { return std::span(result.images[index]); };
      std::vector<ChannelDifference> channels;
      if (index >= ours.images.size() || index >= reference.images.size())
        channels.push_back(unlike(what));
      else
        compareTexels(what, scene.images[index].format, ours.images[index], reference.images[index],
                      variationsOf(ours.images[index], bytesOf), tolerance, channels);
      addResource(channels, isWritable(scene, ImageTypes, &SceneDescriptor::image, index), comparison);
    }
  for (ChannelDifference &channel : comparison.channels) {
    auto texels = static_cast<double>(channel.texels);
    channel.isWithin =
        channel.outside == 0 && static_cast<double>(channel.unstable) * 1000 <= tolerance.perMilleUnstable * texels;
    comparison.matches &= channel.isWithin;
    comparison.text += describe(channel, variations.noiseOf);
  }
  return comparison;
}

} // namespace dovetail
