// SPDX-License-Identifier: MIT
//
// No register is read that neither the hardware nor an earlier instruction wrote: a forward analysis of the registers
// that are written on every path. A write under a partial EXEC counts, since lanes that are off do not read either.
#include "merge/check/checks.h"
#include "merge/check/register_set.h"

namespace dovetail::check {

namespace {

RegisterSet startSet(const EntryState &entry) {
  RegisterSet set;
  for (unsigned i = 0; i < entry.sgprs.size() && i < SgprSlots; ++i)
    set[i] = entry.sgprs[i];
  for (unsigned i = 0; i < entry.vgprs.size() && i < VgprSlots; ++i)
    set[SgprSlots + i] = entry.vgprs[i];
  set[*slotOf(mc::RegisterFile::Exec, 0)] = true;
  set[*slotOf(mc::RegisterFile::Exec, 1)] = true;
  return set;
}

void applyWrites(const mc::Instruction &instruction, RegisterSet &set) {
  for (const mc::RegisterRange &range : instruction.writes)
    forEachRegister(range, [&](unsigned slot, mc::RegisterFile, unsigned) { set[slot] = true; });
}

// Registers of a range that an instruction of this kind really reads. MIMG addresses of five to seven (or nine and
// more) dwords are given as a tuple of eight (sixteen) registers; the ones behind the last address are not used.
unsigned usedCount(const mc::Instruction &instruction, const mc::RegisterRange &range) {
  bool isPaddedAddress = instruction.is(mc::Mimg) && range.file == mc::RegisterFile::Vgpr && range.count >= 8;
  if (!isPaddedAddress)
    return range.count;
  return range.count == 8 ? 5 : 9;
}

} // namespace

void checkInitialisedRegisters(const StageText &text, const EntryState &entry, Defects &defects) {
  std::vector<RegisterSet> before(text.instructions.size(), RegisterSet().set());
  std::vector<bool> visited(text.instructions.size());
  before[0] = startSet(entry);
  std::vector<uint32_t> pending = {0};
  while (!pending.empty()) {
    uint32_t index = pending.back();
    pending.pop_back();
    visited[index] = true;
    RegisterSet after = before[index];
    applyWrites(text.instructions[index], after);
    for (uint32_t successor : text.successors[index]) {
      RegisterSet merged = before[successor] & after;
      if (!visited[successor] || merged != before[successor]) {
        before[successor] = merged;
        visited[successor] = true;
        pending.push_back(successor);
      }
    }
  }

  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    const mc::Instruction &instruction = text.instructions[index];
    if (!text.reachable[index])
      continue;
    for (mc::RegisterRange range : instruction.reads) {
      if (range.tied) // keeps what it does not write
        continue;
      range.count = static_cast<uint16_t>(usedCount(instruction, range));
      forEachRegister(range, [&](unsigned slot, mc::RegisterFile file, unsigned number) {
        if (!before[index][slot])
          defects.add(text, instruction.offset, "{} reads {}, which nothing wrote", instruction.mnemonic,
                      registerName(file, number));
      });
    }
  }
}

} // namespace dovetail::check
