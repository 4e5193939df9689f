// SPDX-License-Identifier: MIT
//
// A set of single registers of all files, for dataflow over decoded code.
#pragma once

#include "src/mc/disassembler.h"
#include <bitset>
#include <optional>
#include <string>

namespace dovetail::check {

constexpr unsigned SgprSlots = 104;
constexpr unsigned VgprSlots = 256;
constexpr unsigned SpecialSlots = 16;

using RegisterSet = std::bitset<SgprSlots + VgprSlots + SpecialSlots>;

// The slot of register number `index` of a file; none for what is not tracked (mode, constants, apertures).
inline std::optional<unsigned> slotOf(mc::RegisterFile file, unsigned index) {
  constexpr unsigned special = SgprSlots + VgprSlots;
  switch (file) {
  case mc::RegisterFile::Sgpr:
    return index < SgprSlots ? std::optional(index) : std::nullopt;
  case mc::RegisterFile::Vgpr:
    return index < VgprSlots ? std::optional(SgprSlots + index) : std::nullopt;
  case mc::RegisterFile::Vcc:
    return special + (index & 1);
  case mc::RegisterFile::Exec:
    return special + 2 + (index & 1);
  case mc::RegisterFile::M0:
    return special + 4;
  case mc::RegisterFile::Scc:
    return special + 5;
  case mc::RegisterFile::FlatScratch:
    return special + 6 + (index & 1);
  default:
    return std::nullopt;
  }
}

inline std::string registerName(mc::RegisterFile file, unsigned index) {
  switch (file) {
  case mc::RegisterFile::Sgpr:
    return "s" + std::to_string(index);
  case mc::RegisterFile::Vgpr:
    return "v" + std::to_string(index);
  case mc::RegisterFile::Vcc:
    return index ? "vcc_hi" : "vcc_lo";
  case mc::RegisterFile::Exec:
    return index ? "exec_hi" : "exec_lo";
  case mc::RegisterFile::M0:
    return "m0";
  case mc::RegisterFile::Scc:
    return "scc";
  case mc::RegisterFile::FlatScratch:
    return index ? "flat_scratch_hi" : "flat_scratch_lo";
  default:
    return "?";
  }
}

// Calls visit(slot, file, index) for each register of a range that is tracked.
template <typename Visit> void forEachRegister(const mc::RegisterRange &range, Visit visit) {
  for (unsigned i = range.first; i < unsigned(range.first) + range.count; ++i) {
    if (std::optional<unsigned> slot = slotOf(range.file, i))
      visit(*slot, range.file, i);
  }
}

} // namespace dovetail::check
