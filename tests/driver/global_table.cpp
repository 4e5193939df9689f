// SPDX-License-Identifier: MIT
#include "tests/driver/global_table.h"
#include "tests/driver/buffer_views.h"
#include "tests/emulator/draw/sample_locations.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

enum Entry : size_t { GraphicsScratch = 0, ComputeScratch = 1, SamplePositions = 12, EntryCount };
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

uint32_t makeGlobalTable(emulator::Gpu &gpu, const GlobalTableNeeds &needs) {
  std::array<uint32_t, EntryCount *EntryDwords> table = {};
  auto set = [&](Entry entry, const BufferView &view) { std::ranges::copy(view, table.begin() + entry * EntryDwords); };
  auto setScratch = [&](Entry entry, const char *name, uint64_t bytes) {
    if (bytes)
      set(entry, scratchView(gpu.memory().map(name, std::vector<uint8_t>(bytes)), bytes));
  };
  setScratch(GraphicsScratch, "graphics scratch ring", needs.graphicsScratchBytes);
  setScratch(ComputeScratch, "compute scratch ring", needs.computeScratchBytes);
  std::vector<uint8_t> positions = samplePositions(needs.samples);
  uint64_t size = positions.size();
  set(SamplePositions, rawBufferView(gpu.memory().map("sample positions", std::move(positions), 256, false), size));

  std::vector<uint8_t> bytes(sizeof(table));
  std::memcpy(bytes.data(), table.data(), bytes.size());
  return static_cast<uint32_t>(gpu.memory().map("global table", std::move(bytes), 256, false));
}

} // namespace dovetail
