// SPDX-License-Identifier: MIT
//
// One number for each register that is followed through code, and the moves between them. SGPRs have their numbers as
// operands have them, VCC, M0 and the like the numbers that stand for them there; SCC has 127, VGPRs come behind.
#pragma once

#include "src/abi/value.h"
#include "src/isa/instruction.h"
#include <optional>

namespace dovetail::check {

constexpr unsigned VccNumber = 106; // of the lower half
constexpr unsigned SccNumber = 127;
constexpr unsigned FirstVgprNumber = 128;
constexpr unsigned RegisterNumbers = FirstVgprNumber + 256;

unsigned numberOf(Register reg);
// Of the range's register with this index; nothing for what always holds something: EXEC, MODE and the like.
std::optional<unsigned> numberOf(const isa::RegisterRange &range, unsigned index);

// A register gets what another one holds, or a constant, whatever lane it is.
struct PlainMove {
  const isa::RegisterRange *to;
  const isa::RegisterRange *from; // as wide; nullptr for a constant and for what has no number
};
std::optional<PlainMove> asPlainMove(const isa::Instruction &instruction);

} // namespace dovetail::check
