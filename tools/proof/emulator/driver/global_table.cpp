// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/driver/global_table.h"
#include "tools/proof/emulator/draw/raster/sample_locations.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

constexpr size_t EntryDwords = 4;

// Offsets from the pixel's centre, in 16 bytes each. Pattern n is for 2^n samples; with one sample, all positions are
// at the centre. Entries beyond the samples hold a value that no shader means.
std::vector<uint8_t> samplePositions() {
  constexpr size_t Patterns = 16, Samples = 16, SampleDwords = 4;
  constexpr float Center = 0.5f;
  std::vector<uint32_t> words(Patterns * Samples * SampleDwords, emulator::UndefinedValue);
  for (size_t sample = 0; sample < Samples; ++sample)
    words[sample * SampleDwords] = words[sample * SampleDwords + 1] = 0;
  for (size_t pattern = 1; pattern < Patterns; ++pattern) {
    size_t sample = pattern * Samples;
    for (emulator::SampleLocation location : emulator::standardSampleLocations(1u << pattern)) {
      words[sample * SampleDwords] = std::bit_cast<uint32_t>(location.x / 16.0f - Center);
      words[sample * SampleDwords + 1] = std::bit_cast<uint32_t>(location.y / 16.0f - Center);
      ++sample;
    }
  }
  std::vector<uint8_t> bytes(words.size() * sizeof(words[0]));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

} // namespace

std::array<uint32_t, 32> polygonStipplePattern() {
  // Stripes without any symmetry.
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
      set(entry, swizzledView(gpu.memory().map(name, std::vector<uint8_t>(bytes)), bytes));
  };
  auto setConstants = [&](GlobalTableEntry entry, const char *name, std::vector<uint8_t> bytes) {
    const uint64_t size = bytes.size();
    set(entry, rawBufferView(gpu.memory().map(name, std::move(bytes), 256, false), size));
  };
  setScratch(GraphicsScratch, "graphics scratch ring", needs.graphicsScratchBytes);
  setScratch(ComputeScratch, "compute scratch ring", needs.computeScratchBytes);
  std::vector<uint8_t> positions = samplePositions();
  const uint64_t positionsSize = positions.size();
  set(SamplePositions,
      samplePositionsView(gpu.memory().map("sample positions", std::move(positions), 256, false), positionsSize));
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
