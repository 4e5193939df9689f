// SPDX-License-Identifier: MIT
//
// How lanes find their way. Blocks run in their order, each with those lanes in EXEC that have come to it. Lanes that
// wait for a block that comes later are in the block's *slot*, a mask in two SGPRs:
//
//   None        all lanes that run arrive together: EXEC is right
//   Saved       all lanes that leave the dominator come here: the slot is EXEC at the dominator's end
//   Collected   the slot is empty at the setter's end, and each way to the block adds its own lanes
//   Assigned    the block has one predecessor, whose other lanes run first
//
// Where all lanes decide alike, scalar branches jump past blocks in which no lanes wait.
#pragma once

#include "src/first/form/program.h"
#include <string>
#include <vector>

namespace dovetail::first {

enum class Slot : uint8_t { None, Saved, Collected, Assigned };

struct Way {
  Slot slot = Slot::None;
  uint16_t setter = 0;          // the block at whose end the slot begins
  bool isDivergent = false;     // the block ends with a branch on a mask
  bool loopIsDivergent = false; // a header: lanes leave the loop apart
};

struct ControlFlow {
  std::vector<Way> ways; // by block
  // The first block behind `block`, and not behind `limit`, in which lanes may wait when `block` ends; `limit` + 1 if
  // there is none. Where `block` begins, slots that it begins itself are none yet.
  uint16_t nextWaiting(uint16_t block, uint16_t limit) const { return nextWaiting(block, limit, block + 1u); }
  uint16_t nextWaitingAtStart(uint16_t block, uint16_t limit) const { return nextWaiting(block, limit, block); }

private:
  uint16_t nextWaiting(uint16_t block, uint16_t limit, unsigned setters) const;
};

// Returns a reason to refuse, or nothing.
std::string planControlFlow(const Program &program, ControlFlow &flow);

} // namespace dovetail::first
