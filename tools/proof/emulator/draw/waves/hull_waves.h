// SPDX-License-Identifier: MIT
//
// The LS-HS groups of a draw with tessellation: assembles patches, puts them into groups, and runs the vertex and the
// control shader. The results are in memory: outputs in the off-chip buffer, factors in the tess-factor buffer.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail::emulator {

struct HullPatch {
  std::vector<uint32_t> indices; // of its vertices, without a base
  uint32_t instance = 0;
  uint32_t number = 0; // within its instance
};

struct HullGroup {
  std::vector<HullPatch> patches;
  uint32_t offchipOffset = 0, tessFactorOffset = 0; // bytes, in the two buffers
};

// The form of groups, from the registers that the image and the driver program.
struct HullState {
  uint32_t patchesPerGroup = 1;
  uint32_t inputVertices = 1, outputVertices = 1; // of each patch
  uint32_t ldsBytes = 0;
  uint32_t factorDwords = 0;       // of a patch in the tess-factor buffer
  uint32_t controlDwords = 0;      // in front of a group's factors: 1 on GFX8
  uint64_t factorBuffer = 0;       // address
  uint32_t factorBufferDwords = 0; // its size
  uint32_t offchipBlocks = 0, offchipBlockBytes = 0;

  uint32_t factorBytes(size_t patches) const { return uint32_t((controlDwords + patches * factorDwords) * 4); }
};
// Errors: StateMismatch if registers contradict each other or the scene.
Result<HullState> readHullState(Generation generation, const Draw &command);

// Errors: InvalidInput if there are fewer indices than the draw wants; StateMismatch if the driver's buffers are too
// small for the draw.
Result<std::vector<HullGroup>> makeHullGroups(const HullState &state, const Scene &scene);

class HullWaves {
public:
  // Errors: StateMismatch, as makeProgramSetup.
  static Result<HullWaves> make(Gpu &gpu, const Draw &command, const HullState &state);

  // Errors: CheckFailed with the first trap's text.
  Result<void> run(const HullGroup &group);

private:
  HullWaves(Gpu &gpu, const Draw &command, const HullState &state) : m_gpu(gpu), m_command(command), m_state(state) {}

  Result<void> runMerged(const HullGroup &group);
  Result<void> runLsThenHs(const HullGroup &group);
  Result<void> launch(Workgroup &group, std::vector<WaveSetup> setups, bool hasBarriers);
  std::vector<std::optional<Lanes>> lsVgprs(const HullGroup &group, size_t wave, unsigned lastVgpr) const;
  std::vector<std::optional<Lanes>> hsVgprs(const HullGroup &group, size_t wave) const;
  Workgroup makeLds() const;

  Gpu &m_gpu;
  const Draw &m_command;
  HullState m_state;
  WaveSetup m_ls, m_hs; // common to all waves; GFX9: only m_hs
  unsigned m_lastLsVgpr = 0;
  uint32_t m_scratchBytes = 0; // of a wave
  bool m_lsHasScratch = false, m_hsHasScratch = false;
};

} // namespace dovetail::emulator
