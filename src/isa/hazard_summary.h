// SPDX-License-Identifier: MIT
//
// Summarises what a piece of code leaves pending at its end and is sensitive to at its start.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/isa/hazards.h"
#include "src/isa/instruction.h"
#include <span>

namespace dovetail::isa {

// Summarises the hazards of all instructions of one part along every path: producers before each way out (falling
// through or branching to the end), consumers within MaxWaitStates of the start. Thread-safe. Errors: InvalidInput,
// with the offset, for code that branches out of itself.
Result<HazardSummary> summarizeHazards(std::span<const Instruction> instructions, const TargetInfo &target);

} // namespace dovetail::isa
