// SPDX-License-Identifier: MIT
//
// Says which registers a program is launched with, whatever its code does with them. For most programs the main part's
// interface says that. A merged program (GFX9: LS+HS, ES+GS) is launched with the union of its halves' inputs, in a
// layout of its own (entry_registers.h).
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

struct EntryInterface {
  // User data, system SGPRs and hardware VGPRs that the program reads, in their launch registers, sorted by register.
  std::vector<Binding> inputs;
  unsigned userSgprCount = 0;

  bool operator==(const EntryInterface &) const = default;
};

// The launch state of the merged program `stage` (Hs or Gs) whose halves have these interfaces. User SGPRs from s8: the
// first half's in their order, then those of the second half that the first does not have. MergedWaveInfo is always
// among the inputs; ScratchOffset, if one of the halves lists it.
EntryInterface mergedEntry(HardwareStage stage, const ShaderInterface &first, const ShaderInterface &second);

} // namespace dovetail
