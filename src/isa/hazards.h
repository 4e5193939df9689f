// SPDX-License-Identifier: MIT
//
// Hazards that the hardware leaves to software and LLVM resolves only inside one function: pairs of a producer and a consumer that
// need wait states between them. A HazardSummary says, for one piece of straight-line-entered code, what may still be pending when it
// ends and what its first instructions are sensitive to, so that a join is resolved by comparing two small lists.
// Source: "Vega" Instruction Set Architecture, section 4.5 "Manually Inserted Wait States (NOPs)"; LLVM's GCNHazardRecognizer.
#pragma once

#include "src/abi/value.h"
#include <cstdint>
#include <vector>

namespace dovetail::isa {

// Each is named as a sentence: producer, then consumer.
enum class Hazard : uint8_t {
  ValuWritesSgprThenVmemReadsIt,          // 5
  ValuWritesVccThenDivFmas,               // 4
  ValuWritesSgprThenLaneSelectReadsIt,    // 4: v_readlane, v_writelane
  ValuWritesVgprThenDppReadsIt,           // 2
  ValuWritesExecThenDpp,                  // 5
  ValuWritesVccOrExecThenReadsVcczExecz,  // 5: as a data source
  SaluWritesM0ThenInterpOrLdsOrMessage,   // 1: LDS add-TID, buffer_load … lds, v_interp, GDS, s_sendmsg, s_movrel
  SetregThenGetregOfSameRegister,         // 2
  SetregThenSetregOfSameRegister,         // 2
  WideVmemStoreThenValuWritesItsData,     // 1: more than 64 bits of store data
  SetregModeVskipThenVector,              // 2
  SetregTrapstsThenRfe,                   // 1
};

// The wait states that a hazard needs between its producer and its consumer.
unsigned requiredWaitStates(Hazard hazard);
// "VALU writes an SGPR, then VMEM reads it".
const char *toString(Hazard hazard);

// One side of a hazard at the border of a part. The registers are SGPRs or VGPRs [first, first + count); hazards on special registers
// (VCC, EXEC, M0, hardware registers) use count 0, and for hardware registers first is the register number.
struct HazardEdge {
  Hazard hazard;
  RegisterBank bank = RegisterBank::Sgpr;
  uint16_t first = 0;
  uint16_t count = 0;
  uint8_t waitStates = 0; // between this instruction and the border, on the shortest path

  auto operator<=>(const HazardEdge &) const = default;
};

struct HazardSummary {
  std::vector<HazardEdge> pendingAtEnd;    // producers near the end
  std::vector<HazardEdge> sensitiveAtStart; // consumers near the start
  // Wait states of the shortest path through the whole part, at most MaxWaitStates. A part shorter than that lets hazards of the part
  // before it reach the part behind it.
  uint8_t length = 0;
};

constexpr unsigned MaxWaitStates = 5;

} // namespace dovetail::isa
