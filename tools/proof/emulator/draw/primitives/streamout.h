// SPDX-License-Identifier: MIT
//
// Transform feedback: which vertices a wave may write, and where. The hardware only counts; the stores are the vertex
// shader's.
// What is believed here: docs/hardware-facts.md.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

constexpr unsigned MaxStreamoutBuffers = 4;

// What the system SGPRs of a wave say.
struct StreamoutWave {
  unsigned stream = 0;
  unsigned vertices = 0;   // the first lanes that write
  uint32_t writeIndex = 0; // vertices of the stream that are in the buffers already
};

class Streamout {
public:
  // Errors: StateMismatch if a buffer of a stream has no stride, or one that the program of the VS stage gets no offset
  // for.
  static Result<Streamout> make(const HardwareRegisters &registers);

  // Vertices of the stream are written: its primitives come as lists, none of their vertices shared.
  bool isOn(unsigned stream) const { return (m_streams >> stream & 1) != 0; }
  // The stream that is rasterised; VertexStreams or more: none.
  unsigned rasterisedStream() const { return m_rasterised; }

  // The stream's next wave, with that many primitives. A primitive that does not fit into all buffers is not written,
  // and none after it.
  StreamoutWave nextWave(unsigned stream, unsigned primitives, unsigned corners);

  uint32_t offset(unsigned buffer) const { return m_offsets[buffer]; } // dwords

private:
  uint32_t m_streams = 0;
  unsigned m_rasterised = 0;
  std::array<uint32_t, MaxStreamoutBuffers> m_offsets = {};
  std::array<uint32_t, VertexStreams> m_capacity = {}, m_written = {}; // vertices
};

// The corners in the order in which they are written: with the last vertex convention the one that provokes is last.
// (What Vulkan calls preserving the provoking vertex.)
std::array<uint32_t, 3> writtenOrder(const AssembledPrimitive &primitive, bool lastProvokes);
// The primitive whose corners follow each other in that order, from vertex `first` on.
AssembledPrimitive listedPrimitive(const AssembledPrimitive &primitive, uint32_t first, bool lastProvokes);

} // namespace dovetail::emulator
