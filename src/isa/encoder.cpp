// SPDX-License-Identifier: MIT
#include "src/isa/encoder.h"
#include "src/isa/encoder_parts.h"
#include <algorithm>
#include <cassert>

namespace dovetail::isa {

bool exists(Opcode opcode, bool isGfx9) {
  return rowOf(opcode).exists(isGfx9);
}

Encoder::Encoder(bool isGfx9, size_t expectedInstructions, std::optional<bool> packsHalves)
    : m_isGfx9(isGfx9), m_packsHalves(packsHalves.value_or(isGfx9)) {
  m_words.reserve(2 * expectedInstructions);
  m_instructions.reserve(expectedInstructions);
}

void Encoder::addOtherImplicit(uint32_t implicit, Instruction &instruction) {
  if (m_isGfx9)
    implicit &= ~traits::ReadsM0OnGfx8;
  if (implicit & (traits::ReadsVcc | traits::MaskIn | traits::MaskOut))
    m_use.add({RegisterFile::Vcc, 0, 2, true});
  for (uint32_t bits = implicit & ~traits::ImplicitWrites; bits; bits &= bits - 1)
    instruction.reads.push_back(ImplicitRegisters[std::countr_zero(bits)]);
  for (uint32_t bits = implicit & traits::ImplicitWrites; bits; bits &= bits - 1)
    instruction.writes.push_back(ImplicitRegisters[std::countr_zero(bits)]);
}

// VM_CNT [3:0], EXP_CNT [6:4], LGKM_CNT [11:8]; GFX9 has two more bits of VM_CNT in [15:14]. A counter at its limit may
// stand for more outstanding operations, so the highest count to wait for is one below the limit (LLVM:
// SIInsertWaitcnts, determineWait).
void Encoder::wait(WaitCounts counts) {
  const unsigned limit = m_isGfx9 ? 63 : 15;
  const unsigned vm = counts.vm == WaitCounts().vm ? limit : std::min(counts.vm, limit - 1);
  sopp(Opcode::SWaitcnt, uint16_t((vm & 15) | counts.exp << 4 | counts.lgkm << 8 | (vm >> 4) << 14));
}

void Encoder::patch(uint32_t offset, uint16_t immediate) {
  uint32_t &word = m_words[offset / 4];
  word = (word & 0xffff0000) | immediate;
  auto patched = std::ranges::lower_bound(m_instructions, offset, {}, &Instruction::offset);
  assert(patched != m_instructions.end() && patched->offset == offset && patched->encoding == Encoding::Sopp);
  describeControl(word, *patched);
}

std::vector<uint8_t> Encoder::bytes() const {
  const auto *begin = reinterpret_cast<const uint8_t *>(m_words.data());
  return {begin, begin + m_words.size() * sizeof(m_words[0])};
}

} // namespace dovetail::isa
