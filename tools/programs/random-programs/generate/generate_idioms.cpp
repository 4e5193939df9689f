// SPDX-License-Identifier: MIT
//
// Makes expressions of several operations that compilers recognise or replace, for integers of any width and for
// vectors: saturation, absolute differences, averages, tests of bits and ranges, sums of conditions, shifts of shifts.
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/generate/operations_of.h"

namespace dovetail::random_programs {

namespace {

Expression compared(Op op, Expression x, Expression y) {
  const Type type = x.type.with(Scalar::Bool);
  return make(op, type, {std::move(x), std::move(y)});
}

Expression selected(Expression condition, Expression x, Expression y) {
  const Type type = x.type;
  return make(Op::Select, type, {std::move(condition), std::move(x), std::move(y)});
}

constexpr Op Comparisons[] = {Op::Less,    Op::LessSigned,    Op::LessOrEqual,    Op::LessOrEqualSigned,
                              Op::Greater, Op::GreaterSigned, Op::GreaterOrEqual, Op::GreaterOrEqualSigned,
                              Op::Equal,   Op::Unequal};
constexpr Op Extremes[] = {Op::Minimum, Op::MinimumSigned, Op::Maximum, Op::MaximumSigned};

} // namespace

// Mostly small, because idioms repeat it.
Expression ProgramGenerator::operand(const Type &type, unsigned depth) {
  return m_random.chance(65) ? leaf(type) : any(type, depth - 1);
}

Expression ProgramGenerator::saturatingIdiom(const Type &type, unsigned depth) {
  const Expression x = operand(type, depth);
  const Expression y =
      m_random.chance(40) ? constant(type, interestingWord(bitsOf(type.scalar))) : operand(type, depth);
  const Expression sum = of(Op::Add, x, y), difference = of(Op::Subtract, x, y);
  const Expression ones = constant(type, ~uint64_t(0)), zero = constant(type, 0);
  switch (m_random.below(8)) {
  case 0:
    return of(Op::Subtract, x, of(Op::Minimum, x, y));
  case 1:
    return of(Op::Subtract, of(Op::Maximum, x, y), y);
  case 2:
    return of(Op::Add, of(Op::Minimum, x, of(Op::Not, y)), y);
  case 3:
    return selected(compared(Op::Less, sum, m_random.chance(50) ? x : y), ones, sum);
  case 4:
    return selected(compared(Op::GreaterOrEqual, sum, x), sum, m_random.chance(70) ? ones : zero);
  case 5:
    return m_random.chance(50) ? selected(compared(Op::Less, x, y), zero, difference)
                               : selected(compared(Op::Greater, x, y), difference, zero);
  case 6: { // of signed numbers
    const bool isSum = m_random.chance(50);
    const Expression result = isSum ? sum : difference;
    const Expression flips = of(Op::And, of(Op::Xor, x, result), of(Op::Xor, isSum ? y : x, isSum ? result : y));
    const Expression bound = of(Op::Xor, shifted(Op::ShiftRightSigned, x, bitsOf(type.scalar) - 1),
                                constant(type, (uint64_t(1) << (bitsOf(type.scalar) - 1)) - 1));
    return selected(compared(Op::LessSigned, flips, zero), bound, result);
  }
  default: { // of a narrower type
    static constexpr Scalar Narrower[] = {Scalar::I8, Scalar::I16, Scalar::I32};
    const Type narrow = type.with(m_random.pick(Narrower));
    const unsigned bits = bitsOf(narrow.scalar);
    if (bits >= bitsOf(type.scalar))
      return of(m_random.pick(Extremes), sum, y);
    const Op extension = m_random.pick(Extensions);
    Expression wide = of(m_random.chance(60) ? Op::Add : Op::Subtract, make(extension, type, {operand(narrow, depth)}),
                         make(extension, type, {operand(narrow, depth)}));
    const uint64_t high = extension == Op::ConvertSigned ? (uint64_t(1) << (bits - 1)) - 1 : (uint64_t(1) << bits) - 1;
    wide = of(Op::MinimumSigned, std::move(wide), constant(type, high));
    wide = of(Op::MaximumSigned, std::move(wide), extension == Op::ConvertSigned ? constant(type, ~high) : zero);
    return make(m_random.pick(Extensions), type, {make(Op::ConvertUnsigned, narrow, {std::move(wide)})});
  }
  }
}

Expression ProgramGenerator::comparingIdiom(const Type &type, unsigned depth) {
  const unsigned bits = bitsOf(type.scalar);
  const Expression x = operand(type, depth), y = m_random.chance(40) ? anyConstant(type) : operand(type, depth);
  const Expression one = constant(type, 1), zero = constant(type, 0);
  auto condition = [&] { return compared(m_random.pick(Comparisons), x, y); };
  switch (m_random.below(12)) {
  case 0: { // absolute difference
    const Expression difference = of(Op::Subtract, x, y), other = of(Op::Subtract, y, x);
    return selected(condition(), difference, other);
  }
  case 1: { // which number is larger
    const bool isSigned = m_random.chance(50);
    const Op less = isSigned ? Op::LessSigned : Op::Less, greater = isSigned ? Op::GreaterSigned : Op::Greater;
    if (m_random.chance(50))
      return of(Op::Subtract, selected(compared(greater, x, y), one, zero), selected(compared(less, x, y), one, zero));
    return selected(compared(less, x, y), constant(type, ~uint64_t(0)),
                    m_random.chance(50) ? selected(compared(greater, x, y), one, zero)
                                        : selected(compared(Op::Unequal, x, y), one, zero));
  }
  case 2: { // tests of ranges
    const uint64_t low = interestingWord(bits);
    const Expression moved = of(Op::Subtract, x, constant(type, low));
    return selected(compared(m_random.pick(Comparisons), moved, constant(type, interestingWord(bits))), x, y);
  }
  case 3: { // two comparisons that become one
    const Op both = m_random.chance(50) ? Op::BothTrue : m_random.chance(50) ? Op::EitherTrue : Op::OtherTruth;
    const Expression bound = m_random.chance(50) ? anyConstant(type) : y;
    return selected(of(both, condition(), compared(m_random.pick(Comparisons), x, bound)), x, y);
  }
  case 4: // whether x fits into so many bits
    return selected(
        compared(m_random.pick(Comparisons),
                 shifted(m_random.pick(Shifts), shifted(Op::ShiftLeft, x, m_random.below(bits)), m_random.below(bits)),
                 x),
        x, y);
  case 5:
    return selected(compared(Op::Equal, x, y), of(m_random.chance(50) ? Op::Add : Op::Multiply, y, one),
                    of(m_random.chance(50) ? Op::Add : Op::Xor, x, one));
  case 6:
    return of(m_random.chance(50) ? Op::Add : Op::Subtract, operand(type, depth), selected(condition(), one, zero));
  case 7:
    return of(m_random.chance(50) ? Op::And : Op::Xor, operand(type, depth),
              of(Op::Negate, selected(condition(), one, zero)));
  case 8: {
    const Expression when = condition();
    const Type booleans = type.with(Scalar::Bool);
    return of(m_random.chance(50) ? Op::Add : Op::Or, selected(when, x, zero),
              selected(make(Op::Untrue, booleans, {when}), y, zero));
  }
  case 9: // comparisons of shifted values
    return selected(compared(m_random.pick(Comparisons), shifted(m_random.pick(Shifts), x, m_random.below(bits)),
                             constant(type, interestingWord(bits))),
                    x, y);
  case 10: { // comparisons of sums and products
    static constexpr Op Operations[] = {Op::Add, Op::Subtract, Op::Multiply, Op::And, Op::Or, Op::Xor};
    const Op op = m_random.pick(Operations);
    return selected(compared(m_random.pick(Comparisons), of(op, x, y), m_random.chance(50) ? x : anyConstant(type)), x,
                    y);
  }
  default: // chains of minimum and maximum
    return of(m_random.pick(Extremes), of(m_random.pick(Extremes), x, y),
              of(m_random.pick(Extremes), m_random.chance(50) ? x : y, operand(type, depth)));
  }
}

Expression ProgramGenerator::bitIdiom(const Type &type, unsigned depth) {
  const unsigned bits = bitsOf(type.scalar);
  const Expression x = operand(type, depth), y = operand(type, depth);
  const Expression one = constant(type, 1), zero = constant(type, 0);
  const Expression less = of(Op::Subtract, x, one);
  const Expression bit = constant(type, uint64_t(1) << m_random.below(bits));
  static constexpr Op Bitwise[] = {Op::And, Op::Or, Op::Xor};
  switch (m_random.below(11)) {
  case 0:
    return of(m_random.pick(Bitwise), x, of(Op::Negate, x));
  case 1:
    return of(m_random.pick(Bitwise), m_random.chance(70) ? x : of(Op::Not, x), less);
  case 2:
    return selected(compared(m_random.chance(50) ? Op::Equal : Op::Unequal, of(Op::And, x, less), zero), x, y);
  case 3: { // rotation by any count
    const Expression count = of(Op::And, operand(type, depth), constant(type, bits - 1));
    const Expression rest = of(Op::And, of(Op::Negate, count), constant(type, bits - 1));
    return of(Op::Or, of(Op::ShiftLeft, x, count), of(Op::ShiftRight, m_random.chance(70) ? x : y, rest));
  }
  case 4: // selects each bit of one of two values
    return of(Op::Xor, of(Op::And, of(Op::Xor, x, y), operand(type, depth)), y);
  case 5: { // shifts of shifts
    const unsigned count = m_random.below(bits);
    return shifted(m_random.pick(Shifts), shifted(m_random.pick(Shifts), x, count),
                   m_random.chance(50) ? count : m_random.below(bits));
  }
  case 6:
    return selected(
        compared(m_random.chance(50) ? Op::Equal : Op::Unequal, of(Op::And, x, bit), m_random.chance(50) ? bit : zero),
        m_random.chance(50) ? of(m_random.pick(Bitwise), x, bit) : y, x);
  case 7:
    return of(Op::And, shifted(m_random.chance(50) ? Op::ShiftRight : Op::ShiftRightSigned, x, m_random.below(bits)),
              m_random.chance(50) ? one : constant(type, interestingWord(bits)));
  case 8: { // byte swap
    Expression result = shifted(Op::ShiftLeft, x, bits - 8);
    for (unsigned at = 8; at < bits; at += 8)
      result = of(Op::Or, std::move(result),
                  shifted(at < bits / 2 ? Op::ShiftLeft : Op::ShiftRight,
                          of(Op::And, x, constant(type, uint64_t(0xff) << at)),
                          at < bits / 2 ? bits - 8 - 2 * at : 2 * at + 8 - bits));
    return result;
  }
  case 9: // laws of De Morgan
    return of(Op::Not, of(m_random.pick(Bitwise), m_random.chance(50) ? of(Op::Not, x) : x, of(Op::Not, y)));
  default: // masks of masks
    return of(m_random.pick(Bitwise), of(m_random.pick(Bitwise), x, anyConstant(type)),
              of(m_random.pick(Bitwise), m_random.chance(50) ? x : y, anyConstant(type)));
  }
}

Expression ProgramGenerator::arithmeticIdiom(const Type &type, unsigned depth) {
  const unsigned bits = bitsOf(type.scalar);
  const Expression x = operand(type, depth), y = operand(type, depth);
  const Expression number = constant(type, interestingWord(bits));
  const Expression sign = shifted(Op::ShiftRightSigned, x, bits - 1);
  switch (m_random.below(9)) {
  case 0: { // average, rounded down or up
    const Expression half = shifted(m_random.chance(50) ? Op::ShiftRight : Op::ShiftRightSigned, of(Op::Xor, x, y), 1);
    return m_random.chance(50) ? of(Op::Add, of(Op::And, x, y), half) : of(Op::Subtract, of(Op::Or, x, y), half);
  }
  case 1: // absolute value
    return m_random.chance(50) ? of(Op::Subtract, of(Op::Xor, x, sign), sign) : of(Op::Xor, of(Op::Add, x, sign), sign);
  case 2:
    return of(m_random.chance(50) ? Op::Add : Op::Subtract, of(Op::Multiply, x, number),
              m_random.chance(50) ? of(Op::Multiply, x, anyConstant(type)) : x);
  case 3:
    return of(Op::Multiply, of(m_random.chance(50) ? Op::Add : Op::Subtract, x, number), anyConstant(type));
  case 4: { // conversions to another type and back
    const Expression by = constant(type, m_random.between(1, 100));
    const Op division = m_random.chance(50) ? Op::Divide : Op::DivideSigned;
    const Expression whole = of(Op::Multiply, of(division, x, by), by);
    return m_random.chance(50) ? of(Op::Subtract, x, whole) : whole;
  }
  case 5: { // a division of a quotient
    static constexpr Op Divisions[] = {Op::Divide, Op::DivideSigned, Op::Modulo, Op::ModuloSigned, Op::RemainderSigned};
    return of(m_random.pick(Divisions), of(m_random.pick(Divisions), x, constant(type, m_random.between(2, 100))),
              constant(type, m_random.between(2, 100)));
  }
  case 6: { // in a narrower type
    static constexpr Scalar Others[] = {Scalar::I8, Scalar::I16, Scalar::I32};
    static constexpr Op Operations[] = {Op::Add, Op::Subtract, Op::Multiply, Op::And,           Op::Or,
                                        Op::Xor, Op::Minimum,  Op::Maximum,  Op::MinimumSigned, Op::MaximumSigned};
    const Type narrow = type.with(m_random.pick(Others));
    if (bitsOf(narrow.scalar) >= bits)
      return of(m_random.pick(Operations), x, number);
    auto cut = [&](const Expression &whole) { return make(Op::ConvertUnsigned, narrow, {whole}); };
    return make(m_random.pick(Extensions), type, {of(m_random.pick(Operations), cut(x), cut(y))});
  }
  case 7: { // the high half of a product
    if (bits == 64)
      return of(Op::Multiply, x, shifted(Op::ShiftLeft, y, m_random.below(bits)));
    const Type wide = type.with(bits == 32 ? Scalar::I64 : Scalar::I32);
    const Op extension = m_random.pick(Extensions);
    Expression product = of(Op::Multiply, make(extension, wide, {x}), make(m_random.pick(Extensions), wide, {y}));
    return make(Op::ConvertUnsigned, type, {shifted(Op::ShiftRight, std::move(product), bits)});
  }
  default: // sums of sums
    return of(m_random.chance(50) ? Op::Add : Op::Subtract, of(m_random.chance(50) ? Op::Add : Op::Subtract, x, number),
              of(m_random.chance(50) ? Op::Add : Op::Subtract, y, m_random.chance(50) ? x : anyConstant(type)));
  }
}

Expression ProgramGenerator::idiom(const Type &type, unsigned depth) {
  switch (m_random.below(4)) {
  case 0:
    return saturatingIdiom(type, depth);
  case 1:
    return comparingIdiom(type, depth);
  case 2:
    return bitIdiom(type, depth);
  default:
    return arithmeticIdiom(type, depth);
  }
}

} // namespace dovetail::random_programs
