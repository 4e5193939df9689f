// SPDX-License-Identifier: MIT
//
// Copy waves: the program of the VS stage takes emitted vertices from the GSVS ring to the rasteriser and to transform
// feedback.
#pragma once

#include "tools/proof/emulator/draw/primitives/geometry_output.h"
#include "tools/proof/emulator/draw/waves/vertex_waves.h"

namespace dovetail::emulator {

class CopyWaves {
public:
  // Errors: those of VertexWaves.
  static Result<CopyWaves> make(Gpu &gpu, const Draw &command);

  // Runs for all vertices of the primitives, if the stream is written or rasterised. Errors: those of VertexWaves.
  Result<void> run(unsigned stream, const StreamPrimitives &primitives);

  // The vertices and primitives of the stream that is rasterised.
  ShadedDraw finish() { return std::move(m_shaded); }

private:
  CopyWaves(VertexWaves waves, bool lastProvokes) : m_waves(std::move(waves)), m_lastProvokes(lastProvokes) {}
  Result<void> runShared(const StreamPrimitives &primitives);
  Result<void> runListed(unsigned stream, const StreamPrimitives &primitives);

  VertexWaves m_waves;
  bool m_lastProvokes;
  ShadedDraw m_shaded;
};

} // namespace dovetail::emulator
