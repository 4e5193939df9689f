// SPDX-License-Identifier: MIT
#include "tools/proof/radv/commands/own_commands.h"
#include "tools/proof/radv/commands/own_memory.h"
#include "tools/proof/radv/commands/pm4.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr size_t MaxCommands = 4096; // dwords in RADV's null command buffers

// Bytes behind the preamble may look like packets, too. Two rules find its end. First, the preamble only has packets
// that clear the state, pad, or set a few registers. Second, RADV ends it at a multiple of so many dwords. The second
// rule is needed because malloc's chunk has two more dwords, whose old contents may look like the beginning of such a
// packet.
constexpr size_t MaxPreamblePacket = 34;
constexpr size_t PreambleAlignment = 8;

bool isPreamblePacket(uint32_t header) {
  switch (header >> 8 & 0xff) {
  case opcode::Nop:
  case opcode::ClearState:
  case opcode::ContextControl:
  case opcode::SetContextReg:
  case opcode::SetShReg:
  case opcode::SetUconfigReg:
  case opcode::SetUconfigRegIndex:
  case opcode::SetShRegIndex:
    return true;
  default:
    return false;
  }
}

// The packet that writes a marker.
constexpr size_t BeforeMarker = 4; // header, control, address
constexpr size_t MarkerSize = BeforeMarker + std::tuple_size_v<CommandMarker>;

bool isMarker(Dwords memory, size_t at, const CommandMarker &marker) {
  const uint32_t header = packetHeader(opcode::WriteData, MarkerSize - 1);
  return memory[at] == header && memory.size() - at >= MarkerSize &&
         std::ranges::equal(memory.subspan(at + BeforeMarker, marker.size()), marker);
}

} // namespace

Result<std::vector<uint32_t>> findCommandsBetween(const CommandMarker &begin, const CommandMarker &end) {
  for (Dwords memory : OwnMemory())
    for (size_t at = 0; at < memory.size(); ++at) {
      if (!isMarker(memory, at, begin))
        continue;
      Dwords rest = memory.subspan(at + MarkerSize);
      for (size_t size = 0; size < std::min(rest.size(), MaxCommands); ++size)
        if (isMarker(rest, size, end))
          return std::vector<uint32_t>(rest.begin(), rest.begin() + ptrdiff_t(size));
    }
  return makeError(ErrorCode::CheckFailed, "the commands that were recorded are not in memory");
}

Result<std::vector<uint32_t>> findPreamble() {
  const std::array<uint32_t, 3> beginning = {packetHeader(opcode::ContextControl, 2), 1u << 31, 1u << 31};
  for (Dwords memory : OwnMemory())
    for (size_t at = 0; at + beginning.size() <= memory.size(); ++at) {
      if (!std::ranges::equal(memory.subspan(at, beginning.size()), beginning))
        continue;
      size_t end = at;
      for (size_t next = at; next < memory.size();) {
        std::optional<size_t> size = packetSize(memory[next]);
        if (!size || *size > MaxPreamblePacket || *size > memory.size() - next || !isPreamblePacket(memory[next]))
          break;
        next += *size;
        if ((next - at) % PreambleAlignment == 0)
          end = next;
      }
      constexpr size_t Least = 100; // a shorter find is the rest of an old preamble
      if (end - at > Least)
        return std::vector<uint32_t>(memory.begin() + ptrdiff_t(at), memory.begin() + ptrdiff_t(end));
    }
  return makeError(ErrorCode::CheckFailed, "the preamble is not in memory");
}

} // namespace dovetail
