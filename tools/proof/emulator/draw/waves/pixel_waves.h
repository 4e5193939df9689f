// SPDX-License-Identifier: MIT
//
// Pixel waves: collects quads until sixteen fill a wave, runs the pixel shader for them, and hands the remaining pixels
// to the output merger.
//
// Waves run one after the other, unless their program asks which waves they overlap (ordered_waves.h). Then as many as
// possible run at once, the youngest first. Each of two packers makes waves of its own squares of the picture. A packer
// ends a wave before a quad that overlaps another quad of the wave.
#pragma once

#include "tools/proof/emulator/draw/output/output_merger.h"
#include <map>

namespace dovetail::emulator {

// The parameters of a wave's quads, and the primitive mask by which its program finds them.
FragmentParameters gatherParameters(std::span<const PixelQuad> quads);

constexpr unsigned MaxOrderedWaves = 24; // that run at once, at most

class PixelWaves {
public:
  // Errors: those of the pixel shader's registers.
  static Result<PixelWaves> make(Gpu &gpu, const Draw &command, const Grid &grid, const OutputMerger &merger);

  // Adds a quad of a primitive, as rasterised. Quads come in drawing order. Errors: CheckFailed with the text of the
  // first trap of a wave that this quad fills.
  Result<void> add(const std::shared_ptr<const PixelPrimitive> &primitive, const Quad &quad);
  // Runs the quads that are left.
  Result<void> flush();

private:
  static constexpr unsigned PackerCount = 2;
  // A wave that is being filled.
  struct OpenWave {
    std::vector<PixelQuad> quads;
    std::optional<uint64_t> newest; // the newest wave that it overlaps
  };
  // A wave that may run.
  struct FullWave {
    std::vector<PixelQuad> quads;
    FragmentParameters parameters;
    WaveSetup setup;
    Workgroup group;
  };
  using Place = std::array<uint32_t, 4>; // layer, x, y, group of samples

  PixelWaves(Gpu &gpu, const Draw &command, const Grid &grid, const OutputMerger &merger)
      : m_gpu(gpu), m_command(command), m_grid(grid), m_merger(merger) {}

  Result<void> addInvocations(PixelQuad quad);
  std::vector<Place> placesOf(const PixelQuad &quad) const;
  Result<void> noteOverlaps(unsigned packer, const PixelQuad &quad);
  Result<void> fill(unsigned packer);
  Result<void> run();

  Gpu &m_gpu;
  const Draw &m_command;
  const Grid &m_grid;
  const OutputMerger &m_merger;
  WaveSetup m_setup; // without the values that differ from wave to wave
  bool m_hasScratch = false;
  bool m_isPerSample = false;
  bool m_isOrdered = false;       // waves wait for older waves that they overlap
  bool m_loadsCollisions = false; // waves learn which waves they overlap
  unsigned m_sampleGroups = 1;    // groups for which overlaps are told apart
  std::array<Packer, PackerCount> m_packers;
  std::map<Place, uint64_t> m_newest; // number of the newest wave, counted by the place's packer
  std::array<OpenWave, PackerCount> m_open;
  std::deque<FullWave> m_full;
};

} // namespace dovetail::emulator
