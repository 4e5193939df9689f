// SPDX-License-Identifier: MIT
#include "src/isa/register_use.h"

namespace dovetail::isa {

RegisterUse registersUsed(std::span<const Instruction> instructions) {
  RegisterUse use;
  for (const Instruction &instruction : instructions) {
    for (const RegisterRange &range : instruction.reads)
      use.add(range);
    for (const RegisterRange &range : instruction.writes)
      use.add(range);
  }
  return use;
}

} // namespace dovetail::isa
