// SPDX-License-Identifier: MIT
#include "src/first/select/selector.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <llvm/IR/InstrTypes.h>

namespace dovetail::first {

using isa::Opcode;
using Predicate = llvm::CmpInst::Predicate;

namespace {

Opcode scalarOpcode(Op op) {
  switch (op) {
  case Op::Add:
    return Opcode::SAddI32;
  case Op::Sub:
    return Opcode::SSubI32;
  case Op::Mul:
    return Opcode::SMulI32;
  case Op::MulHighU:
    return Opcode::SMulHiU32;
  case Op::MulHighI:
    return Opcode::SMulHiI32;
  case Op::And:
    return Opcode::SAndB32;
  case Op::Or:
    return Opcode::SOrB32;
  case Op::Xor:
    return Opcode::SXorB32;
  case Op::ShiftLeft:
    return Opcode::SLshlB32;
  case Op::ShiftRight:
    return Opcode::SLshrB32;
  case Op::ShiftRightSigned:
    return Opcode::SAshrI32;
  case Op::MinI:
    return Opcode::SMinI32;
  case Op::MaxI:
    return Opcode::SMaxI32;
  case Op::MinU:
    return Opcode::SMinU32;
  case Op::MaxU:
    return Opcode::SMaxU32;
  case Op::CountBits:
    return Opcode::SBcnt1I32B32;
  case Op::ReverseBits:
    return Opcode::SBrevB32;
  case Op::FindLowBit:
    return Opcode::SFf1I32B32;
  default: // FindHighBit
    return Opcode::SFlbitI32B32;
  }
}

struct VectorOpcode {
  Opcode opcode, swapped; // with the sources the other way round; the same: they cannot be exchanged
  bool isCommutable = false;
};

VectorOpcode vectorOpcode(Op op, bool isGfx9) {
  auto commutable = [](Opcode opcode) { return VectorOpcode{opcode, opcode, true}; };
  auto fixed = [](Opcode opcode) { return VectorOpcode{opcode, opcode, false}; };
  switch (op) {
  case Op::Sub:
    return isGfx9 ? VectorOpcode{Opcode::VSubU32, Opcode::VSubrevU32, true}
                  : VectorOpcode{Opcode::VSubCoU32, Opcode::VSubrevCoU32, true};
  case Op::Mul:
    return commutable(Opcode::VMulLoU32);
  case Op::MulU24:
    return commutable(Opcode::VMulU32U24);
  case Op::MulHighU:
    return commutable(Opcode::VMulHiU32);
  case Op::MulHighI:
    return commutable(Opcode::VMulHiI32);
  case Op::And:
    return commutable(Opcode::VAndB32);
  case Op::Or:
    return commutable(Opcode::VOrB32);
  case Op::Xor:
    return commutable(Opcode::VXorB32);
  case Op::MinI:
    return commutable(Opcode::VMinI32);
  case Op::MaxI:
    return commutable(Opcode::VMaxI32);
  case Op::MinU:
    return commutable(Opcode::VMinU32);
  case Op::MaxU:
    return commutable(Opcode::VMaxU32);
  case Op::ExtractU:
    return fixed(Opcode::VBfeU32);
  case Op::ExtractI:
    return fixed(Opcode::VBfeI32);
  case Op::SelectBits:
    return fixed(Opcode::VBfiB32);
  case Op::ReverseBits:
    return fixed(Opcode::VBfrevB32);
  case Op::FindLowBit:
    return fixed(Opcode::VFfblB32);
  case Op::FindHighBit:
    return fixed(Opcode::VFfbhU32);
  case Op::LanesBelowLow:
    return fixed(Opcode::VMbcntLoU32B32);
  default: // LanesBelowHigh
    return fixed(Opcode::VMbcntHiU32B32);
  }
}

VectorOpcode floatOpcode(Op op) {
  auto commutable = [](Opcode opcode) { return VectorOpcode{opcode, opcode, true}; };
  auto fixed = [](Opcode opcode) { return VectorOpcode{opcode, opcode, false}; };
  switch (op) {
  case Op::AddF:
    return commutable(Opcode::VAddF32);
  case Op::SubF:
    return {Opcode::VSubF32, Opcode::VSubrevF32, true};
  case Op::MulF:
    return commutable(Opcode::VMulF32);
  case Op::FmaF:
    return fixed(Opcode::VFmaF32);
  case Op::MinF:
    return commutable(Opcode::VMinF32);
  case Op::MaxF:
    return commutable(Opcode::VMaxF32);
  case Op::MedF:
    return fixed(Opcode::VMed3F32);
  case Op::MulLegacy:
    return commutable(Opcode::VMulLegacyF32);
  case Op::Rcp:
    return fixed(Opcode::VRcpF32);
  case Op::Rsq:
    return fixed(Opcode::VRsqF32);
  case Op::Sqrt:
    return fixed(Opcode::VSqrtF32);
  case Op::Log:
    return fixed(Opcode::VLogF32);
  case Op::Exp:
    return fixed(Opcode::VExpF32);
  case Op::Sin:
    return fixed(Opcode::VSinF32);
  case Op::Cos:
    return fixed(Opcode::VCosF32);
  case Op::Fract:
    return fixed(Opcode::VFractF32);
  case Op::Floor:
    return fixed(Opcode::VFloorF32);
  case Op::Ceil:
    return fixed(Opcode::VCeilF32);
  case Op::Truncate:
    return fixed(Opcode::VTruncF32);
  case Op::RoundEven:
    return fixed(Opcode::VRndneF32);
  case Op::Ldexp:
    return fixed(Opcode::VLdexpF32);
  case Op::FrexpMantissa:
    return fixed(Opcode::VFrexpMantF32);
  case Op::FrexpExponent:
    return fixed(Opcode::VFrexpExpI32F32);
  case Op::CubeId:
    return fixed(Opcode::VCubeidF32);
  case Op::CubeSc:
    return fixed(Opcode::VCubescF32);
  case Op::CubeTc:
    return fixed(Opcode::VCubetcF32);
  case Op::CubeMa:
    return fixed(Opcode::VCubemaF32);
  case Op::FloatOfI:
    return fixed(Opcode::VCvtF32I32);
  case Op::FloatOfU:
    return fixed(Opcode::VCvtF32U32);
  case Op::IntOfF:
    return fixed(Opcode::VCvtI32F32);
  default: // UintOfF
    return fixed(Opcode::VCvtU32F32);
  }
}

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

constexpr uint32_t One = std::bit_cast<uint32_t>(1.0f);

} // namespace

bool Selector::isSingle(NodeId id, Op op) const {
  const Node &node = nodeOf(id);
  return node.op == op && node.uses == 1 && node.block == m_block && node.bank == Bank::Vector;
}

bool Selector::isFloatOperation(NodeId id) const {
  const Op op = nodeOf(id).op;
  return op >= Op::AddF && op <= Op::CubeMa && op != Op::Negate && op != Op::Absolute && op != Op::FrexpExponent &&
         op != Op::DivideF;
}

Selector::Source Selector::floatSource(NodeId id) {
  Source source;
  for (;;) {
    const Node &node = nodeOf(id);
    if (node.op == Op::Negate)
      source.neg ^= !source.abs;
    else if (node.op == Op::Absolute)
      source.abs = true;
    else
      break;
    id = node.a[0];
  }
  source.operand = any(id);
  if (source.operand.kind == Operand::Constant && (source.neg || source.abs)) {
    uint32_t &value = source.operand.value;
    if (source.abs)
      value &= 0x7fffffff;
    if (source.neg)
      value ^= 0x80000000;
    source.neg = source.abs = false;
  }
  return source;
}

void Selector::select(NodeId id) {
  const Node &node = nodeOf(id);
  switch (node.op) {
  case Op::Phi:
    if (node.isBool && node.bank == Bank::Vector && isDemanded(id)) {
      if (m_phiDwords[id] == NoRegister)
        m_phiDwords[id] = newRegister(Bank::Vector);
      emitValu(Opcode::VCmpNeU32, NoRegister, {{constantOperand(0)}, {registerOperand(m_phiDwords[id])}}, {}, {},
               m_registers[id]);
    }
    return;
  case Op::Relocated:
    emit(Form::Salu, Opcode::SMovB32, {registerOperand(m_registers[id])}, {Operand{Operand::Relocated, 1, node.imm}});
    return;
  case Op::PcHigh:
    emit(Form::Salu, Opcode::SGetpcB64, {registerOperand(m_registers[id] - 1, 2)}, {});
    return;
  case Op::PcLow:
    return refuse("the low half of the program counter");
  case Op::AddWide:
    return selectWide(id);
  case Op::TableAddress: { // the three stand side by side, because the distances count from the first
    const VReg low = m_registers[id], high = low + 1;
    emit(Form::Salu, Opcode::SAddcU32, {registerOperand(high)},
         {registerOperand(high), Operand{Operand::TableHigh, 1, node.imm}});
    emit(Form::Salu, Opcode::SAddU32, {registerOperand(low)},
         {registerOperand(low), Operand{Operand::TableLow, 1, node.imm}});
    emit(Form::Salu, Opcode::SGetpcB64, {registerOperand(low, 2)}, {});
    return;
  }
  case Op::ScalarLoad:
  case Op::ScalarBufferLoad:
  case Op::BufferLoad:
  case Op::BufferStore:
  case Op::BufferAtomic:
  case Op::LdsLoad:
  case Op::LdsStore:
  case Op::Image:
    return selectMemory(id);
  case Op::Export:
    return selectExport(id);
  case Op::Barrier:
    emit(Form::Barrier, Opcode::SBarrier, {}, {});
    return;
  case Op::WaitAll:
    emit(Form::Wait, Opcode::SWaitcnt, {}, {});
    return;
  case Op::SendMessage:
    emit(Form::Message, Opcode::SSendmsg, {}, {scalar(m_program.operandsOf(node)[0])}).imm = node.imm;
    return;
  case Op::Kill: {
    const Operand stay = maskOf(m_program.operandsOf(node)[0]);
    const VReg gone = newRegister(Bank::Scalar, 2);
    emitSalu(Opcode::SAndn2B64, live(), 2, {registerOperand(live(), 2), registerOperand(gone, 2)});
    emitSalu(Opcode::SAndn2B64, gone, 2, {exec(), stay});
    return;
  }
  case Op::ReadFirstLane:
    emit(Form::Valu, Opcode::VReadfirstlaneB32, {registerOperand(m_registers[id])}, {vector(node.a[0])});
    return;
  default:
    break;
  }
  if (node.isBool)
    return selectBool(id);
  if (node.bank == Bank::Scalar)
    return selectScalar(id);
  selectVector(id);
}

void Selector::selectScalar(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg destination = m_registers[id];
  if (node.op == Op::Select)
    return emitSelect(destination, 1, scalar(node.a[1]), scalar(node.a[2]), node.a[0]);
  if (node.a[1] == NoNode)
    return emitSalu(scalarOpcode(node.op), destination, 1, {scalarOrInline(node.a[0])});
  if (node.op == Op::Xor && isConstantNode(node.a[0]) && nodeOf(node.a[0]).imm == UINT32_MAX)
    return emitSalu(Opcode::SNotB32, destination, 1, {scalar(node.a[1])});
  if (node.op == Op::Xor && isConstantNode(node.a[1]) && nodeOf(node.a[1]).imm == UINT32_MAX)
    return emitSalu(Opcode::SNotB32, destination, 1, {scalar(node.a[0])});
  emitSalu(scalarOpcode(node.op), destination, 1, {scalar(node.a[0]), scalar(node.a[1])});
}

void Selector::emitSelect(VReg destination, unsigned dwords, Operand left, Operand right, NodeId condition) {
  unsigned literals = isLiteral(left) + isLiteral(right);
  if (literals > 1)
    right = inSgpr(right.value);
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
    return emitSalu(Opcode::SAndB64, destination, 2, {maskOf(node.a[0]), maskOf(node.a[1])});
  case Op::BoolOr:
    return emitSalu(Opcode::SOrB64, destination, 2, {maskOf(node.a[0]), maskOf(node.a[1])});
  case Op::BoolXor:
    return emitSalu(Opcode::SXorB64, destination, 2, {maskOf(node.a[0]), maskOf(node.a[1])});
  case Op::BoolNot:
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
  if (hasLiteral && left.operand.kind == Operand::Constant) // the mask may be in any SGPRs
    left.operand = inSgpr(left.operand.value);
  emitValu(comparison.opcode, NoRegister, {left, right}, {}, {}, destination);
}

// min(max(x, 0), 1) is a modifier of the instruction that makes x.
bool Selector::selectClamp(NodeId id, VReg destination) {
  const Node &node = nodeOf(id);
  if (node.op != Op::MinF && node.op != Op::MedF)
    return false;
  NodeId value = NoNode;
  if (node.op == Op::MedF) {
    if (!isConstantNode(node.a[1]) || nodeOf(node.a[1]).imm != 0 || !isConstantNode(node.a[2]) ||
        nodeOf(node.a[2]).imm != One)
      return false;
    value = node.a[0];
  } else {
    for (unsigned i = 0; i < 2; ++i) {
      const NodeId inner = node.a[i];
      if (!isConstantNode(node.a[1 - i]) || nodeOf(node.a[1 - i]).imm != One || !isSingle(inner, Op::MaxF))
        continue;
      for (unsigned k = 0; k < 2; ++k)
        if (isConstantNode(nodeOf(inner).a[1 - k]) && nodeOf(nodeOf(inner).a[1 - k]).imm == 0)
          value = nodeOf(inner).a[k];
    }
    if (value == NoNode)
      return false;
  }
  isa::Modifiers clamp;
  clamp.clamp = true;
  if (isFloatOperation(value) && isSingle(value, nodeOf(value).op)) {
    selectFloat(value, destination, clamp);
    return true;
  }
  const Source source = floatSource(value);
  if (source.operand.kind == Operand::Constant)
    return false;
  emitValu(Opcode::VMaxF32, destination, {source, source}, clamp);
  return true;
}

// Rounds twice, like a multiplication and an addition, if denormals are flushed ("Vega" ISA manual, V_MAD_F32).
void Selector::multiplyAdd(NodeId left, NodeId right, NodeId addend, bool negateProduct, bool negateAddend,
                           VReg destination, isa::Modifiers modifiers) {
  Source a = floatSource(left), b = floatSource(right), c = floatSource(addend);
  auto negate = [](Source &source) {
    if (source.operand.kind == Operand::Constant)
      source.operand.value ^= 0x80000000;
    else
      source.neg ^= true;
  };
  if (negateProduct)
    negate(a.operand.kind == Operand::Constant || b.operand.kind != Operand::Constant ? a : b);
  if (negateAddend)
    negate(c);
  const bool isPlain = modifiers.isNone() && !a.neg && !a.abs && !b.neg && !b.abs && !c.neg && !c.abs;
  auto isInline = [](const Operand &operand) { return operand.kind == Operand::Constant && !isLiteral(operand); };
  auto fitsFirst = [&](const Operand &operand) { return isVgpr(operand) || isInline(operand); };
  if (isPlain) {
    if (isLiteral(a.operand))
      std::swap(a, b);
    if (isLiteral(b.operand) && fitsFirst(a.operand) && fitsFirst(c.operand)) {
      c.operand = inVgpr(c.operand);
      return emitValu(Opcode::VMadmkF32, destination, {a, b, c});
    }
    if (isLiteral(c.operand)) {
      if (isVgpr(a.operand) && !isVgpr(b.operand))
        std::swap(a, b);
      if (isVgpr(b.operand) && fitsFirst(a.operand))
        return emitValu(Opcode::VMadakF32, destination, {a, b, c});
    }
  }
  if (isVgpr(a.operand) && !isVgpr(b.operand)) // v_mac_f32 wants a VGPR second
    std::swap(a, b);
  emitValu(Opcode::VMadF32, destination, {a, b, c}, modifiers);
}

void Selector::selectFloat(NodeId id, VReg destination, isa::Modifiers modifiers) {
  const Node &node = nodeOf(id);
  if (node.op == Op::MadF)
    return multiplyAdd(node.a[0], node.a[1], node.a[2], false, false, destination, modifiers);
  if (node.op == Op::AddF || node.op == Op::SubF) {
    const bool isSub = node.op == Op::SubF;
    for (unsigned i = 0; i < 2; ++i)
      if (isSingle(node.a[i], Op::MulF)) {
        const Node &product = nodeOf(node.a[i]);
        return multiplyAdd(product.a[0], product.a[1], node.a[1 - i], isSub && i == 1, isSub && i == 0, destination,
                           modifiers);
      }
  }
  const VectorOpcode opcode = floatOpcode(node.op);
  Sources sources;
  const bool takesInteger = node.op == Op::FloatOfI || node.op == Op::FloatOfU;
  for (unsigned i = 0; i < 3 && node.a[i] != NoNode; ++i)
    sources.push_back(takesInteger || (node.op == Op::Ldexp && i == 1) ? Source{any(node.a[i])}
                                                                       : floatSource(node.a[i]));
  if (opcode.isCommutable)
    emitCommutable(opcode.opcode, opcode.swapped, destination, std::move(sources), modifiers);
  else
    emitValu(opcode.opcode, destination, std::move(sources), modifiers);
}

void Selector::selectIntegerSum(NodeId id, VReg destination) {
  const Node &node = nodeOf(id);
  for (unsigned i = 0; i < 2; ++i) {
    const NodeId inner = node.a[i], other = node.a[1 - i];
    if (isSingle(inner, Op::MulU24))
      return emitValu(Opcode::VMadU32U24, destination,
                      {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
    if (!isGfx9())
      continue;
    if (isSingle(inner, Op::ShiftLeft) && isConstantNode(nodeOf(inner).a[1]))
      return emitValu(Opcode::VLshlAddU32, destination,
                      {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
    if (isSingle(inner, Op::Add))
      return emitValu(Opcode::VAdd3U32, destination,
                      {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
  }
  Source left{any(node.a[0])}, right{any(node.a[1])};
  if (isGfx9())
    return emitCommutable(Opcode::VAddU32, Opcode::VAddU32, destination, {left, right});
  if (!isVgpr(right.operand))
    std::swap(left, right);
  if (isLiteral(left.operand) && left.operand.kind == Operand::Constant)
    left.operand = inSgpr(left.operand.value); // the carry may be in any SGPRs
  emitValu(Opcode::VAddCoU32, destination, {left, right}, {}, {}, newMask());
}

bool Selector::selectBitwise(NodeId id, VReg destination) {
  const Node &node = nodeOf(id);
  if (node.op == Op::Xor)
    for (unsigned i = 0; i < 2; ++i)
      if (isConstantNode(node.a[i]) && nodeOf(node.a[i]).imm == UINT32_MAX) {
        emitValu(Opcode::VNotB32, destination, {{any(node.a[1 - i])}});
        return true;
      }
  if (node.op == Op::And)
    for (unsigned i = 0; i < 2; ++i) {
      const NodeId inner = node.a[1 - i];
      if (!isConstantNode(node.a[i]) || !isSingle(inner, Op::ShiftRight) || !isConstantNode(nodeOf(inner).a[1]))
        continue;
      const uint32_t mask = nodeOf(node.a[i]).imm, shift = nodeOf(nodeOf(inner).a[1]).imm & 31;
      if (mask == 0 || (mask & (mask + 1)) != 0)
        continue;
      emitValu(Opcode::VBfeU32, destination,
               {{any(nodeOf(inner).a[0])}, {constantOperand(shift)}, {constantOperand(uint32_t(std::popcount(mask)))}});
      return true;
    }
  if (node.op == Op::Or && isGfx9())
    for (unsigned i = 0; i < 2; ++i) {
      const NodeId inner = node.a[i], other = node.a[1 - i];
      const Op op = nodeOf(inner).op;
      if (!isSingle(inner, op) || (op != Op::And && op != Op::Or && op != Op::ShiftLeft))
        continue;
      const Opcode opcode = op == Op::And ? Opcode::VAndOrB32 : op == Op::Or ? Opcode::VOr3B32 : Opcode::VLshlOrB32;
      emitValu(opcode, destination, {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
      return true;
    }
  return false;
}

void Selector::selectVector(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg destination = m_registers[id];
  switch (node.op) {
  case Op::Select: {
    const Operand mask = maskOf(node.a[0]);
    Source whereNot{any(node.a[2])}, where{any(node.a[1])};
    emitValu(Opcode::VCndmaskB32, destination, {whereNot, where}, {}, mask);
    return;
  }
  case Op::CopyToVector:
    return emitValu(Opcode::VMovB32, destination, {{any(node.a[0])}});
  case Op::Negate:
    return emitCommutable(Opcode::VXorB32, Opcode::VXorB32, destination,
                          {{constantOperand(0x80000000)}, {any(node.a[0])}});
  case Op::Absolute:
    return emitCommutable(Opcode::VAndB32, Opcode::VAndB32, destination,
                          {{constantOperand(0x7fffffff)}, {any(node.a[0])}});
  case Op::InterpP1:
  case Op::InterpP2:
  case Op::InterpMov: {
    const bool isSecond = node.op == Op::InterpP2, isMove = node.op == Op::InterpMov;
    Operands uses;
    if (!isMove)
      uses.push_back(vector(node.a[0]));
    const Operand mask = scalar(isMove ? node.a[0] : node.a[isSecond ? 2 : 1]);
    uses.push_back(mask);
    if (isSecond) {
      uses.push_back(vector(node.a[1]));
      wishNear(uses.back().value, destination);
    }
    MachineInstruction &instruction = emit(Form::Interp,
                                           isMove     ? Opcode::VInterpMovF32
                                           : isSecond ? Opcode::VInterpP2F32
                                                      : Opcode::VInterpP1F32,
                                           {registerOperand(destination)}, uses);
    instruction.imm = node.imm;
    instruction.isTied = isSecond;
    return;
  }
  case Op::Dpp:
    emit(Form::Dpp, Opcode::VMovB32, {registerOperand(destination)}, {vector(node.a[0])}).imm = node.imm;
    return;
  case Op::Add:
    return selectIntegerSum(id, destination);
  case Op::CountBits:
    return emitValu(Opcode::VBcntU32B32, destination, {{any(node.a[0])}, {constantOperand(0)}});
  case Op::ShiftLeft:
    return emitValu(Opcode::VLshlrevB32, destination, {{any(node.a[1])}, {any(node.a[0])}});
  case Op::ShiftRight:
    return emitValu(Opcode::VLshrrevB32, destination, {{any(node.a[1])}, {any(node.a[0])}});
  case Op::ShiftRightSigned:
    return emitValu(Opcode::VAshrrevI32, destination, {{any(node.a[1])}, {any(node.a[0])}});
  case Op::Sub:
    if (!isGfx9()) {
      Source left{any(node.a[0])}, right{any(node.a[1])};
      Opcode opcode = Opcode::VSubCoU32;
      if (!isVgpr(right.operand) && isVgpr(left.operand)) {
        std::swap(left, right);
        opcode = Opcode::VSubrevCoU32;
      }
      if (isLiteral(left.operand) && left.operand.kind == Operand::Constant)
        left.operand = inSgpr(left.operand.value);
      return emitValu(opcode, destination, {left, right}, {}, {}, newMask());
    }
    break;
  case Op::And:
  case Op::Or:
  case Op::Xor:
    if (selectBitwise(id, destination))
      return;
    break;
  case Op::DivideF:
    return selectDivision(id);
  default:
    if (node.op >= Op::AddF && node.op <= Op::UintOfF) {
      if (!selectClamp(id, destination))
        selectFloat(id, destination, {});
      return;
    }
    break;
  }
  if (node.op > Op::LanesBelowHigh || (node.op > Op::UintOfF && node.op < Op::LanesBelowLow))
    return refuse("an operation that is not selected");
  const VectorOpcode opcode = vectorOpcode(node.op, isGfx9());
  Sources sources;
  for (unsigned i = 0; i < 3 && node.a[i] != NoNode; ++i)
    sources.push_back({any(node.a[i])});
  if (opcode.isCommutable)
    emitCommutable(opcode.opcode, opcode.swapped, destination, std::move(sources));
  else
    emitValu(opcode.opcode, destination, std::move(sources));
}

// As LLVM divides (SIISelLowering, LowerFDIV32): denormals are kept in between. v_div_fmas_f32 reads VCC.
void Selector::selectDivision(NodeId id) {
  const Node &node = nodeOf(id);
  const Operand a = vector(node.a[0]), b = vector(node.a[1]);
  if (m_vcc == NoRegister) {
    constexpr uint16_t vccPlace = 106;
    m_machine.keepsVcc = true;
    m_vcc = newMask();
    m_machine.registers[m_vcc].place = vccPlace;
    m_machine.registers[m_vcc + 1].place = vccPlace + 1;
  }
  auto make = [&] { return newRegister(Bank::Vector); };
  auto source = [](VReg reg, bool neg = false) { return Source{registerOperand(reg), neg}; };
  const VReg divisor = make(), dividend = make(), inverse = make(), error = make(), better = make(), first = make(),
             rest = make(), second = make(), last = make(), quotient = make();
  constexpr uint32_t keepDenormals = 3, flushDenormals = 0;
  emitValu(Opcode::VDivFixupF32, m_registers[id], {source(quotient), {b}, {a}});
  emitValu(Opcode::VDivFmasF32, quotient, {source(last), source(better), source(second)}, {},
           registerOperand(m_vcc, 2));
  emit(Form::SetMode, Opcode::SSetregImm32B32, {}, {}).imm = flushDenormals;
  emitValu(Opcode::VFmaF32, last, {source(divisor, true), source(second), source(dividend)});
  emitValu(Opcode::VFmaF32, second, {source(rest), source(better), source(first)});
  emitValu(Opcode::VFmaF32, rest, {source(divisor, true), source(first), source(dividend)});
  emitValu(Opcode::VMulF32, first, {source(dividend), source(better)});
  emitValu(Opcode::VFmaF32, better, {source(error), source(inverse), source(inverse)});
  emitValu(Opcode::VFmaF32, error, {source(divisor, true), source(inverse), {constantOperand(One)}});
  emit(Form::SetMode, Opcode::SSetregImm32B32, {}, {}).imm = keepDenormals;
  emitValu(Opcode::VRcpF32, inverse, {source(divisor)});
  emitValu(Opcode::VDivScaleF32, dividend, {{a}, {b}, {a}}, {}, {}, m_vcc);
  emitValu(Opcode::VDivScaleF32, divisor, {{b}, {b}, {a}}, {}, {}, newMask());
}

// A sum of 64 bits.
void Selector::selectWide(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg low = m_registers[id], high = low + 1;
  const auto operands = m_program.operandsOf(node);
  if (node.bank == Bank::Scalar) {
    emitSalu(Opcode::SAddcU32, high, 1, {scalar(operands[1]), scalar(operands[3])});
    emitSalu(Opcode::SAddU32, low, 1, {scalar(operands[0]), scalar(operands[2])});
    return;
  }
  refuse("a sum of 64 bits in vectors");
}

} // namespace dovetail::first
