// SPDX-License-Identifier: MIT
//
// ShaderInterface: what a compiled main part says about itself beyond its code. The compiler fills it in once; prologs,
// epilogs, contracts, PAL metadata and the linkage between stages are made from it without looking at the code again.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/abi/value.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// The type class of a vertex attribute or colour output, as the shader declares it.
enum class NumericClass : uint8_t { Float, Sint, Uint };

// A vertex attribute that the main part reads, after elimination of dead reads.
struct VertexInput {
  uint8_t location;
  uint8_t dwordMask;         // which 32-bit words of the (converted) attribute are read; bit 0 is x
  NumericClass numericClass; // integers are always Uint: the words are the same, and the format says how to make them
  uint8_t elementBits;       // 16, 32 or 64, of the shader's type. 16-bit elements arrive widened to 32 bits.

  bool operator==(const VertexInput &) const = default;
};

// A colour that the fragment main part hands to its epilog.
struct ColorOutput {
  uint8_t location; // API location, 0..7
  uint8_t index;    // 1: the second source of dual-source blending
  uint8_t componentMask;
  NumericClass numericClass;

  bool operator==(const ColorOutput &) const = default;
};

// A parameter export of the last stage before rasterisation, or where a fragment input is found.
struct ParameterExport {
  uint8_t location;  // API location; built-ins that travel as parameters use ParameterLocation below
  uint8_t parameter; // export target param<parameter>

  bool operator==(const ParameterExport &) const = default;
};

// Locations beyond the API's, for built-ins that reach the fragment shader as parameters.
enum ParameterLocation : uint8_t {
  PrimitiveIdParameter = 64,
  LayerParameter = 65,
  ViewportIndexParameter = 66,
  ClipDistanceParameter0 = 67, // clip distances 0..3
  ClipDistanceParameter1 = 68, // 4..7
  CullDistanceParameter0 = 69,
  CullDistanceParameter1 = 70,
  PointCoordParameter = 71, // never exported: the rasteriser makes it (FragmentInput::pointCoord)
};

// A fragment input; its place in the list is the attribute number of the v_interp instructions (SPI_PS_INPUT_CNTL_n).
struct FragmentInput {
  uint8_t location;
  bool flat;
  bool pointCoord; // replaced by the point sprite coordinate

  bool operator==(const FragmentInput &) const = default;
};

struct ShaderInterface {
  HardwareStage hardwareStage = HardwareStage::Vs;

  // Every register that is live when the code starts (hardware values, user data, and what a prolog provides), in
  // register order.
  std::vector<Binding> inputs;
  // Every register that the code hands on at its end; empty if it ends the program.
  std::vector<Binding> outputs;
  // How many SGPRs the driver sets (USER_SGPR), and what each one holds: inputs of the kinds GlobalTable …
  // UserDataPadding.
  unsigned userSgprCount = 0;
  // One past the highest root dword that is used in SGPRs or memory, and the lowest one read through SpillTable
  // (0xffff: none).
  unsigned userDataLimit = 0;
  unsigned spillThreshold = 0xffff;
  // FLOAT_MODE of SPI_SHADER_PGM_RSRC1, from the shader's execution modes: [1:0] f32 and [3:2] f16/f64 rounding, [5:4]
  // f32 and [7:6] f16/f64 denormals. LLVM's own register value knows the denormals only.
  uint8_t floatMode = 0xc0;

  // Vertex shaders.
  std::vector<VertexInput> vertexInputs;
  // Last vertex-processing stage.
  std::vector<ParameterExport> parameters;
  uint8_t positionExports = 0; // number of pos exports
  bool writesPointSize = false;
  bool writesLayer = false;
  bool writesViewportIndex = false;
  uint8_t clipDistanceMask = 0;
  uint8_t cullDistanceMask = 0; // in the bits that follow the clip distances
  bool usesInstanceId = false;
  bool usesPrimitiveId = false;

  // Fragment shaders.
  std::vector<FragmentInput> fragmentInputs;
  std::vector<ColorOutput> colors;
  bool writesDepth = false;
  bool writesStencil = false;
  bool writesSampleMask = false;
  bool usesDiscard = false;
  bool earlyFragmentTests = false;
  bool writesMemory = false; // buffer or image stores and atomics
  bool postDepthCoverage = false;
  bool runsAtSampleRate = false;
  uint8_t conservativeDepth = 0; // lgc::ConservativeDepth
  bool pixelCenterInteger = false;

  // Compute shaders.
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};

  bool operator==(const ShaderInterface &) const = default;
};

} // namespace dovetail
