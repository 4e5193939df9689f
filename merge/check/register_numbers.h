// SPDX-License-Identifier: MIT
//
// One number for each register that checks follow through code, and the moves between registers. SGPRs, VCC, M0 and the
// like have the numbers of their operand encodings. SCC has 127; VGPRs follow.
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
// The number of the range's register with this index. Nothing for registers that always hold something: EXEC, MODE and
// the like.
std::optional<unsigned> numberOf(const isa::RegisterRange &range, unsigned index);

// A move that gives a register the content of another register, or a constant, in every lane alike.
struct PlainMove {
  const isa::RegisterRange *to;
  const isa::RegisterRange *from; // as wide; nullptr for a constant or a register without number
};
std::optional<PlainMove> asPlainMove(const isa::Instruction &instruction);

} // namespace dovetail::check
