// SPDX-License-Identifier: MIT
//
// Makes the driver's global table: V#s at fixed places, to which the shaders' first SGPR points.
#pragma once

#include "src/abi/driver_contract.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/run/run.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// The entries and their kinds of V#: see the table in src/abi/driver_contract.def.
constexpr unsigned GlobalTableEntries =
    unsigned(std::ranges::max(GlobalTable, {}, &GlobalTableContract::entry).entry) + 1;

struct GlobalTableRow {
  GlobalTableEntry entry;
  BufferView view;
};

struct GlobalTableNeeds {
  uint64_t graphicsScratchBytes = 0; // of all waves that run at the same time
  uint64_t computeScratchBytes = 0;
  std::vector<GlobalTableRow> rings;
};

// Row y % 32, bit x % 32: whether polygon stippling draws this pixel.
std::array<uint32_t, 32> polygonStipplePattern();

// Returns the pointer to the table.
uint32_t makeGlobalTable(emulator::Gpu &gpu, const GlobalTableNeeds &needs);

} // namespace dovetail
