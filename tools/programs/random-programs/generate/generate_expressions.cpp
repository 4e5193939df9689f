// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/generate/operations_of.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

Op anyOpOf(Random &random, Signature signature) {
  for (;;) {
    const OperationRow &row = operationRows()[random.below(uint32_t(operationRows().size()))];
    if (row.signature == signature)
      return row.op;
  }
}

} // namespace

Expression ProgramGenerator::index(unsigned count, unsigned depth) {
  if (m_random.chance(35))
    return constant(I32, m_random.below(count));
  if (m_random.chance(30) && !m_counters.empty() && m_loops > 0) {
    Expression counter = readVariable(m_program, m_counters[m_random.below(uint32_t(m_counters.size()))]);
    return of(Op::And, std::move(counter), constant(I32, count & (count - 1) ? 1 : count - 1));
  }
  Expression wanted = m_random.chance(40) ? make(Op::Lane, I32, {}) : any(I32, depth ? depth - 1 : 0);
  if (count & (count - 1))
    return of(Op::Modulo, std::move(wanted), constant(I32, count));
  return of(Op::And, std::move(wanted), constant(I32, count - 1));
}

Expression ProgramGenerator::load(Scalar scalar) {
  Expression result = make(Op::Load, {scalar}, {});
  unsigned count = InputElements;
  result.space = Space::Input;
  if (scalar == Scalar::I32) {
    static constexpr Space Spaces[] = {Space::Uniform, Space::Push, Space::Pointer, Space::Several, Space::Input};
    result.space = m_random.pick(Spaces);
    count = result.space == Space::Uniform   ? UniformElements
            : result.space == Space::Push    ? PushElements
            : result.space == Space::Several ? InputElements * SeveralBuffers
                                             : InputElements;
  }
  if (m_shader.isChain && scalar == Scalar::I32 && m_random.chance(40)) {
    result.space = Space::Varying;
    count = VaryingWords;
  } else if (m_random.chance(20)) {
    result.space = Space::Scratch;
    count = ScratchElements;
  }
  result.arguments.push_back(index(count, 1));
  return result;
}

Expression ProgramGenerator::leaf(const Type &type) {
  --m_budget;
  for (uint32_t i = 0; i < m_parameters.size(); ++i)
    if (m_parameters[i] == type && m_random.chance(60))
      return {.op = Op::Parameter, .type = type, .index = i};
  if (m_random.chance(60))
    if (std::optional<uint32_t> variable = variableOf(type))
      return readVariable(m_program, *variable);
  if (type == I32 && m_random.chance(25))
    return make(m_shader.groups() > 1 && m_random.chance(30) ? Op::Group : Op::Lane, I32, {});
  if (type.isScalar() && type.scalar != Scalar::Bool && m_budget > 0 && m_random.chance(45))
    return load(type.scalar);
  if (m_budget > 0 && m_random.chance(type.structure ? 70 : m_profile.structures / 2))
    if (std::optional<Expression> part = loadPart(type))
      return std::move(*part);
  if (type == Bool && m_budget > 0 && m_random.chance(70))
    return anyCompare(Bool, 0);
  return anyConstant(type);
}

Expression ProgramGenerator::any(const Type &type, unsigned depth) {
  --m_budget;
  if (depth == 0 || m_budget <= 0 || m_random.chance(12))
    return leaf(type);
  if (m_random.chance(m_profile.calls))
    return call(type, depth);
  if (!type.isScalar() && !type.isVector())
    return anyComposite(type, depth);
  if (m_random.chance(12)) {
    const Type condition = type.isVector() && m_random.chance(50) ? type.with(Scalar::Bool) : Bool;
    return make(Op::Select, type, {any(condition, depth - 1), any(type, depth - 1), any(type, depth - 1)});
  }
  if (std::optional<Expression> part = m_random.chance(12) ? component(type, depth) : std::nullopt)
    return std::move(*part);
  if (type.isVector() && m_random.chance(25))
    return anyVector(type, depth);
  if (type.scalar == Scalar::Bool)
    return anyBool(type, depth);
  return isFloat(type.scalar) ? anyFloat(type, depth) : anyInteger(type, depth);
}

Expression ProgramGenerator::anyVector(const Type &type, unsigned depth) {
  const Type inner = type.inner();
  switch (m_random.below(3)) {
  case 0: {
    Expression result = make(Op::Construct, type, {});
    for (unsigned i = 0; i < type.width; ++i)
      result.arguments.push_back(any(inner, depth - 1));
    return result;
  }
  case 1: {
    Expression result = make(Op::Shuffle, type, {any(type, depth - 1), any(type, depth - 1)});
    for (unsigned i = 0; i < type.width; ++i)
      result.words.push_back(m_random.below(2 * type.width));
    return result;
  }
  default:
    return make(Op::InsertAt, type, {any(type, depth - 1), any(inner, depth - 1), index(type.width, depth - 1)});
  }
}

Expression ProgramGenerator::anyInteger(const Type &type, unsigned depth) {
  if (m_random.chance(m_profile.shapes))
    return type.isScalar() && m_random.chance(60) ? shape(type.scalar, depth) : idiom(type, depth);
  if (m_random.chance(25))
    return anyConversion(type, depth);
  if (type.isScalar() && m_random.chance(4))
    return anyDot(type, depth);
  if (type.scalar == Scalar::I32 && m_random.chance(30))
    return anyWordRow(type, depth);
  return anyRow(type, depth);
}

Expression ProgramGenerator::shiftAmount(const Type &type, unsigned depth) {
  const unsigned bits = bitsOf(type.scalar);
  if (m_random.chance(60))
    return constant(type, m_random.chance(50) ? m_random.below(bits) : m_random.below(bits / 8) * 8);
  return of(Op::And, any(type, depth ? depth - 1 : 0), constant(type, bits - 1));
}

Expression ProgramGenerator::divisor(Op op, const Type &type, unsigned depth) {
  const bool isSigned = op != Op::Divide && op != Op::Modulo;
  const unsigned bits = bitsOf(type.scalar);
  switch (m_random.below(5)) {
  case 0:
  case 1: {
    Expression number = anyConstant(type);
    for (uint64_t &word : number.words)
      if (word == 0)
        word = 3;
    return number;
  }
  case 2: // repair() replaces overflows
    return any(type, depth - 1);
  case 3:
    return of(Op::Or, any(type, depth - 1), constant(type, 1));
  default: {
    Expression small =
        of(Op::And, any(type, depth - 1), constant(type, isSigned ? (uint64_t(1) << (bits - 1)) - 1 : 0xff));
    return of(Op::Or, std::move(small), constant(type, 1));
  }
  }
}

Expression ProgramGenerator::anyRow(const Type &type, unsigned depth) {
  Op op = anyOpOf(m_random, Signature::Integers);
  if (op >= Op::Divide && op <= Op::RemainderSigned && m_random.chance(50))
    op = anyOpOf(m_random, Signature::Integers);
  const OperationRow &row = *findRow(op);
  Expression result = make(op, type, {any(type, depth - 1)});
  if (op == Op::ShiftLeft || op == Op::ShiftRight || op == Op::ShiftRightSigned)
    result.arguments.push_back(shiftAmount(type, depth));
  else if (op >= Op::Divide && op <= Op::RemainderSigned)
    result.arguments.push_back(divisor(op, type, depth));
  else if (op == Op::Clamp || op == Op::ClampSigned) {
    // Bounds in the right order, for signed and for unsigned comparison.
    const uint64_t low = m_random.below(100);
    result.arguments.push_back(constant(type, low));
    result.arguments.push_back(constant(type, low + m_random.below(28)));
  } else
    while (result.arguments.size() < row.operands)
      result.arguments.push_back(any(type, depth - 1));
  return result;
}

Expression ProgramGenerator::anyWordRow(const Type &type, unsigned depth) {
  Op op = anyOpOf(m_random, Signature::Words);
  // With vectors, these give structures of vectors.
  while (type.isVector() && op >= Op::AddWithCarry && op <= Op::HighProductSigned)
    op = anyOpOf(m_random, Signature::Words);
  Expression result = make(op, type, {any(type, depth - 1)});
  unsigned operands = findRow(op)->operands;
  const bool isField = op >= Op::BitFieldInsert && op <= Op::BitFieldExtractSigned;
  if (isField)
    operands -= 2;
  while (result.arguments.size() < operands)
    result.arguments.push_back(any(type, depth - 1));
  if (isField) {
    if (m_random.chance(70)) {
      const unsigned offset = m_random.chance(50) ? 8 * m_random.below(4) : m_random.below(32);
      const unsigned count = m_random.chance(40) ? std::min(8u, 32 - offset) : m_random.below(33 - offset);
      result.arguments.push_back(constant(I32, offset));
      result.arguments.push_back(constant(I32, count));
    } else {
      result.arguments.push_back(of(Op::And, any(I32, depth - 1), constant(I32, 15)));
      result.arguments.push_back(of(Op::And, any(I32, depth - 1), constant(I32, 15)));
    }
  }
  return result;
}

Expression ProgramGenerator::anyCompare(const Type &type, unsigned depth) {
  Type operand = anyInnerType();
  operand.width = type.width;
  const unsigned inner = depth ? depth - 1 : 0;
  if (isFloat(operand.scalar))
    return make(anyOpOf(m_random, Signature::FloatCompares), type, {any(operand, inner), any(operand, inner)});
  const Op op = anyOpOf(m_random, Signature::Compares);
  Expression left = any(operand, inner);
  return make(op, type, {std::move(left), m_random.chance(50) ? anyConstant(operand) : any(operand, inner)});
}

Expression ProgramGenerator::anyBool(const Type &type, unsigned depth) {
  if (type == Bool && m_random.chance(8)) {
    const Type vector = {Scalar::Bool, uint8_t(m_random.between(2, 4))};
    return make(m_random.chance(50) ? Op::AllTrue : Op::AnyTrue, Bool, {any(vector, depth - 1)});
  }
  if (m_random.chance(60))
    return anyCompare(type, depth);
  const Op op = anyOpOf(m_random, Signature::Booleans);
  Expression result = make(op, type, {any(type, depth - 1)});
  if (findRow(op)->operands == 2)
    result.arguments.push_back(any(type, depth - 1));
  return result;
}

Expression ProgramGenerator::anyFloat(const Type &type, unsigned depth) {
  if (m_random.chance(35)) {
    const unsigned kind = m_random.below(4);
    if (kind == 0) {
      if (const Scalar other = anyFloatScalar(); other != type.scalar)
        return make(Op::ConvertFloat, type, {any(type.with(other), depth - 1)});
    }
    // Small numbers, so that later results stay exact for a while.
    const Type from = type.with(anyIntegerScalar());
    Expression small = of(Op::And, any(from, depth - 1), constant(from, m_random.chance(50) ? 0xff : 0x3ff));
    return make(m_random.chance(50) ? Op::FloatOfUnsigned : Op::FloatOfSigned, type, {std::move(small)});
  }
  if (type.isVector() && type.scalar != Scalar::F16 && m_random.chance(10))
    if (std::optional<uint32_t> matrix = variableOf({type.scalar, type.width, 3}))
      return make(Op::MatrixProduct, type, {readVariable(m_program, *matrix), any({type.scalar, 3}, depth - 1)});
  const Op op = anyOpOf(m_random, Signature::Floats);
  Expression result = make(op, type, {any(type, depth - 1)});
  if (op == Op::FloatClamp) {
    result.arguments.push_back(constant(type, interestingFloat(type.scalar)));
    result.arguments.push_back(constant(type, interestingFloat(type.scalar)));
  }
  while (result.arguments.size() < findRow(op)->operands)
    result.arguments.push_back(any(type, depth - 1));
  return result;
}

Expression ProgramGenerator::anyConversion(const Type &type, unsigned depth) {
  switch (m_random.below(8)) {
  case 0:
    return make(Op::Select, type, {any(type.with(Scalar::Bool), depth - 1), constant(type, 1), constant(type, 0)});
  case 1: {
    const Type from = type.with(anyFloatScalar());
    return make(m_random.chance(50) ? Op::UnsignedOfFloat : Op::SignedOfFloat, type, {any(from, depth - 1)});
  }
  case 2: {
    // The same bits with another number of components.
    const unsigned bits = bitsOf(type.scalar) * type.width;
    const Type from = {anyIntegerScalar()};
    const unsigned width = bits / bitsOf(from.scalar);
    if (width >= 1 && width <= 4 && width * bitsOf(from.scalar) == bits && (width != 3) && from.scalar != type.scalar)
      return make(Op::Bitcast, type, {any({from.scalar, uint8_t(width)}, depth - 1)});
    [[fallthrough]];
  }
  default: {
    Type from = type.with(anyIntegerScalar());
    while (from.scalar == type.scalar)
      from = type.with(anyIntegerScalar());
    return make(m_random.chance(50) ? Op::ConvertUnsigned : Op::ConvertSigned, type, {any(from, depth - 1)});
  }
  }
}

Expression ProgramGenerator::anyDot(const Type &type, unsigned depth) {
  static constexpr Type Operands[] = {I32,
                                      {Scalar::I8, 4},
                                      {Scalar::I8, 4},
                                      {Scalar::I8, 2},
                                      {Scalar::I16, 2},
                                      {Scalar::I16, 3},
                                      {Scalar::I32, 2},
                                      {Scalar::I32, 3}};
  const bool saturates = m_random.chance(50);
  auto bitsOfComponent = [](const Type &operand) { return operand == I32 ? 8 : bitsOf(operand.scalar); };
  // A saturating dot must not overflow before its accumulator. Products of components as wide as the result nearly
  // always overflow, so they are mostly avoided.
  Type operand = m_random.pick(Operands);
  while (bitsOfComponent(operand) > bitsOf(type.scalar) ||
         (saturates && bitsOfComponent(operand) == bitsOf(type.scalar) && m_random.chance(70)))
    operand = m_random.pick(Operands);
  Expression result = make(Op::Dot, type, {any(operand, depth - 1), any(operand, depth - 1)});
  result.words = {m_random.below(3)};
  // Near a bound, so that the sum reaches it.
  if (saturates) {
    const uint64_t bound = m_random.pick({uint64_t(0), ~uint64_t(0), uint64_t(1) << (bitsOf(type.scalar) - 1),
                                          (uint64_t(1) << (bitsOf(type.scalar) - 1)) - 1});
    result.arguments.push_back(
        m_random.chance(50)
            ? any(type, depth - 1)
            : of(Op::Xor, of(Op::And, any(type, depth - 1), constant(type, 0x7f)), constant(type, bound)));
  }
  return result;
}

} // namespace dovetail::random_programs
