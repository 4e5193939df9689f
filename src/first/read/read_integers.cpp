// SPDX-License-Identifier: MIT
//
// Integers of other sizes than a dword. Up to 31 bits are in the low bits of a dword whose other bits may have any
// value; 33 to 64 bits are two dwords, the low one first, of which the second may have such bits, too.
#include "src/first/read/reader.h"

namespace dovetail::first {

using isa::Opcode;
using llvm::Instruction;
using Predicate = llvm::CmpInst::Predicate;

// The value with zeros or copies of its sign above its bits.
NodeId Reader::extend(NodeId value, unsigned bits, bool isSigned) {
  if (bits >= 32)
    return value;
  if (!isSigned)
    return hasZerosAbove(value, bits) ? value : operation(Op::And, {value, constant((1u << bits) - 1)});
  if (isConstant(value))
    return constant(uint32_t(int32_t(valueOf(value) << (32 - bits)) >> (32 - bits)));
  if (nodeOf(value).bank == Bank::Vector)
    return operation(Op::ExtractI, {value, constant(0), constant(bits)});
  return operation(Op::ShiftRightSigned, {operation(Op::ShiftLeft, {value, constant(32 - bits)}), constant(32 - bits)});
}

// A value with the same low bits, without a mask that leaves all of these.
NodeId Reader::lowBitsOf(NodeId value, unsigned bits) const {
  const Node &node = nodeOf(value);
  const uint32_t low = bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
  for (unsigned i = 0; i < 2 && node.op == Op::And; ++i)
    if (isConstant(node.a[i]) && (valueOf(node.a[i]) & low) == low && !leavesLoopApart(node.a[1 - i]))
      return node.a[1 - i];
  return value;
}

// Loads of less than a dword, and instructions of halves (LLVM: GCNSubtarget, zeroesHigh16BitsOfDest).
bool Reader::hasZerosAbove(NodeId value, unsigned bits) const {
  const Node &node = nodeOf(value), &whole = node.op == Op::Part ? nodeOf(node.a[0]) : node;
  if (whole.op != Op::Valu && whole.op != Op::BufferLoad && whole.op != Op::GlobalLoad && whole.op != Op::LdsLoad)
    return false;
  switch (m_program.accesses[whole.imm].opcode) {
  case Opcode::BufferLoadUbyte:
  case Opcode::FlatLoadUbyte:
  case Opcode::GlobalLoadUbyte:
  case Opcode::DsReadU8:
    return bits >= 8;
  case Opcode::BufferLoadUshort:
  case Opcode::FlatLoadUshort:
  case Opcode::GlobalLoadUshort:
  case Opcode::DsReadU16:
  case Opcode::VCvtF16F32:
  case Opcode::VCvtF16U16:
  case Opcode::VCvtF16I16:
  case Opcode::VAddF16:
  case Opcode::VSubF16:
  case Opcode::VMulF16:
  case Opcode::VMinF16:
  case Opcode::VMaxF16:
    return bits >= 16;
  default:
    return false;
  }
}

Reader::Wide Reader::extendWide(Wide value, unsigned bits, bool isSigned) {
  return {value.low, extend(value.high, bits - 32, isSigned)};
}

// Values of few bits side by side in dwords, as in memory.
Reader::Nodes Reader::packed(llvm::ArrayRef<NodeId> values, unsigned bits) {
  if (bits == 32)
    return Nodes(values.begin(), values.end());
  const unsigned each = 32 / bits;
  Nodes dwords;
  for (size_t first = 0; first < values.size(); first += each) {
    const llvm::ArrayRef<NodeId> here = values.slice(first, std::min<size_t>(each, values.size() - first));
    // The parts of a dword that was taken apart (unpacked()).
    const bool isWhole = here.size() == each && llvm::all_of(llvm::seq<size_t>(1, each), [&](size_t i) {
                           const Node &node = nodeOf(here[i]);
                           return node.op == Op::ShiftRight && node.a[0] == here[0] && isConstant(node.a[1]) &&
                                  valueOf(node.a[1]) == i * bits;
                         });
    NodeId dword = here[0];
    for (size_t i = here.size(); !isWhole && i-- > 0;) {
      const NodeId value = i + 1 == each ? here[i] : extend(here[i], bits, false);
      const NodeId shifted = i ? operation(Op::ShiftLeft, {value, constant(uint32_t(i * bits))}) : value;
      dword = i + 1 == here.size() ? shifted : operation(Op::Or, {shifted, dword});
    }
    dwords.push_back(dword);
  }
  return dwords;
}

Reader::Nodes Reader::unpacked(llvm::ArrayRef<NodeId> dwords, unsigned bits, size_t count) {
  if (bits == 32)
    return Nodes(dwords.begin(), dwords.end());
  const unsigned each = 32 / bits;
  Nodes values;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t shift = uint32_t(i % each * bits);
    const NodeId dword = dwords[i / each];
    values.push_back(shift ? operation(Op::ShiftRight, {dword, constant(shift)}) : dword);
  }
  return values;
}

bool Reader::readNarrow(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left,
                        llvm::ArrayRef<NodeId> right, unsigned bits) {
  const unsigned opcode = instruction.getOpcode();
  Nodes result;
  for (size_t i = 0; i < left.size(); ++i) {
    const NodeId l = left[i], r = right[i];
    const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    switch (opcode) {
    case Instruction::Add:
      result.push_back(operation(Op::Add, {l, r}));
      break;
    case Instruction::Sub:
      result.push_back(operation(Op::Sub, {l, r}));
      break;
    case Instruction::Mul:
      result.push_back(operation(Op::Mul, {l, r}));
      break;
    case Instruction::Shl:
      result.push_back(operation(Op::ShiftLeft, {l, extend(r, bits, false)}));
      break;
    case Instruction::LShr:
      result.push_back(operation(Op::ShiftRight, {extend(l, bits, false), extend(r, bits, false)}));
      break;
    case Instruction::AShr:
      result.push_back(operation(Op::ShiftRightSigned, {extend(l, bits, true), extend(r, bits, false)}));
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      if (!isConstant(r))
        return false;
      const NodeId dividend = extend(l, bits, isSigned), divisor = extend(r, bits, isSigned);
      const NodeId quotient = divideByConstant(dividend, valueOf(divisor), isSigned);
      const bool isRemainder = opcode == Instruction::URem || opcode == Instruction::SRem;
      result.push_back(isRemainder ? operation(Op::Sub, {dividend, operation(Op::Mul, {quotient, divisor})})
                                   : quotient);
      break;
    }
    default:
      return false;
    }
  }
  set(&instruction, result);
  return true;
}

Reader::Wide Reader::addWide(Op op, Wide left, Wide right) {
  Node node;
  node.op = op;
  bool isScalar = true;
  for (NodeId operand : {left.low, left.high, right.low, right.high}) {
    isScalar &= nodeOf(operand).bank == Bank::Scalar;
    node.isDivergent |= differs(operand);
  }
  node.bank = isScalar ? Bank::Scalar : Bank::Vector;
  const NodeId sum = makeList(node, {left.low, left.high, right.low, right.high});
  const NodeId low = part(sum, 0);
  return {low, part(sum, 1)};
}

Reader::Wide Reader::multiplyWide(Wide left, Wide right) {
  const NodeId low = operation(Op::Mul, {left.low, right.low});
  NodeId high = operation(Op::MulHighU, {left.low, right.low});
  auto add = [&](NodeId one, NodeId other) {
    const bool isZero = (isConstant(one) && valueOf(one) == 0) || (isConstant(other) && valueOf(other) == 0);
    if (!isZero)
      high = operation(Op::Add, {high, operation(Op::Mul, {one, other})});
  };
  add(left.low, right.high);
  add(left.high, right.low);
  return {low, high};
}

// The hardware takes the low six bits of the amount.
Reader::Wide Reader::shiftWide(unsigned opcode, Wide value, NodeId amount) {
  const bool isLeft = opcode == Instruction::Shl, isSigned = opcode == Instruction::AShr;
  const bool isKnown = isConstant(amount),
             isScalar = nodeOf(value.low).bank == Bank::Scalar && nodeOf(value.high).bank == Bank::Scalar;
  const uint32_t by = isKnown ? valueOf(amount) & 63 : 0;
  const Op right = isSigned ? Op::ShiftRightSigned : Op::ShiftRight;
  auto shift = [&](Op op, NodeId node, uint32_t bits) { return bits ? operation(op, {node, constant(bits)}) : node; };
  if (isKnown && by == 0)
    return value;
  if (isKnown && by >= 32) {
    if (isLeft)
      return {constant(0), shift(Op::ShiftLeft, value.low, by - 32)};
    return {shift(right, value.high, by - 32), isSigned ? shift(right, value.high, 31) : constant(0)};
  }
  if (isScalar && nodeOf(amount).bank == Bank::Scalar)
    return saluWide(isLeft     ? Opcode::SLshlB64
                    : isSigned ? Opcode::SAshrI64
                               : Opcode::SLshrB64,
                    {value.low, value.high, amount});
  const Opcode instruction = isLeft ? Opcode::VLshlrevB64 : isSigned ? Opcode::VAshrrevI64 : Opcode::VLshrrevB64;
  return valuWide(instruction, {amount, value.low, value.high});
}

// By a power of two; ExpandDivisionsPass has expanded the others.
std::optional<Reader::Wide> Reader::divideWide(unsigned opcode, Wide dividend, Wide divisor) {
  if (!isConstant(divisor.low) || !isConstant(divisor.high))
    return std::nullopt;
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool isRemainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  const llvm::APInt number(64, uint64_t(valueOf(divisor.high)) << 32 | valueOf(divisor.low));
  const llvm::APInt magnitude = isSigned ? number.abs() : number;
  if (!magnitude.isPowerOf2())
    return std::nullopt;
  const unsigned bits = magnitude.logBase2();
  Wide rounded = dividend; // toward zero
  if (isSigned && bits > 0) {
    const NodeId sign = operation(Op::ShiftRightSigned, {dividend.high, constant(31)});
    rounded = addWide(Op::AddWide, dividend, shiftWide(Instruction::LShr, {sign, sign}, constant(64 - bits)));
  }
  Wide quotient = shiftWide(isSigned ? Instruction::AShr : Instruction::LShr, rounded, constant(bits));
  if (isRemainder)
    return addWide(Op::SubWide, dividend, shiftWide(Instruction::Shl, quotient, constant(bits)));
  if (isSigned && number.isNegative())
    quotient = addWide(Op::SubWide, {constant(0), constant(0)}, quotient);
  return quotient;
}

NodeId Reader::compareWide(Predicate predicate, Wide left, Wide right) {
  bool isScalar = true;
  for (NodeId operand : {left.low, left.high, right.low, right.high})
    isScalar &= nodeOf(operand).bank == Bank::Scalar;
  if (!isScalar) {
    static constexpr std::pair<Predicate, Opcode> opcodes[] = {
        {Predicate::ICMP_EQ, Opcode::VCmpEqU64},  {Predicate::ICMP_NE, Opcode::VCmpNeU64},
        {Predicate::ICMP_UGT, Opcode::VCmpGtU64}, {Predicate::ICMP_UGE, Opcode::VCmpGeU64},
        {Predicate::ICMP_ULT, Opcode::VCmpLtU64}, {Predicate::ICMP_ULE, Opcode::VCmpLeU64},
        {Predicate::ICMP_SGT, Opcode::VCmpGtI64}, {Predicate::ICMP_SGE, Opcode::VCmpGeI64},
        {Predicate::ICMP_SLT, Opcode::VCmpLtI64}, {Predicate::ICMP_SLE, Opcode::VCmpLeI64}};
    for (const auto &[known, opcode] : opcodes)
      if (known == predicate)
        return valu(opcode, {left.low, left.high, right.low, right.high});
  }
  if (predicate == Predicate::ICMP_EQ || predicate == Predicate::ICMP_NE)
    return salu(predicate == Predicate::ICMP_EQ ? Opcode::SCmpEqU64 : Opcode::SCmpLgU64,
                {left.low, left.high, right.low, right.high});
  const NodeId isHighEqual = operation(Op::CompareI, {left.high, right.high}, Predicate::ICMP_EQ);
  const auto strict = llvm::CmpInst::getStrictPredicate(predicate);
  const auto ofLow = llvm::ICmpInst::getUnsignedPredicate(predicate);
  return boolOperation(Op::BoolOr, operation(Op::CompareI, {left.high, right.high}, strict),
                       boolOperation(Op::BoolAnd, isHighEqual, operation(Op::CompareI, {left.low, right.low}, ofLow)));
}

bool Reader::readWide(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left,
                      llvm::ArrayRef<NodeId> right) {
  const unsigned bits = instruction.getType()->getScalarSizeInBits(), opcode = instruction.getOpcode();
  const bool isSigned = opcode == Instruction::AShr || opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool needsBits =
      isSigned || opcode == Instruction::LShr || opcode == Instruction::UDiv || opcode == Instruction::URem;
  Nodes result;
  for (size_t i = 0; i < left.size(); i += 2) {
    Wide l = {left[i], left[i + 1]}, r = {right[i], right[i + 1]};
    if (needsBits) {
      l = extendWide(l, bits, isSigned);
      r = extendWide(r, bits, isSigned);
    }
    Wide made;
    switch (instruction.getOpcode()) {
    case Instruction::Add:
      made = addWide(Op::AddWide, l, r);
      break;
    case Instruction::Sub:
      made = addWide(Op::SubWide, l, r);
      break;
    case Instruction::Mul:
      made = multiplyWide(l, r);
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      made = shiftWide(instruction.getOpcode(), l, r.low);
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      const auto divided = divideWide(instruction.getOpcode(), l, r);
      if (!divided)
        return false;
      made = *divided;
      break;
    }
    default:
      return false;
    }
    result.append({made.low, made.high});
  }
  set(&instruction, result);
  return true;
}

} // namespace dovetail::first
