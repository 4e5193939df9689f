// SPDX-License-Identifier: MIT
#include "src/first/emit/registers.h"
#include "src/first/emit/lives.h"
#include <algorithm>
#include <array>
#include <span>

namespace dovetail::first {

namespace {

constexpr unsigned VccPlace = 106;
constexpr unsigned AllVgprs = 256;
constexpr unsigned FreeVgprs = 24; // so many cost no wave
constexpr uint32_t Never = Life::Never;

class Placer {
public:
  Placer(const Program &program, Machine &machine) : m_program(program), m_machine(machine) {}

  std::string run() {
    m_scalarLives = scalarLives(m_program, m_machine);
    m_vectorLives = vectorLives(m_program, m_machine);
    m_lastUse.assign(m_machine.registers.size(), Never);
    m_soft.fill(NoRegister);
    for (VReg reg = m_machine.arguments; reg < m_machine.registers.size(); ++reg)
      if (isVector(reg) && m_machine.registers[reg].wish != NoPlace && m_machine.registers[reg].wish < AllVgprs)
        m_soft[m_machine.registers[reg].wish] = leaderOf(reg);
    for (uint16_t block = 0; block < m_machine.blocks.size() && m_refusal.empty(); ++block)
      placeBlock(block);
    moveWhole();
    return m_refusal;
  }

private:
  // Those of whole waves live like SGPRs.
  bool isVector(VReg reg) const { return m_machine.isOfLanes(reg); }
  bool isWhole(VReg reg) const { return m_machine.registers[reg].isWhole; }
  VReg leaderOf(VReg reg) const { return m_machine.leaderOf(reg); }

  void placeBlock(uint16_t number) {
    const MachineBlock &block = m_machine.blocks[number];
    for (uint32_t i = block.first; i < block.end; ++i)
      forEachRegister(m_machine.usesOf(m_machine.instructions[i]), [&](VReg reg) {
        if (isVector(reg))
          m_lastUse[reg] = m_vectorLives.isOut(number, reg) ? Never : i;
      });
    m_vectors.fill(NoRegister);
    m_vectorLives.forEachIn(number, [&](VReg reg) {
      const uint16_t place = m_machine.registers[reg].place;
      if (place == NoPlace)
        m_refusal = "a value that is not defined on every way";
      else
        m_vectors[place] = reg;
    });
    if (number == 0) {
      m_scalars.fill(NoRegister);
      m_whole.fill(NoRegister);
      for (VReg reg = 0; reg < m_machine.arguments; ++reg)
        if (!isVector(reg) && m_scalarLives[reg].first != Never)
          m_scalars[m_machine.registers[reg].place] = reg;
    }
    for (uint32_t i = block.first; i < block.end && m_refusal.empty(); ++i)
      placeInstruction(number, i);
  }

  void placeInstruction(uint16_t block, uint32_t at) {
    MachineInstruction &instruction = m_machine.instructions[at];
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    auto isDefined = [&](VReg reg) {
      return std::ranges::any_of(definitions, [&](const MachineOperand &operand) {
        return reg >= operand.value && reg < operand.value + operand.dwords;
      });
    };
    auto release = [&] {
      forEachRegister(uses, [&](VReg reg) {
        const uint16_t place = m_machine.registers[reg].place;
        if (place == NoPlace)
          m_refusal = faultOf("a register that is read before it is written");
        else if (isVector(reg) && m_lastUse[reg] == at && !isDefined(reg) && m_vectors[place] == reg)
          m_vectors[place] = NoRegister;
      });
      forEachOwner([&](VReg &owner) {
        if (m_scalarLives[leaderOf(owner)].last <= at && !isDefined(owner))
          owner = NoRegister;
      });
    };
    // A tied definition that cannot take the place of the use is a copy in front of the other reads.
    const bool mustCopy = instruction.isEarly || (instruction.isTied && !dies(uses.back(), at));
    if (instruction.isTied && !mustCopy)
      m_preferred = m_machine.registers[uses.back().value].place;
    if (!mustCopy)
      release();
    // A definition that replaces a use must not take the place of another one that dies here.
    for (const MachineOperand &definition : definitions)
      if (m_machine.registers[definition.value].place != NoPlace)
        occupy(definition);
    for (const MachineOperand &definition : definitions)
      if (m_machine.registers[definition.value].place == NoPlace)
        place(leaderOf(definition.value));
    if (mustCopy)
      release();
    if (instruction.form == Form::Copies) // the emitter refuses to use a place beyond the last one
      instruction.imm = (instruction.isWhole ? unusedWhole(uses) : unused(uses, true)) | unused(uses, false) << 16;
    // What nobody reads is free again.
    for (const MachineOperand &definition : definitions)
      for (unsigned i = 0; i < definition.dwords; ++i) {
        const VReg reg = definition.value + i;
        const uint16_t at2 = m_machine.registers[reg].place;
        if (isVector(reg) && m_lastUse[reg] == Never && !m_vectorLives.isOut(block, reg) && m_vectors[at2] == reg)
          m_vectors[at2] = NoRegister;
      }
    if (!definitions.empty())
      forEachOwner([&](VReg &owner) {
        if (m_scalarLives[leaderOf(owner)].last <= at)
          owner = NoRegister;
      });
  }

  // Of the places of SGPRs and of whole waves.
  template <typename Function> void forEachOwner(const Function &function) {
    for (VReg &owner : m_scalars)
      if (owner != NoRegister)
        function(owner);
    for (VReg &owner : std::span(m_whole).first(m_wholeHighest))
      if (owner != NoRegister)
        function(owner);
  }

  bool dies(const MachineOperand &use, uint32_t at) const {
    if (use.kind != MachineOperand::Register)
      return false;
    return isVector(use.value) ? m_lastUse[use.value] == at
                               : isWhole(use.value) && m_scalarLives[leaderOf(use.value)].last == at;
  }

  void occupy(const MachineOperand &operand) {
    for (unsigned i = 0; i < operand.dwords; ++i) {
      const VReg reg = operand.value + i;
      const uint16_t at = m_machine.registers[reg].place;
      VReg &owner = isVector(reg) ? m_vectors[at] : isWhole(reg) ? m_whole[at] : m_scalars[at];
      if (owner != NoRegister && owner != reg)
        m_refusal = faultOf("two registers in one place");
      owner = reg;
    }
  }

  bool isFree(bool isVectorBank, unsigned base, unsigned size) const {
    if (isVectorBank) {
      if (base + size > m_program.maxVgprs)
        return false;
      for (unsigned i = 0; i < size; ++i)
        if (m_vectors[base + i] != NoRegister)
          return false;
      return true;
    }
    if (base + size > m_program.maxSgprs && base != VccPlace)
      return false;
    for (unsigned i = 0; i < size; ++i)
      if (m_scalars[base + i] != NoRegister)
        return false;
    return true;
  }

  // The first free window. Places that are kept for others are taken if the rest would cost waves.
  unsigned findVectors(unsigned size, VReg leader) const {
    unsigned plain = m_program.maxVgprs;
    for (unsigned base = 0; base + size <= m_program.maxVgprs; ++base) {
      if (!isFree(true, base, size))
        continue;
      if (plain == m_program.maxVgprs)
        plain = base;
      if (base + size > std::max(m_highest, FreeVgprs))
        break;
      bool isKept = false;
      for (unsigned i = 0; i < size; ++i)
        isKept |= m_soft[base + i] != NoRegister && m_soft[base + i] != leader;
      if (!isKept)
        return base;
    }
    return plain;
  }

  unsigned findScalars(unsigned size) const {
    const unsigned alignment = size >= 4 ? 4 : size;
    for (unsigned base = 0; base + size <= m_program.maxSgprs; base += alignment)
      if (isFree(false, base, size))
        return base;
    return m_program.maxSgprs;
  }

  // The first free places of those of whole waves, which count from 0 up to moveWhole().
  void placeWhole(VReg leader) {
    const unsigned size = m_machine.registers[leader].groupSize;
    auto isFreeFrom = [&](unsigned base) {
      return std::ranges::all_of(std::span(m_whole).subspan(base, size),
                                 [](VReg owner) { return owner == NoRegister; });
    };
    unsigned base = m_preferred;
    m_preferred = NoPlace;
    if (base == NoPlace || base + size > AllVgprs || !isFreeFrom(base))
      for (base = 0; base + size <= AllVgprs && !isFreeFrom(base);)
        ++base;
    if (base + size > AllVgprs) {
      m_refusal = TooFewVgprs;
      return;
    }
    m_wholeHighest = std::max(m_wholeHighest, base + size);
    for (unsigned i = 0; i < size; ++i) {
      m_machine.registers[leader + i].place = uint16_t(base + i);
      m_whole[base + i] = leader + i;
    }
  }

  // Lanes that do not run have values in all other places, so those of whole waves are behind them.
  void moveWhole() {
    if (m_wholeHighest == 0 || !m_refusal.empty())
      return;
    uint32_t base = m_highest;
    for (VReg reg = 0; reg < m_machine.arguments; ++reg)
      if (isVector(reg) && m_vectorLives.isIn(0, reg))
        base = std::max<uint32_t>(base, m_machine.registers[reg].place + 1u);
    for (MachineInstruction &instruction : m_machine.instructions) // copies may use a place aside
      if (const uint32_t aside = instruction.imm & 0xffff;
          instruction.form == Form::Copies && !instruction.isWhole && aside < m_program.maxVgprs)
        base = std::max(base, aside + 1);
    if (base + m_wholeHighest > m_program.maxVgprs) {
      m_refusal = TooFewVgprs;
      return;
    }
    for (VirtualRegister &reg : m_machine.registers)
      if (reg.isWhole && reg.place != NoPlace)
        reg.place = uint16_t(reg.place + base);
    for (MachineInstruction &instruction : m_machine.instructions)
      if (instruction.form == Form::Copies && instruction.isWhole)
        instruction.imm += base;
  }

  void place(VReg leader) {
    if (isWhole(leader))
      return placeWhole(leader);
    const VirtualRegister first = m_machine.registers[leader];
    const unsigned size = first.groupSize;
    const bool isVectorBank = first.bank == Bank::Vector;
    unsigned base = NoPlace;
    auto attempt = [&](int wanted) {
      const unsigned alignment = isVectorBank ? 1 : size >= 4 ? 4 : size;
      if (base == NoPlace && wanted >= 0 && unsigned(wanted) % alignment == 0 &&
          isFree(isVectorBank, unsigned(wanted), size))
        base = unsigned(wanted);
    };
    const uint16_t tentative = m_tentative.empty() ? NoPlace : m_tentative[leader];
    if (m_preferred != NoPlace)
      attempt(m_preferred);
    m_preferred = NoPlace;
    if (tentative != NoPlace)
      attempt(tentative);
    for (unsigned i = 0; i < size && base == NoPlace; ++i) {
      const VirtualRegister &reg = m_machine.registers[leader + i];
      if (reg.wish != NoPlace)
        attempt(int(reg.wish) - int(i));
    }
    for (unsigned i = 0; i < size && base == NoPlace; ++i) {
      const VirtualRegister &reg = m_machine.registers[leader + i];
      if (reg.near == NoRegister)
        continue;
      // A chain of results that are to end up in one place.
      VReg target = reg.near;
      for (unsigned steps = 0;
           steps < 8 && m_machine.registers[target].place == NoPlace && m_machine.registers[target].groupSize == 1 &&
           m_machine.registers[target].near != NoRegister;
           ++steps)
        target = m_machine.registers[target].near;
      const VirtualRegister &near = m_machine.registers[target];
      if (near.place != NoPlace) {
        attempt(int(near.place) - int(i));
      } else if (near.bank == first.bank) {
        const VReg other = leaderOf(target);
        if (m_tentative.empty())
          m_tentative.assign(m_machine.registers.size(), NoPlace);
        uint16_t &kept = m_tentative[other];
        if (kept == NoPlace) {
          const VirtualRegister &group = m_machine.registers[other];
          int wanted = -1;
          for (unsigned k = 0; k < group.groupSize; ++k) // it may have a wish of its own
            if (m_machine.registers[other + k].wish != NoPlace)
              wanted = int(m_machine.registers[other + k].wish) - int(k);
          if (wanted >= 0 && isFree(isVectorBank, unsigned(wanted), group.groupSize))
            kept = uint16_t(wanted);
          else
            kept = uint16_t(isVectorBank ? findVectors(group.groupSize, other) : findScalars(group.groupSize));
          if (isVectorBank)
            for (unsigned k = 0; k < group.groupSize && kept + k < m_program.maxVgprs; ++k)
              m_soft[kept + k] = other;
        }
        attempt(int(kept) + int(near.index) - int(i));
      }
    }
    if (base == NoPlace && first.isMask && !m_machine.keepsVcc && isFree(false, VccPlace, 2))
      base = VccPlace;
    if (base == NoPlace)
      base = isVectorBank ? findVectors(size, leader) : findScalars(size);
    if (base >= (isVectorBank ? m_program.maxVgprs : m_program.maxSgprs) && base != VccPlace) {
      m_refusal = isVectorBank ? TooFewVgprs : TooFewSgprs;
      return;
    }
    if (isVectorBank) {
      m_highest = std::max(m_highest, base + size);
      for (VReg &kept : m_soft)
        if (kept == leader)
          kept = NoRegister;
    }
    for (unsigned i = 0; i < size; ++i) {
      m_machine.registers[leader + i].place = uint16_t(base + i);
      (isVectorBank ? m_vectors[base + i] : m_scalars[base + i]) = leader + i;
    }
  }

  uint32_t unusedWhole(std::span<const MachineOperand> uses) {
    for (unsigned place = 0; place < AllVgprs; ++place) {
      const bool isRead = std::ranges::any_of(uses, [&](const MachineOperand &use) {
        return use.kind == MachineOperand::Register && isWhole(use.value) &&
               m_machine.registers[use.value].place == place;
      });
      if (m_whole[place] != NoRegister || isRead)
        continue;
      m_wholeHighest = std::max(m_wholeHighest, place + 1);
      return place;
    }
    m_refusal = TooFewVgprs;
    return 0;
  }

  // A place that is neither occupied nor read by copies.
  uint32_t unused(std::span<const MachineOperand> uses, bool isVectorBank) const {
    const uint32_t limit = isVectorBank ? m_program.maxVgprs : m_program.maxSgprs;
    for (uint32_t place = 0; place < limit; ++place) {
      if ((isVectorBank ? m_vectors[place] : m_scalars[place]) != NoRegister)
        continue;
      const bool isRead = std::ranges::any_of(uses, [&](const MachineOperand &use) {
        return use.kind == MachineOperand::Register && isVector(use.value) == isVectorBank &&
               m_machine.registers[use.value].place == place;
      });
      if (!isRead)
        return place;
    }
    return limit;
  }

  const Program &m_program;
  Machine &m_machine;
  std::string m_refusal;
  std::vector<Life> m_scalarLives; // of SGPRs and of whole waves, by the first register of a group
  VectorLives m_vectorLives;
  std::vector<uint32_t> m_lastUse;   // of vectors, in the block
  std::vector<uint16_t> m_tentative; // by the first register of a group: the place that is kept for it
  std::array<VReg, AllVgprs> m_vectors{}, m_soft{}, m_whole{};
  std::array<VReg, 128> m_scalars{};
  unsigned m_highest = 0, m_wholeHighest = 0;
  uint16_t m_preferred = NoPlace; // of the next register
};

} // namespace

std::string placeRegisters(const Program &program, Machine &machine) {
  return Placer(program, machine).run();
}

} // namespace dovetail::first
