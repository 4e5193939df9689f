// SPDX-License-Identifier: MIT
//
// Vertex waves: runs the program of the hardware's VS stage (vertex, evaluation or copy shader), up to 64 vertices at a
// time, and decodes its exports.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include "tools/proof/emulator/draw/primitives/streamout.h"
#include <span>

namespace dovetail::emulator {

// Inputs of a wave of the VS stage.
struct VertexWave {
  std::vector<FrontVertex> vertices; // up to 64, with the same off-chip offset
  StreamoutWave streamout;
  bool isRasterised = true;
};

class VertexWaves {
public:
  // Errors: StateMismatch if registers contradict each other.
  static Result<VertexWaves> make(Gpu &gpu, const Draw &command);

  const Streamout &streamout() const { return m_streamout; }
  Streamout &streamout() { return m_streamout; }

  // Adds one result for each vertex, in their order, if the wave is rasterised. Errors: CheckFailed with the first
  // trap's text, or with BadExport's if the exports differ from SPI_SHADER_POS_FORMAT and SPI_VS_OUT_CONFIG.
  Result<void> run(const VertexWave &vertexWave, std::vector<ShadedVertex> &results);

private:
  VertexWaves(Gpu &gpu, const Draw &command, Streamout streamout)
      : m_gpu(gpu), m_command(command), m_streamout(streamout) {}

  Gpu &m_gpu;
  const Draw &m_command;
  Streamout m_streamout;
  WaveSetup m_common;
};

// Runs all vertices of a draw without geometry. Errors: those of VertexWaves.
Result<ShadedDraw> shadeVertices(Gpu &gpu, const Draw &command, const FrontDraw &front);

} // namespace dovetail::emulator
