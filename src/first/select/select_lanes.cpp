// SPDX-License-Identifier: MIT
//
// Which lanes run, and which count: helper lanes, discarded ones, and all lanes of a wave.
#include "src/first/select/selector.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <ranges>

namespace dovetail::first {

using isa::Opcode;

VReg Selector::live() {
  if (m_live == NoRegister)
    m_live = newRegister(Bank::Scalar, 2);
  return m_live;
}

VReg Selector::wholeExec() {
  if (m_wholeExec == NoRegister)
    m_wholeExec = newRegister(Bank::Scalar, 2);
  return m_wholeExec;
}

// Sets EXEC around rows of instructions of the whole wave. In such a row, there may be others for which EXEC is all the
// same, and which leave it alone.
void Selector::enterWholeWave() {
  if (!m_hasWhole)
    return;
  m_hasWhole = false;
  auto isSame = [&](const MachineInstruction &instruction) {
    const bool readsLane = instruction.form == Form::Valu && instruction.opcode == Opcode::VReadlaneB32;
    return readsLane || instruction.form == Form::Smem ||
           (instruction.form == Form::Salu && !isa::rowOf(instruction.opcode).is(isa::traits::WritesExec) &&
            std::ranges::none_of(m_machine.usesOf(instruction),
                                 [](const Operand &use) { return use.kind == Operand::Exec; }));
  };
  const VReg lanes = wholeExec();
  m_wholeExec = NoRegister;
  std::vector<MachineInstruction> selected;
  std::swap(selected, m_reversed);
  auto leave = [&] { emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(lanes, 2)}); };
  bool isEntered = false, isSaved = false;
  for (const MachineInstruction &instruction : selected | std::views::reverse) { // in the order of the code
    if (instruction.isWhole && !isEntered) {
      if (!isSaved)
        emitSalu(Opcode::SMovB64, lanes, 2, {exec()});
      emit(Form::SetExec, Opcode::SMovB64, {}, {constantOperand(UINT32_MAX)});
      isEntered = isSaved = true;
    } else if (isEntered && !instruction.isWhole && !isSame(instruction)) {
      leave();
      isEntered = false;
    }
    m_reversed.push_back(instruction);
  }
  if (isEntered)
    leave();
  std::ranges::reverse(m_reversed);
}

VReg Selector::present() {
  if (!m_program.needsQuads)
    return live();
  if (m_present == NoRegister)
    m_present = newRegister(Bank::Scalar, 2);
  return m_present;
}

// Of the lanes that run, those that operations of several lanes know of. Discarded lanes run on, but they are none of
// these, as in LLVM's code; where only they run, so that a loop of theirs ends, they are.
void Selector::countLanes(VReg counted, Operand running) {
  const VReg both = newRegister(Bank::Scalar, 2);
  emitSalu(Opcode::SCselectB64, counted, 2, {registerOperand(both, 2), running});
  emitSalu(Opcode::SAndB64, both, 2, {running, registerOperand(present(), 2)});
}

// Helper lanes must not write memory. These stand around an instruction; the first of the two stands behind it.
VReg Selector::leaveExact() {
  if (!m_program.needsQuads && !m_kills)
    return NoRegister;
  const VReg all = newRegister(Bank::Scalar, 2);
  emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(all, 2)});
  return all;
}

void Selector::enterExact(VReg all) {
  if (all == NoRegister)
    return;
  emit(Form::SetExec, Opcode::SAndB64, {}, {exec(), registerOperand(live(), 2)});
  emitSalu(Opcode::SMovB64, all, 2, {exec()});
}

void Selector::selectKill(const Node &node) {
  const Operand stay = maskOf(m_program.operandsOf(node)[0]);
  const VReg gone = newRegister(Bank::Scalar, 2);
  if (m_program.countsLanes && m_program.needsQuads) {
    const Operand known = registerOperand(present(), 2);
    if (node.imm) { // it helps others
      const VReg quads = newRegister(Bank::Scalar, 2);
      emitSalu(Opcode::SAndB64, known.value, 2, {known, registerOperand(quads, 2)});
      emitSalu(Opcode::SWqmB64, quads, 2, {registerOperand(live(), 2)});
    } else {
      emitSalu(Opcode::SAndn2B64, known.value, 2, {known, registerOperand(gone, 2)});
    }
  }
  emitSalu(Opcode::SAndn2B64, live(), 2, {registerOperand(live(), 2), registerOperand(gone, 2)});
  emitSalu(Opcode::SAndn2B64, gone, 2, {exec(), stay});
}

void Selector::selectFirstLane(NodeId id) {
  const Node &node = nodeOf(id);
  const bool isOfCounted = node.imm && m_program.countsLanes;
  const VReg all = newRegister(Bank::Scalar, 2), counted = newRegister(Bank::Scalar, 2);
  if (isOfCounted)
    emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(all, 2)});
  emit(Form::Valu, Opcode::VReadfirstlaneB32, {registerOperand(m_registers[id])}, {vector(node.a[0])});
  if (isOfCounted) {
    emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(counted, 2)});
    countLanes(counted, registerOperand(all, 2));
    emitSalu(Opcode::SMovB64, all, 2, {exec()});
  }
}

} // namespace dovetail::first
