// SPDX-License-Identifier: MIT
//
// What is chosen for a compile beside the shader's code and its resources, as plain data.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/state/main_part_state.h"
#include <array>
#include <cstdint>

namespace lgc {

// What code generation makes.
enum class CodeFormat : uint32_t { Object, Assembly }; // LLVM's relocatable object file, or its text
constexpr unsigned CodeFormatCount = 2;

// Where fragment shaders of GL find one of their two colours.
struct ColorInputLocations {
  static constexpr uint32_t None = 0xff;
  uint32_t front = None, back = None; // locations of inputs; None: the colour is not used

  bool operator==(const ColorInputLocations &) const = default;
};

// Tuning of the whole pipeline.
struct Options {
  unsigned optimizationLevel = 2; // 0..3, LLVM's meaning
  bool keepIr = false;            // CompiledShader::ir is filled in
  CodeFormat codeFormat = CodeFormat::Object;
  // A vertex shader that is followed by rasterisation exports the primitive's number, for a fragment shader that has an
  // input at PrimitiveIdParameter.
  bool exportPrimitiveId = false;
  // Vertex and evaluation shaders: Vs in front of the rasteriser, Ls in front of a control shader, Es in front of a
  // geometry shader.
  dovetail::HardwareStage vertexStage = dovetail::HardwareStage::Vs;

  // Fragment shaders: inputs at these locations are GL's colours, which a prolog interpolates.
  std::array<ColorInputLocations, 2> colorInputs;
  // Fragment shaders: state that no prolog or epilog can do.
  dovetail::MainPartState mainPartState;

  bool operator==(const Options &) const = default;
};

// Tuning of one shader.
struct ShaderOptions {
  unsigned vgprLimit = 0; // 0: the hardware's
  unsigned sgprLimit = 0;
  unsigned waveLimit = 0; // at least this many waves per SIMD

  bool operator==(const ShaderOptions &) const = default;
};

} // namespace lgc
