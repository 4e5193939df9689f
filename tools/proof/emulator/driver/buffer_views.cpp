// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/driver/buffer_views.h"
#include "src/abi/sample_positions.h"
#include "src/state/format_table.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include "tools/proof/emulator/wave/wave.h"
#include <algorithm>

namespace dovetail {

namespace {

using emulator::BufferDescriptor;

constexpr uint8_t SelectZero = 0, SelectOne = 1, SelectX = 4;

// Untyped accesses need a valid format, but any format will do.
BufferDescriptor untyped(uint64_t address, uint64_t records) {
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.numRecords = static_cast<uint32_t>(std::min<uint64_t>(records, UINT32_MAX));
  descriptor.dataFormat = static_cast<uint8_t>(BufferDataFormat::Format32);
  descriptor.numFormat = static_cast<uint8_t>(BufferNumFormat::Float);
  return descriptor;
}

uint64_t recordCount(emulator::Generation generation, uint64_t records, uint32_t stride) {
  return generation == emulator::Generation::Gfx8 ? records * stride : records;
}

} // namespace

BufferView rawBufferView(uint64_t address, uint64_t size) {
  return emulator::encode(untyped(address, size));
}

Result<BufferView> texelBufferView(emulator::Generation generation, uint64_t address, uint64_t size, VkFormat format) {
  const FormatInfo *info = DOVETAIL_TRY(getVertexFormat(format));
  bool isArray = info->vertexFetch == VertexFetchMethod::Array;
  BufferDataFormat dataFormat = isArray ? arrayDataFormat(info->bits[0], info->componentCount) : info->dataFormat;
  if ((!isArray && info->vertexFetch != VertexFetchMethod::Packed) || dataFormat == BufferDataFormat::Invalid)
    return makeError(ErrorCode::Unsupported, "{} is not a format of texel buffers", formatName(format));
  BufferDescriptor descriptor = untyped(address, recordCount(generation, size / info->bytes, info->bytes));
  descriptor.stride = info->bytes;
  descriptor.dataFormat = static_cast<uint8_t>(dataFormat);
  descriptor.numFormat = static_cast<uint8_t>(info->numFormat);
  for (unsigned component = 0; component < 4; ++component) {
    if (info->bits[component])
      descriptor.dstSel[component] = SelectX + info->channel[component];
    else
      descriptor.dstSel[component] = component == 3 ? SelectOne : SelectZero;
  }
  return emulator::encode(descriptor);
}

Result<BufferView> vertexBufferView(emulator::Generation generation, uint64_t address, uint64_t size,
                                    const VertexBinding &binding, const PipelineState &state) {
  uint64_t end = 0;
  for (const VertexAttribute &attribute : state.vertexAttributes) {
    if (attribute.binding != binding.binding)
      continue;
    const FormatInfo *format = DOVETAIL_TRY(getVertexFormat(attribute.format));
    end = std::max<uint64_t>(end, uint64_t(attribute.offset) + format->bytes);
  }
  uint64_t records = size;
  if (binding.stride != 0)
    records = size < end ? 0 : (size - end) / binding.stride + 1;
  // The attributes of the last record may end before the record does.
  uint64_t bytes = records ? (records - 1) * binding.stride + end : 0;
  if (generation == emulator::Generation::Gfx8 && binding.stride != 0)
    records = bytes;
  BufferDescriptor descriptor = untyped(address, records);
  descriptor.stride = binding.stride;
  return emulator::encode(descriptor);
}

BufferView streamoutView(emulator::Generation generation, uint64_t address, uint32_t stride) {
  const bool isGfx8 = generation == emulator::Generation::Gfx8;
  uint32_t records = UINT32_MAX - emulator::WaveSize + 1;
  if (isGfx8 && stride != 0)
    records = stride * (UINT32_MAX / stride - emulator::WaveSize + 1);
  BufferDescriptor descriptor = untyped(address, records);
  descriptor.stride = stride;
  descriptor.numFormat = static_cast<uint8_t>(BufferNumFormat::Uint);
  descriptor.addTidEnable = isGfx8;
  return emulator::encode(descriptor);
}

BufferView samplePositionsView(uint64_t address, uint64_t size) {
  BufferDescriptor descriptor = untyped(address, size);
  descriptor.stride = SamplePositionBytes;
  return emulator::encode(descriptor);
}

BufferView swizzledView(uint64_t address, uint64_t size) {
  BufferDescriptor descriptor = untyped(address, size);
  descriptor.dataFormat = 0; // here, these bits are the stride's upper bits
  descriptor.swizzleEnable = true;
  descriptor.addTidEnable = true;
  descriptor.elementSize = 1; // 4 bytes
  descriptor.indexStride = 3; // 64 lanes
  return emulator::encode(descriptor);
}

} // namespace dovetail
