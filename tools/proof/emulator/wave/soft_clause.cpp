// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/soft_clause.h"

namespace dovetail::emulator {

namespace {

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool isAtomic(const Instruction &instruction) {
  return contains(instruction.opcode->name, "_atomic");
}

bool isStore(const Instruction &instruction) {
  return isAtomic(instruction) || contains(instruction.opcode->name, "_store");
}

} // namespace

bool SoftClause::happenedBefore(uint32_t time) const {
  constexpr uint32_t LookBack = 5;
  return time >= m_start && time < m_now && time + LookBack >= m_now;
}

const char *SoftClause::beginMemory(const Instruction &instruction) {
  const Kind kind = instruction.format == Format::Smem ? Kind::Smem : Kind::Vmem;
  m_load = m_loading;
  ++m_now;
  if (kind != m_kind)
    m_start = m_now;
  m_kind = kind;
  bool stores = isStore(instruction);
  m_isStore = stores && !(isAtomic(instruction) && instruction.glc);
  if (stores && happenedBefore(m_load))
    return "a load, then a store in its clause, which may be replayed";
  if (happenedBefore(m_selfOverwriting))
    return "memory access overwrites its own operand and has another one behind it in its clause, which may be "
           "replayed";
  return nullptr;
}

const char *SoftClause::read(unsigned number) {
  if (!m_isStore)
    m_readByLoad[number] = m_now;
  if (happenedBefore(m_written[number]))
    return "memory access reads what another one of its clause loads, which may be replayed";
  return nullptr;
}

const char *SoftClause::write(unsigned number) {
  const uint32_t read = m_readByLoad[number];
  const bool overwritesItself = read == m_now, isBehindLoad = happenedBefore(m_load);
  m_written[number] = m_now;
  m_loading = m_now;
  if (overwritesItself)
    m_selfOverwriting = m_now;
  if (happenedBefore(read))
    return "memory access overwrites what another one of its clause reads, which may be replayed";
  if (overwritesItself && isBehindLoad)
    return "memory access overwrites its own operand and has another one before it in its clause, which may be "
           "replayed";
  return nullptr;
}

} // namespace dovetail::emulator
