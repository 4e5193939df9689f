// SPDX-License-Identifier: MIT
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/driver/rings.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using emulator::BufferDescriptor;
using emulator::Generation;
using emulator::Gpu;
using emulator::HardwareRegisters;

namespace {

BufferDescriptor find(const std::vector<GlobalTableRow> &rows, GlobalTableEntry entry) {
  for (const GlobalTableRow &row : rows)
    if (row.entry == entry)
      return emulator::decodeBufferDescriptor(row.view);
  FAIL("no such entry");
  return {};
}

Image tessellatedImage() {
  Image image;
  TessellationLayout &layout = image.tessellation.emplace();
  layout.inputControlPoints = 3;
  layout.patchesPerGroup = 8;
  layout.offchipBytes = 0x8000;
  return image;
}

Scene sceneOf(uint32_t vertices, uint32_t instances) {
  Scene scene;
  scene.vertexCount = vertices;
  scene.instanceCount = instances;
  return scene;
}

} // namespace

TEST_CASE("a block of the off-chip buffer for each group of patches, factors for each patch") {
  Gpu gpu(Generation::Gfx9);
  HardwareRegisters registers;
  // 10 patches in each of 2 instances, and a vertex too many: 3 groups of 8.
  const auto rows = makeRings(gpu, sceneOf(31, 2), tessellatedImage(), registers).value();
  REQUIRE(rows.size() == 2);
  CHECK(find(rows, GlobalTableEntry::OffchipBuffer).numRecords == 3 * 0x8000);
  CHECK(field::VGT_HS_OFFCHIP_PARAM::OFFCHIP_BUFFERING.get(registers[reg::VGT_HS_OFFCHIP_PARAM]) == 2);
  const BufferDescriptor factors = find(rows, GlobalTableEntry::TessFactorBuffer);
  CHECK(factors.numRecords == 20 * 24 + 3 * 4);
  CHECK(registers[reg::VGT_TF_RING_SIZE] == (20 * 24 + 3 * 4) / 4);
  CHECK(uint64_t(registers[reg::VGT_TF_MEMORY_BASE]) * 256 == factors.base);
  // Memory that nobody has written can be recognised.
  uint32_t value;
  std::memcpy(&value, gpu.memory().at(factors.base, 4).data(), sizeof(value));
  CHECK(value == emulator::UndefinedValue);
}

TEST_CASE("outputs of a group that are larger than a block") {
  Gpu gpu(Generation::Gfx9);
  HardwareRegisters registers;
  Image image = tessellatedImage();
  image.tessellation->offchipBytes = 0x8004;
  CHECK(makeRings(gpu, sceneOf(3, 1), image, registers).error().text ==
        "a group's outputs take 32772 bytes, a block of the off-chip buffer has 32768");
}

TEST_CASE("more groups than the off-chip buffer can have blocks") {
  Gpu gpu(Generation::Gfx9);
  HardwareRegisters registers;
  CHECK(makeRings(gpu, sceneOf(512 * 8 * 3, 1), tessellatedImage(), registers).has_value());
  CHECK(
      (makeRings(gpu, sceneOf(513 * 8 * 3, 1), tessellatedImage(), registers).error().code == ErrorCode::Unsupported));
}

TEST_CASE("the ESGS ring is in memory on GFX8 only, and looked at in two ways") {
  Image image;
  image.geometry.emplace().esVertexStride = 48;
  image.geometry->gsvsItemDwords[0] = 20;
  image.geometry->gsvsItemDwords[2] = 4;
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    const bool isGfx8 = generation == Generation::Gfx8;
    Gpu gpu(generation);
    HardwareRegisters registers;
    const auto rows = makeRings(gpu, sceneOf(3, 1), image, registers).value();
    CHECK(rows.size() == (isGfx8 ? 4 : 2));
    CHECK(registers.contains(reg::VGT_ESGS_RING_SIZE) == isGfx8);
    if (isGfx8) {
      // 16 waves of 64 vertices of 48 bytes.
      CHECK(registers[reg::VGT_ESGS_RING_SIZE] == 16 * 64 * 48 / 256);
      const BufferDescriptor out = find(rows, GlobalTableEntry::EsRingOut), in = find(rows, GlobalTableEntry::GsRingIn);
      CHECK(out.base == in.base);
      CHECK(out.swizzleEnable);
      CHECK(out.addTidEnable);
      CHECK(out.stride == 0);
      CHECK(out.numRecords == in.numRecords);
      CHECK((8u << out.indexStride) == 64);
      CHECK(in.stride == 0);
      CHECK(in.numRecords == 16 * 64 * 48);
    }
    // 16 waves of 64 lanes of 24 dwords.
    CHECK(registers[reg::VGT_GSVS_RING_SIZE] == 16 * 24);
    const BufferDescriptor out = find(rows, GlobalTableEntry::GsRingOut), in = find(rows, GlobalTableEntry::CopyRingIn);
    CHECK(out.base == in.base);
    CHECK(out.stride == 0);
    CHECK(in.numRecords == 16 * 64 * 24 * 4);
  }
}

TEST_CASE("images without tessellation and geometry need no rings") {
  Gpu gpu(Generation::Gfx9);
  HardwareRegisters registers;
  CHECK(makeRings(gpu, sceneOf(3, 1), Image(), registers).value().empty());
  CHECK(registers.empty());
}
