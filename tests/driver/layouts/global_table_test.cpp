// SPDX-License-Identifier: MIT
//
// Checks the emulated driver's global table against the promises of src/abi/driver_contract.def, entry by entry.
#include "tools/proof/emulator/driver/global_table.h"
#include "tools/proof/emulator/driver/rings.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <cstring>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using emulator::BufferDescriptor;
using emulator::Generation;
using emulator::Gpu;

namespace {

// Has tessellation and geometry, and so all rings.
Image imageWithAllRings() {
  Image image;
  image.tessellation.emplace().inputControlPoints = 3;
  image.tessellation->patchesPerGroup = 8;
  image.tessellation->offchipBytes = 0x8000;
  image.geometry.emplace().esVertexStride = 48;
  image.geometry->gsvsItemDwords[0] = 20;
  return image;
}

std::array<BufferView, GlobalTableEntries> tableOf(Gpu &gpu) {
  Scene scene;
  scene.vertexCount = 3;
  scene.instanceCount = 1;
  emulator::HardwareRegisters registers;
  GlobalTableNeeds needs;
  needs.graphicsScratchBytes = 4096;
  needs.computeScratchBytes = 8192;
  needs.rings = makeRings(gpu, scene, imageWithAllRings(), registers).value();
  std::array<BufferView, GlobalTableEntries> table;
  const uint64_t address = emulator::MemoryWindow | makeGlobalTable(gpu, needs);
  std::memcpy(table.data(), gpu.memory().at(address, sizeof(table)).data(), sizeof(table));
  return table;
}

void checkDescriptor(TableDescriptor kind, const BufferDescriptor &descriptor) {
  CHECK(descriptor.base != 0);
  switch (kind) {
  case TableDescriptor::Raw:
    CHECK(descriptor.stride == 0);
    CHECK_FALSE(descriptor.swizzleEnable);
    CHECK_FALSE(descriptor.addTidEnable);
    CHECK(descriptor.numRecords != 0);
    break;
  case TableDescriptor::Swizzled:
    CHECK(descriptor.stride == 0);
    CHECK(descriptor.swizzleEnable);
    CHECK(descriptor.addTidEnable);
    CHECK((2u << descriptor.elementSize) == 4);
    CHECK((8u << descriptor.indexStride) == 64);
    CHECK(descriptor.numRecords >= 4096);
    break;
  case TableDescriptor::AddressOnly:
    break;
  case TableDescriptor::Records:
    CHECK(descriptor.stride != 0);
    CHECK_FALSE(descriptor.addTidEnable);
    break;
  }
}

} // namespace

TEST_CASE("the emulated driver fills the entries of the contract, with descriptors of their kinds, and no others") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    Gpu gpu(generation);
    const std::array<BufferView, GlobalTableEntries> table = tableOf(gpu);
    const RegisterGenerations here =
        generation == Generation::Gfx8 ? RegisterGenerations::Gfx8 : RegisterGenerations::Gfx9;
    std::set<unsigned> expected;
    for (const GlobalTableContract &row : GlobalTable) {
      if ((unsigned(row.generations) & unsigned(here)) == 0)
        continue;
      CAPTURE(std::string(row.name));
      expected.insert(unsigned(row.entry));
      checkDescriptor(row.descriptor, emulator::decodeBufferDescriptor(table[unsigned(row.entry)]));
    }
    for (unsigned entry = 0; entry < table.size(); ++entry)
      CHECK((table[entry] != BufferView{}) == expected.contains(entry));
  }
}
