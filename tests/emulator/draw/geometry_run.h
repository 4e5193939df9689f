// SPDX-License-Identifier: MIT
//
// Draws with small hand-written geometry programs, the same test for both generations. The ES hands on each vertex's
// index and instance. The GS has them in registers of its own, whatever the generation's launch state is:
//
//   v10..v15  indices of the primitive's vertices      v18  instance of its first vertex
//   v16       gl_PrimitiveID                           v17  invocation
//   v20       lane                                     m0   the wave's id
//   s[20:23]  a buffer for records                     s40  Gs2VsOffset
//   s[24:39]  the streams' parts of the GSVS ring
//
// The GS emits dwords. The copy shader captures them by transform feedback. It takes the first one as the index of a
// position and an attribute for the pixel shader of draw_run.h.
#pragma once

#include "tests/emulator/draw/draw_run.h"
#include "tools/proof/emulator/draw/command/front_end.h"
#include <optional>

namespace dovetail::emulator::test {

class GeometryRun {
public:
  // `primitives` in, strips of `output` out: 0 points, 1 lines, 2 triangles.
  GeometryRun(Generation generation, VkPrimitiveTopology topology, unsigned output);

  Generation generation;
  Scene scene;
  HardwareRegisters registers; // other than those that follow from the members below
  unsigned output;
  unsigned maxVertices = 4, invocations = 1;
  std::array<unsigned, 4> vertexDwords = {1, 0, 0, 0}; // of each stream
  unsigned groupVertices = 64, groupPrimitives = 64;   // GFX9
  unsigned ringWaves = 3;                              // waves that the rings have room for
  std::vector<DrawVertex> vertices;                    // positions and attributes, by the first dword
  std::string body;                                    // of the GS, up to GS_DONE
  bool isDone = true;                                  // the GS sends GS_DONE
  // Drawn instead of the scene's vertices, as if it came from the tessellator. The ES is then an evaluation shader, and
  // hands on u and the off-chip offset.
  std::optional<FrontDraw> tessellated;

  // Transform feedback: stream n goes to buffer n, as far as there are bytes.
  std::array<uint32_t, 4> capturedBytes = {}, capturedOffset = {};

  // Emits the values of v30, v31, … as vertex number `number` of a stream.
  std::string emit(unsigned number, unsigned stream = 0, const char *operation = "GS_OP_EMIT") const;
  static std::string cut(unsigned stream = 0);

  // Fails the test if the draw fails.
  void draw();
  // The text of the Error; fails the test if there is none.
  std::string drawError();

  std::vector<uint32_t> captured(unsigned buffer = 0) const; // dwords; those not written are Untouched
  static constexpr uint32_t Untouched = 0xabababab;
  // Records of 8 dwords that the body has stored; those not stored are 0.
  std::vector<std::array<uint32_t, 8>> records;
  // v[22:29] as record number v21.
  static const char *const StoreRecord;

  SceneResult result;
  uint64_t wavesRun = 0;

private:
  Result<SceneResult> tryDraw();
  std::string mergedProgram() const;
  std::string esProgram() const;
  std::string gsProgram() const;
  std::string copyProgram() const;
  void setRegisters(HardwareRegisters &all) const;

  std::array<std::vector<uint32_t>, 4> m_captured;
};

} // namespace dovetail::emulator::test
