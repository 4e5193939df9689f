// SPDX-License-Identifier: MIT
//
// Bools: SCC and scalars, or masks of lanes.
#include "src/first/select/selector.h"
#include <llvm/IR/InstrTypes.h>

namespace dovetail::first {

using isa::Opcode;
using Predicate = llvm::CmpInst::Predicate;

namespace {

struct Comparison {
  Opcode opcode, swapped;
};

Comparison vectorComparison(Predicate predicate) {
  switch (predicate) {
  case Predicate::ICMP_EQ:
    return {Opcode::VCmpEqU32, Opcode::VCmpEqU32};
  case Predicate::ICMP_NE:
    return {Opcode::VCmpNeU32, Opcode::VCmpNeU32};
  case Predicate::ICMP_UGT:
    return {Opcode::VCmpGtU32, Opcode::VCmpLtU32};
  case Predicate::ICMP_UGE:
    return {Opcode::VCmpGeU32, Opcode::VCmpLeU32};
  case Predicate::ICMP_ULT:
    return {Opcode::VCmpLtU32, Opcode::VCmpGtU32};
  case Predicate::ICMP_ULE:
    return {Opcode::VCmpLeU32, Opcode::VCmpGeU32};
  case Predicate::ICMP_SGT:
    return {Opcode::VCmpGtI32, Opcode::VCmpLtI32};
  case Predicate::ICMP_SGE:
    return {Opcode::VCmpGeI32, Opcode::VCmpLeI32};
  case Predicate::ICMP_SLT:
    return {Opcode::VCmpLtI32, Opcode::VCmpGtI32};
  case Predicate::ICMP_SLE:
    return {Opcode::VCmpLeI32, Opcode::VCmpGeI32};
  case Predicate::FCMP_OEQ:
    return {Opcode::VCmpEqF32, Opcode::VCmpEqF32};
  case Predicate::FCMP_OGT:
    return {Opcode::VCmpGtF32, Opcode::VCmpLtF32};
  case Predicate::FCMP_OGE:
    return {Opcode::VCmpGeF32, Opcode::VCmpLeF32};
  case Predicate::FCMP_OLT:
    return {Opcode::VCmpLtF32, Opcode::VCmpGtF32};
  case Predicate::FCMP_OLE:
    return {Opcode::VCmpLeF32, Opcode::VCmpGeF32};
  case Predicate::FCMP_ONE:
    return {Opcode::VCmpLgF32, Opcode::VCmpLgF32};
  case Predicate::FCMP_ORD:
    return {Opcode::VCmpOF32, Opcode::VCmpOF32};
  case Predicate::FCMP_UNO:
    return {Opcode::VCmpUF32, Opcode::VCmpUF32};
  case Predicate::FCMP_UEQ: // not less or greater
    return {Opcode::VCmpNlgF32, Opcode::VCmpNlgF32};
  case Predicate::FCMP_UGT:
    return {Opcode::VCmpNleF32, Opcode::VCmpNgeF32};
  case Predicate::FCMP_UGE:
    return {Opcode::VCmpNltF32, Opcode::VCmpNgtF32};
  case Predicate::FCMP_ULT:
    return {Opcode::VCmpNgeF32, Opcode::VCmpNleF32};
  case Predicate::FCMP_ULE:
    return {Opcode::VCmpNgtF32, Opcode::VCmpNltF32};
  default: // FCMP_UNE
    return {Opcode::VCmpNeqF32, Opcode::VCmpNeqF32};
  }
}

Opcode scalarComparison(Predicate predicate) {
  switch (predicate) {
  case Predicate::ICMP_EQ:
    return Opcode::SCmpEqU32;
  case Predicate::ICMP_NE:
    return Opcode::SCmpLgU32;
  case Predicate::ICMP_UGT:
    return Opcode::SCmpGtU32;
  case Predicate::ICMP_UGE:
    return Opcode::SCmpGeU32;
  case Predicate::ICMP_ULT:
    return Opcode::SCmpLtU32;
  case Predicate::ICMP_ULE:
    return Opcode::SCmpLeU32;
  case Predicate::ICMP_SGT:
    return Opcode::SCmpGtI32;
  case Predicate::ICMP_SGE:
    return Opcode::SCmpGeI32;
  case Predicate::ICMP_SLT:
    return Opcode::SCmpLtI32;
  default:
    return Opcode::SCmpLeI32;
  }
}
} // namespace

void Selector::emitSelect(VReg destination, unsigned dwords, Operand left, Operand right, NodeId condition) {
  unsigned literals = isLiteral(left) + isLiteral(right);
  if (literals > 1)
    right = inSgpr(right);
  emit(Form::Salu, dwords == 2 ? Opcode::SCselectB64 : Opcode::SCselectB32, {registerOperand(destination, dwords)},
       {left, right});
  const size_t at = m_reversed.size() - 1;
  if (emitScc(condition)) {
    Operand *uses = m_machine.operands.data() + m_reversed[at].firstOperand + 1;
    std::swap(uses[0], uses[1]);
  }
}

bool Selector::emitScc(NodeId id) {
  const Node &node = nodeOf(id);
  if (node.op == Op::BoolNot)
    return !emitScc(node.a[0]);
  if (node.op == Op::CompareI) {
    emitSalu(scalarComparison(Predicate(node.imm)), NoRegister, 0, {scalar(node.a[0]), scalar(node.a[1])});
    return false;
  }
  if (node.op == Op::SaluTest) {
    emitSalu(m_program.accesses[node.imm].opcode, NoRegister, 0, scalarSources(node));
    return false;
  }
  if (node.op == Op::BoolOf) {
    emitSalu(Opcode::SCmpLgU32, NoRegister, 0, {scalar(node.a[0]), constantOperand(0)});
    return false;
  }
  if (node.op == Op::True) {
    emitSalu(Opcode::SCmpEqU32, NoRegister, 0, {constantOperand(0), constantOperand(node.imm ? 0 : 1)});
    return false;
  }
  emitSalu(Opcode::SCmpLgU32, NoRegister, 0, {zeroOrOne(id), constantOperand(0)});
  return false;
}

Selector::Operand Selector::zeroOrOne(NodeId id) {
  const Node &node = nodeOf(id);
  if (node.op == Op::True)
    return constantOperand(node.imm);
  if (node.op == Op::Undefined)
    return constantOperand(0);
  return registerOperand(demand(id));
}

Selector::Operand Selector::maskOf(NodeId id) {
  const Node &node = nodeOf(id);
  if (node.op == Op::Undefined) {
    const VReg none = newRegister(Bank::Scalar, 2);
    m_pending.push_back({none, {constantOperand(0), constantOperand(0)}, m_count});
    return registerOperand(none, 2);
  }
  if (node.bank == Bank::Vector)
    return registerOperand(demand(id), 2);
  for (const auto &[made, condition] : m_masks)
    if (condition == id)
      return registerOperand(made, 2);
  const VReg made = newMask();
  m_masks.push_back({made, id});
  return registerOperand(made, 2);
}

// Makes an opposite of a comparison that nobody else asks for, where lanes differ.
bool Selector::turnComparison(NodeId id) {
  Node &node = m_program.nodes[id];
  if (!isSingle(id, Op::CompareI) && !isSingle(id, Op::CompareF))
    return false;
  node.imm = uint32_t(llvm::CmpInst::getInversePredicate(Predicate(node.imm)));
  return true;
}

// An opposite that is part of another operation.
bool Selector::isOpposite(NodeId id) const {
  return isSingle(id, Op::BoolNot) && nodeOf(nodeOf(id).a[0]).bank == Bank::Vector;
}

void Selector::selectBool(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg destination = m_registers[id];
  if (node.bank == Bank::Scalar) {
    switch (node.op) {
    case Op::BoolAnd:
      return emitSalu(Opcode::SAndB32, destination, 1, {zeroOrOne(node.a[0]), zeroOrOne(node.a[1])});
    case Op::BoolOr:
      return emitSalu(Opcode::SOrB32, destination, 1, {zeroOrOne(node.a[0]), zeroOrOne(node.a[1])});
    case Op::BoolXor:
      return emitSalu(Opcode::SXorB32, destination, 1, {zeroOrOne(node.a[0]), zeroOrOne(node.a[1])});
    case Op::BoolNot:
      return emitSalu(Opcode::SXorB32, destination, 1, {zeroOrOne(node.a[0]), constantOperand(1)});
    default:
      return emitSelect(destination, 1, constantOperand(1), constantOperand(0), id);
    }
  }
  switch (node.op) {
  case Op::BoolAnd:
  case Op::BoolOr: {
    const bool isAnd = node.op == Op::BoolAnd;
    for (unsigned i = 0; i < 2; ++i)
      if (const NodeId inner = node.a[i]; isOpposite(inner) && !turnComparison(nodeOf(inner).a[0]))
        return emitSalu(isAnd ? Opcode::SAndn2B64 : Opcode::SOrn2B64, destination, 2,
                        {maskOf(node.a[1 - i]), maskOf(nodeOf(inner).a[0])});
      else if (isOpposite(inner)) // of the comparison's opposite
        return emitSalu(isAnd ? Opcode::SAndB64 : Opcode::SOrB64, destination, 2,
                        {maskOf(node.a[1 - i]), maskOf(nodeOf(inner).a[0])});
    return emitSalu(isAnd ? Opcode::SAndB64 : Opcode::SOrB64, destination, 2, {maskOf(node.a[0]), maskOf(node.a[1])});
  }
  case Op::BoolXor:
    return emitSalu(Opcode::SXorB64, destination, 2, {maskOf(node.a[0]), maskOf(node.a[1])});
  case Op::BoolNot:
    if (turnComparison(node.a[0])) {
      m_registers[node.a[0]] = destination;
      return;
    }
    return emitSalu(Opcode::SNotB64, destination, 2, {maskOf(node.a[0])});
  case Op::BoolOf:
    return emitValu(Opcode::VCmpNeU32, NoRegister, {{constantOperand(0)}, {vector(node.a[0])}}, {}, {}, destination);
  default:
    break;
  }
  const bool isFloat = node.op == Op::CompareF;
  Comparison comparison = vectorComparison(Predicate(node.imm));
  Source left = isFloat ? floatSource(node.a[0]) : Source{any(node.a[0])};
  Source right = isFloat ? floatSource(node.a[1]) : Source{any(node.a[1])};
  if (!isVgpr(right.operand) && isVgpr(left.operand)) {
    std::swap(left, right);
    comparison.opcode = comparison.swapped;
  }
  if (!isVgpr(right.operand) && !isVgpr(left.operand))
    right.operand = inVgpr(right.operand);
  const bool hasLiteral = isLiteral(left.operand) && !left.neg && !left.abs && !right.neg && !right.abs;
  if (hasLiteral) // the mask may be in any SGPRs
    left.operand = inSgpr(left.operand);
  emitValu(comparison.opcode, NoRegister, {left, right}, {}, {}, destination);
}
} // namespace dovetail::first
