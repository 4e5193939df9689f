// SPDX-License-Identifier: MIT
//
// Draws with small hand-written programs, for most tests of the fixed function. The usual vertex shader hands on each
// vertex's position and one attribute. The usual pixel shader exports the interpolated attribute.
//
//   DrawRun run;
//   run.vertices = fullScreen({1, 0, 0, 1});
//   run.draw();
//   CHECK(run.pixel(3, 4) == Color{1, 0, 0, 1});
#pragma once

#include "tools/proof/emulator/draw/draw.h"
#include <functional>
#include <string>

namespace dovetail::emulator::test {

using Color = std::array<float, 4>;

struct DrawVertex {
  std::array<float, 4> position = {}; // clip space
  Color attribute = {};
};

// A triangle that covers everything, with the same attribute at all corners.
std::vector<DrawVertex> fullScreen(const Color &attribute, float depth = 0);
// A vertex at a place in the window of 8 x 8 pixels.
DrawVertex at(float x, float y, const Color &attribute = {1, 1, 1, 1}, float depth = 0, float w = 1);

// The parts of pixel shaders. The primitive mask is in s0; i and j are in v0 and v1.
extern const char *const InterpolateAll; // the attribute into v[8:11]
extern const char *const ExportAll;      // v[8:11] to MRT 0, and the end
extern const char *const MoveAll;        // v_interp_mov of P0 into v[8:11]

// Maps a program of assembly text for the emulator's generation (gfx900 or gfx803).
HardwareProgram mapProgram(Gpu &gpu, const char *name, const std::string &text);

class DrawRun {
public:
  DrawRun(); // 8 x 8 pixels of R32G32B32A32_SFLOAT, no depth, a list of triangles

  Scene scene;
  HardwareRegisters registers;
  std::vector<DrawVertex> vertices; // as many are drawn, unless scene.indices says otherwise
  std::string vs, ps;               // assembly text
  Generation generation = Generation::Gfx9;
  bool hasLsVgprInitBug = false;
  // Adds programs and memory of other stages; may change everything.
  std::function<void(Gpu &gpu, Draw &command)> prepare;

  // Sets the whole register.
  void set(uint32_t address, uint32_t value) { registers[address] = value; }
  void enable(uint32_t psInputs); // SPI_PS_INPUT_ENA and ADDR

  // Fails the test if the draw fails.
  void draw();
  Result<SceneResult> tryDraw();
  // The text of the Error; fails the test if there is none.
  std::string drawError();

  Color pixel(unsigned x, unsigned y, unsigned target = 0, unsigned layer = 0) const;
  float depth(unsigned x, unsigned y) const;
  unsigned stencil(unsigned x, unsigned y) const;
  // The pixels of target 0 whose red is not 0, one line for each row: "..##....\n".
  std::string picture() const;
  float sum(unsigned channel) const; // over target 0

  SceneResult result;
};

} // namespace dovetail::emulator::test
