// SPDX-License-Identifier: MIT
//
// Where registers are alive.
//
// SGPRs, and VGPRs of whole waves: from the first to the last mention in the order of the code, and to the end of a
// loop that they are carried into. So whatever lanes wait, no block that runs between two others overwrites what they
// share.
// Other VGPRs: where control flow leads from a definition to a use. Blocks that run in between for other lanes may use
// the place, because they leave the waiting lanes of a VGPR alone.
#pragma once

#include "src/first/form/machine.h"
#include <bit>

namespace dovetail::first {

struct Life {
  static constexpr uint32_t Never = UINT32_MAX;
  uint32_t first = Never, last = 0; // instructions
};

// By the first register of a group. A register that no instruction mentions is never alive, and no ordinary VGPR is.
std::vector<Life> scalarLives(const Program &program, const Machine &machine);

class Bits {
public:
  explicit Bits(size_t size = 0) : m_words((size + 63) / 64) {}
  bool has(size_t bit) const { return m_words[bit / 64] >> bit % 64 & 1; }
  void set(size_t bit) { m_words[bit / 64] |= uint64_t(1) << bit % 64; }
  // Adds the others but `without`; returns whether any is new.
  bool add(const Bits &others, const Bits *without = nullptr) {
    bool isNew = false;
    for (size_t i = 0; i < m_words.size(); ++i) {
      const uint64_t added = others.m_words[i] & ~(without ? without->m_words[i] : 0) & ~m_words[i];
      m_words[i] |= added;
      isNew |= added != 0;
    }
    return isNew;
  }
  template <typename Function> void forEach(const Function &function) const {
    for (size_t i = 0; i < m_words.size(); ++i)
      for (uint64_t word = m_words[i]; word; word &= word - 1)
        function(uint32_t(i * 64 + size_t(std::countr_zero(word))));
  }

private:
  std::vector<uint64_t> m_words;
};

// Ordinary VGPRs at the starts and ends of blocks. Only registers that some block reads without having defined them
// first can be alive there; few are, so these have numbers of their own.
class VectorLives {
public:
  bool isIn(size_t block, VReg reg) const { return m_numbers[reg] != NoNumber && m_in[block].has(m_numbers[reg]); }
  bool isOut(size_t block, VReg reg) const { return m_numbers[reg] != NoNumber && m_out[block].has(m_numbers[reg]); }
  // In the order of the registers.
  template <typename Function> void forEachIn(size_t block, const Function &function) const {
    m_in[block].forEach([&](uint32_t number) { function(m_registers[number]); });
  }
  template <typename Function> void forEachOut(size_t block, const Function &function) const {
    m_out[block].forEach([&](uint32_t number) { function(m_registers[number]); });
  }

private:
  friend VectorLives vectorLives(const Program &program, const Machine &machine);

  static constexpr uint32_t NoNumber = UINT32_MAX;
  std::vector<uint32_t> m_numbers; // by register
  std::vector<VReg> m_registers;   // by number
  std::vector<Bits> m_in, m_out;   // by block
};

VectorLives vectorLives(const Program &program, const Machine &machine);

} // namespace dovetail::first
