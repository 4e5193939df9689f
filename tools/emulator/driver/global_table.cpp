// SPDX-License-Identifier: MIT
#include "tools/emulator/driver/global_table.h"
#include "tools/emulator/draw/raster/sample_locations.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

constexpr size_t EntryDwords = 4;

std::vector<uint8_t> samplePositions(uint32_t samples) {
  std::vector<uint8_t> bytes;
  for (emulator::SampleLocation location : emulator::standardSampleLocations(samples))
    for (uint8_t sixteenths : {location.x, location.y}) {
      uint32_t word = std::bit_cast<uint32_t>(sixteenths / 16.0f);
      bytes.resize(bytes.size() + sizeof(word));
      std::memcpy(&bytes[bytes.size() - sizeof(word)], &word, sizeof(word));
    }
  return bytes;
}

} // namespace

std::array<uint32_t, 32> polygonStipplePattern() {
  // Stripes that no symmetry maps onto themselves.
  std::array<uint32_t, 32> rows;
  for (unsigned y = 0; y < rows.size(); ++y)
    rows[y] = std::rotl(0x0f33c5a7u, int(y * 3));
  return rows;
}

uint32_t makeGlobalTable(emulator::Gpu &gpu, const GlobalTableNeeds &needs) {
  using enum GlobalTableEntry;
  std::array<uint32_t, GlobalTableEntries *EntryDwords> table = {};
  auto set = [&](GlobalTableEntry entry, const BufferView &view) {
    std::ranges::copy(view, table.begin() + size_t(entry) * EntryDwords);
  };
  auto setScratch = [&](GlobalTableEntry entry, const char *name, uint64_t bytes) {
    if (bytes)
      set(entry, scratchView(gpu.memory().map(name, std::vector<uint8_t>(bytes)), bytes));
  };
  auto setConstants = [&](GlobalTableEntry entry, const char *name, std::vector<uint8_t> bytes) {
    const uint64_t size = bytes.size();
    set(entry, rawBufferView(gpu.memory().map(name, std::move(bytes), 256, false), size));
  };
  setScratch(GraphicsScratch, "graphics scratch ring", needs.graphicsScratchBytes);
  setScratch(ComputeScratch, "compute scratch ring", needs.computeScratchBytes);
  setConstants(SamplePositions, "sample positions", samplePositions(needs.samples));
  const std::array<uint32_t, 32> pattern = polygonStipplePattern();
  std::vector<uint8_t> stipple(sizeof(pattern));
  std::memcpy(stipple.data(), pattern.data(), stipple.size());
  setConstants(PolygonStipple, "polygon stipple", std::move(stipple));
  for (const GlobalTableRow &row : needs.rings)
    set(row.entry, row.view);

  std::vector<uint8_t> bytes(sizeof(table));
  std::memcpy(bytes.data(), table.data(), bytes.size());
  return static_cast<uint32_t>(gpu.memory().map("global table", std::move(bytes), 256, false));
}

} // namespace dovetail
