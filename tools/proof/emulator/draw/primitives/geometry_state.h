// SPDX-License-Identifier: MIT
//
// The settings of geometry in the registers: groups of threads, layout of the rings, types of output.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail::emulator {

// The values of VGT_GS_OUT_PRIM_TYPE.
enum class GsOutput : uint8_t { Points, LineStrip, TriangleStrip };

struct GeometryState {
  unsigned invocations = 1; // of each primitive
  unsigned maxVertices = 0; // of a lane, for each stream
  std::array<GsOutput, VertexStreams> outputs = {};

  // A group is full when it has so many ES vertices or primitives; its last primitive may still add vertices.
  unsigned groupVertices = 0, groupPrimitives = 0;
  unsigned esVertexDwords = 0; // in the ESGS ring, or on GFX9 in LDS
  uint32_t ldsBytes = 0;       // GFX9: of a group
  uint32_t esgsRingBytes = 0;  // GFX8

  // The GSVS ring: the size of a lane, the start of each stream's part, the size of a vertex of each stream.
  uint32_t gsvsRingBytes = 0;
  uint32_t laneDwords = 0;
  std::array<uint32_t, VertexStreams> streamBase = {}, vertexDwords = {};

  // Where a copy shader finds vertex `number` of a stream, in dwords from the start of the ring. gs2VsOffset: the
  // wave's, in bytes.
  uint32_t vertexOffset(uint32_t gs2VsOffset, unsigned stream, unsigned lane, unsigned number) const;
};

// Errors: StateMismatch if registers contradict each other or the hardware.
Result<GeometryState> readGeometryState(Generation generation, const HardwareRegisters &registers);

} // namespace dovetail::emulator
