// SPDX-License-Identifier: MIT
//
// Transform feedback: decides which vertices a wave may write, and where. The hardware only counts; the vertex shader
// stores. docs/hardware-facts.md lists the assumptions.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

constexpr unsigned MaxStreamoutBuffers = 4;

// Values of a wave's system SGPRs.
struct StreamoutWave {
  unsigned stream = 0;
  unsigned vertices = 0;   // number of lanes that write, from lane 0 on
  uint32_t writeIndex = 0; // vertices of the stream that are already in the buffers
};

class Streamout {
public:
  // Errors: StateMismatch if a buffer of a stream has no stride, or if the program of the VS stage gets no offset for
  // it.
  static Result<Streamout> make(const HardwareRegisters &registers);

  // Whether vertices of the stream are written. If so, its primitives come as lists and share no vertices.
  bool isOn(unsigned stream) const { return (m_streams >> stream & 1) != 0; }
  // The stream that is rasterised; VertexStreams or more: none.
  unsigned rasterisedStream() const { return m_rasterised; }

  // The stream's next wave, with so many primitives. From the first primitive on that does not fit into all buffers,
  // none is written.
  StreamoutWave nextWave(unsigned stream, unsigned primitives, unsigned corners);

  uint32_t offset(unsigned buffer) const { return m_offsets[buffer]; } // dwords

private:
  uint32_t m_streams = 0;
  unsigned m_rasterised = 0;
  std::array<uint32_t, MaxStreamoutBuffers> m_offsets = {};
  std::array<uint32_t, VertexStreams> m_capacity = {}, m_written = {}; // vertices
};

// The corners in the order of writing: with the last vertex convention, the provoking corner is the last. (Vulkan calls
// this preserving the provoking vertex.)
std::array<uint32_t, 3> writtenOrder(const AssembledPrimitive &primitive, bool lastProvokes);
// The primitive with its corners in that order, from vertex `first` on.
AssembledPrimitive listedPrimitive(const AssembledPrimitive &primitive, uint32_t first, bool lastProvokes);

} // namespace dovetail::emulator
