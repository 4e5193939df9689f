// SPDX-License-Identifier: MIT
//
// Each lane has a row of vertices for each stream, cut into strips. A strip that is too short for a primitive gives
// none. Every second triangle of a strip has two corners swapped, so that all triangles have the winding of the first
// (the Vulkan specification, "Geometry Shader Output Primitives"; messages: gs_messages.h).
#include "tools/proof/emulator/draw/primitives/geometry_output.h"

namespace dovetail::emulator {

namespace {

// The vertices of one lane and stream.
struct EmittedRow {
  unsigned vertices = 0;
  std::vector<unsigned> cuts; // in front of these vertices
};

using LaneRows = std::array<std::array<EmittedRow, VertexStreams>, WaveSize>;

LaneRows readMessages(const Wave &wave) {
  LaneRows rows;
  for (const Message &message : wave.messages) {
    if (messageId(message) != GsMessage && messageId(message) != GsDoneMessage)
      continue;
    const GsOperation operation = gsOperation(message);
    for (unsigned lane = 0; lane < WaveSize; ++lane) {
      if ((message.exec >> lane & 1) == 0)
        continue;
      EmittedRow &row = rows[lane][operation.stream];
      row.vertices += operation.emits;
      if (operation.cuts)
        row.cuts.push_back(row.vertices);
    }
  }
  return rows;
}

// Vertices [begin, end) are a strip.
template <typename Place>
void addStrip(GsOutput output, unsigned begin, unsigned end, bool lastProvokes, Place place, StreamPrimitives &result) {
  const unsigned corners = output == GsOutput::Points ? 1 : output == GsOutput::LineStrip ? 2 : 3;
  for (unsigned first = begin; first + corners <= end; ++first) {
    const bool isOdd = corners == 3 && (first - begin) % 2 != 0;
    AssembledPrimitive primitive;
    primitive.corners = uint8_t(corners);
    for (unsigned corner = 0; corner < corners; ++corner)
      primitive.vertex[corner] = place(first + (isOdd && corner != 0 ? 3 - corner : corner));
    if (lastProvokes)
      primitive.provoking = uint8_t(isOdd ? 1 : corners - 1);
    result.push_back(primitive);
  }
}

} // namespace

void collectOutput(const GeometryState &state, const Wave &wave, uint32_t gs2VsOffset, bool lastProvokes,
                   std::array<StreamPrimitives, VertexStreams> &streams) {
  const LaneRows rows = readMessages(wave);
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    for (unsigned stream = 0; stream < VertexStreams; ++stream) {
      const EmittedRow &row = rows[lane][stream];
      auto place = [&](unsigned number) { return state.vertexOffset(gs2VsOffset, stream, lane, number); };
      unsigned begin = 0;
      for (unsigned cut : row.cuts) {
        addStrip(state.outputs[stream], begin, cut, lastProvokes, place, streams[stream]);
        begin = cut;
      }
      addStrip(state.outputs[stream], begin, row.vertices, lastProvokes, place, streams[stream]);
    }
  }
}

} // namespace dovetail::emulator
