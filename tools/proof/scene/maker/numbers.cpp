// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/numbers.h"
#include "tools/proof/scene/maker/names.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace dovetail {

namespace {

using spirv::BlockMember;

// columns × rows, column by column.
using Values = std::array<float, 16>;

// A camera that looks down a little, so that a grid in the plane of x and z is as visible as one in the plane of x and
// y. z stays in the clip volume for z between -1 and 1.
constexpr float Tilt[4][4] = {
    // columns
    {0.95f, 0.03f, 0.04f, 0.06f},
    {0.04f, 0.80f, 0.03f, 0.02f},
    {0.02f, 0.60f, 0.25f, 0.10f},
    {0.00f, -0.30f, 0.40f, 1.00f},
};

Values matrixValues(const BlockMember &member, Meaning meaning, Random &random) {
  Values values = {};
  for (unsigned column = 0; column < member.columns; ++column)
    for (unsigned row = 0; row < member.rows; ++row) {
      bool isCamera = meaning == Meaning::Camera && member.columns == 4 && member.rows == 4;
      float base = isCamera ? Tilt[column][row] : column == row ? 1 : 0;
      values[column * 4 + row] = base + random.real(-MatrixNoise, MatrixNoise);
    }
  return values;
}

// Positions that a shader picks by the vertex's number. They lie all over the framebuffer.
bool isVertices(const BlockMember &member) {
  return member.rows == 4 && !member.arrays.empty();
}

Values vectorValues(const BlockMember &member, Meaning meaning, const BlockContext &context, Random &random) {
  Values values = {};
  bool isInteger = member.numericClass != NumericClass::Float;
  for (unsigned row = 0; row < member.rows; ++row) {
    float &value = values[row];
    if (isInteger) {
      value = random.below(4);
      if (meaning == Meaning::Count)
        value = context.exactCount  ? static_cast<float>(context.exactCount)
                : context.isCompute ? random.between(40, 100)
                                    : random.between(1, 3);
      else if (meaning == Meaning::Resolution)
        value = row ? context.height : context.width;
      continue;
    }
    value = random.real(0.1f, 0.9f);
    if (meaning == Meaning::Resolution)
      value = row ? context.height : context.width;
    else if (meaning == Meaning::TexelSize)
      value = 1 / (row ? context.height : context.width);
    else if (meaning == Meaning::Direction)
      value -= 0.5f;
    else if (meaning == Meaning::Position && isVertices(member))
      value = row < 2 ? 2.3f * (value - 0.5f) : row == 2 ? value : 1;
    else if (meaning == Meaning::Threshold)
      value /= 30; // a product of a few numbers is mostly larger
  }
  if (!isInteger && meaning == Meaning::Direction && member.rows > 1) {
    // The last component points to the viewer, so the vector is never zero.
    unsigned last = std::min(member.rows, 3u) - 1;
    values[last] = 0.8f;
    float length = 0;
    for (unsigned row = 0; row <= last; ++row)
      length += values[row] * values[row];
    for (unsigned row = 0; row <= last; ++row)
      values[row] /= std::sqrt(length);
    values[3] = 1;
  }
  return values;
}

class Filler {
public:
  Filler(const BlockMember &member, const BlockContext &context, uint32_t limit, uint64_t seed,
         std::span<uint8_t> bytes)
      : m_member(member), m_context(context), m_greatest(static_cast<float>(limit) - 1),
        m_random(seed, member.name, {member.offset}), m_bytes(bytes), m_meaning(meaningOf(member.name)) {}

  void writeAt(uint64_t offset) {
    bool isMatrix = m_member.columns > 1;
    Values values =
        isMatrix ? matrixValues(m_member, m_meaning, m_random) : vectorValues(m_member, m_meaning, m_context, m_random);
    unsigned size = m_member.bits / 8;
    for (unsigned column = 0; column < m_member.columns; ++column)
      for (unsigned row = 0; row < m_member.rows; ++row) {
        uint64_t place = offset + (m_member.rowMajor ? row * uint64_t(m_member.matrixStride) + column * size
                                                     : column * uint64_t(m_member.matrixStride) + row * size);
        if (place + size <= m_bytes.size())
          writeNumber(&m_bytes[place], m_member.numericClass, m_member.bits,
                      std::min(values[column * 4 + row], m_greatest));
      }
  }

private:
  const BlockMember &m_member;
  const BlockContext &m_context;
  float m_greatest;
  Random m_random;
  std::span<uint8_t> m_bytes;
  Meaning m_meaning;
};

// Calls `each` with the offset of every element of a member.
Result<void> eachElement(const BlockMember &member, uint64_t size, const std::function<Result<void>(uint64_t)> &each,
                         size_t dimension, uint64_t offset) {
  if (offset >= size)
    return {};
  if (dimension == member.arrays.size())
    return each(offset);
  const spirv::ArrayDimension &array = member.arrays[dimension];
  uint64_t room = array.stride ? (size - offset + array.stride - 1) / array.stride : 1;
  uint64_t count = array.count ? std::min<uint64_t>(array.count, room) : room;
  for (uint64_t i = 0; i < count; ++i)
    DOVETAIL_CHECK(eachElement(member, size, each, dimension + 1, offset + i * array.stride));
  return {};
}

} // namespace

void writeNumber(uint8_t *bytes, NumericClass numericClass, unsigned bits, double value) {
  if (numericClass == NumericClass::Float && bits == 16) {
    static const TexelLayout Half = *texelLayout(VK_FORMAT_R16_SFLOAT);
    encodeTexel(Half, {std::bit_cast<uint32_t>(static_cast<float>(value)), 0, 0, 0}, bytes);
    return;
  }
  uint64_t word;
  if (numericClass != NumericClass::Float)
    word = static_cast<uint64_t>(static_cast<int64_t>(value));
  else if (bits == 32)
    word = std::bit_cast<uint32_t>(static_cast<float>(value));
  else
    word = std::bit_cast<uint64_t>(value);
  std::memcpy(bytes, &word, bits / 8);
}

Result<void> fillBlock(const std::vector<BlockMember> &members, const BlockContext &context,
                       const LimitOfMember &limitOf, const AddressSink &addAddress, uint64_t seed,
                       std::span<uint8_t> bytes) {
  constexpr uint64_t AddressBytes = 8;
  for (const BlockMember &member : members) {
    Filler filler(member, context, limitOf(member.offset), seed, bytes);
    auto fillOne = [&](uint64_t offset) -> Result<void> {
      if (!member.isAddress)
        filler.writeAt(offset);
      else if (offset + AddressBytes <= bytes.size())
        return addAddress(member, static_cast<uint32_t>(offset));
      return {};
    };
    DOVETAIL_CHECK(eachElement(member, bytes.size(), fillOne, 0, member.offset));
  }
  return {};
}

} // namespace dovetail
