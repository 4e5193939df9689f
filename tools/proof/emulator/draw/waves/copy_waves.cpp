// SPDX-License-Identifier: MIT
//
// All lanes of a wave belong to one stream. Without transform feedback, the primitives of a strip share their vertices.
// Source for the inputs of the waves: Mesa, si_generate_gs_copy_shader.
#include "tools/proof/emulator/draw/waves/copy_waves.h"
#include <unordered_map>

namespace dovetail::emulator {

namespace {

FrontVertex copyVertex(uint32_t place) {
  return {.vgprs = {place, UndefinedValue, UndefinedValue, UndefinedValue}};
}

} // namespace

Result<CopyWaves> CopyWaves::make(Gpu &gpu, const Draw &command) {
  return CopyWaves(DOVETAIL_TRY(VertexWaves::make(gpu, command)), command.scene.state.flatProvokingVertexLast);
}

Result<void> CopyWaves::run(unsigned stream, const StreamPrimitives &primitives) {
  if (primitives.empty())
    return {};
  if (m_waves.streamout().isOn(stream))
    return runListed(stream, primitives);
  if (m_waves.streamout().rasterisedStream() == stream)
    return runShared(primitives);
  return {};
}

Result<void> CopyWaves::runShared(const StreamPrimitives &primitives) {
  const uint32_t first = uint32_t(m_shaded.vertices.size());
  std::vector<FrontVertex> vertices;
  std::unordered_map<uint32_t, uint32_t> known; // by their places in the ring
  for (const AssembledPrimitive &primitive : primitives) {
    AssembledPrimitive &shaded = m_shaded.primitives.emplace_back(primitive);
    for (unsigned corner = 0; corner < primitive.corners; ++corner) {
      const auto [index, isNew] = known.try_emplace(primitive.vertex[corner], first + uint32_t(vertices.size()));
      if (isNew)
        vertices.push_back(copyVertex(primitive.vertex[corner]));
      shaded.vertex[corner] = index->second;
    }
  }
  for (size_t begin = 0; begin < vertices.size(); begin += WaveSize) {
    VertexWave wave;
    wave.streamout.stream = m_waves.streamout().rasterisedStream();
    wave.vertices.assign(vertices.begin() + ptrdiff_t(begin),
                         vertices.begin() + ptrdiff_t(std::min(vertices.size(), begin + WaveSize)));
    DOVETAIL_CHECK(m_waves.run(wave, m_shaded.vertices));
  }
  return {};
}

Result<void> CopyWaves::runListed(unsigned stream, const StreamPrimitives &primitives) {
  const bool isRasterised = m_waves.streamout().rasterisedStream() == stream;
  const unsigned corners = primitives.front().corners; // of all primitives: a stream has one type
  const size_t primitivesOfWave = WaveSize / corners;
  for (size_t begin = 0; begin < primitives.size(); begin += primitivesOfWave) {
    const size_t end = std::min(primitives.size(), begin + primitivesOfWave);
    VertexWave wave;
    wave.isRasterised = isRasterised;
    wave.streamout = m_waves.streamout().nextWave(stream, unsigned(end - begin), corners);
    for (size_t i = begin; i < end; ++i) {
      const uint32_t first = uint32_t(m_shaded.vertices.size() + wave.vertices.size());
      const std::array<uint32_t, 3> places = writtenOrder(primitives[i], m_lastProvokes);
      for (unsigned corner = 0; corner < corners; ++corner)
        wave.vertices.push_back(copyVertex(places[corner]));
      if (isRasterised)
        m_shaded.primitives.push_back(listedPrimitive(primitives[i], first, m_lastProvokes));
    }
    DOVETAIL_CHECK(m_waves.run(wave, m_shaded.vertices));
  }
  return {};
}

} // namespace dovetail::emulator
