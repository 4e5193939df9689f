// SPDX-License-Identifier: MIT
#include "tests/first/break_machine.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <functional>

namespace dovetail::first {

namespace {

using isa::Opcode;
using Operand = MachineOperand;
namespace traits = isa::traits;

struct Site {
  uint32_t instruction;
  size_t operand; // definitions, then uses
};

class Breaker {
public:
  Breaker(const Program &program, const ControlFlow &flow, const Machine &machine, Random &random)
      : m_program(program), m_flow(flow), m_machine(machine), m_random(random) {
    m_writes.assign(machine.registers.size(), {});
    m_reads.assign(machine.registers.size(), 0);
    for (uint32_t i = 0; i < machine.instructions.size(); ++i) {
      forEachRegister(machine.definitionsOf(machine.instructions[i]), [&](VReg reg) { m_writes[reg].push_back(i); });
      forEachRegister(machine.usesOf(machine.instructions[i]), [&](VReg reg) { ++m_reads[reg]; });
    }
  }

  std::optional<Machine> breakIt(Break kind) {
    switch (kind) {
    case Break::Bank:
      return changeBank();
    case Break::Width:
      return changeWidth();
    case Break::Literal:
      return addLiteral();
    case Break::Scalars:
      return addScalars();
    case Break::Early:
      return moveEarly();
    case Break::Lost:
      return lose();
    case Break::LostPhi:
      return losePhi();
    case Break::Scc:
      return writeScc();
    case Break::Vcc:
      return writeVcc();
    case Break::LostExec:
      return loseExec();
    case Break::WrongExec:
      return exchangeExec();
    case Break::LostSlot:
      return loseSlot();
    case Break::Tied:
      return tie();
    case Break::HelperWrite:
      return writeByHelpers();
    case Break::Whole:
      return exchangeWhole();
    case Break::WholeVgpr:
      return shareWhole();
    case Break::SavedExec:
      return saveOther();
    }
    return {};
  }

private:
  const Operand &at(const Site &site) const {
    return m_machine.operands[m_machine.instructions[site.instruction].firstOperand + site.operand];
  }

  template <typename T> std::optional<T> choose(const std::vector<T> &from) {
    if (from.empty())
      return {};
    return from[std::uniform_int_distribution<size_t>(0, from.size() - 1)(m_random)];
  }
  std::optional<Site> chooseOperand(const std::function<bool(const MachineInstruction &, const Site &)> &suits) {
    std::vector<Site> sites;
    for (uint32_t i = 0; i < m_machine.instructions.size(); ++i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      for (size_t k = 0; k < size_t(instruction.definitions) + instruction.uses; ++k)
        if (suits(instruction, {i, k}))
          sites.push_back({i, k});
    }
    return choose(sites);
  }
  std::optional<uint32_t> chooseInstruction(const std::function<bool(uint32_t)> &suits) {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < m_machine.instructions.size(); ++i)
      if (suits(i))
        list.push_back(i);
    return choose(list);
  }
  // A new register that is written at the start of the program.
  static VReg addRegister(Machine &machine, Bank bank, unsigned dwords) {
    const VReg first = VReg(machine.registers.size());
    for (unsigned i = 0; i < dwords; ++i) {
      VirtualRegister &reg = machine.registers.emplace_back();
      reg.bank = bank;
      reg.groupSize = uint8_t(dwords);
      reg.index = uint8_t(i);
      MachineInstruction write;
      write.form = Form::Undefine;
      write.opcode = Opcode::SNop;
      write.definitions = 1;
      write.firstOperand = uint32_t(machine.operands.size());
      machine.operands.push_back({Operand::Register, 1, first + i});
      insert(machine, machine.blocks[0].entry, write);
    }
    return first;
  }
  static void insert(Machine &machine, uint32_t at, const MachineInstruction &instruction) {
    machine.instructions.insert(machine.instructions.begin() + at, instruction);
    for (MachineBlock &block : machine.blocks) {
      block.first += block.first > at;
      block.entry += block.entry > at;
      block.end += block.end > at || (block.first <= at && block.end == at);
    }
  }
  static void remove(Machine &machine, uint32_t at) {
    machine.instructions.erase(machine.instructions.begin() + at);
    for (MachineBlock &block : machine.blocks) {
      block.first -= block.first > at;
      block.entry -= block.entry > at;
      block.end -= block.end > at;
    }
  }
  Operand &mutableAt(Machine &machine, const Site &site, uint32_t shift = 0) const {
    return machine.operands[machine.instructions[site.instruction + shift].firstOperand + site.operand];
  }
  // Replaces an operand by a new register.
  Machine withRegister(const Site &site, Bank bank, unsigned dwords) {
    Machine broken = m_machine;
    const uint32_t before = uint32_t(broken.instructions.size());
    const bool isBehind = site.instruction >= broken.blocks[0].entry;
    const VReg added = addRegister(broken, bank, dwords);
    const uint32_t shift = isBehind ? uint32_t(broken.instructions.size()) - before : 0;
    mutableAt(broken, site, shift) = {Operand::Register, uint8_t(dwords), added};
    return broken;
  }

  static bool takesOneBank(const MachineInstruction &instruction, size_t operand) {
    switch (instruction.form) {
    case Form::Salu:
    case Form::Smem:
    case Form::Buffer:
    case Form::Image:
    case Form::Flat:
    case Form::Lds:
    case Form::Export:
    case Form::Interp:
    case Form::Dpp:
    case Form::SetExec:
      return true;
    case Form::Valu:
      return operand < instruction.definitions;
    default:
      return false;
    }
  }

  std::optional<Machine> changeBank() {
    const auto site = chooseOperand([&](const MachineInstruction &instruction, const Site &each) {
      return takesOneBank(instruction, each.operand) && at(each).kind == Operand::Register;
    });
    if (!site)
      return {};
    return withRegister(*site, m_machine.isVector(at(*site)) ? Bank::Scalar : Bank::Vector, at(*site).dwords);
  }

  std::optional<Machine> changeWidth() {
    const auto site = chooseOperand([&](const MachineInstruction &instruction, const Site &each) {
      return (takesOneBank(instruction, each.operand) || instruction.form == Form::Valu) &&
             at(each).kind == Operand::Register;
    });
    if (!site)
      return {};
    const unsigned dwords = at(*site).dwords;
    const bool isLess = dwords > 1 && m_random() % 2;
    return withRegister(*site, m_machine.isVector(at(*site)) ? Bank::Vector : Bank::Scalar,
                        isLess ? dwords - 1 : dwords + 1);
  }

  std::optional<Machine> addLiteral() {
    const auto site = chooseOperand([&](const MachineInstruction &instruction, const Site &each) {
      if (each.operand < instruction.definitions || at(each).kind != Operand::Register)
        return false;
      const size_t source = each.operand - instruction.definitions;
      const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
      if (instruction.form == Form::Valu)
        return source > 0 || row.encoding == isa::Encoding::Vop3 || !instruction.modifiers.isNone() ||
               row.is(traits::MaskOut);
      return takesOneBank(instruction, each.operand) && (m_machine.isVector(at(each)) || at(each).dwords > 1);
    });
    if (!site)
      return {};
    Machine broken = m_machine;
    mutableAt(broken, *site) = {Operand::Constant, 1, 0x12345678};
    return broken;
  }

  std::optional<Machine> addScalars() {
    const auto site = chooseOperand([&](const MachineInstruction &instruction, const Site &each) {
      const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
      if (instruction.form != Form::Valu || each.operand < instruction.definitions || !m_machine.isVector(at(each)) ||
          row.sourceCount < 2)
        return false;
      // Another source is scalar already.
      return std::ranges::any_of(m_machine.usesOf(instruction),
                                 [&](const Operand &use) { return &use != &at(each) && m_machine.isScalar(use); });
    });
    if (!site)
      return {};
    return withRegister(*site, Bank::Scalar, at(*site).dwords);
  }

  // Instructions that stand apart from others.
  bool isPlain(const MachineInstruction &instruction) const {
    return (instruction.form == Form::Valu || instruction.form == Form::Smem || instruction.form == Form::Buffer ||
            instruction.form == Form::Image || instruction.form == Form::Lds || instruction.form == Form::Interp ||
            instruction.form == Form::Export || instruction.form == Form::Dpp || instruction.form == Form::Salu ||
            instruction.form == Form::Copies) &&
           m_machine.blocks.size() > 0;
  }

  std::optional<Machine> moveEarly() {
    struct Move {
      uint32_t from, to;
    };
    std::vector<Move> moves;
    for (const MachineBlock &block : m_machine.blocks)
      for (uint32_t i = block.entry; i < block.end; ++i)
        if (isPlain(m_machine.instructions[i]))
          forEachRegister(m_machine.usesOf(m_machine.instructions[i]), [&](VReg reg) {
            if (m_writes[reg].size() == 1 && m_writes[reg][0] >= block.entry && m_writes[reg][0] < i)
              moves.push_back({i, m_writes[reg][0]});
          });
    const auto move = choose(moves);
    if (!move)
      return {};
    Machine broken = m_machine;
    const auto begin = broken.instructions.begin();
    std::rotate(begin + move->to, begin + move->from, begin + move->from + 1);
    return broken;
  }

  std::optional<Machine> lose() {
    const auto lost = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      bool isNeeded = false;
      forEachRegister(m_machine.definitionsOf(instruction),
                      [&](VReg reg) { isNeeded |= m_writes[reg].size() == 1 && m_reads[reg] > 0; });
      return isNeeded;
    });
    if (!lost)
      return {};
    Machine broken = m_machine;
    remove(broken, *lost);
    return broken;
  }

  std::optional<Machine> losePhi() {
    const auto copy = choose(m_machine.phiCopies);
    if (!copy)
      return {};
    Machine broken = m_machine;
    const MachineBlock block = broken.blocks[copy->from];
    for (uint32_t i = block.end; i-- > block.first;) {
      MachineInstruction &instruction = broken.instructions[i];
      const auto definitions = broken.definitionsOf(instruction), uses = broken.usesOf(instruction);
      const auto found = std::ranges::find(definitions, copy->to, &Operand::value);
      if (found == definitions.end())
        continue;
      if (instruction.form != Form::Copies || definitions.size() == 1) {
        remove(broken, i);
        return broken;
      }
      // The list without the pair
      std::vector<Operand> kept;
      const size_t without = size_t(found - definitions.begin());
      for (const auto &operands : {definitions, uses})
        for (size_t k = 0; k < operands.size(); ++k)
          if (k != without)
            kept.push_back(operands[k]);
      --instruction.definitions;
      --instruction.uses;
      instruction.firstOperand = uint32_t(broken.operands.size());
      broken.operands.insert(broken.operands.end(), kept.begin(), kept.end());
      return broken;
    }
    return {};
  }

  std::optional<Machine> writeScc() {
    const auto reader = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      return (instruction.form == Form::Salu || instruction.form == Form::Jump) &&
             isa::rowOf(instruction.opcode).is(traits::ReadsScc);
    });
    if (!reader)
      return {};
    Machine broken = m_machine;
    MachineInstruction writer;
    writer.form = Form::Salu;
    writer.opcode = m_random() % 2 ? Opcode::SCmpEqU32 : Opcode::SCmpLgU32;
    writer.uses = 2;
    writer.firstOperand = uint32_t(broken.operands.size());
    for (uint32_t value : {1u, 2u})
      broken.operands.push_back({Operand::Constant, 1, value});
    insert(broken, *reader, writer);
    return broken;
  }

  std::optional<Machine> writeVcc() {
    const auto reader = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      return instruction.form == Form::Valu && isa::rowOf(instruction.opcode).is(traits::ReadsVcc);
    });
    if (!reader)
      return {};
    Machine broken = m_machine;
    MachineInstruction writer;
    writer.opcode = m_random() % 2 ? Opcode::VCmpEqU32 : Opcode::VDivScaleF32;
    writer.definitions = 1;
    writer.firstOperand = uint32_t(broken.operands.size());
    const Operand mask = m_machine.usesOf(m_machine.instructions[*reader]).back();
    const Operand source = m_machine.usesOf(m_machine.instructions[*reader])[0];
    if (writer.opcode == Opcode::VDivScaleF32) {
      writer.definitions = 2;
      const VReg unused = VReg(broken.registers.size());
      broken.registers.emplace_back().bank = Bank::Vector;
      broken.operands.push_back({Operand::Register, 1, unused});
    }
    broken.operands.push_back(mask);
    writer.uses = writer.opcode == Opcode::VDivScaleF32 ? 3 : 2;
    for (unsigned i = 0; i < writer.uses; ++i)
      broken.operands.push_back({Operand::Register, 1, source.value});
    insert(broken, *reader, writer);
    return broken;
  }

  std::optional<Machine> loseExec() {
    const auto lost = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      return instruction.form == Form::SetExec && instruction.opcode != Opcode::SWqmB64;
    });
    if (!lost)
      return {};
    Machine broken = m_machine;
    remove(broken, *lost);
    return broken;
  }

  std::optional<Machine> exchangeExec() {
    const auto set = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      return instruction.form == Form::SetExec && instruction.opcode == Opcode::SMovB64;
    });
    if (!set)
      return {};
    return withRegister({*set, 0}, Bank::Scalar, 2);
  }

  std::optional<Machine> loseSlot() {
    std::vector<uint32_t> sites;
    for (size_t number = 0; number < m_machine.blocks.size(); ++number) {
      if (m_flow.ways[number].slot == Slot::None)
        continue;
      for (uint32_t i = m_machine.blocks[number].first; i < m_machine.blocks[number].entry; ++i)
        if (m_machine.instructions[i].form == Form::SetExec)
          for (uint32_t write : m_writes[m_machine.usesOf(m_machine.instructions[i])[0].value])
            sites.push_back(write);
    }
    const auto lost = choose(sites);
    if (!lost)
      return {};
    Machine broken = m_machine;
    remove(broken, *lost);
    return broken;
  }

  std::optional<Machine> tie() {
    const auto tied = chooseInstruction([&](uint32_t i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      return (instruction.form == Form::Valu || instruction.form == Form::Interp) && instruction.definitions > 0 &&
             instruction.uses > 0;
    });
    if (!tied)
      return {};
    Machine broken = m_machine;
    broken.instructions[*tied].isTied ^= true;
    return broken;
  }

  std::optional<Machine> writeByHelpers() {
    std::vector<std::pair<uint32_t, uint32_t>> sites; // what narrows EXEC, the write
    for (const MachineBlock &block : m_machine.blocks) {
      uint32_t narrowed = UINT32_MAX;
      for (uint32_t i = block.entry; i < block.end; ++i) {
        const MachineInstruction &instruction = m_machine.instructions[i];
        if (instruction.form == Form::SetExec)
          narrowed = narrowed == UINT32_MAX && instruction.opcode == Opcode::SAndB64 ? i : UINT32_MAX;
        const bool isMemory = instruction.form == Form::Buffer || instruction.form == Form::Image ||
                              instruction.form == Form::Flat || instruction.form == Form::Lds;
        if (isMemory && narrowed != UINT32_MAX && m_program.accesses[instruction.imm].writes &&
            !m_program.accesses[instruction.imm].isPrivate)
          sites.push_back({narrowed, i});
      }
    }
    const auto site = choose(sites);
    if (!site)
      return {};
    Machine broken = m_machine;
    const auto begin = broken.instructions.begin();
    std::rotate(begin + site->first, begin + site->second, begin + site->second + 1);
    return broken;
  }

  // Where EXEC becomes all lanes, or what it was before, the instructions on both sides have other lanes.
  std::optional<Machine> exchangeWhole() {
    auto needsLanes = [](const MachineInstruction &instruction) {
      switch (instruction.form) {
      case Form::Valu:
        return instruction.opcode != Opcode::VReadlaneB32;
      case Form::Salu:
        return isa::rowOf(instruction.opcode).is(traits::WritesExec);
      default:
        return instruction.form == Form::Dpp || instruction.form == Form::Copies || instruction.form == Form::Buffer;
      }
    };
    std::vector<uint32_t> sites; // the first of two that change places
    for (const MachineBlock &block : m_machine.blocks) {
      bool isWhole = false;
      for (uint32_t i = block.entry; i < block.end; ++i) {
        const MachineInstruction &instruction = m_machine.instructions[i];
        if (instruction.form != Form::SetExec)
          continue;
        const bool wasWhole = isWhole;
        isWhole = instruction.opcode == Opcode::SMovB64 && m_machine.usesOf(instruction)[0].kind == Operand::Constant;
        if (isWhole == wasWhole)
          continue;
        if (i > block.entry && needsLanes(m_machine.instructions[i - 1]))
          sites.push_back(i - 1);
        if (i + 1 < block.end && needsLanes(m_machine.instructions[i + 1]))
          sites.push_back(i);
      }
    }
    const auto site = choose(sites);
    if (!site)
      return {};
    Machine broken = m_machine;
    std::swap(broken.instructions[*site], broken.instructions[*site + 1]);
    return broken;
  }

  std::optional<Machine> shareWhole() {
    const auto site = chooseOperand([&](const MachineInstruction &instruction, const Site &each) {
      return each.operand < instruction.definitions && m_machine.isVector(at(each)) &&
             m_machine.registers[at(each).value].isWhole;
    });
    if (!site)
      return {};
    Machine broken = m_machine;
    for (unsigned i = 0; i < at(*site).dwords; ++i)
      broken.registers[at(*site).value + i].isWhole = false;
    return broken;
  }

  std::optional<Machine> saveOther() {
    const auto saved = chooseInstruction([&](uint32_t i) {
      const Opcode opcode = m_machine.instructions[i].opcode;
      return opcode == Opcode::SAndSaveexecB64 || opcode == Opcode::SAndn1SaveexecB64;
    });
    if (!saved)
      return {};
    const unsigned form = unsigned(m_random() % 3);
    if (form == 0)
      return withRegister({*saved, 0}, Bank::Scalar, 2);
    Machine broken = m_machine;
    MachineInstruction &instruction = broken.instructions[*saved];
    const Operand kept = broken.definitionsOf(instruction)[0], condition = broken.usesOf(instruction)[0];
    const Operand exec = {Operand::Exec, 2, 0};
    instruction.firstOperand = uint32_t(broken.operands.size());
    if (form == 1) { // kept, not narrowed
      instruction.opcode = Opcode::SMovB64;
      broken.operands.insert(broken.operands.end(), {kept, exec});
    } else { // narrowed, not kept
      instruction.opcode = instruction.opcode == Opcode::SAndSaveexecB64 ? Opcode::SAndB64 : Opcode::SAndn2B64;
      instruction.form = Form::SetExec;
      instruction.definitions = 0;
      instruction.uses = 2;
      broken.operands.insert(broken.operands.end(), {exec, condition});
    }
    return broken;
  }

  const Program &m_program;
  const ControlFlow &m_flow;
  const Machine &m_machine;
  Random &m_random;
  std::vector<std::vector<uint32_t>> m_writes; // by register: instructions
  std::vector<unsigned> m_reads;
};

} // namespace

std::string_view toString(Break kind) {
  static constexpr std::string_view names[] = {
      "bank",      "width",      "literal",   "two scalars", "early",        "lost",  "lost phi",   "SCC",       "VCC",
      "lost EXEC", "other EXEC", "lost slot", "tied",        "helper write", "whole", "whole VGPR", "saved EXEC"};
  static_assert(std::size(names) == BreakCount);
  return names[size_t(kind)];
}

std::optional<Machine> breakInstructions(const Program &program, const ControlFlow &flow, const Machine &machine,
                                         Break kind, Random &random) {
  return Breaker(program, flow, machine, random).breakIt(kind);
}

} // namespace dovetail::first
