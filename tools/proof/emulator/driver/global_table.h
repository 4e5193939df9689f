// SPDX-License-Identifier: MIT
//
// The driver's global table: V#s that shaders find at fixed places behind the pointer in their first SGPR.
#pragma once

#include "src/abi/driver_contract.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/run/run.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// Entries and what kind of V# each is: the table in src/abi/driver_contract.def.
constexpr unsigned GlobalTableEntries =
    unsigned(std::ranges::max(GlobalTable, {}, &GlobalTableContract::entry).entry) + 1;

struct GlobalTableRow {
  GlobalTableEntry entry;
  BufferView view;
};

struct GlobalTableNeeds {
  uint64_t graphicsScratchBytes = 0; // of all waves that run at once
  uint64_t computeScratchBytes = 0;
  std::vector<GlobalTableRow> rings;
};

// Row y % 32, bit x % 32: whether a pixel of a polygon is drawn when polygon stippling is on.
std::array<uint32_t, 32> polygonStipplePattern();

// Returns the pointer.
uint32_t makeGlobalTable(emulator::Gpu &gpu, const GlobalTableNeeds &needs);

} // namespace dovetail
