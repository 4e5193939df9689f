// SPDX-License-Identifier: MIT
#include "src/first/form/check_places.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <llvm/ADT/BitVector.h>
#include <map>
#include <optional>

namespace dovetail::first {

namespace {

using isa::Opcode;
using Operand = MachineOperand;

constexpr unsigned CheckedVgprs = 256, CheckedSgprs = 128;

class PlaceChecker {
public:
  PlaceChecker(const Program &program, const Machine &machine) : m_program(program), m_machine(machine) {}

  std::string run() {
    for (VReg reg = 0; reg < m_machine.registers.size(); ++reg)
      if (isVgpr(reg) && placeOf(reg) < CheckedVgprs)
        (isWhole(reg) ? m_isWholes : m_isOrdinary).set(placeOf(reg));
    for (VReg reg = 0; reg < m_machine.arguments; ++reg)
      if (const Node &node = m_program.nodes[reg];
          placeOf(reg) != node.imm || isVector(reg) != (node.bank == Bank::Vector))
        fail("an argument in another place", reg);
    for (m_block = 0; m_block < m_machine.blocks.size(); ++m_block)
      for (m_at = m_machine.blocks[m_block].first; m_at < m_machine.blocks[m_block].end && m_fault.empty(); ++m_at)
        checkOperands(m_machine.instructions[m_at]);
    if (m_fault.empty())
      checkVectors();
    if (m_fault.empty())
      checkScalars();
    return m_fault;
  }

private:
  void fail(std::string_view rule, VReg reg) {
    if (m_fault.empty())
      m_fault = fmt::format("{}: register {} in {}{}, instruction {} of block {}", rule, reg, isVgpr(reg) ? 'v' : 's',
                            placeOf(reg), m_at, m_block);
  }

  // A VGPR of the whole wave is one for all lanes, as an SGPR is. So it is followed along the ways of code; its place
  // is numbered behind those of SGPRs.
  bool isWhole(VReg reg) const { return m_machine.registers[reg].isWhole; }
  bool isVector(VReg reg) const { return isVgpr(reg) && !isWhole(reg); }
  bool isVgpr(VReg reg) const { return m_machine.registers[reg].bank == Bank::Vector; }
  unsigned placeOf(VReg reg) const { return m_machine.registers[reg].place; }
  unsigned placeOfCode(VReg reg) const { return placeOf(reg) + (isWhole(reg) ? CheckedSgprs : 0); }

  // The place that an exchange among copies may overwrite.
  static std::optional<unsigned> asideOf(const MachineInstruction &instruction, bool isVectorBank, unsigned limit) {
    if (instruction.form != Form::Copies)
      return {};
    const unsigned aside = isVectorBank ? instruction.imm & 0xffff : instruction.imm >> 16;
    return aside < limit ? std::optional(aside) : std::nullopt;
  }

  void checkOperands(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    for (const auto &operands : {definitions, uses})
      for (const Operand &operand : operands)
        if (operand.kind == Operand::Register)
          checkTuple(operand);
    if (!m_fault.empty())
      return;
    // Definitions overwrite each other where they share a place.
    std::vector<std::pair<bool, unsigned>> written;
    forEachRegister(definitions, [&](VReg reg) {
      if (std::ranges::find(written, std::pair(isVgpr(reg), placeOf(reg))) != written.end())
        fail("two results in one place", reg);
      written.push_back({isVgpr(reg), placeOf(reg)});
    });
    forEachRegister(m_machine.operandsOf(instruction), [&](VReg reg) {
      if (isVector(reg) && m_isWholes[placeOf(reg)])
        fail("a place of the whole wave", reg);
    });
    if (isa::rowOf(instruction.opcode).is(isa::traits::ReadsVcc) && placeOf(uses.back().value) != isa::VccLo.code)
      fail("a mask that is not in VCC", uses.back().value);
    // A copy stands in front of an instruction whose result is not where its last source is.
    if (instruction.isTied &&
        (uses.back().kind != Operand::Register || placeOf(definitions[0].value) != placeOf(uses.back().value)))
      forEachRegister(uses.first(uses.size() - 1), [&](VReg reg) {
        if (isVgpr(reg) && placeOf(reg) == placeOf(definitions[0].value))
          fail("a source that a copy in front of the instruction overwrites", reg);
      });
    for (bool isVectorBank : {true, false})
      if (const auto aside = asideOf(instruction, isVectorBank, limitOf(isVectorBank))) {
        forEachRegister(uses, [&](VReg reg) {
          if (isVgpr(reg) == isVectorBank && placeOf(reg) == *aside)
            fail("a source in the place that copies set aside", reg);
        });
        if (isVectorBank && (instruction.isWhole ? m_isOrdinary : m_isWholes)[*aside])
          fail("a place aside of other lanes", definitions[0].value);
      }
  }

  unsigned limitOf(bool isVectorBank) const { return isVectorBank ? m_program.maxVgprs : m_program.maxSgprs; }

  // "Vega" ISA manual, section 5.2: pairs of SGPRs are even, larger tuples multiples of four.
  void checkTuple(const Operand &operand) {
    const unsigned place = placeOf(operand.value), dwords = operand.dwords;
    const bool isVectorBank = isVgpr(operand.value), isArgument = operand.value < m_machine.arguments;
    for (unsigned i = 0; i < dwords; ++i) {
      const VReg reg = operand.value + i;
      if (placeOf(reg) == NoPlace)
        return fail("a register without a place", reg);
      if (placeOf(reg) != place + i)
        return fail("registers that do not stand side by side", reg);
    }
    const bool isVcc = !isVectorBank && place >= isa::VccLo.code && place + dwords <= isa::VccLo.code + 2;
    if (!isArgument && !isVcc && place + dwords > limitOf(isVectorBank))
      fail("a place behind the last one", operand.value);
    const unsigned alignment = isVectorBank || dwords == 1 ? 1 : dwords == 2 ? 2 : 4;
    if (place % alignment != 0)
      fail("SGPRs that are not aligned", operand.value);
  }

  // Which register's value each VGPR of a lane has; met over the edges on which the lane may have come.
  using Contents = std::array<VReg, CheckedVgprs>;

  void runLane(uint16_t block, Contents &contents, bool isChecked) {
    m_block = block;
    for (m_at = m_machine.blocks[block].first; m_at < m_machine.blocks[block].end; ++m_at) {
      const MachineInstruction &instruction = m_machine.instructions[m_at];
      if (isChecked)
        forEachRegister(m_machine.usesOf(instruction), [&](VReg reg) {
          if (isVector(reg) && contents[placeOf(reg)] != reg)
            fail("a value that is not in its place", reg);
        });
      if (const auto aside = asideOf(instruction, true, m_program.maxVgprs); aside && !instruction.isWhole)
        contents[*aside] = NoRegister;
      forEachRegister(m_machine.definitionsOf(instruction), [&](VReg reg) {
        if (isVector(reg))
          contents[placeOf(reg)] = reg;
      });
    }
  }

  void checkVectors() {
    const size_t blocks = m_machine.blocks.size();
    std::vector<std::optional<Contents>> in(blocks);
    in[0].emplace();
    in[0]->fill(NoRegister);
    for (VReg reg = 0; reg < m_machine.arguments; ++reg)
      if (isVector(reg))
        (*in[0])[placeOf(reg)] = reg;
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (uint16_t block = 0; block < blocks; ++block) {
        if (!in[block])
          continue;
        Contents contents = *in[block];
        runLane(block, contents, false);
        const Block &source = m_program.blocks[block];
        for (unsigned s = 0; s < source.successorCount(); ++s) {
          const uint16_t to = source.successors[s];
          const bool isBack = to <= block;
          if (!in[to]) {
            in[to] = contents;
            isChanged |= isBack;
            continue;
          }
          for (unsigned place = 0; place < CheckedVgprs; ++place)
            if (VReg &known = (*in[to])[place]; known != contents[place] && known != NoRegister) {
              known = NoRegister;
              isChanged |= isBack;
            }
        }
      }
    }
    for (uint16_t block = 0; block < blocks && m_fault.empty(); ++block)
      if (in[block]) {
        Contents contents = *in[block];
        runLane(block, contents, true);
      }
  }

  // Of each register in SGPRs, or of the whole wave: whether there is a way of the code here on which it was written
  // and is still there, and one on which it was written and overwritten.
  struct Sgprs {
    llvm::BitVector intact, overwritten;
    bool meet(const Sgprs &other) {
      const bool isNew = other.intact.test(intact) || other.overwritten.test(overwritten);
      intact |= other.intact;
      overwritten |= other.overwritten;
      return isNew;
    }
  };

  void overwrite(Sgprs &sgprs, unsigned place) const {
    for (VReg reg : m_inPlace[place])
      if (sgprs.intact[reg]) {
        sgprs.intact.reset(reg);
        sgprs.overwritten.set(reg);
      }
  }

  // Where code goes back, nobody reads what lanes will have written again before they read it. The lanes that wait for
  // blocks behind the loop need what is alive along its way, and slots.
  void findLive() {
    const size_t registers = m_machine.registers.size(), blocks = m_machine.blocks.size();
    m_liveIn.assign(blocks, llvm::BitVector(unsigned(registers)));
    std::vector<llvm::BitVector> written(blocks, llvm::BitVector(unsigned(registers)));
    m_slots.resize(unsigned(registers));
    for (size_t block = 0; block < blocks; ++block)
      for (uint32_t i = m_machine.blocks[block].first; i < m_machine.blocks[block].end; ++i) {
        const MachineInstruction &instruction = m_machine.instructions[i];
        forEachRegister(m_machine.usesOf(instruction), [&](VReg reg) {
          if (!written[block][reg])
            m_liveIn[block].set(reg);
          if (instruction.form == Form::SetExec && i < m_machine.blocks[block].entry)
            m_slots.set(reg);
        });
        forEachRegister(m_machine.definitionsOf(instruction), [&](VReg reg) { written[block].set(reg); });
      }
    for (bool isChanged = blocks > 1; isChanged;) {
      isChanged = false;
      for (size_t block = blocks; block-- > 0;) {
        llvm::BitVector live;
        live.resize(unsigned(registers));
        for (unsigned s = 0; s < m_program.blocks[block].successorCount(); ++s)
          live |= m_liveIn[m_program.blocks[block].successors[s]];
        live.reset(written[block]);
        if (live.test(m_liveIn[block])) {
          m_liveIn[block] |= live;
          isChanged = true;
        }
      }
    }
  }

  // A branch that is decided lets no lane go the other way.
  void findLanes() {
    m_hasLanes.assign(m_program.blocks.size(), false);
    m_hasLanes[0] = true;
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (uint16_t block = 0; block < m_program.blocks.size(); ++block) {
        const Block &source = m_program.blocks[block];
        const Node *decided = source.terminator == Terminator::Branch ? &m_program.nodes[source.condition] : nullptr;
        if (decided && decided->op != Op::True)
          decided = nullptr;
        for (unsigned s = 0; m_hasLanes[block] && s < source.successorCount(); ++s)
          if (const uint16_t to = source.successors[s];
              !m_hasLanes[to] && (!decided || s == (decided->imm ? 0u : 1u))) {
            m_hasLanes[to] = true;
            isChanged |= to <= block;
          }
      }
    }
  }

  void checkScalars() {
    const size_t registers = m_machine.registers.size(), blocks = m_machine.blocks.size();
    m_inPlace.assign(CheckedSgprs + CheckedVgprs, {});
    for (VReg reg = 0; reg < registers; ++reg)
      if (!isVector(reg) && placeOf(reg) < (isWhole(reg) ? CheckedVgprs : CheckedSgprs))
        m_inPlace[placeOfCode(reg)].push_back(reg);
    findLive();
    findLanes();
    const Sgprs none = {llvm::BitVector(unsigned(registers)), llvm::BitVector(unsigned(registers))};
    m_starts.assign(blocks, none);
    m_entries.assign(blocks, none);
    m_isReached.assign(blocks, false);
    m_isReached[0] = true;
    for (VReg reg = 0; reg < m_machine.arguments; ++reg)
      if (!isVector(reg))
        m_starts[0].intact.set(reg);
    do {
      m_isChanged = false;
      for (uint16_t block = 0; block < blocks; ++block)
        if (m_isReached[block])
          runCode(block, false);
    } while (m_isChanged);
    for (uint16_t block = 0; block < blocks && m_fault.empty(); ++block)
      if (m_isReached[block])
        runCode(block, m_hasLanes[block]);
  }

  void go(uint16_t block, Sgprs sgprs, bool isLoopEnd) {
    if (isLoopEnd) {
      llvm::BitVector kept = m_liveIn[block];
      kept |= m_slots;
      sgprs.intact &= kept;
      sgprs.overwritten &= kept;
      m_isChanged |= m_entries[block].meet(sgprs);
      return;
    }
    m_isReached[block] = true;
    m_isChanged |= m_starts[block].meet(sgprs) && block <= m_block;
  }

  void runCode(uint16_t number, bool isChecked) {
    const MachineBlock &block = m_machine.blocks[number];
    m_block = number;
    Sgprs sgprs = m_starts[number], atRepeat;
    uint32_t repeatFrom = 0;
    bool isEnd = false;
    for (m_at = block.first; m_at < block.end && !isEnd; ++m_at) {
      if (m_at == block.entry)
        sgprs.meet(m_entries[number]);
      const MachineInstruction &instruction = m_machine.instructions[m_at];
      if (isChecked)
        forEachRegister(m_machine.usesOf(instruction), [&](VReg reg) {
          if (!isVector(reg) && (!sgprs.intact[reg] || sgprs.overwritten[reg]))
            fail("a value that is not in its place", reg);
        });
      if (const auto aside = asideOf(instruction, false, m_program.maxSgprs))
        overwrite(sgprs, *aside);
      if (const auto aside = asideOf(instruction, true, m_program.maxVgprs); aside && instruction.isWhole)
        overwrite(sgprs, CheckedSgprs + *aside);
      const auto definitions = m_machine.definitionsOf(instruction);
      forEachRegister(definitions, [&](VReg reg) {
        if (!isVector(reg))
          overwrite(sgprs, placeOfCode(reg));
      });
      forEachRegister(definitions, [&](VReg reg) {
        if (!isVector(reg)) {
          sgprs.intact.set(reg);
          sgprs.overwritten.reset(reg);
        }
      });
      switch (instruction.form) {
      case Form::RepeatBegin:
        if (repeatFrom != m_at) {
          repeatFrom = m_at;
          atRepeat = sgprs;
        }
        break;
      case Form::RepeatEnd:
        if (atRepeat.meet(sgprs)) { // once more, with what the end has brought
          sgprs = atRepeat;
          m_at = repeatFrom;
        }
        break;
      case Form::Jump:
        isEnd = instruction.opcode == Opcode::SBranch || instruction.opcode == Opcode::SEndpgm;
        if (instruction.opcode != Opcode::SEndpgm)
          go(uint16_t(instruction.imm), sgprs, instruction.isLoopEnd);
        break;
      case Form::Return:
        isEnd = true;
        break;
      default:
        break;
      }
    }
    if (block.entry == block.end)
      sgprs.meet(m_entries[number]);
    if (!isEnd && number + 1u < m_machine.blocks.size())
      go(uint16_t(number + 1), sgprs, false);
  }

  const Program &m_program;
  const Machine &m_machine;
  std::string m_fault;
  uint16_t m_block = 0;
  uint32_t m_at = 0; // instruction
  // By VGPR: it is the whole wave's, or lanes'.
  llvm::BitVector m_isWholes = llvm::BitVector(CheckedVgprs), m_isOrdinary = m_isWholes;
  std::vector<std::vector<VReg>> m_inPlace; // by SGPR, and then by VGPR of the whole wave
  std::vector<llvm::BitVector> m_liveIn;    // by block: of lanes
  llvm::BitVector m_slots;
  std::vector<Sgprs> m_starts, m_entries; // by block: where code comes to its start, or from a loop's end
  std::vector<bool> m_isReached, m_hasLanes;
  bool m_isChanged = false;
};

} // namespace

std::string checkPlaces(const Program &program, const Machine &machine) {
  return PlaceChecker(program, machine).run();
}

} // namespace dovetail::first
