// SPDX-License-Identifier: MIT
//
// Wait states, re-proved over the whole control flow of a stage. Each rule of the table of the Vega ISA manual,
// section 4.5 "Manually Inserted Wait States (NOPs)", is restated here as what produces the hazard, what consumes it,
// and how many wait states must lie between. The analysis carries the producers that are still too close, with their
// distance; paths that meet keep the shorter one.
#include "merge/check/checks.h"
#include "merge/check/register_set.h"
#include <map>

namespace dovetail::check {

namespace {

using Slots = boost::container::small_vector<unsigned, 8>;

// A hardware register of s_setreg/s_getreg is tracked by its number; hazards without a register by slot 0.
constexpr unsigned NoRegister = 0;

bool startsWith(const mc::Instruction &instruction, std::string_view prefix) {
  return instruction.mnemonic.starts_with(prefix);
}

Slots writesOf(const mc::Instruction &instruction, mc::RegisterFile file) {
  Slots slots;
  for (const mc::RegisterRange &range : instruction.writes) {
    if (range.file == file)
      forEachRegister(range, [&](unsigned slot, mc::RegisterFile, unsigned) { slots.push_back(slot); });
  }
  return slots;
}

Slots readsOf(const mc::Instruction &instruction, mc::RegisterFile file) {
  Slots slots;
  for (const mc::RegisterRange &range : instruction.reads) {
    if (range.file == file)
      forEachRegister(range, [&](unsigned slot, mc::RegisterFile, unsigned) { slots.push_back(slot); });
  }
  return slots;
}

Slots join(Slots first, const Slots &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Slots scalarWrites(const mc::Instruction &instruction) {
  return join(writesOf(instruction, mc::RegisterFile::Sgpr), writesOf(instruction, mc::RegisterFile::Vcc));
}

Slots only(bool condition, unsigned slot = NoRegister) {
  return condition ? Slots{slot} : Slots();
}

bool writes(const mc::Instruction &instruction, mc::RegisterFile file) {
  return !writesOf(instruction, file).empty();
}

bool readsFile(const mc::Instruction &instruction, mc::RegisterFile file) {
  for (const mc::RegisterRange &range : instruction.reads) {
    if (range.file == file && !range.implicit)
      return true;
  }
  return false;
}

bool isSetreg(const mc::Instruction &instruction) {
  return startsWith(instruction, "s_setreg");
}
bool isGetreg(const mc::Instruction &instruction) {
  return startsWith(instruction, "s_getreg");
}
// hwreg(id, …): bits [5:0] of SIMM16.
unsigned hardwareRegister(const mc::Instruction &instruction) {
  return instruction.immediate & 0x3f;
}
constexpr unsigned ModeRegister = 1;
constexpr unsigned TrapstsRegister = 3;

bool isLaneAccess(const mc::Instruction &instruction) {
  return startsWith(instruction, "v_readlane") || startsWith(instruction, "v_writelane");
}

bool needsM0Settled(const mc::Instruction &instruction) {
  if (instruction.is(mc::Vintrp) || startsWith(instruction, "s_sendmsg") || startsWith(instruction, "s_ttracedata") ||
      startsWith(instruction, "s_movrel") || startsWith(instruction, "ds_gws") || startsWith(instruction, "v_movrel"))
    return true;
  // LDS loads by buffer instructions, and DS instructions that take an address from M0, read M0 as a register.
  return instruction.is(mc::Vmem | mc::Ds) && !readsOf(instruction, mc::RegisterFile::M0).empty();
}

// Stores of more than 64 bits, whose data registers are read late. With an SGPR as offset no wait is needed.
Slots wideStoreData(const mc::Instruction &instruction) {
  bool isWide =
      instruction.is(mc::Store) &&
      (startsWith(instruction, "buffer_store") || startsWith(instruction, "tbuffer_store") ||
       startsWith(instruction, "flat_store") || startsWith(instruction, "global_store") ||
       startsWith(instruction, "buffer_atomic_cmpswap_x2") || startsWith(instruction, "flat_atomic_cmpswap_x2") ||
       startsWith(instruction, "global_atomic_cmpswap_x2"));
  if (!isWide)
    return {};
  for (const mc::RegisterRange &range : instruction.reads) {
    if (range.file == mc::RegisterFile::Vgpr && range.count > 2) {
      bool hasScalarOffset = false;
      if (instruction.is(mc::Vmem) && !startsWith(instruction, "flat") && !startsWith(instruction, "global")) {
        for (const mc::RegisterRange &other : instruction.reads)
          hasScalarOffset |= other.file == mc::RegisterFile::Sgpr && other.count == 1;
      }
      Slots slots;
      if (!hasScalarOffset)
        forEachRegister(range, [&](unsigned slot, mc::RegisterFile, unsigned) { slots.push_back(slot); });
      return slots;
    }
  }
  return {};
}

struct Rule {
  const char *name;
  unsigned waitStates;
  Slots (*produced)(const mc::Instruction &);
  Slots (*consumed)(const mc::Instruction &);
};

const Rule Rules[] = {
    {"VALU writes an SGPR, then VMEM reads it", 5,
     [](const mc::Instruction &i) { return i.is(mc::Valu) ? scalarWrites(i) : Slots(); },
     [](const mc::Instruction &i) {
       return i.is(mc::Vmem) ? join(readsOf(i, mc::RegisterFile::Sgpr), readsOf(i, mc::RegisterFile::Vcc)) : Slots();
     }},
    {"VALU writes VCC, then v_div_fmas reads it", 4,
     [](const mc::Instruction &i) { return only(i.is(mc::Valu) && writes(i, mc::RegisterFile::Vcc)); },
     [](const mc::Instruction &i) { return only(startsWith(i, "v_div_fmas")); }},
    {"VALU writes an SGPR, then a lane access reads it as lane select", 4,
     [](const mc::Instruction &i) { return i.is(mc::Valu) ? scalarWrites(i) : Slots(); },
     [](const mc::Instruction &i) {
       return isLaneAccess(i) ? join(readsOf(i, mc::RegisterFile::Sgpr), readsOf(i, mc::RegisterFile::Vcc)) : Slots();
     }},
    {"VALU writes a VGPR, then DPP reads it", 2,
     [](const mc::Instruction &i) { return i.is(mc::Valu) ? writesOf(i, mc::RegisterFile::Vgpr) : Slots(); },
     [](const mc::Instruction &i) { return i.is(mc::Dpp) ? readsOf(i, mc::RegisterFile::Vgpr) : Slots(); }},
    {"VALU writes EXEC, then DPP", 5,
     [](const mc::Instruction &i) { return only(i.is(mc::Valu) && writes(i, mc::RegisterFile::Exec)); },
     [](const mc::Instruction &i) { return only(i.is(mc::Dpp)); }},
    {"VALU writes VCC or EXEC, then VALU reads VCCZ or EXECZ", 5,
     [](const mc::Instruction &i) {
       return only(i.is(mc::Valu) && (writes(i, mc::RegisterFile::Exec) || writes(i, mc::RegisterFile::Vcc)));
     },
     [](const mc::Instruction &i) {
       return only(i.is(mc::Valu) && (readsFile(i, mc::RegisterFile::Vccz) || readsFile(i, mc::RegisterFile::Execz)));
     }},
    {"SALU writes M0, then interpolation, message, GDS, LDS by M0 or relative move", 1,
     [](const mc::Instruction &i) { return only(i.is(mc::Salu) && writes(i, mc::RegisterFile::M0)); },
     [](const mc::Instruction &i) { return only(needsM0Settled(i)); }},
    {"s_setreg, then s_getreg or s_setreg of the same register", 2,
     [](const mc::Instruction &i) { return only(isSetreg(i), hardwareRegister(i)); },
     [](const mc::Instruction &i) { return only(isSetreg(i) || isGetreg(i), hardwareRegister(i)); }},
    {"s_setreg MODE.vskip, then a vector instruction", 2,
     [](const mc::Instruction &i) {
       constexpr unsigned VskipBit = 28;
       unsigned offset = i.immediate >> 6 & 0x1f;
       unsigned size = (i.immediate >> 11 & 0x1f) + 1;
       return only(isSetreg(i) && hardwareRegister(i) == ModeRegister && offset <= VskipBit &&
                   offset + size > VskipBit);
     },
     [](const mc::Instruction &i) { return only(i.is(mc::Valu | mc::Vmem | mc::Ds | mc::Vintrp | mc::Exp)); }},
    {"s_setreg TRAPSTS, then s_rfe", 1,
     [](const mc::Instruction &i) { return only(isSetreg(i) && hardwareRegister(i) == TrapstsRegister); },
     [](const mc::Instruction &i) { return only(startsWith(i, "s_rfe")); }},
    {"a store of more than 64 bits, then VALU writes its data", 1, wideStoreData,
     [](const mc::Instruction &i) { return i.is(mc::Valu) ? writesOf(i, mc::RegisterFile::Vgpr) : Slots(); }},
};

// Producers that are too close, with the wait states since then: (rule, slot) -> distance.
using Pending = std::map<std::pair<uint8_t, uint16_t>, uint8_t>;

Pending step(const Pending &before, const mc::Instruction &instruction) {
  Pending after;
  for (const auto &[key, distance] : before) {
    unsigned passed = distance + instruction.waitStates();
    if (passed < Rules[key.first].waitStates)
      after.emplace(key, static_cast<uint8_t>(passed));
  }
  for (uint8_t rule = 0; rule < std::size(Rules); ++rule) {
    for (unsigned slot : Rules[rule].produced(instruction))
      after[{rule, static_cast<uint16_t>(slot)}] = 0;
  }
  return after;
}

// Adds what `other` has; true if that changed anything.
bool meet(Pending &to, const Pending &other) {
  bool changed = false;
  for (const auto &[key, distance] : other) {
    auto [place, isNew] = to.try_emplace(key, distance);
    if (!isNew && distance < place->second)
      place->second = distance;
    else if (!isNew)
      continue;
    changed = true;
  }
  return changed;
}

} // namespace

void checkWaitStates(const StageText &text, Defects &defects) {
  std::vector<Pending> before(text.instructions.size());
  std::vector<bool> visited(text.instructions.size());
  std::vector<uint32_t> pending = {0};
  visited[0] = true;
  while (!pending.empty()) {
    uint32_t index = pending.back();
    pending.pop_back();
    Pending after = step(before[index], text.instructions[index]);
    for (uint32_t successor : text.successors[index]) {
      bool changed = meet(before[successor], after);
      if (changed || !visited[successor]) {
        visited[successor] = true;
        pending.push_back(successor);
      }
    }
  }

  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    const mc::Instruction &instruction = text.instructions[index];
    if (before[index].empty())
      continue;
    for (uint8_t rule = 0; rule < std::size(Rules); ++rule) {
      for (unsigned slot : Rules[rule].consumed(instruction)) {
        auto found = before[index].find({rule, static_cast<uint16_t>(slot)});
        if (found != before[index].end())
          defects.add(text, instruction.offset, "{}: {} wait states too few ({})", instruction.mnemonic,
                      Rules[rule].waitStates - found->second, Rules[rule].name);
      }
    }
  }
}

} // namespace dovetail::check
