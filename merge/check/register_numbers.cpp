// SPDX-License-Identifier: MIT
#include "merge/check/register_numbers.h"

namespace dovetail::check {

using isa::RegisterFile;
using isa::RegisterRange;

unsigned numberOf(Register reg) {
  return reg.bank == RegisterBank::Sgpr ? reg.index : FirstVgprNumber + reg.index;
}

std::optional<unsigned> numberOf(const RegisterRange &range, unsigned index) {
  const unsigned number = range.first + index;
  switch (range.file) {
  case RegisterFile::Sgpr:
    return number < 102 ? std::optional(number) : std::nullopt;
  case RegisterFile::FlatScratch:
    return 102 + number;
  case RegisterFile::XnackMask:
    return 104 + number;
  case RegisterFile::Vcc:
    return VccNumber + number;
  case RegisterFile::M0:
    return 124;
  case RegisterFile::Scc:
    return SccNumber;
  case RegisterFile::Vgpr:
    return number < 256 ? std::optional(FirstVgprNumber + number) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<PlainMove> asPlainMove(const isa::Instruction &instruction) {
  const std::string_view name = instruction.mnemonic;
  if ((name != "v_mov_b32" && name != "s_mov_b32" && name != "s_mov_b64") || instruction.is(isa::Dpp | isa::Sdwa) ||
      instruction.writes.empty())
    return std::nullopt;
  PlainMove move{&instruction.writes[0], nullptr};
  for (const RegisterRange &range : instruction.reads)
    if (!range.implicit && numberOf(range, 0) && range.count == move.to->count)
      move.from = &range;
  return move;
}

} // namespace dovetail::check
