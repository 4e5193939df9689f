// SPDX-License-Identifier: MIT
#include "src/base/parallel_moves.h"
#include "src/first/emit/emitter.h"
#include "src/first/emit/registers.h"
#include "src/isa/hazards.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <optional>

namespace dovetail::first {

using isa::Opcode;

isa::Operand Emitter::operandOf(const MachineOperand &operand) const {
  switch (operand.kind) {
  case MachineOperand::Register:
    return isVector(operand.value) ? isa::vgpr(placeOf(operand.value)) : isa::sgpr(placeOf(operand.value));
  case MachineOperand::Constant:
    return isa::constant(int32_t(operand.value));
  case MachineOperand::Exec:
    return isa::Exec;
  case MachineOperand::Relocated:
  case MachineOperand::TableLow:
  case MachineOperand::TableHigh:
    return isa::literal(0);
  default:
    return isa::vgpr(0);
  }
}

void Emitter::encode(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  switch (instruction.form) {
  case Form::Valu:
    return encodeValu(instruction);
  case Form::Salu:
  case Form::SetExec:
    return encodeSalu(instruction);
  case Form::Smem: {
    const Access &access = m_program.accesses[instruction.imm];
    isa::ScalarLoad load{operandOf(definitions[0]), operandOf(uses[0])};
    load.glc = access.glc;
    load.offset = access.offset;
    if (uses.size() > 1)
      load.scalarOffset = operandOf(uses[1]);
    if (access.relocated != UINT32_MAX)
      m_code.fields.push_back({m_encoder.offset() + 4, CodeField::ScalarOffset, m_program.relocated[access.relocated]});
    m_encoder.smem(access.opcode, load);
    m_waits.issueScalar();
    for (unsigned i = 0; i < definitions[0].dwords; ++i)
      m_waits.noteSgpr(placeOf(definitions[0].value) + i);
    return step();
  }
  case Form::Buffer:
    return encodeBuffer(instruction);
  case Form::Image:
    return encodeImage(instruction);
  case Form::Flat:
    return encodeFlat(instruction);
  case Form::Lds: {
    const Access &access = m_program.accesses[instruction.imm];
    setM0(instruction);
    isa::LdsOperation operation;
    operation.address = operandOf(uses[0]);
    operation.offset = access.offset;
    if (uses.size() > 1)
      operation.data0 = operandOf(uses[1]);
    if (uses.size() > 2)
      operation.data1 = operandOf(uses[2]);
    if (!definitions.empty())
      operation.destination = operandOf(definitions[0]);
    m_encoder.ds(access.opcode, operation);
    m_waits.issueLds();
    noteLoaded(definitions, Waits::Lgkm);
    return step();
  }
  case Form::Export: {
    const Access &access = m_program.accesses[instruction.imm];
    isa::Export exported;
    exported.target = access.offset;
    exported.enable = access.dmask;
    exported.done = access.done;
    exported.validMask = access.validMask;
    m_waits.issueExport();
    for (unsigned i = 0; i < 4; ++i)
      if (access.dmask >> i & 1) {
        exported.sources[i] = operandOf(uses[i]);
        m_waits.noteVgpr(Waits::Exp, placeOf(uses[i].value));
      }
    m_encoder.exportTo(exported);
    return step();
  }
  case Form::Interp: {
    const bool isMove = instruction.opcode == Opcode::VInterpMovF32, isSecond = instruction.isTied;
    setM0(instruction);
    if (isSecond && placeOf(uses[2].value) != placeOf(definitions[0].value)) {
      m_encoder.emit(Opcode::VMovB32, operandOf(definitions[0]), operandOf(uses[2]));
      step();
    }
    isa::Interpolation interpolation;
    interpolation.destination = operandOf(definitions[0]);
    interpolation.attribute = instruction.imm >> 2 & 63;
    interpolation.channel = instruction.imm & 3;
    interpolation.high = !isMove && instruction.imm >> 8;
    if (instruction.opcode == Opcode::VInterpP2F16)
      interpolation.other = operandOf(uses[2]);
    if (isMove)
      interpolation.weight = isa::vgpr(instruction.imm >> 8);
    else
      interpolation.weight = operandOf(uses[0]);
    m_encoder.interpolate(instruction.opcode, interpolation);
    return step();
  }
  case Form::Dpp: {
    const isa::Operand destination = operandOf(definitions[0]);
    std::optional<isa::Operand> second;
    if (isa::rowOf(instruction.opcode).sourceCount > 1)
      second = operandOf(uses[1]);
    if (instruction.isTied && operandOf(uses.back()) != destination) {
      m_encoder.emit(Opcode::VMovB32, destination, operandOf(uses.back()));
      step();
      waitStates(m_clock - 1, isa::requiredWaitStates(isa::Hazard::ValuWritesVgprThenDppReadsIt));
    }
    constexpr uint32_t four = 15;
    m_encoder.dpp(instruction.opcode, destination, operandOf(uses[0]), second, instruction.imm & DppControl,
                  instruction.imm >> DppRows & four, instruction.imm >> DppBanks & four, instruction.imm & DppBound);
    return step();
  }
  case Form::Copies:
    return encodeCopies(instruction);
  case Form::Message:
    setM0(instruction);
    m_encoder.sopp(instruction.opcode, uint16_t(instruction.imm));
    return step();
  case Form::Barrier:
    m_encoder.sopp(instruction.opcode, 0);
    return step();
  case Form::SetMode: {
    constexpr unsigned width = 2, value = 255;
    m_encoder.emit(instruction.opcode, isa::hwregField(isa::HwregMode, instruction.imm >> 8, width),
                   instruction.imm & value);
    return step();
  }
  case Form::Jump:
    if (instruction.opcode == Opcode::SEndpgm) {
      m_encoder.sopp(Opcode::SEndpgm, 0);
      return step();
    }
    if (!instruction.isLoopEnd)
      arrive(uint16_t(instruction.imm));
    else if (m_scalarAt != 0)
      waitStates(m_scalarAt, isa::requiredWaitStates(isa::Hazard::ValuWritesSgprThenVmemReadsIt));
    m_branches.push_back({m_encoder.offset(), uint16_t(instruction.imm), instruction.isLoopEnd});
    m_encoder.sopp(instruction.opcode, 0);
    return step();
  case Form::Return:
    return encodeReturn(instruction);
  case Form::Wait:
    if (instruction.imm & EmptyCaches) {
      m_encoder.buffer(Opcode::BufferWbinvl1, {});
      step();
    }
    return;
  case Form::RepeatBegin:
    m_repeatFrom = m_encoder.offset();
    return;
  case Form::RepeatEnd: {
    const int64_t distance = (int64_t(m_repeatFrom) - int64_t(m_encoder.offset()) - 4) / 4;
    m_encoder.sopp(instruction.opcode, uint16_t(distance));
    return step();
  }
  case Form::Undefine:
    return;
  }
}

// The literal of the next instruction is filled in later if the operand says so.
void Emitter::noteField(const MachineOperand &use) {
  const uint32_t literal = m_encoder.offset() + 4;
  if (use.kind == MachineOperand::Relocated)
    m_code.fields.push_back({literal, CodeField::Literal, m_program.relocated[use.value]});
  else if (use.kind == MachineOperand::TableLow)
    m_code.fields.push_back({literal, CodeField::TableLow, {}, use.value + literal - m_behindGetpc});
  else if (use.kind == MachineOperand::TableHigh)
    m_code.fields.push_back({literal, CodeField::TableHigh, {}, use.value + literal - m_behindGetpc});
}

void Emitter::encodeValu(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
  std::optional<isa::Operand> destination, maskOut, maskIn;
  for (const MachineOperand &definition : definitions)
    if (isVector(definition.value) || row.is(isa::traits::ScalarDestination))
      destination = operandOf(definition);
    else
      maskOut = operandOf(definition);
  std::array<isa::Operand, 3> sources{};
  unsigned count = 0;
  for (const MachineOperand &use : uses) {
    noteField(use);
    if (count == row.sourceCount) {
      if (row.is(isa::traits::MaskIn)) // v_div_fmas_f32 has no choice
        maskIn = operandOf(use);
    } else if (row.is(count == 1   ? isa::traits::LiteralSecond
                      : count == 2 ? isa::traits::LiteralThird
                                   : isa::traits::None))
      sources[count++] = isa::literal(use.value);
    else
      sources[count++] = operandOf(use);
  }
  Opcode opcode = instruction.opcode;
  if (opcode == Opcode::VMadF32 && instruction.modifiers.isNone() && sources[2] == *destination &&
      sources[1].isVgpr()) {
    opcode = Opcode::VMacF32;
    count = 2;
  }
  // GFX9 misreads the amount of a wide shift in the last VGPR that a wave has (llvm-project #183839).
  constexpr unsigned granule = 4;
  const bool isWideShift =
      opcode == Opcode::VLshlrevB64 || opcode == Opcode::VLshrrevB64 || opcode == Opcode::VAshrrevI64;
  if (isWideShift && m_target.gfxIp.major >= 9 && sources[0].isVgpr())
    if (const unsigned behind = sources[0].vgprField() + 1; behind % granule == 0) {
      m_code.minVgprs = std::max(m_code.minVgprs, behind + 1);
      if (m_code.minVgprs > m_program.maxVgprs)
        m_refusal = TooFewVgprs;
    }
  m_encoder.valu(opcode, destination, std::span(sources).first(count), instruction.modifiers, maskOut, maskIn);
  step();
}

void Emitter::encodeSalu(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  std::array<isa::Operand, 2> sources{};
  unsigned count = 0;
  for (const MachineOperand &use : uses) {
    noteField(use);
    sources[count++] = operandOf(use);
  }
  const std::optional<isa::Operand> destination = instruction.form == Form::SetExec ? std::optional(isa::Exec)
                                                  : definitions.empty()             ? std::nullopt
                                                                        : std::optional(operandOf(definitions[0]));
  // A copy to where the value is already.
  const bool isMove = instruction.opcode == Opcode::SMovB32 || instruction.opcode == Opcode::SMovB64;
  if (isMove && destination && *destination == sources[0])
    return;
  if (instruction.opcode == Opcode::SGetpcB64)
    count = 0;
  m_encoder.salu(instruction.opcode, destination, std::span(sources).first(count));
  if (instruction.opcode == Opcode::SGetpcB64)
    m_behindGetpc = m_encoder.offset();
  step();
}

// What an access to memory gets, or else what it writes: the source of that number, if it has one.
std::optional<isa::Operand> Emitter::dataOf(const MachineInstruction &instruction, unsigned source) const {
  if (instruction.definitions > 0)
    return operandOf(m_machine.definitionsOf(instruction)[0]);
  return source < instruction.uses ? operandOf(m_machine.usesOf(instruction)[source]) : std::optional<isa::Operand>();
}

// The VGPRs come when the counter says so.
void Emitter::noteLoaded(std::span<const MachineOperand> definitions, Waits::Counter counter) {
  for (const MachineOperand &definition : definitions)
    for (unsigned i = 0; i < definition.dwords; ++i)
      m_waits.noteVgpr(counter, placeOf(definition.value) + i);
}

void Emitter::encodeBuffer(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  const Access &access = m_program.accesses[instruction.imm];
  isa::BufferOperation operation;
  operation.descriptor = operandOf(uses[0]);
  operation.scalarOffset = operandOf(uses[1]);
  operation.offset = access.offset;
  operation.offen = access.offen;
  operation.idxen = access.idxen;
  operation.glc = access.glc;
  operation.slc = access.slc;
  operation.dataFormat = access.dataFormat;
  operation.numFormat = access.numFormat;
  unsigned next = 2;
  if (access.offen || access.idxen)
    operation.address = operandOf(uses[next++]);
  operation.data = dataOf(instruction, next);
  m_encoder.buffer(access.opcode, operation);
  m_waits.issueVm();
  noteLoaded(definitions, Waits::Vm);
  step();
}

void Emitter::encodeImage(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  const Access &access = m_program.accesses[instruction.imm];
  isa::ImageOperation operation;
  operation.resource = operandOf(uses[0]);
  unsigned next = 1;
  if (access.samples)
    operation.sampler = operandOf(uses[next++]);
  operation.address = operandOf(uses[next]);
  operation.addressDwords = uses[next++].dwords;
  operation.data = dataOf(instruction, next);
  operation.dmask = access.dmask;
  operation.unnormalized = access.unnormalized;
  operation.glc = access.glc;
  operation.slc = access.slc;
  operation.array = access.array;
  m_encoder.image(access.opcode, operation);
  m_waits.issueVm();
  noteLoaded(definitions, Waits::Vm);
  step();
}

void Emitter::encodeFlat(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  const Access &access = m_program.accesses[instruction.imm];
  isa::FlatOperation operation;
  operation.address = operandOf(uses[0]);
  operation.offset = int(access.offset);
  operation.glc = access.glc;
  if (uses.size() > 1)
    operation.data = operandOf(uses[1]);
  if (!definitions.empty())
    operation.destination = operandOf(definitions[0]);
  m_encoder.flat(access.opcode, operation);
  const bool isFlat = isa::rowOf(access.opcode).is(isa::traits::ReadsFlatScratch);
  isFlat ? m_waits.issueFlat() : m_waits.issueVm();
  noteLoaded(definitions, Waits::Vm);
  if (isFlat)
    noteLoaded(definitions, Waits::Lgkm);
  step();
}

// Copies to one bank, all at once: first those within the bank, then what comes from the other one and constants.
void Emitter::copy(std::span<const Copy> copies, uint32_t aside, bool isVectorBank) {
  const Opcode opcode = isVectorBank ? Opcode::VMovB32 : Opcode::SMovB32;
  std::vector<Move> moves;
  for (const auto &[destination, use] : copies)
    if (use->kind == MachineOperand::Register && isVector(use->value) == isVectorBank && operandOf(*use) != destination)
      moves.push_back({destination.code, operandOf(*use).code});
  auto takeAside = [&]() -> uint32_t {
    if (aside >= (isVectorBank ? m_program.maxVgprs : m_program.maxSgprs)) {
      m_refusal = isVectorBank ? TooFewVgprs : TooFewSgprs;
      return isVectorBank ? isa::vgpr(0).code : 0;
    }
    // A load that nobody reads may still be on its way there.
    isVectorBank ? m_waits.needVgpr(aside, true) : m_waits.needSgpr(aside);
    m_waits.flush(m_encoder);
    return isVectorBank ? isa::vgpr(aside).code : isa::sgpr(aside).code;
  };
  for (const Move &each : oneByOne(moves, takeAside)) {
    m_encoder.emit(opcode, isa::Operand{uint16_t(each.destination)}, isa::Operand{uint16_t(each.source)});
    step();
  }
  for (const auto &[destination, use] : copies)
    if (use->kind != MachineOperand::Register || isVector(use->value) != isVectorBank) {
      m_encoder.emit(opcode, destination, operandOf(*use));
      step();
    }
}

void Emitter::encodeCopies(const MachineInstruction &instruction) {
  const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
  for (bool isVectorBank : {true, false}) { // vectors first: they may read scalars that are replaced
    std::vector<Copy> copies;
    for (size_t i = 0; i < definitions.size(); ++i)
      if (isVector(definitions[i].value) == isVectorBank)
        copies.push_back({operandOf(definitions[i]), &uses[i]});
    copy(copies, isVectorBank ? instruction.imm & 0xffff : instruction.imm >> 16, isVectorBank);
  }
}

void Emitter::encodeReturn(const MachineInstruction &instruction) {
  const auto uses = m_machine.usesOf(instruction);
  for (bool isVectorBank : {true, false}) {
    std::vector<Copy> copies;
    uint32_t highest = 0;
    for (uint32_t i = 0; i < uses.size(); ++i) {
      const bool isScalar = i < instruction.imm;
      if (uses[i].kind == MachineOperand::Register && isVector(uses[i].value) == isVectorBank)
        highest = std::max<uint32_t>(highest, placeOf(uses[i].value));
      if (isScalar == isVectorBank)
        continue;
      const uint32_t place = isScalar ? i : i - instruction.imm;
      highest = std::max(highest, place);
      if (uses[i].kind != MachineOperand::None)
        copies.push_back({isScalar ? isa::sgpr(place) : isa::vgpr(place), &uses[i]});
    }
    copy(copies, highest + 1, isVectorBank);
  }
}

} // namespace dovetail::first
