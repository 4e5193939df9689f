// SPDX-License-Identifier: MIT
#include "src/first/emit/emit_code.h"
#include "src/first/emit/emitter.h"
#include "src/isa/hazards.h"
#include <algorithm>

namespace dovetail::first {

using isa::Opcode;

std::string Emitter::run() {
  const size_t count = m_machine.blocks.size();
  m_starts.resize(count);
  m_entries.resize(count);
  m_arriving.resize(count);
  m_hasArriving.resize(count);
  m_hasScalar.resize(count);
  for (uint16_t block = 0; block < count; ++block)
    emitBlock(block);
  for (const Branch &branch : m_branches) {
    const uint32_t to = branch.isLoopEnd ? m_entries[branch.block] : m_starts[branch.block];
    const int64_t distance = (int64_t(to) - int64_t(branch.offset) - 4) / 4;
    if (distance != int16_t(distance))
      return "a branch that is too far";
    m_encoder.patch(branch.offset, uint16_t(distance));
  }
  return m_refusal;
}

// What an instruction wants in M0, if it does.
const MachineOperand *Emitter::wantedM0(const MachineInstruction &instruction) const {
  static constexpr MachineOperand allOfLds = {MachineOperand::Constant, 1, UINT32_MAX};
  switch (instruction.form) {
  case Form::Message:
    return &m_machine.usesOf(instruction)[0];
  case Form::Interp:
    return &m_machine.usesOf(instruction)[instruction.opcode == Opcode::VInterpMovF32 ? 0 : 1];
  case Form::Lds: // GFX8 compares addresses with M0
    return m_target.gfxIp.major < 9 ? &allOfLds : nullptr;
  default:
    return nullptr;
  }
}

void Emitter::emitBlock(uint16_t number) {
  const MachineBlock &block = m_machine.blocks[number];
  if (m_program.blocks[number].isLoopHeader) {
    m_waits.needRegisters();
    m_waits.flush(m_encoder);
  }
  if (m_hasArriving[number])
    m_waits.merge(m_arriving[number]);
  if (number > 0) { // lanes may come from elsewhere
    if (!m_keepsM0)
      m_m0 = NoM0;
    if (m_hasScalar[number] || m_program.blocks[number].isLoopHeader)
      m_unknownWrite = m_clock - 1;
    if (m_modeAt != 0)
      m_modeAt = m_clock - 1;
  }
  m_starts[number] = m_encoder.offset();
  if (number == 0)
    setM0Early();
  for (uint32_t i = block.first; i < block.end; ++i) {
    if (i == block.entry)
      m_entries[number] = m_encoder.offset();
    if (isIdleJump(i))
      continue;
    m_next = i + 1;
    m_end = block.end;
    emitInstruction(m_machine.instructions[i]);
  }
  if (block.entry == block.end)
    m_entries[number] = m_encoder.offset();
}

// Whether nothing is encoded for it, because its values are in their places.
bool Emitter::isEmpty(const MachineInstruction &instruction) const {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  if (instruction.form != Form::Copies)
    return instruction.form == Form::Undefine;
  for (size_t i = 0; i < uses.size(); ++i)
    if (uses[i].kind != MachineOperand::Register || isVector(uses[i].value) != isVector(definitions[i].value) ||
        placeOf(uses[i].value) != placeOf(definitions[i].value))
      return false;
  return true;
}

// Whether it jumps to where code goes on without it: to the next instruction, or over a jump of lanes that are none.
bool Emitter::isIdleJump(uint32_t at) const {
  const MachineInstruction &jump = m_machine.instructions[at];
  if (jump.form != Form::Jump || jump.opcode == Opcode::SEndpgm || jump.isLoopEnd)
    return false;
  const uint32_t target = m_machine.blocks[jump.imm].first;
  bool isOverJump = jump.opcode == Opcode::SCbranchExecz; // may still pass one
  for (uint32_t i = at + 1; i < target; ++i) {
    const MachineInstruction &between = m_machine.instructions[i];
    if (between.form == Form::Jump && between.opcode == Opcode::SCbranchExecnz && isOverJump)
      isOverJump = false;
    else if (!isEmpty(between))
      return false;
  }
  return target > at;
}

void Emitter::need(const MachineOperand &operand, bool isWrite) {
  if (operand.kind != MachineOperand::Register)
    return;
  for (unsigned i = 0; i < operand.dwords; ++i)
    if (isVector(operand.value))
      m_waits.needVgpr(placeOf(operand.value) + i, isWrite);
    else
      m_waits.needSgpr(placeOf(operand.value) + i);
}

// Waits at once for what the next instructions would wait for one by one.
void Emitter::waitForNext() {
  constexpr uint32_t most = 4;
  for (uint32_t i = m_next; i < std::min(m_end, m_next + most); ++i) {
    const MachineInstruction &next = m_machine.instructions[i];
    if (next.form == Form::Jump || next.form == Form::Return || next.form == Form::RepeatBegin ||
        next.form == Form::RepeatEnd)
      return;
    for (const MachineOperand &use : m_machine.usesOf(next))
      need(use, false);
  }
}

void Emitter::emitInstruction(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  if (instruction.form == Form::Undefine)
    return;
  for (const MachineOperand &use : uses)
    need(use, false);
  for (const MachineOperand &definition : definitions)
    need(definition, true);
  switch (instruction.form) {
  case Form::Barrier:
  case Form::Wait:
    m_waits.needAll(true);
    break;
  case Form::Message: { // the stores of a wave that says that it is done must be (LLVM: SIInsertWaitcnts)
    constexpr uint32_t idMask = 15, gsDone = 3;
    if ((instruction.imm & idMask) == gsDone)
      m_waits.needAll(true);
    break;
  }
  case Form::Return:
  case Form::RepeatBegin:
  case Form::RepeatEnd:
    m_waits.needAll(false);
    break;
  case Form::Jump:
    if (instruction.isLoopEnd)
      m_waits.needRegisters();
    break;
  default:
    break;
  }
  if (m_waits.mustWait())
    waitForNext();
  m_waits.flush(m_encoder);
  avoidHazards(instruction);
  encode(instruction);
  noteHazards(instruction);
}

// Wait states behind the writing instruction, of which `states` are needed.
void Emitter::waitStates(uint32_t writtenAt, uint32_t states) {
  const uint32_t passed = m_clock - writtenAt - 1;
  if (writtenAt == 0 || passed >= states)
    return;
  m_encoder.emit(Opcode::SNop, uint16_t(states - passed - 1));
  m_clock += states - passed;
}

void Emitter::avoidHazards(const MachineInstruction &instruction) {
  const auto uses = m_machine.usesOf(instruction);
  if (isVectorMemory(instruction.form)) {
    uint32_t latest = m_unknownWrite;
    for (const MachineOperand &use : uses)
      if (use.kind == MachineOperand::Register && !isVector(use.value))
        for (unsigned i = 0; i < use.dwords; ++i)
          latest = std::max(latest, m_sgprWrites[placeOf(use.value) + i]);
    waitStates(latest, isa::requiredWaitStates(isa::Hazard::ValuWritesSgprThenVmemReadsIt));
  }
  if (instruction.form == Form::Dpp) { // lanes without a source keep the old content of the destination
    uint32_t latest = std::max(m_unknownWrite, m_vgprWrites[placeOf(m_machine.definitionsOf(instruction)[0].value)]);
    for (const MachineOperand &use : uses)
      if (use.kind == MachineOperand::Register && isVector(use.value))
        latest = std::max(latest, m_vgprWrites[placeOf(use.value)]);
    waitStates(latest, isa::requiredWaitStates(isa::Hazard::ValuWritesVgprThenDppReadsIt));
  }
  if (instruction.form == Form::SetMode)
    waitStates(m_modeAt, isa::requiredWaitStates(isa::Hazard::SetregThenSetregOfSameRegister));
  if (instruction.opcode == Opcode::VDivFmasF32 || instruction.opcode == Opcode::VDivFmasF64)
    waitStates(std::max(m_unknownWrite, m_sgprWrites[isa::VccLo.code]),
               isa::requiredWaitStates(isa::Hazard::ValuWritesVccThenDivFmas));
  if (instruction.opcode == Opcode::VReadlaneB32 && uses[1].kind == MachineOperand::Register)
    waitStates(std::max(m_unknownWrite, m_sgprWrites[placeOf(uses[1].value)]),
               isa::requiredWaitStates(isa::Hazard::ValuWritesSgprThenLaneSelectReadsIt));
  avoidClauseHazards(instruction);
  if (instruction.form == Form::Return && m_wideStoreAt != 0) // whatever it writes
    waitStates(m_wideStoreAt, isa::requiredWaitStates(isa::Hazard::WideVmemStoreThenValuWritesItsData));
  if (isVectorAlu(instruction.form) && m_wideStoreAt != 0 && m_wideStoreAt + 1 == m_clock)
    for (const MachineOperand &definition : m_machine.definitionsOf(instruction))
      if (isVector(definition.value))
        for (unsigned i = 0; i < definition.dwords; ++i)
          if (const unsigned place = placeOf(definition.value) + i;
              place >= m_wideStore.first && place < m_wideStore.second)
            waitStates(m_wideStoreAt, isa::requiredWaitStates(isa::Hazard::WideVmemStoreThenValuWritesItsData));
}

// GPUs that repeat memory accesses repeat all of a row (clause.h).
void Emitter::avoidClauseHazards(const MachineInstruction &instruction) {
  const bool ofVectors = isVectorMemory(instruction.form);
  if (!m_target.replaysMemory || (!ofVectors && instruction.form != Form::Smem))
    return;
  Clause::Member member{ofVectors, instruction.form == Form::Smem || !m_program.accesses[instruction.imm].writes};
  for (const MachineOperand &use : m_machine.usesOf(instruction))
    if (use.kind == MachineOperand::Register && isVector(use.value) == ofVectors)
      member.reads.push_back({placeOf(use.value), placeOf(use.value) + use.dwords});
  for (const MachineOperand &definition : m_machine.definitionsOf(instruction))
    if (isVector(definition.value) == ofVectors)
      member.writes.push_back({placeOf(definition.value), placeOf(definition.value) + definition.dwords});
  if (m_clause.conflictsWith(member, m_encoder.instructions().size())) {
    m_encoder.emit(Opcode::SNop, 0);
    step();
  }
  m_clause.add(std::move(member), m_encoder.instructions().size());
}

void Emitter::noteHazards(const MachineInstruction &instruction) {
  if ((instruction.form == Form::Buffer || instruction.form == Form::Flat) &&
      m_program.accesses[instruction.imm].writes) {
    const auto uses = m_machine.usesOf(instruction);
    const MachineOperand &data = uses.back();
    if (data.dwords > 2 && data.kind == MachineOperand::Register) {
      m_wideStoreAt = m_clock - 1;
      m_wideStore = {placeOf(data.value), placeOf(data.value) + data.dwords};
    }
  }
  if (instruction.form == Form::SetMode)
    m_modeAt = m_clock - 1;
  if (!isVectorAlu(instruction.form))
    return;
  for (const MachineOperand &definition : m_machine.definitionsOf(instruction)) {
    if (instruction.form == Form::Copies && !isVector(definition.value)) // the scalar unit makes these
      continue;
    if (!isVector(definition.value) && !m_machine.registers[definition.value].isMask)
      m_scalarAt = m_clock - 1;
    for (unsigned i = 0; i < definition.dwords; ++i)
      (isVector(definition.value) ? m_vgprWrites.data() : m_sgprWrites.data())[placeOf(definition.value) + i] =
          m_clock - 1;
  }
}

// M0 is needed a wait state before the first interpolation. If all instructions want the same value in it, which is
// there from the start, it is set once.
void Emitter::setM0Early() {
  auto isThere = [&](const MachineOperand &operand) {
    return operand.kind == MachineOperand::Constant ||
           (operand.kind == MachineOperand::Register && operand.value < m_machine.arguments);
  };
  const MachineOperand *first = nullptr;
  m_keepsM0 = true;
  for (const MachineInstruction &instruction : m_machine.instructions) {
    const MachineOperand *wanted = wantedM0(instruction);
    if (!wanted)
      continue;
    if (!first)
      first = wanted;
    m_keepsM0 &= wanted->kind == first->kind && wanted->value == first->value;
  }
  m_keepsM0 &= first && isThere(*first);
  if (m_keepsM0)
    return loadM0(*first);
  const MachineBlock &block = m_machine.blocks[0];
  for (uint32_t i = block.first; i < block.end; ++i) {
    const MachineInstruction &instruction = m_machine.instructions[i];
    if (instruction.form != Form::Interp && instruction.form != Form::Message)
      continue;
    if (const MachineOperand *wanted = wantedM0(instruction); isThere(*wanted))
      loadM0(*wanted);
    return;
  }
}

// Sets M0 to what the instruction wants. GFX8 itself waits, but for messages (hazard_summary.cpp, usesM0).
void Emitter::setM0(const MachineInstruction &instruction) {
  const MachineOperand *wanted = wantedM0(instruction);
  if (!wanted)
    return;
  loadM0(*wanted);
  if (m_target.gfxIp.major >= 9 || instruction.form == Form::Message)
    waitStates(m_m0At, isa::requiredWaitStates(isa::Hazard::SaluWritesM0ThenInterpOrLdsOrMessage));
}

void Emitter::loadM0(const MachineOperand &operand) {
  const isa::Operand value = operandOf(operand);
  const uint32_t identity = value.isLiteral() ? value.literal | 1u << 31 : value.code;
  const uint32_t reg = operand.kind == MachineOperand::Register ? operand.value : NoRegister;
  if (m_m0 != identity || m_m0Register != reg) {
    m_encoder.emit(Opcode::SMovB32, isa::M0, value);
    step();
    m_m0At = m_clock - 1;
    m_m0 = identity;
    m_m0Register = reg;
  }
}

void Emitter::arrive(uint16_t block) {
  if (m_hasArriving[block])
    m_arriving[block].merge(m_waits);
  else
    m_arriving[block] = m_waits;
  m_hasArriving[block] = true;
  if (m_scalarAt != 0 && m_clock - m_scalarAt <= isa::MaxWaitStates)
    m_hasScalar[block] = true;
}

std::string emitCode(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code) {
  return Emitter(program, machine, target, code).run();
}

} // namespace dovetail::first
