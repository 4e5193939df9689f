// SPDX-License-Identifier: MIT
//
// What a geometry wave tells the fixed function with s_sendmsg: which lanes have finished a vertex, which a strip, and
// that the wave is done. The hardware trusts these messages; here one that it would choke on is a trap.
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

// What a geometry wave may say.
struct GsMessageRules {
  uint32_t waveId = 0;      // that M0 must hold
  unsigned threads = 0;     // lanes that run geometry; without any the wave must be silent
  unsigned maxVertices = 0; // of a lane, for each stream
};

// How much a wave has said so far.
struct GsMessageState {
  std::array<std::array<uint16_t, 64>, VertexStreams> emitted = {};
  bool done = false;
};

// Traps BadMessage if the wave must not send this now.
void checkGsMessage(Wave &wave, const Message &message);
// Traps BadMessage if the wave must not end yet.
void checkGsEnd(Wave &wave);

} // namespace dovetail::emulator
