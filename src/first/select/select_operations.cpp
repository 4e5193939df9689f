// SPDX-License-Identifier: MIT
#include "src/first/select/selector.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <optional>

namespace dovetail::first {

using isa::Opcode;

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

} // namespace

bool Selector::isSingle(NodeId id, Op op) const {
  const Node &node = nodeOf(id);
  return node.op == op && node.uses == 1 && node.block == m_block && node.bank == Bank::Vector;
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
  case Op::SubWide:
    return selectWide(id);
  case Op::DivideF64:
    return selectDivisionOfDoubles(id);
  case Op::Valu:
  case Op::ValuMask:
    return selectValu(id);
  case Op::Salu: {
    const Opcode opcode = m_program.accesses[node.imm].opcode;
    return emitSalu(opcode, m_registers[id], isa::rowOf(opcode).destinationDwords, scalarSources(node));
  }
  case Op::MaskDwords: {
    const NodeId condition = m_program.operandsOf(node)[0];
    if (m_program.countsLanes) {
      const Operand lanes = registerOperand(newRegister(Bank::Scalar, 2), 2);
      emitSalu(Opcode::SAndB64, m_registers[id], 2, {lanes, maskOf(condition)});
      return countLanes(lanes.value, exec());
    }
    const Node &made = nodeOf(condition);
    if (made.op == Op::True && made.imm)
      return emitSalu(Opcode::SMovB64, m_registers[id], 2, {exec()});
    // A comparison gives 0 for lanes that do not run.
    const bool isCompared =
        made.bank == Bank::Vector && made.block == m_block &&
        (made.op == Op::CompareI || made.op == Op::CompareF || made.op == Op::BoolOf || made.op == Op::ValuMask);
    if (isCompared && !isDemanded(condition)) {
      m_registers[condition] = m_registers[id];
      return;
    }
    return emitSalu(Opcode::SAndB64, m_registers[id], 2, {exec(), maskOf(condition)});
  }
  case Op::QuadAny: {
    const NodeId condition = m_program.operandsOf(node)[0];
    if (nodeOf(condition).op == Op::Live) // also of lanes that wait elsewhere, as in LLVM's code
      return emitSalu(Opcode::SWqmB64, m_registers[id], 2, {maskOf(condition)});
    const VReg running = newRegister(Bank::Scalar, 2);
    emitSalu(Opcode::SWqmB64, m_registers[id], 2, {registerOperand(running, 2)});
    return emitSalu(Opcode::SAndB64, running, 2, {exec(), maskOf(condition)});
  }
  case Op::Live:
    return emitSalu(Opcode::SMovB64, m_registers[id], 2, {registerOperand(live(), 2)});
  case Op::TableAddress: {
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
  case Op::GlobalLoad:
  case Op::GlobalStore:
  case Op::GlobalAtomic:
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
    if (node.imm & OfWave)
      return;
    emit(Form::Wait, Opcode::SWaitcnt, {}, {}).imm = node.imm;
    return;
  case Op::SendMessage:
    emit(Form::Message, Opcode::SSendmsg, {}, {scalar(m_program.operandsOf(node)[0])}).imm = node.imm;
    return;
  case Op::Kill:
    return selectKill(node);
  case Op::ReadFirstLane:
    return selectFirstLane(id);
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
  emitSalu(scalarOpcode(node.op), destination, 1, {source(node.a[0]), source(node.a[1])});
}

void Selector::selectIntegerSum(NodeId id, VReg destination) {
  const Node &node = nodeOf(id);
  for (unsigned i = 0; i < 2; ++i) {
    const NodeId inner = node.a[i], other = node.a[1 - i];
    if (isSingle(inner, Op::MulU24))
      return emitValu(Opcode::VMadU32U24, destination,
                      {{source(nodeOf(inner).a[0])}, {source(nodeOf(inner).a[1])}, {source(other)}});
    if (!isGfx9())
      continue;
    if (isSingle(inner, Op::ShiftLeft) && isConstantNode(nodeOf(inner).a[1]))
      return emitValu(Opcode::VLshlAddU32, destination,
                      {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
    if (isSingle(inner, Op::Add))
      return emitValu(Opcode::VAdd3U32, destination,
                      {{any(nodeOf(inner).a[0])}, {any(nodeOf(inner).a[1])}, {any(other)}});
  }
  Source left{source(node.a[0])}, right{source(node.a[1])};
  if (isGfx9())
    return emitCommutable(Opcode::VAddU32, Opcode::VAddU32, destination, {left, right});
  if (!isVgpr(right.operand))
    std::swap(left, right);
  if (isLiteral(left.operand))
    left.operand = inSgpr(left.operand); // the carry may be in any SGPRs
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

// An operation with another lane's value. Lanes without a source have 0 as that value, or, where that value changes
// nothing, the other operand as the result.
bool Selector::selectDpp(NodeId id, VReg destination) {
  struct Row {
    Op op;
    Opcode opcode;
    std::optional<uint32_t> neutral;
  };
  static constexpr Row rows[] = {
      {Op::Add, Opcode::VAddU32, 0},
      {Op::And, Opcode::VAndB32, UINT32_MAX},
      {Op::Or, Opcode::VOrB32, 0},
      {Op::Xor, Opcode::VXorB32, 0},
      {Op::MinI, Opcode::VMinI32, INT32_MAX},
      {Op::MaxI, Opcode::VMaxI32, uint32_t(INT32_MIN)},
      {Op::MinU, Opcode::VMinU32, UINT32_MAX},
      {Op::MaxU, Opcode::VMaxU32, 0},
      {Op::AddF, Opcode::VAddF32, {}},
      {Op::MulF, Opcode::VMulF32, {}},
      {Op::MinF, Opcode::VMinF32, {}},
      {Op::MaxF, Opcode::VMaxF32, {}},
  };
  const Node &node = nodeOf(id);
  const auto row = std::ranges::find(rows, node.op, &Row::op);
  if (row == std::end(rows) || (node.op == Op::Add && !isGfx9())) // GFX8 gives a carry
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Node &moved = nodeOf(node.a[i]);
    if (!isSingle(node.a[i], Op::Dpp))
      continue;
    const bool isKept = moved.a[1] != NoNode;
    if (isKept && (!row->neutral || !isConstantNode(moved.a[1]) || nodeOf(moved.a[1]).imm != *row->neutral))
      continue;
    MachineInstruction &instruction =
        emit(Form::Dpp, row->opcode, {registerOperand(destination)}, {vector(moved.a[0]), vector(node.a[1 - i])});
    instruction.imm = moved.imm;
    instruction.isTied = isKept;
    return true;
  }
  return false;
}

void Selector::selectVector(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg destination = m_registers[id];
  if (node.isWhole && selectDpp(id, destination))
    return;
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
    instruction.isEarly =
        !isSecond && !isMove && m_target.gfxIp.major == 8 && m_target.gfxIp.minor == 1; // 16 banks of LDS
    return;
  }
  case Op::InterpHalf: { // rounds to zero (LLVM: SIModeRegister). Neighbours share the mode
    constexpr uint32_t toZero = ModeRounding16And64 | RoundToZero, toNearest = ModeRounding16And64 | RoundToNearest;
    const Operand i = vector(node.a[0]), j = vector(node.a[1]), mask = scalar(node.a[2]);
    const Operand first = registerOperand(newRegister(Bank::Vector));
    if (!m_reversed.empty() && m_reversed.back().form == Form::SetMode && m_reversed.back().imm == toZero)
      m_reversed.pop_back();
    else
      emit(Form::SetMode, Opcode::SSetregImm32B32, {}, {}).imm = toNearest;
    emit(Form::Interp, Opcode::VInterpP2F16, {registerOperand(destination)}, {j, mask, first}).imm = node.imm;
    emit(Form::Interp, Opcode::VInterpP1llF16, {first}, {i, mask}).imm = node.imm;
    emit(Form::SetMode, Opcode::SSetregImm32B32, {}, {}).imm = toZero;
    return;
  }
  case Op::Dpp: {
    Operands uses = {vector(node.a[0])};
    if (node.a[1] != NoNode)
      uses.push_back(any(node.a[1]));
    MachineInstruction &instruction = emit(Form::Dpp, Opcode::VMovB32, {registerOperand(destination)}, uses);
    instruction.imm = node.imm;
    instruction.isTied = node.a[1] != NoNode;
    return;
  }
  case Op::SetInactive: {
    const Operand running = registerOperand(wholeExec(), 2);
    const VReg counted = m_program.countsLanes ? newRegister(Bank::Scalar, 2) : running.value;
    emitValu(Opcode::VCndmaskB32, destination, {{any(node.a[1])}, {any(node.a[0])}}, {}, registerOperand(counted, 2));
    if (m_program.countsLanes)
      countLanes(counted, running);
    return;
  }
  case Op::LeaveWhole:
    return emitValu(Opcode::VMovB32, destination, {{any(node.a[0])}});
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
      Source left{source(node.a[0])}, right{source(node.a[1])};
      Opcode opcode = Opcode::VSubCoU32;
      if (!isVgpr(right.operand) && isVgpr(left.operand)) {
        std::swap(left, right);
        opcode = Opcode::VSubrevCoU32;
      }
      if (isLiteral(left.operand))
        left.operand = inSgpr(left.operand);
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
    return refuse(faultOf("an operation that is not selected"));
  const VectorOpcode opcode = vectorOpcode(node.op, isGfx9());
  Sources sources;
  for (unsigned i = 0; i < 3 && node.a[i] != NoNode; ++i)
    sources.push_back({source(node.a[i])});
  if (opcode.isCommutable)
    emitCommutable(opcode.opcode, opcode.swapped, destination, std::move(sources));
  else
    emitValu(opcode.opcode, destination, std::move(sources));
}

// The sources of an instruction of the scalar unit. Constants of 64 bits are those that the hardware knows.
Selector::Operands Selector::scalarSources(const Node &node) {
  const isa::OpcodeRow &row = isa::rowOf(m_program.accesses[node.imm].opcode);
  std::span<const NodeId> operands = m_program.operandsOf(node);
  Operands sources;
  for (unsigned i = 0; i < row.sourceCount; ++i) {
    const unsigned dwords = row.sourceDwords[i];
    if (const auto wide = wideConstant(operands.first(dwords)))
      sources.push_back(*wide);
    else
      sources.push_back(dwords > 1 ? tuple(operands.first(dwords), Bank::Scalar) : source(operands[0]));
    operands = operands.subspan(dwords);
  }
  return sources;
}

// The sign of a double is a modifier: takes what changes it from its high dword.
void Selector::takeSign(NodeId &high, Source &source) const {
  constexpr uint32_t sign = 0x80000000;
  for (;;) {
    const Node &node = nodeOf(high);
    const bool isNegation = node.op == Op::Xor, isAbsolute = node.op == Op::And;
    if ((!isNegation && !isAbsolute) || node.bank != Bank::Vector)
      return;
    unsigned value = 0; // which operand it is
    while (value < 2 &&
           !(isConstantNode(node.a[1 - value]) && nodeOf(node.a[1 - value]).imm == (isNegation ? sign : sign - 1)))
      ++value;
    if (value == 2)
      return;
    if (isNegation)
      source.neg ^= !source.abs;
    else
      source.abs = true;
    high = node.a[value];
  }
}

// Two dwords that are an inline constant: an integer whose sign is extended, or a double ("Vega" ISA manual, section
// 6.2.3).
std::optional<Selector::Operand> Selector::wideConstant(std::span<const NodeId> dwords, bool isDouble) const {
  if (dwords.size() != 2 || !isConstantNode(dwords[0]) || !isConstantNode(dwords[1]))
    return std::nullopt;
  constexpr int32_t least = -16, most = 64;
  const auto low = int32_t(nodeOf(dwords[0]).imm), high = int32_t(nodeOf(dwords[1]).imm);
  if (isDouble && low == 0)
    for (float value : {0.5f, 1.0f, 2.0f, 4.0f, -0.5f, -1.0f, -2.0f, -4.0f})
      if (const auto bits = std::bit_cast<uint64_t>(double(value)); uint32_t(high) == bits >> 32)
        return Operand{Operand::Constant, 2, std::bit_cast<uint32_t>(value)};
  if (low < least || low > most || high != low >> 31)
    return std::nullopt;
  return Operand{Operand::Constant, 2, uint32_t(low)};
}

// A sum or difference of 64 bits.
void Selector::selectWide(NodeId id) {
  const Node &node = nodeOf(id);
  const VReg low = m_registers[id], high = low + 1;
  const auto operands = m_program.operandsOf(node);
  const bool isSum = node.op == Op::AddWide;
  auto constantOr = [&](NodeId operand) { // inline, or a VGPR
    const Operand known = any(operand);
    return known.kind == Operand::Constant && !isLiteral(known) ? known : inVgpr(known);
  };
  const bool isHighWanted = isDemanded(id + 2); // the parts stand behind their node
  if (!isHighWanted)
    m_machine.registers[low].groupSize = 1;
  if (node.bank == Bank::Scalar) {
    if (isHighWanted)
      emitSalu(isSum ? Opcode::SAddcU32 : Opcode::SSubbU32, high, 1, {scalar(operands[1]), scalar(operands[3])});
    emitSalu(isSum ? Opcode::SAddU32 : Opcode::SSubU32, low, 1, {scalar(operands[0]), scalar(operands[2])});
    return;
  }
  // The carry takes the place of the one SGPR that an instruction may read.
  const VReg carry = newMask();
  if (isHighWanted)
    emitValu(isSum ? Opcode::VAddcCoU32 : Opcode::VSubbCoU32, high,
             {{constantOr(operands[1])}, {constantOr(operands[3])}}, {}, registerOperand(carry, 2), newMask());
  emitValu(isSum ? Opcode::VAddCoU32 : Opcode::VSubCoU32, low, {{any(operands[0])}, {any(operands[2])}}, {}, {}, carry);
}

void Selector::selectValu(NodeId id) {
  const Node &node = nodeOf(id);
  const Opcode opcode = m_program.accesses[node.imm].opcode;
  const isa::OpcodeRow &row = isa::rowOf(opcode);
  std::span<const NodeId> operands = m_program.operandsOf(node);
  Sources sources;
  // One source may be in SGPRs: here a pair of scalars or of constants, if no other source is.
  auto isConstantSource = [&](NodeId operand) {
    return isConstantNode(operand) || nodeOf(operand).op == Op::Undefined;
  };
  const auto scalars = size_t(std::ranges::count_if(
      operands, [&](NodeId operand) { return nodeOf(operand).bank == Bank::Scalar && !isConstantSource(operand); }));
  const bool isDouble = row.mnemonics[0].find("f64") != std::string_view::npos;
  bool hasScalarPair = false;
  for (unsigned i = 0; i < row.sourceCount; ++i) {
    const unsigned dwords = row.sourceDwords[i];
    const bool isLane = opcode == Opcode::VReadlaneB32;
    std::array<NodeId, 2> pair{};
    if (dwords == 2)
      std::ranges::copy(operands.first(2), pair.begin());
    Source wide;
    if (isDouble && dwords == 2)
      takeSign(pair[1], wide);
    if (const auto known = dwords == 2 ? wideConstant(pair, isDouble) : std::nullopt) {
      wide.operand = *known;
      sources.push_back(wide);
    } else if (dwords == 2) {
      const auto here = size_t(std::ranges::count_if(
          pair, [&](NodeId of) { return nodeOf(of).bank == Bank::Scalar && !isConstantSource(of); }));
      const bool isScalar = !hasScalarPair && here == scalars &&
                            std::ranges::all_of(pair, [&](NodeId of) { return nodeOf(of).bank == Bank::Scalar; }) &&
                            std::ranges::any_of(pair, [&](NodeId of) { return nodeOf(of).op != Op::Undefined; });
      hasScalarPair |= isScalar;
      wide.operand = tuple(pair, isScalar ? Bank::Scalar : Bank::Vector);
      sources.push_back(wide);
    } else if (dwords > 2) {
      sources.push_back({tuple(operands.first(dwords), Bank::Vector)});
    } else {
      sources.push_back({!isLane ? any(operands[0]) : i == 0 ? vector(operands[0]) : scalarOrInline(operands[0])});
    }
    operands = operands.subspan(dwords);
  }
  if (node.isBool) {
    if (sources.size() == 2 && !isVgpr(sources[1].operand) && sources[1].operand.dwords == 1)
      sources[1].operand = inVgpr(sources[1].operand);
    return emitValu(opcode, NoRegister, std::move(sources), {}, {}, m_registers[id]);
  }
  emitValu(opcode, m_registers[id], std::move(sources));
}

} // namespace dovetail::first
