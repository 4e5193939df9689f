// SPDX-License-Identifier: MIT
//
// Makes expressions of several operations that compilers recognise as one: byte permutes, bit fields, rotations,
// carries, saturating sums, 24-bit products, extensions of extensions.
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/generate/operations_of.h"

namespace dovetail::random_programs {

namespace {

Expression operator&(Expression x, Expression y) {
  return of(Op::And, std::move(x), std::move(y));
}

Expression operator|(Expression x, Expression y) {
  return of(Op::Or, std::move(x), std::move(y));
}

Expression converted(Op op, Expression x, Type type) {
  return make(op, type, {std::move(x)});
}

} // namespace

// A value of `scalar` whose high bits are all zeros or all the sign.
Expression ProgramGenerator::narrowed(Scalar scalar, unsigned depth) {
  const Type type = {scalar};
  const unsigned bits = bitsOf(scalar);
  const unsigned inner = depth ? depth - 1 : 0;
  const unsigned count = bits == 64   ? m_random.pick({8u, 16u, 24u, 31u, 32u, 33u})
                         : bits == 32 ? m_random.pick({1u, 8u, 15u, 16u, 23u, 24u, 25u, 31u})
                                      : m_random.between(1, bits - 1);
  switch (m_random.below(4)) {
  case 0:
    return any(type, inner) & constant(type, (uint64_t(1) << count) - 1);
  case 1:
    return shifted(Op::ShiftRight, any(type, inner), bits - count);
  case 2:
    return shifted(Op::ShiftRightSigned, shifted(Op::ShiftLeft, any(type, inner), bits - count), bits - count);
  default: {
    static constexpr Scalar Narrower[] = {Scalar::I8, Scalar::I16, Scalar::I32};
    const Scalar from = m_random.pick(Narrower);
    if (bitsOf(from) >= bits)
      return shifted(Op::ShiftRightSigned, any(type, inner), bits - count);
    return converted(m_random.pick(Extensions), any({from}, inner), type);
  }
  }
}

// Combines bytes of several values.
Expression ProgramGenerator::byteShape(unsigned depth) {
  static constexpr uint32_t Masks[] = {0xff,       0xff00,     0xff0000,   0xff000000, 0xffff,
                                       0xffff0000, 0xffffff00, 0x00ffffff, 0x00ff00ff, 0xff00ff00};
  auto piece = [&] {
    Expression source = m_random.chance(60) ? leaf(I32) : any(I32, depth - 1);
    if (m_random.chance(80))
      source = shifted(m_random.pick(Shifts), std::move(source),
                       m_random.chance(80) ? 8 * m_random.below(4) : m_random.below(32));
    if (m_random.chance(20)) {
      const Type narrow = {m_random.chance(50) ? Scalar::I8 : Scalar::I16};
      return converted(m_random.pick(Extensions), converted(Op::ConvertUnsigned, std::move(source), narrow), I32);
    }
    if (m_random.chance(80))
      source = std::move(source) & constant(I32, m_random.pick(Masks));
    return source;
  };
  Expression result = piece();
  for (unsigned i = m_random.between(1, 3); i > 0; --i)
    result = of(m_random.chance(85) ? Op::Or : m_random.chance(50) ? Op::Add : Op::Xor, std::move(result), piece());
  return result;
}

Expression ProgramGenerator::wordShape(unsigned depth) {
  auto some = [&] { return any(I32, depth - 1); };
  auto number = [&] { return constant(I32, interestingWord(32)); };
  switch (m_random.below(16)) {
  case 0: { // saturating
    Expression x = some(), bound = m_random.chance(70) ? number() : some();
    return m_random.chance(50) ? of(Op::Subtract, x, of(Op::Minimum, x, bound))
                               : of(Op::Subtract, of(Op::Maximum, x, bound), bound);
  }
  case 1: { // saturating addition
    Expression x = some(), y = m_random.chance(50) ? number() : some();
    return of(Op::Add, of(Op::Minimum, x, make(Op::Not, I32, {y})), y);
  }
  case 2: { // rotation
    const unsigned count = m_random.between(1, 31);
    Expression x = some(), y = m_random.chance(70) ? x : some();
    return shifted(Op::ShiftLeft, std::move(x), count) | shifted(Op::ShiftRight, std::move(y), 32 - count);
  }
  case 3: { // selects each bit of one of two values
    Expression mask = m_random.chance(50) ? number() : some();
    return (mask & some()) | (make(Op::Not, I32, {mask}) & some());
  }
  case 4: // products of few bits
    return of(Op::Add, of(Op::Multiply, narrowed(Scalar::I32, depth), narrowed(Scalar::I32, depth)), some());
  case 5:
    return make(m_random.chance(50) ? Op::HighProduct : Op::HighProductSigned, I32,
                {narrowed(Scalar::I32, depth), narrowed(Scalar::I32, depth)});
  case 6: { // sum of absolute differences
    Expression x = some(), y = some();
    return of(Op::Add, of(Op::Subtract, of(Op::Maximum, x, y), of(Op::Minimum, x, y)), some());
  }
  case 7: { // median
    Expression low = constant(I32, m_random.below(100)), high = constant(I32, 100 + m_random.below(1000));
    const bool isSigned = m_random.chance(50);
    return of(isSigned ? Op::MinimumSigned : Op::Minimum, of(isSigned ? Op::MaximumSigned : Op::Maximum, some(), low),
              high);
  }
  case 8:
    return shifted(m_random.pick(Shifts), of(Op::Add, some(), some()), m_random.below(32));
  case 9:
    return of(Op::Add, shifted(Op::ShiftLeft, some(), m_random.below(32)), some());
  case 10:
    return of(Op::Or, some(), m_random.chance(50) ? constant(I32, 0xffffffff) : number());
  case 11:
    return make(Op::Not, I32, {of(Op::Xor, some(), some())});
  case 12: { // position of the first bit, or another number
    Expression x = some();
    static constexpr Op Finds[] = {Op::LowestBit, Op::HighestBit, Op::HighestBitSigned};
    const Expression found = make(m_random.pick(Finds), I32, {x});
    return make(Op::Select, I32, {make(Op::Equal, Bool, {x, constant(I32, 0)}), constant(I32, 32), found});
  }
  case 13:
    return of(Op::Add, make(Op::BitCount, I32, {some()}), some());
  case 14: { // x ^ (narrow(x) >> 8)
    Expression x = some();
    const Type narrow = {m_random.chance(70) ? Scalar::I16 : Scalar::I8};
    Expression part = converted(Op::ConvertUnsigned, x, narrow);
    part = shifted(m_random.pick(Shifts), std::move(part),
                   m_random.chance(70) ? bitsOf(narrow.scalar) / 2 : m_random.below(bitsOf(narrow.scalar)));
    static constexpr Op Ops[] = {Op::Xor, Op::Add, Op::Subtract, Op::Multiply, Op::Or, Op::And, Op::MaximumSigned};
    return of(m_random.pick(Ops), std::move(x), converted(m_random.pick(Extensions), std::move(part), I32));
  }
  default: { // divisions of narrow operands
    const Type narrow = {m_random.chance(50) ? Scalar::I16 : Scalar::I8};
    static constexpr Op Divisions[] = {Op::Divide, Op::DivideSigned, Op::Modulo, Op::ModuloSigned, Op::RemainderSigned};
    const Op op = m_random.pick(Divisions);
    const bool isSigned = op != Op::Divide && op != Op::Modulo;
    const Op extension = isSigned ? Op::ConvertSigned : Op::ConvertUnsigned;
    Expression x = converted(extension, any(narrow, depth - 1), I32);
    Expression y = m_random.chance(50)
                       ? converted(extension, any(narrow, depth - 1), I32)
                       : constant(I32, m_random.pick({0xffffffffu, 1u, 2u, 3u, 7u, 10u, 255u, 0xfffffffdu}));
    return of(op, std::move(x), std::move(y));
  }
  }
}

Expression ProgramGenerator::carryShape(unsigned depth) {
  static constexpr Op Sums[] = {Op::AddWithCarry, Op::CarryOfAdd, Op::SubtractWithBorrow, Op::BorrowOfSubtract};
  Expression x = m_random.chance(60)
                     ? of(m_random.chance(50) ? Op::Add : Op::Subtract, any(I32, depth - 1), any(I32, depth - 1))
                     : any(I32, depth - 1);
  Expression y = m_random.chance(40) ? constant(I32, interestingWord(32)) : any(I32, depth - 1);
  Expression first = make(m_random.pick(Sums), I32, {x, y});
  if (m_random.chance(50))
    return first;
  return make(m_random.chance(50) ? Op::Add : m_random.pick(Sums), I32,
              {std::move(first), make(Op::CarryOfAdd, I32, {std::move(x), std::move(y)})});
}

Expression ProgramGenerator::wideShape(unsigned depth) {
  auto word = [&] { return any(I32, depth - 1); };
  auto extended = [&] { return converted(m_random.pick(Extensions), word(), I64); };
  switch (m_random.below(8)) {
  case 0: // 64 bits of two words
    return shifted(Op::ShiftLeft, converted(Op::ConvertUnsigned, word(), I64), 32) | extended();
  case 1:
    return of(Op::Multiply, extended(), extended());
  case 2:
    return of(Op::Add, of(Op::Multiply, extended(), extended()), any(I64, depth - 1));
  case 3: // divisions of narrow operands
    return of(m_random.chance(50) ? Op::Divide : Op::Modulo, narrowed(Scalar::I64, depth),
              of(Op::Or, narrowed(Scalar::I64, depth), constant(I64, 1)));
  case 4: {
    const Expression y = m_random.chance(50) ? constant(I64, ~uint64_t(0)) : constant(I64, m_random.between(2, 1000));
    return of(m_random.chance(50) ? Op::DivideSigned : Op::RemainderSigned, converted(Op::ConvertSigned, word(), I64),
              y);
  }
  case 5:
    return make(Op::Not, I64, {of(Op::Xor, any(I64, depth - 1), any(I64, depth - 1))});
  case 6:
    return shifted(m_random.pick(Shifts), any(I64, depth - 1), m_random.chance(50) ? 32 : m_random.below(64));
  default:
    return of(m_random.chance(50) ? Op::Add : Op::Subtract, any(I64, depth - 1), extended());
  }
}

Expression ProgramGenerator::shape(Scalar scalar, unsigned depth) {
  if (scalar == Scalar::I64)
    return wideShape(depth);
  if (scalar != Scalar::I32)
    return m_random.chance(50) ? narrowed(scalar, depth)
                               : converted(Op::ConvertUnsigned, shape(Scalar::I32, depth), {scalar});
  switch (m_random.below(8)) {
  case 0:
  case 1:
  case 2:
    return byteShape(depth);
  case 3:
    return carryShape(depth);
  case 4:
    return converted(Op::ConvertUnsigned, wideShape(depth), I32);
  default:
    return wordShape(depth);
  }
}

} // namespace dovetail::random_programs
