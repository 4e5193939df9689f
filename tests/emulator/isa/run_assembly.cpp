// SPDX-License-Identifier: MIT
#include "tests/emulator/isa/run_assembly.h"
#include "tests/merge/assembler.h"
#include <bit>

namespace dovetail::emulator::test {

std::optional<Lanes> allLanes(uint32_t value) {
  Lanes lanes;
  lanes.fill(value);
  return lanes;
}

std::optional<Lanes> allLanes(float value) {
  return allLanes(std::bit_cast<uint32_t>(value));
}

namespace {

const char *nameOf(InstructionSet set) {
  switch (set) {
  case InstructionSet::Gfx8:
    return "gfx803";
  case InstructionSet::Gfx9:
    return "gfx900";
  case InstructionSet::Gfx904:
    return "gfx904";
  case InstructionSet::Gfx906:
    return "gfx906";
  case InstructionSet::Gfx810:
    return "gfx810";
  case InstructionSet::Gfx103:
    return "gfx1030";
  }
  return "";
}

} // namespace

uint64_t AssemblyRun::mapCode(std::string_view text, uint64_t &end) {
  std::vector<uint8_t> code = dovetail::test::assemble(text, nameOf(gpu.chip().instructionSet));
  uint64_t size = code.size();
  uint64_t address = gpu.memory().map("code", std::move(code), 256, false);
  end = address + size;
  return address;
}

void AssemblyRun::run(std::string_view text, bool addEnd) {
  setup.address = mapCode(std::string(text) + (addEnd ? "\ns_endpgm\n" : "\n"), setup.codeEnd);
  m_partEnds = partEnds;
  for (PartEnd &end : m_partEnds)
    end.address += setup.address;
  if (!m_partEnds.empty())
    setup.partEnds = &m_partEnds;
  m_waves.clear();
  m_waves.emplace_back(gpu.generation(), gpu.memory(), group, setup);
  (void)runWaves(gpu, m_waves); // the wave records a failure, too
}

void AssemblyRun::runGroup(std::string_view text, std::vector<WaveSetup> setups) {
  uint64_t end = 0, address = mapCode(std::string(text) + "\ns_endpgm\n", end);
  m_waves.clear();
  m_setups = std::move(setups);
  for (WaveSetup &each : m_setups) {
    each.stage = setup.stage;
    each.address = address;
    each.codeEnd = end;
    m_waves.emplace_back(gpu.generation(), gpu.memory(), group, each);
  }
  (void)runWaves(gpu, m_waves);
}

float AssemblyRun::vgprFloat(unsigned number, unsigned lane) {
  return std::bit_cast<float>(vgpr(number, lane));
}

std::optional<TrapKind> AssemblyRun::trap() {
  for (const Wave &each : m_waves) {
    if (each.trapped())
      return each.trapped()->kind;
  }
  return std::nullopt;
}

std::string AssemblyRun::trapText() {
  for (const Wave &each : m_waves) {
    if (each.trapped())
      return each.trapped()->text;
  }
  return {};
}

} // namespace dovetail::emulator::test
