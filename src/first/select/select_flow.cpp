// SPDX-License-Identifier: MIT
//
// How blocks begin and end: lanes in EXEC and in slots, jumps, copies to phis.
#include "src/first/select/selector.h"
#include <algorithm>
#include <ranges>

namespace dovetail::first {

using isa::Opcode;

VReg Selector::slotOf(uint16_t block) {
  if (m_slots[block] == NoRegister)
    m_slots[block] = newRegister(Bank::Scalar, 2);
  return m_slots[block];
}

void Selector::beginBlock(uint16_t number) {
  const size_t before = m_reversed.size();
  if (number == 0) {
    if (m_program.needsQuads)
      emit(Form::SetExec, Opcode::SWqmB64, {}, {exec()});
    if (m_live != NoRegister)
      emitSalu(Opcode::SMovB64, m_live, 2, {exec()});
    if (m_present != NoRegister)
      emitSalu(Opcode::SMovB64, m_present, 2, {exec()});
  }
  const Way &way = m_flow.ways[number];
  if (way.slot != Slot::None) {
    const uint16_t last = uint16_t(m_program.blocks.size() - 1);
    if (way.slot != Slot::Saved)
      jumpIf(Opcode::SCbranchExecz, number, std::min(m_flow.nextWaitingAtStart(number, last), last));
    emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(slotOf(number), 2)});
  }
  m_machine.blocks[number].entry = uint32_t(m_reversed.size() - before);
}

void Selector::endBlock(uint16_t number) {
  const Block &block = m_program.blocks[number];
  if (block.terminator == Terminator::End) {
    Operands results;
    uint16_t sgprs = 0, vgprs = 0;
    for (NodeId result : block.results) {
      // Returned integers are in SGPRs, floats in VGPRs (LLVM: AMDGPUCallingConv.td, RetCC_SI_Shader).
      const bool isScalar = results.size() < m_program.scalarResults;
      Operand operand = any(result); // what is undefined is 0, because the next part reads it
      const uint16_t place = isScalar ? sgprs++ : vgprs++;
      if (operand.kind == Operand::Register) {
        VirtualRegister &reg = m_machine.registers[operand.value];
        if (isScalar && reg.bank != Bank::Scalar)
          refuse(faultOf("a vector is returned in an SGPR"));
        if ((reg.bank == Bank::Scalar) == isScalar)
          reg.wish = place;
      }
      results.push_back(operand);
    }
    if (m_program.endsProgram)
      emit(Form::Jump, Opcode::SEndpgm, {}, {});
    else
      emit(Form::Return, Opcode::SNop, {}, results).imm = m_program.scalarResults;
    if (m_program.needsQuads || m_kills)
      emit(Form::SetExec, Opcode::SAndB64, {}, {exec(), registerOperand(live(), 2)});
    return;
  }
  branch(number);
  copyToPhis(number);
}

void Selector::jump(uint16_t from, uint16_t to) {
  if (to == from + 1)
    return;
  MachineInstruction &instruction = emit(Form::Jump, Opcode::SBranch, {}, {});
  instruction.imm = to;
  instruction.isLoopEnd = to <= from;
}

void Selector::jumpIf(Opcode opcode, uint16_t from, uint16_t to) {
  MachineInstruction &instruction = emit(Form::Jump, opcode, {}, {});
  instruction.imm = to;
  instruction.isLoopEnd = to <= from;
}

// Slots that begin at the end of the block, where EXEC still has all lanes. Runs last, as selection goes backwards.
// `saved`: one that has begun already.
void Selector::beginSlots(uint16_t number, uint16_t saved) {
  for (uint16_t i : m_slotsBegun[number] | std::views::reverse) {
    const Way &way = m_flow.ways[i];
    if (i == saved)
      continue;
    if (way.slot == Slot::Saved)
      emitSalu(Opcode::SMovB64, slotOf(i), 2, {exec()});
    else if (way.slot == Slot::Collected)
      emitSalu(Opcode::SMovB64, slotOf(i), 2, {constantOperand(0)});
  }
}

// Adds the lanes that go to the successor to its slot.
void Selector::record(uint16_t successor, VReg condition, bool isInverted) {
  const Way &way = m_flow.ways[successor];
  const Opcode lanes = isInverted ? Opcode::SAndn2B64 : Opcode::SAndB64;
  const VReg slot = slotOf(successor);
  if (way.slot == Slot::Assigned) {
    emitSalu(lanes, slot, 2, {exec(), registerOperand(condition, 2)});
  } else if (way.slot == Slot::Collected && condition == NoRegister) {
    emitSalu(Opcode::SOrB64, slot, 2, {registerOperand(slot, 2), exec()});
  } else if (way.slot == Slot::Collected) {
    const VReg here = newRegister(Bank::Scalar, 2);
    emitSalu(Opcode::SOrB64, slot, 2, {registerOperand(slot, 2), registerOperand(here, 2)});
    emitSalu(lanes, here, 2, {exec(), registerOperand(condition, 2)});
  }
}

// What is emitted first stands last.
void Selector::branch(uint16_t number) {
  const Block &block = m_program.blocks[number];
  const Way &way = m_flow.ways[number];
  const uint16_t last = uint16_t(m_program.blocks.size() - 1);
  auto waiting = [&](uint16_t limit) { return m_flow.nextWaiting(number, limit); };
  auto isLoopApart = [&](uint16_t header) { return m_flow.ways[header].loopIsDivergent; };

  if (block.terminator == Terminator::Jump) {
    const uint16_t to = block.successors[0];
    if (to <= number) {
      if (isLoopApart(to)) {
        jump(number, std::min(waiting(last), last)); // those that have left the loop
        jumpIf(Opcode::SCbranchExecnz, number, to);
      } else {
        jump(number, to);
      }
    } else {
      jump(number, std::min(waiting(to), to));
      if (m_flow.ways[to].slot == Slot::Collected)
        record(to, NoRegister, false);
    }
    beginSlots(number);
    return;
  }

  uint16_t taken = block.successors[0], other = block.successors[1];
  if (!way.isDivergent) {
    const bool takenIsNext = taken == number + 1;
    if (const Node &known = nodeOf(block.condition); known.op == Op::True && taken > number && other > number) {
      const uint16_t to = known.imm ? taken : other;
      const bool isNear = std::ranges::all_of(std::views::iota(number + 1u, unsigned(to)), [&](unsigned between) {
        return m_machine.blocks[between].first == m_machine.blocks[between].end;
      });
      if (!isNear)
        jump(number, to);
      beginSlots(number);
      return;
    }
    const uint16_t far = takenIsNext ? other : taken, near = takenIsNext ? taken : other;
    jump(number, near);
    const uint16_t back = taken <= number ? taken : other <= number ? other : UINT16_MAX;
    // SCC is read right behind the comparison.
    MachineInstruction &jumped = emit(Form::Jump, Opcode::SCbranchScc1, {}, {});
    jumped.imm = far;
    jumped.isLoopEnd = far <= number;
    const size_t at = m_reversed.size() - 1;
    const bool isInverted = emitScc(block.condition);
    if (takenIsNext != isInverted)
      m_reversed[at].opcode = Opcode::SCbranchScc0;
    if (back != UINT16_MAX && isLoopApart(back))
      jumpIf(Opcode::SCbranchExecz, number, std::min(waiting(last), last));
    beginSlots(number);
    return;
  }

  NodeId decision = block.condition;
  if (isOpposite(decision)) {
    decision = nodeOf(decision).a[0];
    std::swap(taken, other);
  }
  // Those lanes best go on that fulfil the condition.
  if (other == number + 1 && m_flow.ways[other].slot == Slot::None && turnComparison(decision))
    std::swap(taken, other);
  const Operand mask = maskOf(decision);
  const VReg condition = mask.value;
  const uint16_t back = taken <= number ? taken : other <= number ? other : UINT16_MAX;
  uint16_t slotSaved = UINT16_MAX;
  if (back != UINT16_MAX) {
    const bool isInverted = back == other;
    const uint16_t next = std::min(waiting(last), last);
    jump(number, next);
    jumpIf(Opcode::SCbranchExecnz, number, back);
    emit(Form::SetExec, isInverted ? Opcode::SAndn2B64 : Opcode::SAndB64, {}, {exec(), registerOperand(condition, 2)});
    record(isInverted ? taken : other, condition, !isInverted);
  } else {
    // Those lanes go on that find their block next and without a slot.
    uint16_t next = UINT16_MAX;
    for (uint16_t successor : {taken, other})
      if (successor == number + 1 && m_flow.ways[successor].slot == Slot::None)
        next = successor;
    const uint16_t after = std::min(waiting(last), last);
    if (next == UINT16_MAX) {
      jump(number, after);
    } else {
      if (after != number + 2 || !m_isShort[next])
        jumpIf(Opcode::SCbranchExecz, number, after);
      const auto &begun = m_slotsBegun[number];
      const auto saved = std::ranges::find(begun, Slot::Saved, [&](uint16_t i) { return m_flow.ways[i].slot; });
      if (saved != begun.end() && (next == taken || isGfx9())) { // what was saved and the rest in one instruction
        emitSalu(next == taken ? Opcode::SAndSaveexecB64 : Opcode::SAndn1SaveexecB64, slotOf(*saved), 2,
                 {registerOperand(condition, 2)});
        slotSaved = *saved;
      } else {
        emit(Form::SetExec, next == other ? Opcode::SAndn2B64 : Opcode::SAndB64, {},
             {exec(), registerOperand(condition, 2)});
      }
    }
    for (uint16_t successor : {taken, other})
      if (successor != next)
        record(successor, condition, successor == other);
  }
  beginSlots(number, slotSaved);
  for (const auto &[made, uniformCondition] : m_masks)
    emitSelect(made, 2, constantOperand(UINT32_MAX), constantOperand(0), uniformCondition);
  m_masks.clear();
}

void Selector::copyToPhis(uint16_t number) {
  const Block &block = m_program.blocks[number];
  for (unsigned s = 0; s < block.successorCount(); ++s) {
    const Block &successor = m_program.blocks[block.successors[s]];
    const size_t from = size_t(std::ranges::find(successor.predecessors, number) - successor.predecessors.begin());
    Operands definitions, uses;
    std::vector<NodeId> masks; // phis of masks
    for (NodeId id : successor.phis) {
      const Node &phi = nodeOf(id);
      if (!phi.uses)
        continue;
      const NodeId value = m_program.operandsOf(phi)[from];
      const bool isMask = phi.isBool && phi.bank == Bank::Vector;
      if (isMask && m_phiDwords[id] == NoRegister)
        m_phiDwords[id] = newRegister(Bank::Vector);
      const VReg to = isMask ? m_phiDwords[id] : demand(id);
      m_machine.phiCopies.push_back({number, block.successors[s], to});
      if (nodeOf(value).op == Op::Undefined) {
        emit(Form::Undefine, Opcode::SNop, {registerOperand(to)}, {});
        continue;
      }
      Operand operand;
      if (!phi.isBool) {
        operand = any(value);
        if (operand.kind == Operand::Register) {
          VirtualRegister &reg = m_machine.registers[operand.value];
          if (reg.bank == phi.bank && reg.near == NoRegister && operand.value != to && nodeOf(value).op != Op::Phi)
            reg.near = to;
        }
      } else if (!isMask) {
        operand = zeroOrOne(value);
      } else if (nodeOf(value).op == Op::True) {
        operand = constantOperand(nodeOf(value).imm);
      } else {
        const VReg dword = newRegister(Bank::Vector);
        operand = registerOperand(dword);
        masks.push_back(value);
        masks.push_back(dword);
      }
      if (phi.bank == Bank::Scalar && isVgpr(operand))
        return refuse(faultOf("a phi of scalars takes a vector"));
      definitions.push_back(registerOperand(to));
      uses.push_back(operand);
    }
    if (definitions.empty())
      continue;
    if (definitions.size() > 255)
      return refuse("a block with more than 255 phis");
    MachineInstruction &copies = m_reversed.emplace_back();
    copies.form = Form::Copies;
    copies.definitions = copies.uses = uint8_t(definitions.size());
    copies.firstOperand = uint32_t(m_machine.operands.size());
    m_machine.operands.insert(m_machine.operands.end(), definitions.begin(), definitions.end());
    m_machine.operands.insert(m_machine.operands.end(), uses.begin(), uses.end());
    ++m_count;
    for (size_t i = 0; i < masks.size(); i += 2) {
      emitValu(Opcode::VCndmaskB32, masks[i + 1], {{constantOperand(0)}, {constantOperand(1)}}, {}, maskOf(masks[i]));
      for (const auto &[made, condition] : m_masks)
        emitSelect(made, 2, constantOperand(UINT32_MAX), constantOperand(0), condition);
      m_masks.clear();
    }
  }
}
} // namespace dovetail::first
