// SPDX-License-Identifier: MIT
//
// The choices for a compile beside the shader's code and its resources, as plain data.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/lgc/state/shader_modes.h"
#include "src/state/main_part_state.h"
#include <array>
#include <cstdint>

namespace lgc {

// A value of the device index (the number of the GPU in its group): shaders take it from a user SGPR.
constexpr uint32_t DeviceIndexOfDriver = 0xffffffff;

// The result of code generation.
enum class CodeFormat : uint32_t { Object, Assembly }; // LLVM's relocatable object file, or its text
constexpr unsigned CodeFormatCount = 2;

// The places where fragment shaders of GL find one of their two colours.
struct ColorInputLocations {
  static constexpr uint32_t None = 0xff;
  uint32_t front = None, back = None; // locations of inputs; None: the colour is not used

  bool operator==(const ColorInputLocations &) const = default;
};

// The optimisation level of IR for first code (src/first), which combines and shares values itself. LLVM generates no
// code at this level.
constexpr unsigned FirstCodeLevel = 4;

// Tuning of the whole pipeline.
struct Options {
  unsigned optimizationLevel = 2; // 0..3 or FirstCodeLevel; at 0, IR is hardly optimised, and code is generated as at 1
  bool keepIr = false;            // CompiledShader::ir is filled in
  CodeFormat codeFormat = CodeFormat::Object;
  // A vertex shader in front of the rasteriser exports the primitive's number, for a fragment shader that has an input
  // at PrimitiveIdParameter.
  bool exportPrimitiveId = false;
  // Vertex and evaluation shaders: Vs in front of the rasteriser, Ls in front of a control shader, Es in front of a
  // geometry shader.
  dovetail::HardwareStage vertexStage = dovetail::HardwareStage::Vs;

  // Fragment shaders: inputs at these locations are GL's colours, which a prolog interpolates.
  std::array<ColorInputLocations, 2> colorInputs;
  // State that no prolog or epilog can handle.
  dovetail::MainPartState mainPartState;

  bool operator==(const Options &) const = default;
};

// All GPUs here run waves of 64 lanes only.
constexpr unsigned WaveLanes = 64;

// The driver's choices for one shader, by LGC's names. docs/lgc.md says what became of LGC's choices that are missing.
struct ShaderOptions {
  unsigned vgprLimit = 0; // 0: the hardware's
  unsigned sgprLimit = 0;
  unsigned waveLimit = 0; // so many waves per SIMD, or more
  // Compute shaders: no more workgroups than these run on a compute unit at a time; 0: as many as fit.
  unsigned maxThreadGroupsPerComputeUnit = 0;
  // The value of gl_SubgroupSize; 0: the lanes of a wave. A shader that reads it cannot be compiled for any other
  // number.
  unsigned subgroupSize = 0;
  unsigned unrollThreshold = 0;   // LLVM's threshold for loops; 0: DefaultUnrollThreshold
  bool disableLoopUnroll = false; // whatever the shader says
  bool trapPresent = false;       // a trap handler exists, which gets exceptions
  bool debugMode = false;         // the trap handler is called after each instruction
  // Fragment shaders: when the hardware tests depth. allowReZ: it tests again after the shader if it has tested before.
  // forceLateZ: it tests after the shader only, because the shader reads the surfaces to which it draws.
  bool allowReZ = false;
  bool forceLateZ = false;
  bool viewIndexFromDeviceIndex = false; // gl_ViewIndex is gl_DeviceIndex
  // Overrides the shader's modes, unless DontCare.
  FpDenormMode fp32DenormMode = FpDenormMode::DontCare;

  bool operator==(const ShaderOptions &) const = default;
};
// More eager than LLVM's threshold for kernels: shader loops are short, and arrays that they index are faster in
// registers.
constexpr unsigned DefaultUnrollThreshold = 700;

} // namespace lgc
