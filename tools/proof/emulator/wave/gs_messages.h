// SPDX-License-Identifier: MIT
//
// The messages that a geometry wave sends to the fixed function with s_sendmsg: which lanes have finished a vertex,
// which a strip, and that the wave is done. The hardware trusts these messages. Here, a message that would confuse the
// hardware is a trap.
#pragma once

#include <array>
#include <cstdint>

namespace dovetail::emulator {

class Wave;

// A message as the wave sent it.
struct Message {
  uint16_t simm16;
  uint32_t m0;
  uint64_t exec;
};

constexpr unsigned VertexStreams = 4;

// The fields of a message's immediate: "Vega" ISA manual, section 12.5.1; LLVM, SIDefines.h, SendMsg.
constexpr unsigned messageId(const Message &message) {
  return message.simm16 & 15u;
}
constexpr unsigned GsMessage = 2, GsDoneMessage = 3;
struct GsOperation {
  bool cuts, emits; // an emit comes before a cut
  uint8_t stream;
};
constexpr GsOperation gsOperation(const Message &message) {
  return {(message.simm16 >> 4 & 1) != 0, (message.simm16 >> 5 & 1) != 0, uint8_t(message.simm16 >> 8 & 3)};
}

// The messages that a geometry wave may send.
struct GsMessageRules {
  uint32_t waveId = 0;      // the required value of M0
  unsigned threads = 0;     // lanes that run geometry; with 0, the wave must send no message
  unsigned maxVertices = 0; // per lane and stream
};

// The messages of a wave so far.
struct GsMessageState {
  std::array<std::array<uint16_t, 64>, VertexStreams> emitted = {};
  bool done = false;
};

// Traps BadMessage if the wave must not send this now.
void checkGsMessage(Wave &wave, const Message &message);
// Traps BadMessage if the wave must not end yet.
void checkGsEnd(Wave &wave);

} // namespace dovetail::emulator
