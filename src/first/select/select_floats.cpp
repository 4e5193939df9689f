// SPDX-License-Identifier: MIT
#include "src/first/select/selector.h"
#include <algorithm>
#include <bit>

namespace dovetail::first {

using isa::Opcode;

namespace {

constexpr uint32_t One = std::bit_cast<uint32_t>(1.0f);

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
} // namespace

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

// What the node is 2 or 4 times or a half of, if the instruction that makes it can do that as well; returns
// isa::Modifiers::omod. Denormals are flushed, so products of normal results are exact (SIFoldOperands, tryFoldOMod).
// An instruction with a modifier has no room for a literal.
uint8_t Selector::scaledBy(NodeId id, NodeId &value) const {
  const Node &node = nodeOf(id);
  if (node.op != Op::MulF || node.imm != LosesZeroSign)
    return 0;
  auto hasLiteral = [&](NodeId of) {
    return std::ranges::any_of(m_program.operandsOf(nodeOf(of)), [&](NodeId operand) {
      return isConstantNode(operand) && isLiteral(constantOperand(nodeOf(operand).imm));
    });
  };
  for (unsigned i = 0; i < 2; ++i) {
    value = node.a[1 - i];
    const Op op = nodeOf(value).op;
    const bool isSum = op == Op::AddF || op == Op::SubF;
    const bool canScale = isSum || op == Op::MulF || op == Op::MadF || op == Op::FmaF || op == Op::Rcp ||
                          op == Op::Rsq || op == Op::Sqrt || op == Op::Log || op == Op::Exp;
    if (!isConstantNode(node.a[i]) || !canScale || !isSingle(value, op) || hasLiteral(value))
      continue;
    const bool hasLiteralFactor = isSum && std::ranges::any_of(nodeOf(value).a, [&](NodeId operand) {
                                    return operand != NoNode && nodeOf(operand).op == Op::MulF && hasLiteral(operand);
                                  });
    if (!hasLiteralFactor)
      return outputModifierOf(nodeOf(node.a[i]).imm);
  }
  return 0;
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
  NodeId scaled;
  if (const uint8_t omod = modifiers.omod ? 0 : scaledBy(id, scaled)) {
    modifiers.omod = omod;
    return selectFloat(scaled, destination, modifiers);
  }
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

// For divisions alone: v_div_fmas reads no other mask.
void Selector::keepVcc() {
  if (m_vcc != NoRegister)
    return;
  constexpr uint16_t vccPlace = 106;
  m_machine.keepsVcc = true;
  m_vcc = newMask();
  m_machine.registers[m_vcc].place = vccPlace;
  m_machine.registers[m_vcc + 1].place = vccPlace + 1;
}

// As LLVM divides (SIISelLowering, LowerFDIV64).
void Selector::selectDivisionOfDoubles(NodeId id) {
  const auto operands = m_program.operandsOf(nodeOf(id));
  const Operand a = tuple(operands.first(2), Bank::Vector), b = tuple(operands.subspan(2), Bank::Vector);
  constexpr uint32_t highOfOne = 0x3ff00000;
  keepVcc();
  const VReg one = newRegister(Bank::Vector, 2);
  auto make = [&] { return newRegister(Bank::Vector, 2); };
  auto source = [](VReg reg, bool neg = false) { return Source{registerOperand(reg, 2), neg}; };
  const VReg divisor = make(), dividend = make(), inverse = make(), error = make(), better = make(), rest = make(),
             best = make(), first = make(), last = make(), quotient = make();
  emitValu(Opcode::VDivFixupF64, m_registers[id], {source(quotient), {b}, {a}});
  emitValu(Opcode::VDivFmasF64, quotient, {source(last), source(best), source(first)}, {}, registerOperand(m_vcc, 2));
  emitValu(Opcode::VFmaF64, last, {source(divisor, true), source(first), source(dividend)});
  emitValu(Opcode::VMulF64, first, {source(dividend), source(best)});
  emitValu(Opcode::VFmaF64, best, {source(better), source(rest), source(better)});
  emitValu(Opcode::VDivScaleF64, dividend, {{a}, {b}, {a}}, {}, {}, m_vcc);
  emitValu(Opcode::VFmaF64, rest, {source(divisor, true), source(better), source(one)});
  emitValu(Opcode::VFmaF64, better, {source(inverse), source(error), source(inverse)});
  emitValu(Opcode::VFmaF64, error, {source(divisor, true), source(inverse), source(one)});
  emitValu(Opcode::VRcpF64, inverse, {source(divisor)});
  emitValu(Opcode::VDivScaleF64, divisor, {{b}, {b}, {a}}, {}, {}, newMask());
  emitValu(Opcode::VMovB32, one + 1, {{constantOperand(highOfOne)}});
  emitValu(Opcode::VMovB32, one, {{constantOperand(0)}});
}

// As LLVM divides (SIISelLowering, LowerFDIV32): denormals are kept in between. v_div_fmas_f32 reads VCC.
void Selector::selectDivision(NodeId id) {
  const Node &node = nodeOf(id);
  const Operand a = vector(node.a[0]), b = vector(node.a[1]);
  keepVcc();
  auto make = [&] { return newRegister(Bank::Vector); };
  auto source = [](VReg reg, bool neg = false) { return Source{registerOperand(reg), neg}; };
  const VReg divisor = make(), dividend = make(), inverse = make(), error = make(), better = make(), first = make(),
             rest = make(), second = make(), last = make(), quotient = make();
  constexpr uint32_t keepDenormals = ModeDenormals32 | 3, flushDenormals = ModeDenormals32;
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
} // namespace dovetail::first
