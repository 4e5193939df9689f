// SPDX-License-Identifier: MIT
//
// A draw or dispatch as plain data: programs in memory, register values, and the scene's geometry and targets.
#pragma once

#include "src/abi/hardware_stage.h"
#include "tools/proof/emulator/run/run.h"
#include "tools/proof/scene/scene.h"
#include <array>
#include <map>
#include <vector>

namespace dovetail::emulator {

// A program in memory and the user data that is in its SGPRs when it starts.
struct HardwareProgram {
  uint64_t address = 0;
  std::vector<uint32_t> userSgprs;
  std::vector<PartEnd> partEnds;
  uint64_t codeEnd = 0; // where execution must not arrive; 0: the end of the memory region
  // Pixel programs: helper lanes may be on at exports, as hardware does not write what is not covered. Code of ours
  // never has them on there, as EXEC is also how pixels are killed.
  bool helpersMayExport = false;
  bool mayReadUndefined = false; // WaveSetup's
  // Its waves may arrive at barriers with writes to LDS in flight, on the strength of LDS doing what the waves of a
  // group ask for in the order in which they ask.
  bool trustsLdsOrder = false;
};

// Hardware registers by their dword addresses (src/abi/registers/registers.h); those that are not there are 0.
using HardwareRegisters = std::map<uint32_t, uint32_t>;

struct Draw {
  const Scene &scene; // geometry, indices, viewports, depth, blending, targets; not the shaders, not the resources
  HardwareRegisters registers;
  std::array<HardwareProgram, HardwareStageCount> programs = {}; // by HardwareStage; those that do not run are empty
  uint32_t firstLayer = 0;                                       // of the targets, where the bound views begin
  const SceneResult *before = nullptr;                           // what the targets hold; nullptr: they are cleared

  HardwareProgram &program(HardwareStage stage) { return programs[unsigned(stage)]; }
  const HardwareProgram &program(HardwareStage stage) const { return programs[unsigned(stage)]; }
};

struct Dispatch {
  std::array<uint32_t, 3> workgroups;
  HardwareRegisters registers;
  HardwareProgram cs;
};

} // namespace dovetail::emulator
