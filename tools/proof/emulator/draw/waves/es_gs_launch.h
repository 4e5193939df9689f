// SPDX-License-Identifier: MIT
//
// Launches the ES and GS waves of a group: on GFX9, waves with both halves; on GFX8, ES waves and then GS waves.
#pragma once

#include "tools/proof/emulator/draw/primitives/geometry_groups.h"
#include <functional>

namespace dovetail::emulator {

// Places in a ring that waves take in turn.
class Ring {
public:
  Ring(const char *name, uint32_t ringBytes, uint32_t waveBytes)
      : m_name(name), m_places(waveBytes == 0 ? 0 : ringBytes / waveBytes), m_waveBytes(waveBytes) {}

  // Errors: StateMismatch if the ring cannot hold so many waves at once.
  Result<void> mustHold(size_t waves) const;
  uint32_t next() { return m_places == 0 ? 0 : m_next++ % m_places * m_waveBytes; } // bytes

private:
  const char *m_name;
  uint32_t m_places, m_waveBytes, m_next = 0;
};

class EsGsLaunch {
public:
  // Errors: StateMismatch, as makeProgramSetup.
  static Result<EsGsLaunch> make(Gpu &gpu, const Draw &command, const GeometryState &state);

  // Gets a wave that has run geometry, and the place that it was given for its vertices.
  using WaveDone = std::function<void(const Wave &wave, uint32_t gs2VsOffset)>;
  Result<void> run(const GeometryGroup &group, const WaveDone &done);

private:
  EsGsLaunch(Gpu &gpu, const Draw &command, const GeometryState &state);

  // The values of one geometry wave.
  struct GsWave {
    uint32_t id = 0, gs2VsOffset = 0;
    unsigned threads = 0;
  };
  std::vector<GsWave> takePlaces(size_t threads, size_t waves);
  std::array<Lanes, 4> esVgprs(const GeometryGroup &group, size_t wave) const;
  Result<void> runMerged(const GeometryGroup &group, const WaveDone &done);
  Result<std::vector<uint32_t>> runEsWaves(const GeometryGroup &group); // the place of each wave's vertices
  Result<void> runGsWaves(const GeometryGroup &group, const std::vector<uint32_t> &es2GsOffsets, const WaveDone &done);

  Gpu &m_gpu;
  const Draw &m_command;
  const GeometryState &m_state;
  WaveSetup m_es, m_gs; // common to all waves; GFX9: only m_gs
  Ring m_esgs, m_gsvs;
  uint32_t m_nextWaveId = 0;
};

} // namespace dovetail::emulator
