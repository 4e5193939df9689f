// SPDX-License-Identifier: MIT
#include "src/first/emit/spill.h"
#include "src/first/emit/lives.h"
#include <algorithm>
#include <array>
#include <utility>

namespace dovetail::first {

namespace {

using isa::Opcode;
using Operand = MachineOperand;

constexpr unsigned Lanes = 64;
constexpr uint32_t BufferOffsets = 4096; // that an instruction has room for

class Spiller {
public:
  Spiller(Program &program, Machine &machine, RegisterLimits limits)
      : m_program(program), m_machine(machine), m_limits(limits), m_firstSlot((program.scratchBytes + 3) & ~3u) {}

  Spills run() {
    m_homes.assign(m_machine.registers.size(), NoHome);
    findMentions();
    chooseVectors();
    chooseScalars();
    if (m_laneCount + m_slotCount > 0 && m_firstSlot + m_slotCount * 4 <= MaxScratchBytes)
      rewrite();
    return m_spills;
  }

private:
  static constexpr uint32_t NoHome = UINT32_MAX;
  struct Written {
    VReg spilled, reg; // the first registers: of what has a home, and where it is now
    uint8_t dwords;
  };
  struct Offset {
    uint32_t bytes = 0;
    VReg reg = NoRegister;
  };
  static constexpr VReg GlobalTable = 0; // the first argument; the last one is the wave's offset in scratch memory

  // Those of each group, in the order of the code, and which groups must not be spilled.
  void findMentions() {
    m_mentions.resize(m_machine.registers.size());
    m_isFixed.resize(m_machine.registers.size());
    bool isRepeated = false, isWholeWave = false;
    for (uint32_t i = 0; i < m_machine.instructions.size(); ++i) {
      const MachineInstruction &instruction = m_machine.instructions[i];
      // What runs again must find what it had at first.
      isRepeated = instruction.form == Form::RepeatBegin || (isRepeated && instruction.form != Form::RepeatEnd);
      // A load in all lanes would overwrite what waiting lanes have.
      if (instruction.form == Form::SetExec)
        isWholeWave = m_machine.usesOf(instruction)[0].kind == Operand::Constant;
      for (const Operand &operand : m_machine.operandsOf(instruction)) {
        if (operand.kind != Operand::Register)
          continue;
        const VReg leader = m_machine.leaderOf(operand.value);
        if (m_mentions[leader].empty() || m_mentions[leader].back() != i)
          m_mentions[leader].push_back(i);
        if (isRepeated || m_machine.registers[operand.value].place != NoPlace ||
            (isWholeWave && m_machine.isVector(operand)) || m_machine.registers[operand.value].isWhole)
          m_isFixed[leader] = true;
      }
    }
  }

  unsigned sizeOf(VReg leader) const { return m_machine.registers[leader].groupSize; }

  // Instructions to the next mention; 0: there it must not be spilled.
  uint32_t distanceOf(VReg leader, uint32_t at) const {
    if (m_isFixed[leader])
      return 0;
    const auto next = std::ranges::lower_bound(m_mentions[leader], at);
    return next == m_mentions[leader].end() ? Life::Never : *next - at;
  }

  // Gives homes to some of the groups that are alive at an instruction, which have `size` dwords, and drops them: first
  // those whose next mention is the farthest, of these the ones that became alive first.
  void choose(std::vector<VReg> &alive, unsigned &size, unsigned limit, uint32_t at, uint32_t &homes) {
    if (size <= limit)
      return;
    m_candidates.clear();
    for (uint32_t i = 0; i < alive.size(); ++i)
      if (const uint32_t distance = distanceOf(alive[i], at); distance != 0)
        m_candidates.push_back({distance, ~i});
    std::ranges::make_heap(m_candidates);
    for (; size > limit && !m_candidates.empty(); m_candidates.pop_back()) {
      std::ranges::pop_heap(m_candidates);
      const VReg farthest = alive[~m_candidates.back().second];
      m_homes[farthest] = homes;
      homes += sizeOf(farthest);
      size -= sizeOf(farthest);
    }
    std::erase_if(alive, [&](VReg reg) { return m_homes[reg] != NoHome; });
  }

  void chooseScalars() {
    constexpr unsigned forScratch = 8; // a descriptor, what it is made of, and m_offsets
    const unsigned limit = m_limits.sgprs - (m_slotCount > 0 ? std::min(forScratch, m_limits.sgprs) : 0);
    const std::vector<Life> lives = scalarLives(m_program, m_machine);
    std::vector<VReg> starting;
    for (VReg reg = 0; reg < lives.size(); ++reg)
      if (m_machine.registers[reg].bank == Bank::Scalar && lives[reg].first != Life::Never)
        starting.push_back(reg);
    std::ranges::stable_sort(starting, {}, [&](VReg reg) { return lives[reg].first; });
    std::vector<VReg> alive;
    unsigned size = 0;
    for (auto next = starting.begin(); next != starting.end();) {
      const uint32_t at = lives[*next].first;
      std::erase_if(alive, [&](VReg reg) {
        const bool hasEnded = lives[reg].last < at;
        size -= hasEnded ? sizeOf(reg) : 0;
        return hasEnded;
      });
      for (; next != starting.end() && lives[*next].first == at; ++next) {
        alive.push_back(*next);
        size += sizeOf(*next);
      }
      choose(alive, size, limit, at, m_laneCount);
    }
  }

  void chooseVectors() {
    const VectorLives lives = vectorLives(m_program, m_machine);
    // By group: the last mention in the block; of those that go on: Never.
    std::vector<uint32_t> last(m_machine.registers.size());
    std::vector<bool> isAlive(m_machine.registers.size());
    for (size_t number = 0; number < m_machine.blocks.size(); ++number) {
      const MachineBlock &block = m_machine.blocks[number];
      auto forEachGroup = [&](uint32_t at, const auto &function) {
        forEachRegister(m_machine.operandsOf(m_machine.instructions[at]), [&](VReg reg) {
          if (const VReg leader = m_machine.leaderOf(reg); m_machine.isOfLanes(reg) && m_homes[leader] == NoHome)
            function(leader);
        });
      };
      for (uint32_t i = block.first; i < block.end; ++i)
        forEachGroup(i, [&](VReg leader) { last[leader] = i; });
      lives.forEachOut(number, [&](VReg reg) { last[m_machine.leaderOf(reg)] = Life::Never; });
      std::vector<VReg> alive;
      unsigned size = 0;
      auto begin = [&](VReg leader) {
        if (isAlive[leader])
          return;
        isAlive[leader] = true;
        alive.push_back(leader);
        size += sizeOf(leader);
      };
      lives.forEachIn(number, [&](VReg reg) {
        if (const VReg leader = m_machine.leaderOf(reg); m_homes[leader] == NoHome)
          begin(leader);
      });
      for (uint32_t i = block.first; i < block.end; ++i) {
        const size_t before = alive.size();
        forEachGroup(i, begin);
        if (alive.size() != before || i == block.first) {
          choose(alive, size, m_limits.vgprs, i, m_slotCount);
          std::erase_if(alive, [&](VReg leader) {
            const bool hasEnded = last[leader] <= i;
            isAlive[leader] = !hasEnded;
            size -= hasEnded ? sizeOf(leader) : 0;
            return hasEnded;
          });
        }
      }
      for (VReg leader : alive)
        isAlive[leader] = false;
    }
  }

  void rewrite() {
    const auto before = std::move(m_machine.instructions);
    m_machine.instructions.clear();
    m_machine.instructions.reserve(before.size() * 3 / 2);
    m_firstLanes = VReg(m_machine.registers.size());
    for (unsigned i = 0; i * Lanes < m_laneCount; ++i)
      m_machine.registers.push_back({.bank = Bank::Vector, .isWhole = true});
    for (MachineBlock &block : m_machine.blocks) {
      const MachineBlock old = block;
      block.first = uint32_t(m_machine.instructions.size());
      m_offsets = {};
      m_written.clear();
      if (&block == m_machine.blocks.data())
        begin();
      for (uint32_t i = old.first; i < old.end; ++i) {
        if (i == old.entry)
          block.entry = uint32_t(m_machine.instructions.size());
        rewrite(before[i]);
      }
      block.end = uint32_t(m_machine.instructions.size());
      if (old.entry == old.end)
        block.entry = block.end;
    }
    if (m_slotCount > 0)
      m_program.scratchBytes = m_firstSlot + m_slotCount * 4;
  }

  // At the start of the code.
  void begin() {
    for (unsigned i = 0; i * Lanes < m_laneCount; ++i)
      add(Form::Undefine, Opcode{}, {registerOperand(m_firstLanes + i)}, {});
    if (m_slotCount > 0)
      m_scratch = makeScratchDescriptor();
  }

  // As Reader::makeScratchDescriptor().
  VReg makeScratchDescriptor() {
    const VReg table = newRegister(Bank::Scalar, 2), descriptor = newRegister(Bank::Scalar, 4);
    m_program.accesses.push_back(
        {.opcode = Opcode::SLoadDwordx4, .dwords = 4, .offset = m_program.scratchDescriptorOffset});
    add(Form::Salu, Opcode::SGetpcB64, {registerOperand(table, 2)}, {});
    add(Form::Salu, Opcode::SMovB32, {registerOperand(table)}, {registerOperand(GlobalTable)});
    add(Form::Smem, Opcode::SLoadDwordx4, {registerOperand(descriptor, 4)}, {registerOperand(table, 2)}).imm =
        uint32_t(m_program.accesses.size() - 1);
    add(Form::Salu, Opcode::SAddU32, {registerOperand(descriptor)},
        {registerOperand(descriptor), registerOperand(m_machine.arguments - 1)});
    add(Form::Salu, Opcode::SAddcU32, {registerOperand(descriptor + 1)},
        {registerOperand(descriptor + 1), constant(0)});
    return descriptor;
  }

  // An operand that stands twice is read once: so it counts as one. Atomics have one register for what they read and
  // write; of copies, both are apart.
  void rewrite(const MachineInstruction &instruction) {
    const bool isApart = instruction.form == Form::Copies;
    std::vector<std::pair<VReg, VReg>> read; // first register of an operand that is spilled, and where it is now
    const std::vector<Written> before = std::exchange(m_written, {});
    auto operandsOf = [&] { return m_machine.operandsOf(instruction); };
    auto dwordsOf = [&](VReg reg, std::span<const Operand> operands) {
      uint8_t dwords = 0;
      for (const Operand &operand : operands)
        if (operand.kind == Operand::Register && operand.value == reg)
          dwords = std::max(dwords, operand.dwords);
      return dwords;
    };
    auto find = [&](VReg reg) { return std::ranges::find(read, reg, &std::pair<VReg, VReg>::first); };
    for (uint32_t i = instruction.definitions; i < operandsOf().size(); ++i) {
      const Operand use = operandsOf()[i];
      if (!isSpilled(use) || find(use.value) != read.end())
        continue;
      const auto uses = operandsOf().subspan(instruction.definitions);
      const auto written = std::ranges::find(before, use.value, &Written::spilled);
      if (written != before.end() && written->dwords >= dwordsOf(use.value, operandsOf())) {
        read.push_back({use.value, written->reg});
        continue;
      }
      const VReg reg = newRegister(bankOf(use), dwordsOf(use.value, isApart ? uses : operandsOf()));
      for (unsigned dword = 0, count = dwordsOf(use.value, uses); dword < count; ++dword)
        get(reg + dword, homeOf(use.value + dword));
      read.push_back({use.value, reg});
    }
    m_machine.instructions.push_back(instruction);
    for (uint32_t i = 0; i < operandsOf().size(); ++i) {
      const Operand operand = operandsOf()[i];
      if (!isSpilled(operand))
        continue;
      const bool isDefinition = i < instruction.definitions;
      const auto known = isDefinition && isApart ? read.end() : find(operand.value);
      const VReg reg = known == read.end() ? newRegister(bankOf(operand), operand.dwords) : known->second;
      for (unsigned dword = 0; isDefinition && instruction.form != Form::Undefine && dword < operand.dwords; ++dword)
        put(reg + dword, homeOf(operand.value + dword));
      if (isDefinition)
        m_written.push_back({operand.value, reg, operand.dwords});
      m_machine.operands[instruction.firstOperand + i].value = reg;
    }
  }

  bool isSpilled(const Operand &operand) const {
    return operand.kind == Operand::Register && operand.value < m_homes.size() &&
           m_homes[m_machine.leaderOf(operand.value)] != NoHome;
  }
  uint32_t homeOf(VReg reg) const { return m_homes[m_machine.leaderOf(reg)] + m_machine.registers[reg].index; }

  void get(VReg reg, uint32_t home) {
    if (m_machine.isOfLanes(reg)) {
      const Operand offset = offsetOf(home, m_offsets[0]);
      add(Form::Buffer, Opcode::BufferLoadDword, {registerOperand(reg)}, {registerOperand(m_scratch, 4), offset}).imm =
          accessOf(Opcode::BufferLoadDword, home);
    } else {
      const Operand lanes = registerOperand(m_firstLanes + home / Lanes);
      add(Form::Valu, Opcode::VReadlaneB32, {registerOperand(reg)}, {lanes, constant(home % Lanes)});
    }
  }

  void put(VReg reg, uint32_t home) {
    if (m_machine.isOfLanes(reg)) {
      ++m_spills.vgprs;
      const Operand offset = offsetOf(home, m_offsets[1]);
      add(Form::Buffer, Opcode::BufferStoreDword, {}, {registerOperand(m_scratch, 4), offset, registerOperand(reg)})
          .imm = accessOf(Opcode::BufferStoreDword, home);
    } else {
      ++m_spills.sgprs;
      const Operand lanes = registerOperand(m_firstLanes + home / Lanes);
      add(Form::Valu, Opcode::VWritelaneB32, {lanes}, {registerOperand(reg), constant(home % Lanes), lanes}).isTied =
          true;
    }
  }

  // The part of a slot's address that the instruction has no room for. It counts for the wave, whose lanes' dwords
  // stand side by side. Neighbouring slots mostly share it with the last one of their block.
  Operand offsetOf(uint32_t slot, Offset &last) {
    const uint32_t rest = (m_firstSlot + slot * 4) / BufferOffsets * BufferOffsets;
    if (rest == 0)
      return constant(0);
    if (last.reg == NoRegister || last.bytes != rest) {
      last = {rest, newRegister(Bank::Scalar, 1)};
      add(Form::Salu, Opcode::SMovB32, {registerOperand(last.reg)}, {constant(rest * Lanes)});
    }
    return registerOperand(last.reg);
  }

  uint32_t accessOf(Opcode opcode, uint32_t slot) {
    const bool isStore = opcode == Opcode::BufferStoreDword;
    m_program.accesses.push_back({.opcode = opcode,
                                  .dwords = 1,
                                  .offset = (m_firstSlot + slot * 4) % BufferOffsets,
                                  .writes = isStore,
                                  .isPrivate = true,
                                  .isSwizzled = true});
    return uint32_t(m_program.accesses.size() - 1);
  }

  static Operand registerOperand(VReg reg, unsigned dwords = 1) { return {Operand::Register, uint8_t(dwords), reg}; }
  static Operand constant(uint32_t value) { return {Operand::Constant, 1, value}; }
  Bank bankOf(const Operand &operand) const { return m_machine.registers[operand.value].bank; }

  VReg newRegister(Bank bank, unsigned dwords) {
    const VReg first = VReg(m_machine.registers.size());
    for (unsigned i = 0; i < dwords; ++i)
      m_machine.registers.push_back({.bank = bank, .groupSize = uint8_t(dwords), .index = uint8_t(i)});
    return first;
  }

  MachineInstruction &add(Form form, Opcode opcode, std::initializer_list<Operand> definitions,
                          std::initializer_list<Operand> uses) {
    MachineInstruction &instruction = m_machine.instructions.emplace_back();
    instruction.form = form;
    instruction.opcode = opcode;
    instruction.definitions = uint8_t(definitions.size());
    instruction.uses = uint8_t(uses.size());
    instruction.firstOperand = uint32_t(m_machine.operands.size());
    m_machine.operands.insert(m_machine.operands.end(), definitions);
    m_machine.operands.insert(m_machine.operands.end(), uses);
    return instruction;
  }

  Program &m_program;
  Machine &m_machine;
  const RegisterLimits m_limits;
  std::vector<std::vector<uint32_t>> m_mentions;           // by the first register of a group: instructions
  std::vector<bool> m_isFixed;                             // by the first register of a group
  std::vector<uint32_t> m_homes;                           // by the first register of a group: a lane, or a slot
  std::vector<std::pair<uint32_t, uint32_t>> m_candidates; // of choose(): distance, and the place in its list, inverted
  uint32_t m_laneCount = 0, m_slotCount = 0;
  Spills m_spills;
  const uint32_t m_firstSlot;      // bytes
  VReg m_firstLanes = NoRegister;  // VGPRs, one for each 64 lanes
  VReg m_scratch = NoRegister;     // the descriptor
  std::vector<Written> m_written;  // by the instruction in front, which the next one need not read from its home
  std::array<Offset, 2> m_offsets; // in the block: of the last slot that was read, and that was written
};

} // namespace

Spills spillRegisters(Program &program, Machine &machine, RegisterLimits limits) {
  return Spiller(program, machine, limits).run();
}

} // namespace dovetail::first
