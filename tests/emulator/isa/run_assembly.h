// SPDX-License-Identifier: MIT
//
// Runs a few lines of assembly text as one wave, for most tests of the emulator.
//
//   AssemblyRun run;
//   run.setup.vgprs = {allLanes(3)};
//   run.run("v_add_u32_e32 v1, 4, v0");
//   CHECK(run.vgpr(1, 0) == 7);
#pragma once

#include "tools/proof/emulator/run/run.h"
#include <memory>
#include <string_view>

namespace dovetail::emulator::test {

// The same value in all lanes.
std::optional<Lanes> allLanes(uint32_t value);
std::optional<Lanes> allLanes(float value);
// f(lane) in each lane.
template <typename F> std::optional<Lanes> eachLane(F f) {
  Lanes lanes;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    lanes[lane] = uint32_t(f(lane));
  return lanes;
}

class AssemblyRun {
public:
  explicit AssemblyRun(Generation generation = Generation::Gfx9) : AssemblyRun(chipOf(generation)) {}
  explicit AssemblyRun(const Chip &chip) : gpu(chip) { setup.stage = WaveStage::Cs; }

  // The initial state of the wave. The stage is a compute shader's, so that the wave may end without exports. run()
  // sets `address` and `codeEnd`.
  WaveSetup setup;
  Gpu gpu; // memory that the code reads: gpu.memory().map(…) before run()
  Workgroup group;
  std::vector<PartEnd> partEnds; // addresses count from the start of the text

  // Assembles the text, puts s_endpgm behind it unless `addEnd` is false, and runs it. May be called more than once;
  // each run is a new wave.
  void run(std::string_view text, bool addEnd = true);
  // The same with several waves of one group, each with its own setup (stage, address and code end are the text's).
  void runGroup(std::string_view text, std::vector<WaveSetup> setups);

  // The only or the first wave, after the run.
  Wave &wave() { return m_waves.front(); }
  std::vector<Wave> &waves() { return m_waves; }
  uint32_t vgpr(unsigned number, unsigned lane) { return wave().peekVgpr(number)[lane]; }
  float vgprFloat(unsigned number, unsigned lane);
  uint32_t sgpr(unsigned number) { return wave().peekSgpr(number); }
  uint64_t sgprPair(unsigned number) { return sgpr(number) | uint64_t(sgpr(number + 1)) << 32; }
  // The trap's kind, or nothing.
  std::optional<TrapKind> trap();
  // The trap's text, or an empty string: INFO(run.trapText()) shows why a run did not end.
  std::string trapText();

private:
  uint64_t mapCode(std::string_view text, uint64_t &end);

  std::vector<WaveSetup> m_setups; // waves keep references
  std::vector<PartEnd> m_partEnds;
  std::vector<Wave> m_waves;
};

} // namespace dovetail::emulator::test
