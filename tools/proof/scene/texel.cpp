// SPDX-License-Identifier: MIT
//
// A texel's components are bit fields of its bytes. src/state/format_table.h gives their widths and order, so the
// layout of every colour format follows from that table; only depth and stencil are listed here. Values are converted
// in double precision and rounded once. Sources: the Vulkan specification's chapters "Numeric Representation and
// Computation" and "Fixed-Point Data Conversions".
#include "tools/proof/scene/texel.h"
#include "src/state/format_table.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dovetail {

namespace {

constexpr unsigned SharedExponentShift = 27, SharedExponentBias = 15, SharedMantissaBits = 9;

TexelNumeric numericOf(const FormatInfo &info) {
  switch (info.numeric) {
  case FormatNumeric::Unorm:
    return TexelNumeric::Unorm;
  case FormatNumeric::Snorm:
    return TexelNumeric::Snorm;
  case FormatNumeric::Uscaled:
    return TexelNumeric::Uscaled;
  case FormatNumeric::Sscaled:
    return TexelNumeric::Sscaled;
  case FormatNumeric::Uint:
    return TexelNumeric::Uint;
  case FormatNumeric::Sint:
    return TexelNumeric::Sint;
  case FormatNumeric::Sfloat:
    return TexelNumeric::Float;
  case FormatNumeric::Srgb:
    return TexelNumeric::Srgb;
  case FormatNumeric::Ufloat:
    break;
  }
  return info.vertexFetch == VertexFetchMethod::SharedExponent ? TexelNumeric::SharedExponent : TexelNumeric::Ufloat;
}

uint32_t maskOf(unsigned bits) {
  return bits == 32 ? ~0u : (1u << bits) - 1;
}

// A texel of at most 64 bits, as one number.
constexpr unsigned WordBytes = 8;
uint64_t readWord(const uint8_t *bytes, unsigned count) {
  uint64_t word = 0;
  if (count == sizeof(uint32_t)) // the most frequent size
    std::memcpy(&word, bytes, sizeof(uint32_t));
  else
    std::memcpy(&word, bytes, count);
  return word;
}

void writeWord(uint64_t word, uint8_t *bytes, unsigned count) {
  if (count == sizeof(uint32_t))
    std::memcpy(bytes, &word, sizeof(uint32_t));
  else
    std::memcpy(bytes, &word, count);
}

uint32_t fieldOf(uint64_t word, TexelComponent component) {
  return uint32_t(word >> component.shift) & maskOf(component.bits);
}

uint32_t readBits(const uint8_t *bytes, TexelComponent component) {
  uint64_t value = 0;
  unsigned first = component.shift / 8, last = (component.shift + component.bits - 1) / 8;
  for (unsigned i = first; i <= last; ++i)
    value |= uint64_t(bytes[i]) << (i - first) * 8;
  return uint32_t(value >> component.shift % 8) & maskOf(component.bits);
}

void writeBits(uint8_t *bytes, TexelComponent component, uint32_t value) {
  unsigned first = component.shift / 8, last = (component.shift + component.bits - 1) / 8;
  uint64_t mask = uint64_t(maskOf(component.bits)) << component.shift % 8;
  uint64_t shifted = uint64_t(value) << component.shift % 8 & mask;
  for (unsigned i = first; i <= last; ++i) {
    unsigned shift = (i - first) * 8;
    bytes[i] = uint8_t((bytes[i] & ~(mask >> shift)) | (shifted >> shift & 0xff));
  }
}

int32_t signExtend(uint32_t value, unsigned bits) {
  return int32_t(value << (32 - bits)) >> (32 - bits);
}

// Largest value of a signed component.
uint32_t signedMax(unsigned bits) {
  return maskOf(bits) >> 1;
}

float asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

uint32_t asBits(double value) {
  return std::bit_cast<uint32_t>(float(value));
}

double fromSrgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double toSrgb(double value) {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

// Floats of at most 16 bits have an exponent of five bits with a bias of 15.
uint32_t widenSmallFloat(uint32_t value, unsigned bits, bool isSigned) {
  unsigned mantissaBits = bits - 5 - isSigned;
  uint32_t sign = isSigned ? value >> (bits - 1) << 31 : 0;
  uint32_t exponent = value >> mantissaBits & 31, mantissa = value & maskOf(mantissaBits);
  if (exponent == 31)
    return sign | 0x7f800000 | mantissa << (23 - mantissaBits);
  if (exponent != 0)
    return sign | (exponent + 127 - 15) << 23 | mantissa << (23 - mantissaBits);
  const float denormalStep = std::bit_cast<float>((127 - 14 - mantissaBits) << 23); // a power of 2
  return sign | std::bit_cast<uint32_t>(float(mantissa) * denormalStep);
}

// Rounds toward zero: a value that is too large becomes the largest finite value, and without a sign a negative value
// becomes 0.
uint32_t narrowToSmallFloat(uint32_t value, unsigned bits, bool isSigned) {
  unsigned mantissaBits = bits - 5 - isSigned;
  uint32_t infinity = 31u << mantissaBits;
  uint32_t sign = isSigned ? value >> 31 << (bits - 1) : 0;
  uint32_t magnitude = value & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    uint32_t payload = (magnitude & 0x7fffff) >> (23 - mantissaBits);
    return sign | infinity | (payload ? payload : 1);
  }
  if (!isSigned && value >> 31)
    return 0;
  if (magnitude == 0x7f800000)
    return sign | infinity;
  int exponent = int(magnitude >> 23) - 127 + 15;
  if (exponent >= 31)
    return sign | (infinity - 1);
  if (exponent >= 1)
    return sign | uint32_t(exponent) << mantissaBits | (magnitude & 0x7fffff) >> (23 - mantissaBits);
  return sign | uint32_t(std::ldexp(asFloat(magnitude), 14 + int(mantissaBits)));
}

TexelValue decodeSharedExponent(const TexelLayout &layout, const uint8_t *bytes) {
  unsigned exponent = readBits(bytes, {SharedExponentShift, 5});
  TexelValue value = {0, 0, 0, asBits(1)};
  for (unsigned i = 0; i != 3; ++i)
    value[i] = asBits(std::ldexp(readBits(bytes, layout.components[i]),
                                 int(exponent) - int(SharedExponentBias + SharedMantissaBits)));
  return value;
}

// The exponent is the smallest that fits the largest component; mantissas are rounded to nearest.
void encodeSharedExponent(const TexelLayout &layout, const TexelValue &value, uint8_t *bytes) {
  const double largest = std::ldexp(511, 31 - int(SharedExponentBias + SharedMantissaBits));
  std::array<double, 3> clamped;
  for (unsigned i = 0; i != 3; ++i)
    clamped[i] = asFloat(value[i]) > 0 ? std::min(double(asFloat(value[i])), largest) : 0;
  double maximum = *std::max_element(clamped.begin(), clamped.end());
  int exponent = maximum > 0 ? std::max(std::ilogb(maximum) + 1 + int(SharedExponentBias), 0) : 0;
  auto mantissa = [&](double component) {
    return uint32_t(std::floor(std::ldexp(component, int(SharedExponentBias + SharedMantissaBits) - exponent) + 0.5));
  };
  if (mantissa(maximum) == 1u << SharedMantissaBits)
    ++exponent;
  for (unsigned i = 0; i != 3; ++i)
    writeBits(bytes, layout.components[i], mantissa(clamped[i]));
  writeBits(bytes, {SharedExponentShift, 5}, uint32_t(exponent));
}

uint32_t decodeComponent(TexelNumeric numeric, uint32_t field, unsigned bits, bool isAlpha) {
  switch (numeric) {
  case TexelNumeric::Unorm:
    return asBits(double(field) / maskOf(bits));
  case TexelNumeric::Snorm:
    return asBits(std::max(double(signExtend(field, bits)) / signedMax(bits), -1.0));
  case TexelNumeric::Uscaled:
    return asBits(field);
  case TexelNumeric::Sscaled:
    return asBits(signExtend(field, bits));
  case TexelNumeric::Uint:
    return field;
  case TexelNumeric::Sint:
    return uint32_t(signExtend(field, bits));
  case TexelNumeric::Float:
    return bits == 32 ? field : widenSmallFloat(field, bits, true);
  case TexelNumeric::Ufloat:
    return widenSmallFloat(field, bits, false);
  case TexelNumeric::Srgb: {
    double value = double(field) / maskOf(bits);
    return asBits(isAlpha ? value : fromSrgb(value));
  }
  case TexelNumeric::SharedExponent: // decodeSharedExponent() decodes all components at once
    break;
  }
  return 0;
}

// Rounds to the nearest integer, halves to even, for magnitudes below 2^51: the sum has more bits than a double keeps,
// so it is rounded. (std::nearbyint() is a function call if the host has no rounding instruction.)
double nearestInteger(double value) {
  constexpr double Unit = 0x1.8p52;
  return value + Unit - Unit;
}

[[gnu::always_inline]] inline uint32_t encodeComponent(TexelNumeric numeric, uint32_t value, unsigned bits,
                                                       bool isAlpha) {
  float number = std::isnan(asFloat(value)) ? 0 : asFloat(value);
  switch (numeric) {
  case TexelNumeric::Unorm:
    return uint32_t(nearestInteger(std::clamp(double(number), 0.0, 1.0) * maskOf(bits)));
  case TexelNumeric::Snorm:
    return uint32_t(int32_t(nearestInteger(std::clamp(double(number), -1.0, 1.0) * signedMax(bits))));
  case TexelNumeric::Uscaled:
    return uint32_t(std::clamp(double(number), 0.0, double(maskOf(bits))));
  case TexelNumeric::Sscaled:
    return uint32_t(int32_t(std::clamp(double(number), -double(signedMax(bits)) - 1, double(signedMax(bits)))));
  case TexelNumeric::Uint:
    return std::min(value, maskOf(bits));
  case TexelNumeric::Sint:
    return uint32_t(std::clamp(int64_t(int32_t(value)), -int64_t(signedMax(bits)) - 1, int64_t(signedMax(bits))));
  case TexelNumeric::Float:
    return bits == 32 ? value : narrowToSmallFloat(value, bits, true);
  case TexelNumeric::Ufloat:
    return narrowToSmallFloat(value, bits, false);
  case TexelNumeric::Srgb: {
    double clamped = std::clamp(double(number), 0.0, 1.0);
    return uint32_t(std::nearbyint((isAlpha ? clamped : toSrgb(clamped)) * maskOf(bits)));
  }
  case TexelNumeric::SharedExponent:
    break;
  }
  return 0;
}

} // namespace

Result<TexelLayout> texelLayout(VkFormat format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM:
    return TexelLayout{2, TexelNumeric::Unorm, {{{0, 16}}}};
  case VK_FORMAT_X8_D24_UNORM_PACK32:
    return TexelLayout{4, TexelNumeric::Unorm, {{{0, 24}}}};
  case VK_FORMAT_D32_SFLOAT:
    return TexelLayout{4, TexelNumeric::Float, {{{0, 32}}}};
  case VK_FORMAT_S8_UINT:
    return TexelLayout{1, TexelNumeric::Uint, {{{0, 8}}}};
  case VK_FORMAT_R64_UINT: // as in hardware: both halves
  case VK_FORMAT_R64_SINT:
    return TexelLayout{8, TexelNumeric::Uint, {{{0, 32}, {32, 32}}}};
  default:
    break;
  }
  const FormatInfo *info = findFormat(format);
  if (!info || info->bits[0] > 32)
    return makeError(ErrorCode::Unsupported, "{} has no texel layout", formatName(format));

  TexelLayout layout;
  layout.bytes = info->bytes;
  layout.numeric = numericOf(*info);
  for (unsigned i = 0; i != 4; ++i) {
    if (!info->bits[i])
      continue;
    layout.components[i].bits = info->bits[i];
    for (unsigned below = 0; below != 4; ++below)
      if (info->bits[below] && info->channel[below] < info->channel[i])
        layout.components[i].shift += info->bits[below];
  }
  return layout;
}

TexelValue decodeTexel(const TexelLayout &layout, const uint8_t *bytes) {
  if (layout.numeric == TexelNumeric::SharedExponent)
    return decodeSharedExponent(layout, bytes);
  TexelValue value = {0, 0, 0, layout.isInteger() ? 1 : asBits(1)};
  const bool isWord = layout.bytes <= WordBytes;
  const uint64_t word = isWord ? readWord(bytes, layout.bytes) : 0;
  for (unsigned i = 0; i != 4; ++i)
    if (const TexelComponent component = layout.components[i]; component.bits) {
      const uint32_t field = isWord ? fieldOf(word, component) : readBits(bytes, component);
      value[i] = decodeComponent(layout.numeric, field, component.bits, i == 3);
    }
  return value;
}

namespace {

constexpr unsigned MaxTableBits = 8;

// The values of narrow fields.
struct ComponentTables {
  // [bits][is alpha][field]
  std::array<std::array<std::array<uint32_t, 1u << MaxTableBits>, 2>, MaxTableBits + 1> values;

  explicit ComponentTables(TexelNumeric numeric) {
    for (unsigned bits = 1; bits <= MaxTableBits; ++bits)
      for (unsigned isAlpha = 0; isAlpha != 2; ++isAlpha)
        for (uint32_t field = 0; field <= maskOf(bits); ++field)
          values[bits][isAlpha][field] = decodeComponent(numeric, field, bits, isAlpha);
  }
};

const ComponentTables *componentTables(TexelNumeric numeric) {
  switch (numeric) {
  case TexelNumeric::Unorm: {
    static const ComponentTables tables(TexelNumeric::Unorm);
    return &tables;
  }
  case TexelNumeric::Srgb: {
    static const ComponentTables tables(TexelNumeric::Srgb);
    return &tables;
  }
  default:
    return nullptr;
  }
}

} // namespace

TexelDecoder::TexelDecoder(const TexelLayout &layout) : m_layout(layout) {
  static constexpr uint32_t Zero = 0, One = std::bit_cast<uint32_t>(1.0f);
  m_one = layout.isInteger() ? 1 : One;
  // Whether the first `m_count` components have so many bits each, lie in their order, and are the only ones.
  auto haveBits = [&](unsigned bits) {
    m_count = 0;
    while (m_count != 4 && layout.components[m_count].bits == bits &&
           layout.components[m_count].shift == bits * m_count)
      ++m_count;
    return m_count != 0 && std::all_of(layout.components.begin() + m_count, layout.components.end(),
                                       [](const TexelComponent &component) { return component.bits == 0; });
  };
  if ((layout.isInteger() || layout.numeric == TexelNumeric::Float) && haveBits(32)) {
    m_way = Way::Words;
    return;
  }
  if (layout.numeric == TexelNumeric::Float && haveBits(16)) {
    m_way = Way::Halves;
    return;
  }
  const bool isSmall =
      layout.bytes <= sizeof(uint32_t) && std::ranges::all_of(layout.components, [](const TexelComponent &component) {
        return component.bits <= MaxTableBits;
      });
  const ComponentTables *tables = isSmall ? componentTables(layout.numeric) : nullptr;
  if (tables == nullptr)
    return;
  m_way = Way::Tables;
  for (unsigned i = 0; i != 4; ++i) {
    const TexelComponent component = layout.components[i];
    if (component.bits != 0)
      m_tables[i] = {tables->values[component.bits][i == 3].data(), maskOf(component.bits), component.shift};
    else
      m_tables[i] = {i == 3 ? &One : &Zero, 0, 0};
  }
}

void encodeTexel(const TexelLayout &layout, const TexelValue &value, uint8_t *bytes, unsigned mask) {
  if (layout.numeric == TexelNumeric::SharedExponent)
    return encodeSharedExponent(layout, value, bytes);
  if (layout.bytes <= WordBytes) {
    uint64_t word = readWord(bytes, layout.bytes);
    auto encode = [&](TexelNumeric numeric) {
      for (unsigned i = 0; i != 4; ++i)
        if (const TexelComponent component = layout.components[i]; component.bits && mask >> i & 1) {
          const uint64_t field = maskOf(component.bits);
          const uint64_t encoded = encodeComponent(numeric, value[i], component.bits, i == 3) & field;
          word = (word & ~(field << component.shift)) | encoded << component.shift;
        }
    };
    if (layout.numeric == TexelNumeric::Unorm) // the most frequent kind
      encode(TexelNumeric::Unorm);
    else
      encode(layout.numeric);
    writeWord(word, bytes, layout.bytes);
    return;
  }
  for (unsigned i = 0; i != 4; ++i)
    if (unsigned bits = layout.components[i].bits; bits && mask >> i & 1)
      writeBits(bytes, layout.components[i], encodeComponent(layout.numeric, value[i], bits, i == 3));
}

} // namespace dovetail
