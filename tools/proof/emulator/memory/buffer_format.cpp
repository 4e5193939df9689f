// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/memory/buffer_format.h"
#include "tools/proof/emulator/numerics/half.h"
#include <bit>

namespace dovetail::emulator {

namespace {

// The numeric types that a data format allows.
enum class Numerics : uint8_t { None, Small, SmallAndFloat, IntegerAndFloat };

struct DataFormatRow {
  Numerics numerics;
  std::array<uint8_t, 4> bits; // of the components, the lowest bits first
};

// BUF_DATA_FORMAT. A name lists the components from the highest bit down, `bits` from the lowest bit up.
constexpr DataFormatRow DataFormats[16] = {
    {Numerics::None, {}},
    {Numerics::Small, {8}},
    {Numerics::SmallAndFloat, {16}},
    {Numerics::Small, {8, 8}},
    {Numerics::IntegerAndFloat, {32}},
    {Numerics::SmallAndFloat, {16, 16}},
    {Numerics::SmallAndFloat, {11, 11, 10}}, // 10_11_11
    {Numerics::SmallAndFloat, {10, 11, 11}}, // 11_11_10
    {Numerics::Small, {2, 10, 10, 10}},      // 10_10_10_2
    {Numerics::Small, {10, 10, 10, 2}},      // 2_10_10_10
    {Numerics::Small, {8, 8, 8, 8}},
    {Numerics::IntegerAndFloat, {32, 32}},
    {Numerics::SmallAndFloat, {16, 16, 16, 16}},
    {Numerics::IntegerAndFloat, {32, 32, 32}},
    {Numerics::IntegerAndFloat, {32, 32, 32, 32}},
    {Numerics::None, {}},
};

constexpr unsigned Format11_11_10 = 7, Format10_11_11 = 6;

// BUF_NUM_FORMAT. Before GFX8, 6 was SNORM_OGL.
constexpr std::optional<TexelNumeric> NumFormats[8] = {
    TexelNumeric::Unorm, TexelNumeric::Snorm, TexelNumeric::Uscaled, TexelNumeric::Sscaled,
    TexelNumeric::Uint,  TexelNumeric::Sint,  std::nullopt,          TexelNumeric::Float};

TexelNumeric unsignedTwin(TexelNumeric numeric) {
  switch (numeric) {
  case TexelNumeric::Snorm:
    return TexelNumeric::Unorm;
  case TexelNumeric::Sscaled:
    return TexelNumeric::Uscaled;
  case TexelNumeric::Sint:
    return TexelNumeric::Uint;
  default:
    return numeric;
  }
}

constexpr uint32_t FloatOne = 0x3f800000;

} // namespace

std::optional<TexelLayout> bufferLayout(unsigned dataFormat, unsigned numFormat) {
  const DataFormatRow &row = DataFormats[dataFormat & 15];
  std::optional<TexelNumeric> numeric = NumFormats[numFormat & 7];
  if (!numeric || row.numerics == Numerics::None)
    return std::nullopt;
  bool isFloat = *numeric == TexelNumeric::Float;
  bool isInteger = *numeric == TexelNumeric::Uint || *numeric == TexelNumeric::Sint;
  if ((isFloat && row.numerics == Numerics::Small) ||
      (!isFloat && !isInteger && row.numerics == Numerics::IntegerAndFloat))
    return std::nullopt;

  TexelLayout layout;
  bool hasNoSign = dataFormat == Format10_11_11 || dataFormat == Format11_11_10;
  layout.numeric = isFloat && hasNoSign ? TexelNumeric::Ufloat : *numeric;
  unsigned shift = 0;
  for (unsigned i = 0; i != 4; ++i) {
    layout.components[i] = {uint8_t(row.bits[i] != 0 ? shift : 0), row.bits[i]};
    shift += row.bits[i];
  }
  layout.bytes = uint8_t(shift / 8);
  return layout;
}

TexelValue decodeBufferTexel(Generation generation, const TexelLayout &layout, const uint8_t *bytes) {
  TexelValue value = decodeTexel(layout, bytes);
  if (!factsOf(generation).signsTwoBits && layout.components[3].bits == 2) {
    TexelLayout unsignedLayout = layout;
    unsignedLayout.numeric = unsignedTwin(layout.numeric);
    value[3] = decodeTexel(unsignedLayout, bytes)[3];
  }
  return value;
}

TexelValue selectComponents(const TexelValue &value, const std::array<uint8_t, 4> &dstSel, bool isInteger) {
  TexelValue selected = {};
  for (unsigned i = 0; i != 4; ++i) {
    if (dstSel[i] >= 4)
      selected[i] = value[dstSel[i] - 4];
    else if (dstSel[i] == 1)
      selected[i] = isInteger ? 1 : FloatOne;
  }
  return selected;
}

TexelValue unselectComponents(const TexelValue &value, const std::array<uint8_t, 4> &dstSel) {
  TexelValue memory = {};
  for (unsigned i = 4; i-- != 0;)
    if (dstSel[i] >= 4)
      memory[dstSel[i] - 4] = value[i];
  return memory;
}

uint16_t toD16(const TexelLayout &layout, uint32_t component) {
  return layout.isInteger() ? uint16_t(component) : toHalf(std::bit_cast<float>(component), unknownRounding(component));
}

uint32_t fromD16(const TexelLayout &layout, uint16_t component) {
  if (layout.numeric == TexelNumeric::Uint)
    return component;
  if (layout.numeric == TexelNumeric::Sint)
    return uint32_t(int32_t(int16_t(component)));
  return std::bit_cast<uint32_t>(float(fromHalf(component)));
}

} // namespace dovetail::emulator
