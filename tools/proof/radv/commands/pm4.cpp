// SPDX-License-Identifier: MIT
#include "tools/proof/radv/commands/pm4.h"

namespace dovetail {

namespace {

constexpr uint32_t Type3 = 3;
constexpr uint32_t CountMask = 0x3fff;      // dwords of the payload, - 1
constexpr uint32_t PaddingNop = 0xffff1000; // one dword, although its count says more

// The registers that packets of one kind can write, as dword indices.
struct RegisterRange {
  uint32_t begin, end;
};

std::optional<RegisterRange> rangeOf(uint32_t opcode) {
  switch (opcode) {
  case opcode::SetContextReg:
    return RegisterRange{0x28000 / 4, 0x30000 / 4};
  case opcode::SetShReg:
  case opcode::SetShRegIndex:
    return RegisterRange{0xb000 / 4, 0xc000 / 4};
  case opcode::SetUconfigReg:
  case opcode::SetUconfigRegIndex:
    return RegisterRange{0x30000 / 4, 0x40000 / 4};
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<size_t> packetSize(uint32_t header) {
  if (header == PaddingNop)
    return 1;
  if (header >> 30 != Type3)
    return std::nullopt;
  return (header >> 16 & CountMask) + 2;
}

uint32_t packetHeader(uint32_t opcode, size_t payloadSize) {
  return Type3 << 30 | (static_cast<uint32_t>(payloadSize - 1) & CountMask) << 16 | opcode << 8;
}

Result<RegisterValues> readRegisterWrites(std::span<const uint32_t> commands) {
  RegisterValues registers;
  for (size_t at = 0; at < commands.size();) {
    std::optional<size_t> size = packetSize(commands[at]);
    if (!size)
      return makeError(ErrorCode::CheckFailed, "dword {} of the commands, {:#x}, is no type-3 packet", at,
                       commands[at]);
    if (*size > commands.size() - at)
      return makeError(ErrorCode::CheckFailed, "the packet at dword {} of the commands has {} dwords, {} are there", at,
                       *size, commands.size() - at);
    std::span<const uint32_t> payload = commands.subspan(at + 1, *size - 1);
    if (std::optional<RegisterRange> range = rangeOf(commands[at] >> 8 & 0xff)) {
      // In the _INDEX forms, the upper half of the first dword is the index.
      const size_t first = range->begin + (payload[0] & 0xffff);
      if (first + payload.size() - 1 > range->end)
        return makeError(ErrorCode::CheckFailed, "the packet at dword {} of the commands writes {:#x}, no register", at,
                         first);
      for (size_t i = 1; i < payload.size(); ++i)
        registers[static_cast<uint32_t>(first + i - 1)] = payload[i];
    }
    at += *size;
  }
  return registers;
}

} // namespace dovetail
