// SPDX-License-Identifier: MIT
#include "tools/proof/radv/own_code.h"
#include "tools/proof/radv/commands/own_memory.h"
#include <algorithm>

namespace dovetail {

namespace {

// Whether `memory` begins with the memory that the programs share.
bool hasAll(Dwords memory, std::span<const OwnProgram> programs) {
  return std::ranges::all_of(programs, [&](const OwnProgram &program) {
    const size_t offset = program.offset / sizeof(uint32_t);
    return offset <= memory.size() && program.listing.describes(memory.subspan(offset));
  });
}

} // namespace

Result<std::vector<std::vector<uint8_t>>> findOwnCode(std::span<const OwnProgram> programs) {
  for (Dwords memory : OwnMemory())
    for (size_t at = 0; at < memory.size(); ++at) {
      if (!hasAll(memory.subspan(at), programs))
        continue;
      std::vector<std::vector<uint8_t>> code;
      for (const OwnProgram &program : programs) {
        const Dwords own = memory.subspan(at + program.offset / sizeof(uint32_t));
        const auto *bytes = reinterpret_cast<const uint8_t *>(own.data());
        code.emplace_back(bytes, bytes + program.listing.size(own) * sizeof(uint32_t));
      }
      return code;
    }
  return makeError(ErrorCode::CheckFailed, "RADV's machine code is not in memory");
}

} // namespace dovetail
