// SPDX-License-Identifier: MIT
//
// Constants near the limits at which compilers choose other code.
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/interpret/arithmetic.h"

namespace dovetail::random_programs {

uint64_t ProgramGenerator::interestingWord(unsigned bits) {
  static constexpr uint64_t Words[] = {
      0,          1,          2,          3,          4,          5,          7,          8,          10,
      15,         16,         24,         31,         32,         63,         64,         100,        127,
      128,        129,        255,        256,        1000,       0x7fff,     0x8000,     0x8001,     0xffff,
      0x10000,    0xff00,     0xff0000,   0xff000000, 0xffff0000, 0xffffff,   0x1000000,  0x7fffff,   0x800000,
      0xfffffe,   0x7fffffff, 0x80000000, 0xffffffff, 0x00ff00ff, 0x0f0f0f0f, 0xaaaaaaaa, 0x9e3779b9, 0x12345678,
      0xfffffff0, 0xffffff00, 0xffff8000, 0xffffff80, 0x01010101};
  uint64_t word = 0;
  switch (m_random.below(8)) {
  case 0:
    word = m_random.next();
    break;
  case 1:
    word = uint64_t(1) << m_random.below(bits);
    break;
  case 2:
    word = (uint64_t(1) << m_random.below(bits)) - 1;
    break;
  case 3:
    word = m_random.below(40);
    break;
  default:
    word = m_random.pick(Words);
    if (bits == 64 && m_random.chance(30))
      word = word << 32 | (m_random.chance(50) ? word : m_random.pick(Words));
    break;
  }
  if (m_random.chance(20))
    word = ~word;
  if (m_random.chance(10))
    word = 0 - word;
  return truncated(word, bits);
}

std::optional<uint64_t> unusualFloat(Random &random, Scalar scalar, const FloatMode &mode) {
  const unsigned bits = bitsOf(scalar), mantissa = scalar == Scalar::F64 ? 52 : scalar == Scalar::F32 ? 23 : 10;
  const uint64_t sign = random.chance(50) ? uint64_t(1) << (bits - 1) : 0;
  const uint64_t exponents = (uint64_t(1) << (bits - 1)) - (uint64_t(1) << mantissa);
  switch (random.below(4)) {
  case 0:
    return mode.keepsSigns ? std::optional(uint64_t(1) << (bits - 1)) : std::nullopt;
  case 1:
    return mode.keepsSigns ? std::optional(sign | exponents) : std::nullopt;
  case 2: // the smallest normal numbers, whose differences and products are denormal, and the largest numbers
    return (random.chance(70) ? uint64_t(1) << mantissa : exponents - (uint64_t(1) << mantissa)) | sign |
           random.below(1u << 10);
  default:
    return mode.keepsDenormals ? std::optional(sign | random.between(1, 1023)) : std::nullopt;
  }
}

uint64_t ProgramGenerator::interestingFloat(Scalar scalar) {
  if (const FloatMode &mode = m_shader.floatMode(scalar); mode != FloatMode() && m_random.chance(25))
    if (const std::optional<uint64_t> word = unusualFloat(m_random, scalar, mode))
      return *word;
  static constexpr double Numbers[] = {0.5, 1,   1.5, 2,   2.5, 3,   4,    7.25, 8,   10,
                                       16,  100, 127, 128, 255, 256, 1000, 2047, 2048};
  double number = m_random.chance(30) ? double(m_random.below(512)) / 4 : m_random.pick(Numbers);
  if (m_random.chance(30))
    number = -number;
  return encodeFloat(scalar, number == 0 ? 0.0 : number).value_or(0);
}

uint64_t ProgramGenerator::anyScalar(Scalar scalar) {
  return scalar == Scalar::Bool ? m_random.below(2)
         : isFloat(scalar)      ? interestingFloat(scalar)
                                : interestingWord(bitsOf(scalar));
}

Expression ProgramGenerator::anyConstant(const Type &type) {
  std::vector<uint64_t> words;
  const bool isSplat = m_random.chance(40);
  for (unsigned i = 0; i < type.components(); ++i)
    words.push_back(i && isSplat && !type.structure ? words[0] : anyScalar(type.scalarOf(i)));
  return constant(type, std::move(words));
}

} // namespace dovetail::random_programs
