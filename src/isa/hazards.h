// SPDX-License-Identifier: MIT
//
// The hardware leaves some hazards to software: pairs of a producer and a consumer that need wait states between them.
// LLVM resolves them only inside one function. A HazardSummary says for one piece of code that is entered at its start
// what may still be pending at its end and what its first instructions are sensitive to. So a join compares two small
// lists. Source: "Vega" Instruction Set Architecture, section 4.5 "Manually Inserted Wait States (NOPs)"; LLVM's
// GCNHazardRecognizer, whose reading is taken where the manual is less exact (named in hazards.cpp).
#pragma once

#include "src/abi/value.h"
#include <cstdint>
#include <vector>

namespace dovetail::isa {

// Each is named as a sentence: producer, then consumer.
enum class Hazard : uint8_t {
  ValuWritesSgprThenVmemReadsIt,         // 5
  ValuWritesVccThenDivFmas,              // 4
  ValuWritesSgprThenLaneSelectReadsIt,   // 4: v_readlane, v_writelane
  ValuWritesVgprThenDppReadsIt,          // 2
  ValuWritesExecThenDpp,                 // 5
  ValuWritesVccOrExecThenReadsVcczExecz, // 5: as a data source
  SaluWritesM0ThenInterpOrLdsOrMessage,  // 1: LDS add-TID, buffer_load … lds, v_interp, GDS, s_sendmsg, s_movrel
  SetregThenGetregOfSameRegister,        // 2
  SetregThenSetregOfSameRegister,        // 2
  WideVmemStoreThenValuWritesItsData,    // 1: more than 64 bits of store data
  SetregModeVskipThenVector,             // 2
  SetregTrapstsThenRfe,                  // 1
  // Soft clauses: consecutive SMEM instructions (edges of bank Sgpr) or consecutive VMEM instructions (bank Vgpr).
  // After a page fault the hardware runs a clause once more. Any other instruction ends the clause.
  ClauseWritesThenReads,         // 1
  ClauseReadsThenWrites,         // 1
  ClauseOverwritesItsOwnOperand, // 1: such an instruction must stand alone
  ClauseLoadsThenStores,         // 1
};
constexpr unsigned HazardCount = 16;

// The wait states that a hazard needs between its producer and its consumer.
unsigned requiredWaitStates(Hazard hazard);
// "VALU writes an SGPR, then VMEM reads it".
const char *toString(Hazard hazard);

// Scalar registers that have names of their own but are written and read like SGPRs, as numbers of the Sgpr bank
// ("Vega" ISA manual, section 5.2).
constexpr uint16_t VccAsSgpr = 106;
constexpr uint16_t M0AsSgpr = 124;

// One side of a hazard at the border of a part. The registers are SGPRs or VGPRs [first, first + count). Hazards on
// special registers have count 0, and `first` says which:
// - hardware registers: the register's number
// - VCCZ: 0, EXECZ: 1
// - ClauseOverwritesItsOwnOperand: 0 if the first instruction does so, 1 if the second does
// - others: 0
//
// All instructions of a clause that reaches the border stand 0 wait states from it.
struct HazardEdge {
  Hazard hazard;
  RegisterBank bank = RegisterBank::Sgpr;
  uint16_t first = 0;
  uint16_t count = 0;
  uint8_t waitStates = 0; // between this instruction and the border, on the shortest path

  auto operator<=>(const HazardEdge &) const = default;
};

// Whether the two sides are of the same hazard and on the same register.
bool conflict(const HazardEdge &producer, const HazardEdge &consumer);

struct HazardSummary {
  std::vector<HazardEdge> pendingAtEnd;     // producers near the end
  std::vector<HazardEdge> sensitiveAtStart; // consumers near the start
  // Wait states of the shortest path through the whole part, at most MaxWaitStates. If it is less than that, hazards of
  // the part before it reach the part behind it.
  uint8_t length = 0;
};

constexpr unsigned MaxWaitStates = 5;
// So many instructions of a soft clause are compared with each other: LLVM's GCNHazardRecognizer remembers no more of
// the instructions that it has emitted (getMaxLookAhead).
constexpr unsigned MaxClauseDistance = 5;

} // namespace dovetail::isa
