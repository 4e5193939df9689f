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

// A program in memory and the user data in its SGPRs at the start.
struct HardwareProgram {
  uint64_t address = 0;
  std::vector<uint32_t> userSgprs;
  std::vector<PartEnd> partEnds;
  uint64_t codeEnd = 0; // execution must not arrive there; 0: the end of the memory region
  // Pixel programs: helper lanes may be on at exports, since the hardware does not write pixels that are not covered.
  // Dovetail's own code turns them off there, because it also kills pixels with EXEC.
  bool helpersMayExport = false;
  bool mayReadUndefined = false; // WaveSetup's
  // Its waves may arrive at barriers with writes to LDS in flight. They rely on LDS to serve the waves of a group in
  // the order of their requests.
  bool trustsLdsOrder = false;
};

// Hardware registers by their dword addresses (src/abi/registers/registers.h); missing registers are 0.
using HardwareRegisters = std::map<uint32_t, uint32_t>;

struct Draw {
  const Scene &scene; // geometry, indices, viewports, depth, blending and targets; shaders and resources are not used
  HardwareRegisters registers;
  std::array<HardwareProgram, HardwareStageCount> programs = {}; // by HardwareStage; empty: the stage does not run
  uint32_t firstLayer = 0;                                       // of the targets, where the bound views begin
  const SceneResult *before = nullptr;                           // content of the targets; nullptr: they are cleared

  HardwareProgram &program(HardwareStage stage) { return programs[unsigned(stage)]; }
  const HardwareProgram &program(HardwareStage stage) const { return programs[unsigned(stage)]; }
};

// Draws. Errors: CheckFailed with the text of the first trap; Unsupported for a topology or target that is not
// modelled; those of Targets::make(). The result has colors, depth and stencil only.
struct Dispatch {
  std::array<uint32_t, 3> workgroups;
  HardwareRegisters registers;
  HardwareProgram cs;
};

} // namespace dovetail::emulator
