// SPDX-License-Identifier: MIT
//
// ShaderModes is what a shader itself says about how it runs, beside its code. A shader compile without pipeline state
// has it, too. It is written to IR metadata with the shader.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include <array>
#include <cstdint>

namespace llvm {
class Module;
}

namespace lgc {

enum class ShaderStage : uint32_t { Vertex, TessControl, TessEval, Geometry, Fragment, Compute };
constexpr unsigned ShaderStageCount = 6;
constexpr uint32_t stageBit(ShaderStage stage) {
  return 1u << static_cast<uint32_t>(stage);
}

enum class FpRoundMode : uint32_t { DontCare, Even, Positive, Negative, Zero };
enum class FpDenormMode : uint32_t { DontCare, FlushNone, FlushInOut };

// Common to all stages, from execution modes such as DenormPreserve.
struct CommonShaderMode {
  FpRoundMode fp16RoundMode = FpRoundMode::DontCare;
  FpDenormMode fp16DenormMode = FpDenormMode::DontCare;
  FpRoundMode fp32RoundMode = FpRoundMode::DontCare;
  FpDenormMode fp32DenormMode = FpDenormMode::DontCare;
  FpRoundMode fp64RoundMode = FpRoundMode::DontCare;
  FpDenormMode fp64DenormMode = FpDenormMode::DontCare;
  bool useSubgroupSize = false; // the shader reads gl_SubgroupSize

  bool operator==(const CommonShaderMode &) const = default;
};

enum class ConservativeDepth : uint32_t { Any, LessEqual, GreaterEqual, Unchanged };

struct FragmentShaderMode {
  bool pixelCenterInteger = false;
  bool originLowerLeft = false;
  bool earlyFragmentTests = false;
  bool depthReplacing = false;
  bool requireFullQuads = false; // helper lanes take part in all subgroup operations
  ConservativeDepth conservativeDepth = ConservativeDepth::Any;
  dovetail::FragmentInterlock interlock = dovetail::FragmentInterlock::None;

  bool operator==(const FragmentShaderMode &) const = default;
};

struct ComputeShaderMode {
  uint32_t workgroupSizeX = 1;
  uint32_t workgroupSizeY = 1;
  uint32_t workgroupSizeZ = 1;
  bool derivativeGroupQuads = false; // lanes 4n to 4n + 3 are a square of 2 by 2 invocations

  bool operator==(const ComputeShaderMode &) const = default;
};

// Modes that are declared in the control or in the evaluation shader. A comment notes modes that only one of them may
// declare.
struct TessellationMode {
  dovetail::TessPrimitive primitive = dovetail::TessPrimitive::Undeclared;
  dovetail::TessSpacing spacing = dovetail::TessSpacing::Undeclared;
  dovetail::TessVertexOrder vertexOrder = dovetail::TessVertexOrder::Undeclared;
  bool pointMode = false;
  uint32_t outputVertices = 0; // control shaders

  bool operator==(const TessellationMode &) const = default;
};

struct GeometryShaderMode {
  dovetail::GeometryInput input = dovetail::GeometryInput::Triangles;
  dovetail::GeometryOutput output = dovetail::GeometryOutput::TriangleStrip;
  uint32_t maxVertices = 0;
  uint32_t invocations = 1;

  bool operator==(const GeometryShaderMode &) const = default;
};

// The modes of one shader.
struct ShaderModes {
  ShaderStage stage = ShaderStage::Vertex;
  CommonShaderMode common;
  TessellationMode tessellation;
  GeometryShaderMode geometry;
  bool transformFeedback = false; // the execution mode Xfb
  FragmentShaderMode fragment;
  ComputeShaderMode compute;

  bool operator==(const ShaderModes &) const = default;

  // Replaces the modes that the module carries.
  void record(llvm::Module &module) const;
  // Reads the modes; returns false if the module has none or they are malformed.
  bool read(const llvm::Module &module);
};

} // namespace lgc
