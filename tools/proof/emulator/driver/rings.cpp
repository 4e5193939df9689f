// SPDX-License-Identifier: MIT
//
// Sources of sizes and units: Mesa, radv_emit_gs_ring_sizes and radv_emit_tess_factor_ring; PAL, gfx6ShaderRing.cpp and
// gfx9ShaderRing.cpp.
#include "tools/proof/emulator/driver/rings.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include <cstring>
#include <numeric>

namespace dovetail {

namespace {

using emulator::Gpu;
using emulator::HardwareRegisters;

constexpr uint32_t DwordBytes = 4;
constexpr uint32_t RingWaves = 16;         // waves of a group: they have places in a ring at once
constexpr uint32_t RingGranule = 256;      // bytes per step of VGT_ESGS_RING_SIZE and VGT_GSVS_RING_SIZE
constexpr uint32_t OffchipBlock = 0x8000;  // bytes: 8K dwords, OFFCHIP_GRANULARITY 0
constexpr uint32_t MaxOffchipBlocks = 512; // as many as OFFCHIP_BUFFERING can count

// Bytes of the tess-factor buffer per patch, and at most per group: six factors, and GFX8's control word.
constexpr uint64_t PatchFactorBytes = 24, GroupControlBytes = 4;

uint64_t mapUnwritten(Gpu &gpu, const char *name, uint64_t bytes) {
  std::vector<uint8_t> memory(bytes);
  for (size_t i = 0; i + sizeof(emulator::UndefinedValue) <= memory.size(); i += sizeof(emulator::UndefinedValue))
    std::memcpy(&memory[i], &emulator::UndefinedValue, sizeof(emulator::UndefinedValue));
  return gpu.memory().map(name, std::move(memory), RingGranule);
}

Result<void> makeTessellationRings(Gpu &gpu, const Scene &scene, const TessellationLayout &layout,
                                   HardwareRegisters &registers, std::vector<GlobalTableRow> &rows) {
  if (layout.offchipBytes > OffchipBlock)
    return makeError(ErrorCode::StateMismatch, "a group's outputs take {} bytes, a block of the off-chip buffer has {}",
                     layout.offchipBytes, OffchipBlock);
  const uint64_t patches = uint64_t(scene.vertexCount / layout.inputControlPoints) * scene.instanceCount;
  const uint64_t groups = std::max<uint64_t>((patches + layout.patchesPerGroup - 1) / layout.patchesPerGroup, 1);
  if (groups > MaxOffchipBlocks)
    return makeError(ErrorCode::Unsupported, "{} patches make {} groups; one draw may have {}", patches, groups,
                     MaxOffchipBlocks);

  const uint64_t offchipBytes = groups * OffchipBlock;
  const uint64_t offchip = mapUnwritten(gpu, "off-chip buffer", offchipBytes);
  rows.push_back({GlobalTableEntry::OffchipBuffer, rawBufferView(offchip, offchipBytes)});
  registers[reg::VGT_HS_OFFCHIP_PARAM] = field::VGT_HS_OFFCHIP_PARAM::OFFCHIP_BUFFERING(uint32_t(groups - 1));

  const uint64_t factorBytes = std::max<uint64_t>(patches * PatchFactorBytes + groups * GroupControlBytes, DwordBytes);
  const uint64_t factors = mapUnwritten(gpu, "tess-factor buffer", factorBytes);
  rows.push_back({GlobalTableEntry::TessFactorBuffer, rawBufferView(factors, factorBytes)});
  registers[reg::VGT_TF_MEMORY_BASE] = uint32_t(factors / RingGranule);
  registers[reg::VGT_TF_RING_SIZE] = uint32_t(factorBytes / DwordBytes);
  return {};
}

void makeGeometryRings(Gpu &gpu, const GeometryLayout &layout, HardwareRegisters &registers,
                       std::vector<GlobalTableRow> &rows) {
  if (gpu.generation() == emulator::Generation::Gfx8) {
    const uint64_t bytes = uint64_t(layout.esVertexStride) * emulator::WaveSize * RingWaves;
    const uint64_t ring = mapUnwritten(gpu, "ESGS ring", bytes);
    rows.push_back({GlobalTableEntry::EsRingOut, swizzledView(ring, bytes)});
    rows.push_back({GlobalTableEntry::GsRingIn, rawBufferView(ring, bytes)});
    registers[reg::VGT_ESGS_RING_SIZE] = uint32_t(bytes / RingGranule);
  }
  const uint32_t laneDwords =
      std::accumulate(std::begin(layout.gsvsItemDwords), std::end(layout.gsvsItemDwords), uint32_t(0));
  const uint64_t bytes = uint64_t(laneDwords) * DwordBytes * emulator::WaveSize * RingWaves;
  const uint64_t ring = mapUnwritten(gpu, "GSVS ring", bytes);
  rows.push_back({GlobalTableEntry::GsRingOut, rawBufferView(ring, bytes)});
  rows.push_back({GlobalTableEntry::CopyRingIn, rawBufferView(ring, bytes)});
  registers[reg::VGT_GSVS_RING_SIZE] = uint32_t(bytes / RingGranule);
}

} // namespace

Result<std::vector<GlobalTableRow>> makeRings(Gpu &gpu, const Scene &scene, const Image &image,
                                              HardwareRegisters &registers) {
  std::vector<GlobalTableRow> rows;
  if (image.tessellation)
    DOVETAIL_CHECK(makeTessellationRings(gpu, scene, *image.tessellation, registers, rows));
  if (image.geometry)
    makeGeometryRings(gpu, *image.geometry, registers, rows);
  return rows;
}

} // namespace dovetail
