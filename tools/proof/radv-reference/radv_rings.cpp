// SPDX-License-Identifier: MIT
//
// Writes RADV's ring table: entries of 16 bytes, each a description. Source: Mesa 22.3, radv_constants.h (RING_*) and
// radv_device.c (radv_fill_shader_rings, radv_emit_gs_ring_sizes, radv_emit_tess_factor_ring). Buffers are filled with
// a value that no shader means, so that reads of unwritten memory are visible.
#include "tools/proof/radv-reference/radv_rings.h"
#include "src/abi/registers/registers.h"
#include "src/state/format_table.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/raster/sample_locations.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <cstring>

namespace dovetail {

namespace {

using emulator::BufferDescriptor;
using emulator::Generation;
using emulator::HardwareRegisters;
using emulator::registerValue;

enum Entry { EsRingOut = 1, GsRingIn, CopyRingIn, GsRingOut, TessFactors, OffchipBuffer, SamplePositions = 11 };
constexpr size_t EntryBytes = 16, SamplePositionBytes = 120;

constexpr uint32_t WaveLanes = 64, RingWaves = 16; // waves of a group: they have places in a ring at once
constexpr uint32_t DwordBytes = 4, RingGranule = 256;
constexpr uint32_t OffchipBlock = 0x8000, MaxOffchipBlocks = 512;
constexpr uint32_t PatchFactorBytes = 24, GroupControlBytes = 4; // at most
constexpr uint8_t IndexStride16 = 1, IndexStride64 = 3, ElementSize4 = 1;

// The registers have 40 bits for the address of factors; addresses in RADV's 32-bit window do not fit.
constexpr uint64_t TessFactorAddress = 0x20'0000'0000;

std::vector<uint8_t> unwritten(uint64_t bytes) {
  std::vector<uint8_t> memory(bytes);
  for (size_t i = 0; i + sizeof(emulator::UndefinedValue) <= memory.size(); i += sizeof(emulator::UndefinedValue))
    std::memcpy(&memory[i], &emulator::UndefinedValue, sizeof(emulator::UndefinedValue));
  return memory;
}

class Rings {
public:
  Rings(emulator::Gpu &gpu, const Scene &scene, HardwareRegisters &registers)
      : m_gpu(gpu), m_scene(scene), m_registers(registers),
        m_table(SamplePositions * EntryBytes + SamplePositionBytes) {}

  Result<uint64_t> make(uint64_t scratchOfWave) {
    using namespace field;
    if (scratchOfWave != 0)
      addScratch(scratchOfWave);
    const uint32_t stages = registerValue(m_registers, reg::VGT_SHADER_STAGES_EN);
    if (VGT_SHADER_STAGES_EN::HS_EN.get(stages) != 0)
      DOVETAIL_CHECK(addTessellation());
    if (VGT_SHADER_STAGES_EN::GS_EN.get(stages) != 0)
      addGeometry();
    addSamplePositions();
    return m_gpu.memory().map("ring table", std::move(m_table), RingGranule, false);
  }

private:
  void put(Entry entry, const BufferView &view) { std::memcpy(&m_table[entry * EntryBytes], &view, sizeof(view)); }

  // Writes the first two dwords of a descriptor; programs know the others.
  void addScratch(uint64_t ofWave) {
    constexpr uint64_t Granule = 1024, GroupWaves = 16;
    const uint64_t scratch = m_gpu.memory().map("scratch", unwritten(ofWave * GroupWaves));
    BufferDescriptor descriptor;
    descriptor.base = scratch;
    descriptor.swizzleEnable = true;
    std::memcpy(m_table.data(), emulator::encode(descriptor).data(), 2 * sizeof(uint32_t));
    m_registers[reg::SPI_TMPRING_SIZE] = field::SPI_TMPRING_SIZE::WAVESIZE(uint32_t(ofWave / Granule));
    m_registers[reg::COMPUTE_TMPRING_SIZE] = field::COMPUTE_TMPRING_SIZE::WAVESIZE(uint32_t(ofWave / Granule));
  }

  Result<void> addTessellation() {
    const uint32_t config = registerValue(m_registers, reg::VGT_LS_HS_CONFIG);
    const uint32_t perGroup = std::max(field::VGT_LS_HS_CONFIG::NUM_PATCHES.get(config), 1u);
    const uint32_t vertices = std::max(m_scene.state.patchControlPoints, 1u);
    const uint64_t patches = uint64_t(m_scene.vertexCount / vertices) * m_scene.instanceCount;
    const uint64_t groups = std::max<uint64_t>((patches + perGroup - 1) / perGroup, 1);
    if (groups > MaxOffchipBlocks)
      return makeError(ErrorCode::Unsupported, "{} groups of patches in one draw", groups);

    const uint64_t offchipBytes = groups * OffchipBlock;
    put(OffchipBuffer, rawBufferView(m_gpu.memory().map("off-chip buffer", unwritten(offchipBytes)), offchipBytes));
    m_registers[reg::VGT_HS_OFFCHIP_PARAM] = field::VGT_HS_OFFCHIP_PARAM::OFFCHIP_BUFFERING(uint32_t(groups - 1));

    const uint64_t factorBytes =
        std::max<uint64_t>(patches * PatchFactorBytes + groups * GroupControlBytes, DwordBytes);
    m_gpu.memory().mapAt(TessFactorAddress, "tess-factor buffer", unwritten(factorBytes));
    put(TessFactors, rawBufferView(TessFactorAddress, factorBytes));
    m_registers[reg::VGT_TF_MEMORY_BASE] = uint32_t(TessFactorAddress >> 8);
    m_registers[reg::VGT_TF_RING_SIZE] = uint32_t(factorBytes / DwordBytes);
    return {};
  }

  // For rings whose writers have a place for each lane: the hardware adds the lane's number to the index. With this,
  // GFX8 and GFX9 use the data format's bits for the stride.
  static BufferView swizzled(uint64_t address, uint64_t bytes, uint8_t indexStride) {
    BufferDescriptor descriptor;
    descriptor.base = address;
    descriptor.numRecords = uint32_t(bytes);
    descriptor.numFormat = uint8_t(BufferNumFormat::Float);
    descriptor.swizzleEnable = true;
    descriptor.addTidEnable = true;
    descriptor.indexStride = indexStride;
    descriptor.elementSize = ElementSize4;
    return emulator::encode(descriptor);
  }

  void addGeometry() {
    const uint32_t esVertexBytes = registerValue(m_registers, reg::VGT_ESGS_RING_ITEMSIZE) * DwordBytes;
    if (m_gpu.generation() == Generation::Gfx8) {
      const uint64_t bytes = uint64_t(esVertexBytes) * WaveLanes * RingWaves;
      const uint64_t ring = m_gpu.memory().map("ESGS ring", unwritten(bytes));
      put(EsRingOut, swizzled(ring, bytes, IndexStride64));
      put(GsRingIn, rawBufferView(ring, bytes));
      m_registers[reg::VGT_ESGS_RING_SIZE] = uint32_t(bytes / RingGranule);
    }
    const uint32_t laneBytes = registerValue(m_registers, reg::VGT_GSVS_RING_ITEMSIZE) * DwordBytes;
    const uint64_t bytes = uint64_t(laneBytes) * WaveLanes * RingWaves;
    const uint64_t ring = m_gpu.memory().map("GSVS ring", unwritten(bytes));
    put(CopyRingIn, rawBufferView(ring, bytes));
    put(GsRingOut, swizzled(ring, 0, IndexStride16)); // the shader fills in stride and records
    m_registers[reg::VGT_GSVS_RING_SIZE] = uint32_t(bytes / RingGranule);
  }

  // Locations for 1, 2, 4 and 8 samples, one after the other, as two floats each.
  void addSamplePositions() {
    std::vector<float> positions;
    for (unsigned samples = 1; samples <= 8; samples *= 2)
      for (emulator::SampleLocation location : emulator::standardSampleLocations(samples)) {
        positions.push_back(location.x / 16.0f);
        positions.push_back(location.y / 16.0f);
      }
    std::memcpy(&m_table[SamplePositions * EntryBytes], positions.data(), positions.size() * sizeof(float));
  }

  emulator::Gpu &m_gpu;
  const Scene &m_scene;
  HardwareRegisters &m_registers;
  std::vector<uint8_t> m_table;
};

} // namespace

Result<uint64_t> makeRadvRings(emulator::Gpu &gpu, const Scene &scene, uint64_t scratchOfWave,
                               HardwareRegisters &registers) {
  return Rings(gpu, scene, registers).make(scratchOfWave);
}

} // namespace dovetail
