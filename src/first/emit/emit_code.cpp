// SPDX-License-Identifier: MIT
#include "src/first/emit/emit_code.h"
#include "src/base/parallel_moves.h"
#include "src/first/emit/clause.h"
#include "src/first/emit/waits.h"
#include "src/isa/hazards.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>
#include <optional>

namespace dovetail::first {

using isa::Opcode;

namespace {

constexpr uint32_t LongAgo = 100, NoM0 = UINT32_MAX; // wait states; no value of M0

class Emitter {
public:
  Emitter(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code)
      : m_program(program), m_machine(machine), m_target(target), m_code(code), m_encoder(code.encoder),
        m_clock(LongAgo) {}

  std::string run() {
    const size_t count = m_machine.blocks.size();
    m_starts.resize(count);
    m_entries.resize(count);
    m_arriving.resize(count);
    m_hasArriving.resize(count);
    m_hasReadLane.resize(count);
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

private:
  struct Branch {
    uint32_t offset;
    uint16_t block;
    bool isLoopEnd;
  };
  struct Move {
    uint32_t destination, source; // operand codes of the instruction set
  };

  uint16_t placeOf(uint32_t reg) const { return m_machine.registers[reg].place; }
  bool isVector(uint32_t reg) const { return m_machine.registers[reg].bank == Bank::Vector; }

  isa::Operand operandOf(const MachineOperand &operand) const {
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

  void emitBlock(uint16_t number) {
    const MachineBlock &block = m_machine.blocks[number];
    if (m_program.blocks[number].isLoopHeader) {
      m_waits.needRegisters();
      m_waits.flush(m_encoder);
    }
    if (m_hasArriving[number])
      m_waits.merge(m_arriving[number]);
    if (number > 0) { // lanes may come from elsewhere
      m_m0 = NoM0;
      if (m_hasReadLane[number] || m_program.blocks[number].isLoopHeader)
        m_unknownWrite = m_clock - 1;
    }
    m_starts[number] = m_encoder.offset();
    if (number == 0)
      setM0Early();
    for (uint32_t i = block.first; i < block.end; ++i) {
      if (i == block.entry)
        m_entries[number] = m_encoder.offset();
      emitInstruction(m_machine.instructions[i]);
    }
    if (block.entry == block.end)
      m_entries[number] = m_encoder.offset();
  }

  void need(const MachineOperand &operand, bool isWrite) {
    if (operand.kind != MachineOperand::Register)
      return;
    for (unsigned i = 0; i < operand.dwords; ++i)
      if (isVector(operand.value))
        m_waits.needVgpr(placeOf(operand.value) + i, isWrite);
      else
        m_waits.needSgpr(placeOf(operand.value) + i);
  }

  void emitInstruction(const MachineInstruction &instruction) {
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
    m_waits.flush(m_encoder);
    avoidHazards(instruction);
    encode(instruction);
    noteHazards(instruction);
  }

  // Wait states behind the writing instruction, of which `states` are needed.
  void waitStates(uint32_t writtenAt, uint32_t states) {
    const uint32_t passed = m_clock - writtenAt - 1;
    if (writtenAt == 0 || passed >= states)
      return;
    m_encoder.emit(Opcode::SNop, uint16_t(states - passed - 1));
    m_clock += states - passed;
  }

  void avoidHazards(const MachineInstruction &instruction) {
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
      const uint32_t source = m_vgprWrites[placeOf(uses[0].value)];
      const uint32_t kept = m_vgprWrites[placeOf(m_machine.definitionsOf(instruction)[0].value)];
      waitStates(std::max({m_unknownWrite, source, kept}),
                 isa::requiredWaitStates(isa::Hazard::ValuWritesVgprThenDppReadsIt));
    }
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
  void avoidClauseHazards(const MachineInstruction &instruction) {
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

  static bool isVectorMemory(Form form) { return form == Form::Buffer || form == Form::Image || form == Form::Flat; }

  static bool isVectorAlu(Form form) {
    return form == Form::Valu || form == Form::Interp || form == Form::Dpp || form == Form::Copies ||
           form == Form::Return;
  }

  void noteHazards(const MachineInstruction &instruction) {
    if ((instruction.form == Form::Buffer || instruction.form == Form::Flat) &&
        m_program.accesses[instruction.imm].writes) {
      const auto uses = m_machine.usesOf(instruction);
      const MachineOperand &data = uses.back();
      if (data.dwords > 2 && data.kind == MachineOperand::Register) {
        m_wideStoreAt = m_clock - 1;
        m_wideStore = {placeOf(data.value), placeOf(data.value) + data.dwords};
      }
    }
    if (!isVectorAlu(instruction.form))
      return;
    if (instruction.opcode == Opcode::VReadfirstlaneB32)
      m_readLaneAt = m_clock - 1;
    for (const MachineOperand &definition : m_machine.definitionsOf(instruction))
      for (unsigned i = 0; i < definition.dwords; ++i)
        (isVector(definition.value) ? m_vgprWrites.data() : m_sgprWrites.data())[placeOf(definition.value) + i] =
            m_clock - 1;
  }

  void step() { ++m_clock; }

  // M0 is needed a wait state before the first interpolation.
  void setM0Early() {
    const MachineBlock &block = m_machine.blocks[0];
    for (uint32_t i = block.first; i < block.end; ++i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      if (instruction.form != Form::Interp && instruction.form != Form::Message)
        continue;
      const bool isFirst = instruction.form == Form::Message || instruction.opcode == Opcode::VInterpMovF32;
      const MachineOperand &value = m_machine.usesOf(instruction)[isFirst ? 0 : 1];
      if (value.kind == MachineOperand::Register && value.value < m_machine.arguments)
        loadM0(value);
      return;
    }
  }

  // Sets M0 to an operand that is an SGPR or a constant.
  void setM0(const MachineOperand &operand) {
    loadM0(operand);
    waitStates(m_m0At, isa::requiredWaitStates(isa::Hazard::SaluWritesM0ThenInterpOrLdsOrMessage));
  }

  void loadM0(const MachineOperand &operand) {
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

  void encode(const MachineInstruction &instruction) {
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
        m_code.fields.push_back(
            {m_encoder.offset() + 4, CodeField::ScalarOffset, m_program.relocated[access.relocated]});
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
      if (m_target.gfxIp.major < 9) // GFX8 compares addresses with M0
        setM0({MachineOperand::Constant, 1, UINT32_MAX});
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
      if (!definitions.empty())
        for (unsigned i = 0; i < definitions[0].dwords; ++i)
          m_waits.noteVgpr(Waits::Lgkm, placeOf(definitions[0].value) + i);
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
      setM0(uses[isMove ? 0 : 1]);
      if (isSecond && placeOf(uses[2].value) != placeOf(definitions[0].value)) {
        m_encoder.emit(Opcode::VMovB32, operandOf(definitions[0]), operandOf(uses[2]));
        step();
      }
      isa::Interpolation interpolation;
      interpolation.destination = operandOf(definitions[0]);
      interpolation.attribute = instruction.imm >> 2 & 63;
      interpolation.channel = instruction.imm & 3;
      if (isMove)
        interpolation.weight = isa::vgpr(instruction.imm >> 8);
      else
        interpolation.weight = operandOf(uses[0]);
      m_encoder.interpolate(instruction.opcode, interpolation);
      return step();
    }
    case Form::Dpp:
      m_encoder.dpp(instruction.opcode, operandOf(definitions[0]), operandOf(uses[0]), std::nullopt, instruction.imm,
                    15, 15, false);
      return step();
    case Form::Copies:
      return encodeCopies(instruction);
    case Form::Message:
      setM0(uses[0]);
      m_encoder.sopp(instruction.opcode, uint16_t(instruction.imm));
      return step();
    case Form::Barrier:
      m_encoder.sopp(instruction.opcode, 0);
      return step();
    case Form::SetMode: {
      constexpr unsigned denormalsOfF32 = 4, width = 2;
      m_encoder.emit(instruction.opcode, isa::hwregField(isa::HwregMode, denormalsOfF32, width), instruction.imm);
      return step();
    }
    case Form::Jump:
      if (instruction.opcode == Opcode::SEndpgm) {
        m_encoder.sopp(Opcode::SEndpgm, 0);
        return step();
      }
      if (!instruction.isLoopEnd)
        arrive(uint16_t(instruction.imm));
      else if (m_readLaneAt != 0)
        waitStates(m_readLaneAt, isa::requiredWaitStates(isa::Hazard::ValuWritesSgprThenVmemReadsIt));
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

  void arrive(uint16_t block) {
    if (m_hasArriving[block])
      m_arriving[block].merge(m_waits);
    else
      m_arriving[block] = m_waits;
    m_hasArriving[block] = true;
    if (m_readLaneAt != 0 && m_clock - m_readLaneAt <= isa::MaxWaitStates)
      m_hasReadLane[block] = true;
  }

  // The literal of the next instruction is filled in later if the operand says so.
  void noteField(const MachineOperand &use) {
    const uint32_t literal = m_encoder.offset() + 4;
    if (use.kind == MachineOperand::Relocated)
      m_code.fields.push_back({literal, CodeField::Literal, m_program.relocated[use.value]});
    else if (use.kind == MachineOperand::TableLow)
      m_code.fields.push_back({literal, CodeField::TableLow, {}, use.value});
    else if (use.kind == MachineOperand::TableHigh)
      m_code.fields.push_back({literal, CodeField::TableHigh, {}, use.value});
  }

  void encodeValu(const MachineInstruction &instruction) {
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
    m_encoder.valu(opcode, destination, std::span(sources).first(count), instruction.modifiers, maskOut, maskIn);
    step();
  }

  void encodeSalu(const MachineInstruction &instruction) {
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
    step();
  }

  void encodeBuffer(const MachineInstruction &instruction) {
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
    if (next < uses.size())
      operation.data = operandOf(uses[next]);
    if (!definitions.empty())
      operation.data = operandOf(definitions[0]);
    m_encoder.buffer(access.opcode, operation);
    m_waits.issueVm();
    if (!definitions.empty())
      for (unsigned i = 0; i < definitions[0].dwords; ++i)
        m_waits.noteVgpr(Waits::Vm, placeOf(definitions[0].value) + i);
    step();
  }

  void encodeImage(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    const Access &access = m_program.accesses[instruction.imm];
    isa::ImageOperation operation;
    operation.resource = operandOf(uses[0]);
    unsigned next = 1;
    if (access.samples)
      operation.sampler = operandOf(uses[next++]);
    operation.address = operandOf(uses[next]);
    operation.addressDwords = uses[next++].dwords;
    if (next < uses.size())
      operation.data = operandOf(uses[next]);
    if (!definitions.empty())
      operation.data = operandOf(definitions[0]);
    operation.dmask = access.dmask;
    operation.unnormalized = access.unnormalized;
    operation.glc = access.glc;
    operation.slc = access.slc;
    operation.array = access.array;
    m_encoder.image(access.opcode, operation);
    m_waits.issueVm();
    if (!definitions.empty())
      for (unsigned i = 0; i < definitions[0].dwords; ++i)
        m_waits.noteVgpr(Waits::Vm, placeOf(definitions[0].value) + i);
    step();
  }

  void encodeFlat(const MachineInstruction &instruction) {
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
    if (!definitions.empty())
      for (unsigned i = 0; i < definitions[0].dwords; ++i) {
        m_waits.noteVgpr(Waits::Vm, placeOf(definitions[0].value) + i);
        if (isFlat)
          m_waits.noteVgpr(Waits::Lgkm, placeOf(definitions[0].value) + i);
      }
    step();
  }

  using Copy = std::pair<isa::Operand, const MachineOperand *>; // destination, source

  // Copies to one bank, all at once: first those within the bank, then what comes from the other one and constants.
  void copy(std::span<const Copy> copies, uint32_t aside, bool isVectorBank) {
    const Opcode opcode = isVectorBank ? Opcode::VMovB32 : Opcode::SMovB32;
    std::vector<Move> moves;
    for (const auto &[destination, use] : copies)
      if (use->kind == MachineOperand::Register && isVector(use->value) == isVectorBank &&
          operandOf(*use) != destination)
        moves.push_back({destination.code, operandOf(*use).code});
    auto takeAside = [&]() -> uint32_t {
      if (aside >= (isVectorBank ? m_program.maxVgprs : m_program.maxSgprs)) {
        m_refusal = "no register for an exchange of registers";
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

  void encodeCopies(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    for (bool isVectorBank : {true, false}) { // vectors first: they may read scalars that are replaced
      std::vector<Copy> copies;
      for (size_t i = 0; i < definitions.size(); ++i)
        if (isVector(definitions[i].value) == isVectorBank)
          copies.push_back({operandOf(definitions[i]), &uses[i]});
      copy(copies, isVectorBank ? instruction.imm & 0xffff : instruction.imm >> 16, isVectorBank);
    }
  }

  void encodeReturn(const MachineInstruction &instruction) {
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

  const Program &m_program;
  Machine &m_machine;
  const TargetInfo &m_target;
  FirstCode &m_code;
  isa::Encoder &m_encoder;
  std::string m_refusal;
  std::vector<uint32_t> m_starts, m_entries; // of blocks, bytes
  std::vector<Branch> m_branches;
  std::vector<Waits> m_arriving;                  // by block: what is outstanding where jumps come from
  std::vector<bool> m_hasArriving, m_hasReadLane; // the second: jumps to it stand close behind v_readfirstlane
  Waits m_waits;
  // Wait states. 0: never.
  uint32_t m_clock, m_unknownWrite = 0, m_m0At = 0, m_wideStoreAt = 0, m_readLaneAt = 0;
  std::pair<unsigned, unsigned> m_wideStore;
  std::array<uint32_t, 128> m_sgprWrites{};
  std::array<uint32_t, 256> m_vgprWrites{};
  Clause m_clause;
  uint32_t m_repeatFrom = 0; // bytes
  uint32_t m_m0 = NoM0, m_m0Register = NoRegister;
};

} // namespace

std::string emitCode(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code) {
  return Emitter(program, machine, target, code).run();
}

} // namespace dovetail::first
