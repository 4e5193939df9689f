// SPDX-License-Identifier: MIT
//
// Draws with tessellation by hand-written programs. The vertex shader hands on each vertex's position. The control
// shader hands on the first three of each patch, and constant factors. The evaluation shader makes a position from
// them,
// P0 + u (P1 - P0) + v (P2 - P0). The attribute that the usual pixel shader shows is u, v, the patch's number in its
// group and the patch's number.
#pragma once

#include "tests/emulator/draw/draw_run.h"

namespace dovetail::emulator::test {

// The LS-HS program of GFX9 in pieces, so that tests can change one.
struct MergedText {
  std::string firstHalf;  // v6 = lane, EXEC = lanes of the first half
  std::string vertex;     // vertex id in v2, its number in the group in v3
  std::string barrier;    // EXEC = -1; the text in front of the second half
  std::string secondHalf; // EXEC = lanes of the second half
  std::string control;

  std::string text() const { return firstHalf + vertex + barrier + secondHalf + control; }
};

struct TessellationRun : DrawRun {
  explicit TessellationRun(Generation generation = Generation::Gfx9);

  // The domain is VGT_TF_PARAM's, and so are partitioning and topology.
  void setDomain(uint32_t type, uint32_t partitioning, uint32_t topology);
  // Makes programs for such patches. Changes in `merged`, `ls` or `hs` are lost.
  void setGroups(uint32_t patches, uint32_t inputVertices, uint32_t outputVertices, std::array<float, 6> factors);

  MergedText merged;  // GFX9
  std::string ls, hs; // GFX8
  uint32_t offchipBlocks = 8;
  // Ends of parts of the merged program: each is the text up to the end.
  std::vector<std::pair<std::string, PartEnd::Exec>> hsPartEnds;

private:
  void addPrograms(Gpu &gpu, Draw &command);
  std::string controlText(uint32_t inputVertices, uint32_t outputVertices, std::array<float, 6> factors) const;
};

} // namespace dovetail::emulator::test
