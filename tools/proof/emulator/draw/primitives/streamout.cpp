// SPDX-License-Identifier: MIT
//
// A lane writes the vertex writeIndex + lane, at (writeIndex + lane) * stride behind the buffer's offset. So a wave
// gets the number of vertices that it may write. A primitive is not written if a buffer of its stream has no room for
// it (Vulkan, "Transform Feedback"). Source of the SGPRs: si_llvm_emit_streamout in Mesa's si_shader_llvm_vs.c.
#include "tools/proof/emulator/draw/primitives/streamout.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

constexpr uint32_t Sizes[] = {reg::VGT_STRMOUT_BUFFER_SIZE_0, reg::VGT_STRMOUT_BUFFER_SIZE_1,
                              reg::VGT_STRMOUT_BUFFER_SIZE_2, reg::VGT_STRMOUT_BUFFER_SIZE_3};
constexpr uint32_t Offsets[] = {reg::VGT_STRMOUT_BUFFER_OFFSET_0, reg::VGT_STRMOUT_BUFFER_OFFSET_1,
                                reg::VGT_STRMOUT_BUFFER_OFFSET_2, reg::VGT_STRMOUT_BUFFER_OFFSET_3};
constexpr uint32_t Strides[] = {reg::VGT_STRMOUT_VTX_STRIDE_0, reg::VGT_STRMOUT_VTX_STRIDE_1,
                                reg::VGT_STRMOUT_VTX_STRIDE_2, reg::VGT_STRMOUT_VTX_STRIDE_3};
constexpr unsigned BufferBits = 4; // of each stream, in VGT_STRMOUT_BUFFER_CONFIG

} // namespace

Result<Streamout> Streamout::make(const HardwareRegisters &registers) {
  using namespace field;
  const uint32_t config = registerValue(registers, reg::VGT_STRMOUT_CONFIG);
  const uint32_t buffers = registerValue(registers, reg::VGT_STRMOUT_BUFFER_CONFIG);
  const uint32_t rsrc2 = registerValue(registers, reg::SPI_SHADER_PGM_RSRC2_VS);
  const uint32_t withOffset =
      SPI_SHADER_PGM_RSRC2_VS::SO_EN.get(rsrc2) != 0 ? SPI_SHADER_PGM_RSRC2_VS::SO_BASE_EN.get(rsrc2) : 0;

  Streamout streamout;
  streamout.m_streams = VGT_STRMOUT_CONFIG::STREAMOUT_EN.get(config);
  streamout.m_rasterised = VGT_STRMOUT_CONFIG::RAST_STREAM.get(config);
  for (unsigned buffer = 0; buffer < MaxStreamoutBuffers; ++buffer)
    streamout.m_offsets[buffer] = registerValue(registers, Offsets[buffer]);
  for (unsigned stream = 0; stream < VertexStreams; ++stream) {
    const uint32_t enabled = buffers >> (stream * BufferBits) & 0xf;
    if (!streamout.isOn(stream) || enabled == 0)
      continue;
    uint32_t capacity = ~0u;
    for (unsigned buffer = 0; buffer < MaxStreamoutBuffers; ++buffer) {
      if ((enabled >> buffer & 1) == 0)
        continue;
      const uint32_t stride = registerValue(registers, Strides[buffer]), size = registerValue(registers, Sizes[buffer]);
      if (stride == 0)
        return makeError(ErrorCode::StateMismatch, "transform feedback buffer {} of stream {} has no stride", buffer,
                         stream);
      if ((withOffset >> buffer & 1) == 0)
        return makeError(ErrorCode::StateMismatch, "RSRC2_VS {:#x}: no offset of transform feedback buffer {}", rsrc2,
                         buffer);
      const uint32_t offset = std::min(size, streamout.m_offsets[buffer]);
      capacity = std::min(capacity, (size - offset) / stride);
    }
    streamout.m_capacity[stream] = capacity;
  }
  return streamout;
}

StreamoutWave Streamout::nextWave(unsigned stream, unsigned primitives, unsigned corners) {
  StreamoutWave wave;
  wave.stream = stream;
  wave.writeIndex = m_written[stream];
  const uint32_t fitting = (m_capacity[stream] - m_written[stream]) / corners;
  wave.vertices = std::min<uint32_t>(primitives, fitting) * corners;
  m_written[stream] += wave.vertices;
  return wave;
}

std::array<uint32_t, 3> writtenOrder(const AssembledPrimitive &primitive, bool lastProvokes) {
  std::array<uint32_t, 3> order = primitive.vertex;
  // Rotated, not swapped: a triangle keeps its winding.
  if (lastProvokes && primitive.corners == 3)
    std::rotate(order.begin(), order.begin() + (primitive.provoking + 1) % 3, order.end());
  return order;
}

AssembledPrimitive listedPrimitive(const AssembledPrimitive &primitive, uint32_t first, bool lastProvokes) {
  AssembledPrimitive listed = primitive;
  listed.vertex = {first, first + 1, first + 2};
  if (lastProvokes)
    listed.provoking = uint8_t(primitive.corners - 1);
  return listed;
}

} // namespace dovetail::emulator
