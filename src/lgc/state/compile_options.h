// SPDX-License-Identifier: MIT
//
// What is chosen for a compile beside the shader's code and its resources, as plain data.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/lgc/state/shader_modes.h"
#include "src/state/main_part_state.h"
#include <array>
#include <cstdint>

namespace lgc {

// The number of the GPU in its group: shaders take it from a user SGPR.
constexpr uint32_t DeviceIndexOfDriver = 0xffffffff;

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
  unsigned optimizationLevel = 2; // 0..3; at 0, IR is hardly optimised, and code is generated as at 1
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
  // State that no prolog or epilog can do.
  dovetail::MainPartState mainPartState;

  bool operator==(const Options &) const = default;
};

// All GPUs here run waves of 64 lanes and no others.
constexpr unsigned WaveLanes = 64;

// What a driver chooses for one shader, by LGC's names. docs/lgc.md says what became of those of LGC's that are
// missing.
struct ShaderOptions {
  unsigned vgprLimit = 0; // 0: the hardware's
  unsigned sgprLimit = 0;
  unsigned waveLimit = 0; // at least this many waves per SIMD
  // Compute shaders: no more workgroups than these run on a compute unit at a time; 0: as many as fit.
  unsigned maxThreadGroupsPerComputeUnit = 0;
  // What gl_SubgroupSize is, 0: the lanes of a wave. A shader that asks for it cannot be compiled for another number.
  unsigned subgroupSize = 0;
  unsigned unrollThreshold = 0;   // LLVM's, of loops; 0: DefaultUnrollThreshold
  bool disableLoopUnroll = false; // whatever the shader says
  bool trapPresent = false;       // a trap handler is there, to which exceptions go
  bool debugMode = false;         // it is called behind each instruction
  // Fragment shaders: when depth is tested. Again behind the shader, if it was tested in front of it; or behind it
  // alone, because the shader reads what it draws to.
  bool allowReZ = false;
  bool forceLateZ = false;
  bool viewIndexFromDeviceIndex = false; // gl_ViewIndex is gl_DeviceIndex
  // In place of what the shader's modes say, unless DontCare.
  FpDenormMode fp32DenormMode = FpDenormMode::DontCare;

  bool operator==(const ShaderOptions &) const = default;
};
// More eager than LLVM's for kernels: shader loops are short, and what they index is faster in registers.
constexpr unsigned DefaultUnrollThreshold = 700;

} // namespace lgc
