// SPDX-License-Identifier: MIT
//
// What a piece of code leaves pending at its end and is sensitive to at its start, found by decoding it once when its
// part is made.
#pragma once

#include "src/base/error.h"
#include "src/isa/hazards.h"
#include <cstdint>
#include <span>
#include <string_view>

namespace dovetail::mc {

// Decodes the code of one part, from its first byte to its last, and summarises its hazards along every path: producers
// before each way out (falling through or branching to the end), consumers within isa::MaxWaitStates of the start.
// Thread-safe. Errors: UnknownGpu; InvalidInput for code that does not decode or branches out of itself, with the
// offset.
Result<isa::HazardSummary> summarizeHazards(std::span<const uint8_t> code, std::string_view gpuName);

} // namespace dovetail::mc
