// SPDX-License-Identifier: MIT
//
// Pipeline: one compilation. It takes the pipeline state, links shader modules into a pipeline module, and generates
// code from it.
#pragma once

#include "src/abi/shader_interface.h"
#include "src/base/error.h"
#include "src/lgc/state/compile_options.h"
#include "src/lgc/state/shader_modes.h"
#include "src/lgc/state/user_data_nodes.h"
#include "src/state/pipeline_state.h"
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace lgc {

using dovetail::Result;

struct VertexInputDescription {
  dovetail::VertexAttribute attribute;
  dovetail::VertexBinding binding;
};

struct ColorExportState {
  std::array<dovetail::ColorTarget, dovetail::MaxColorTargets> targets;
  bool alphaToCoverageEnable = false;
  bool dualSourceBlendEnable = false;
};

// Input assembly, viewport and rasteriser state.
struct GraphicsState {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patchControlPoints = 3;
  bool depthClampEnable = false;
  bool rasterizerDiscardEnable = false;
  bool flatProvokingVertexLast = false;
  uint32_t rasterizationSamples = 1;
  bool sampleShadingEnable = false;
};

// One shader stage, compiled. `elf` is LLVM's relocatable object file.
struct CompiledShader {
  std::vector<uint8_t> elf;
  dovetail::ShaderInterface interface;
  std::string ir; // the optimised LLVM IR, if Options::keepIr
};

// A shader as one function in hardware form (see ComposeHook for its signature), for which no code is generated yet.
struct HardwareFormShader {
  std::unique_ptr<llvm::Module> module;
  dovetail::ShaderInterface interface;
};

// Called when the shader is one function in hardware form, before the last optimisations. Monolithic compiles add the
// prolog's and epilog's IR here: the hook may replace the entry function and must leave exactly one that is not
// internal, with a hardware calling convention, and update the interface. Internal functions with `alwaysinline` and
// the default calling convention are inlined then; the new entry function must take over the old one's function
// attributes.
//
// The arguments are, in order: one `i32 inreg` for each SGPR from s0 to the last of interface.inputs before
// ScratchOffset (an evaluation shader as Es has one that is not in the list), then
//   vertex    v0..v3 as i32, one float for each attribute word
//   other stages of Ls, Hs, Es, Gs, Vs
//             one i32 for each of entryVgprs(interface.hardwareStage, interface.source)
//   fragment  LLVM's 16 fragment inputs, used or not
//   compute   one i32 for each VGPR
// interface.inputs lists only those of the hardware's VGPRs that are read (fragment: none yet), and is brought up to
// date after the optimisation: what the hook's code reads need not be added. Functions with the calling convention
// amdgpu_hs or amdgpu_gs are excepted: merged programs, whose launch state the hook knows.
// The return value is void, or interface.outputs: a struct of i32 for SGPRs, then float for VGPRs.
using ComposeHook = std::function<Result<void>(llvm::Module &module, dovetail::ShaderInterface &interface)>;

// Made by BuilderContext::createPipeline. Not thread-safe.
class Pipeline {
public:
  virtual ~Pipeline() = default;

  virtual void setShaderStageMask(uint32_t mask) = 0; // stageBit()s
  virtual void setOptions(const Options &options) = 0;
  virtual void setShaderOptions(ShaderStage stage, const ShaderOptions &options) = 0;
  virtual void setUserDataNodes(UserDataNodes nodes) = 0;
  virtual void setDeviceIndex(uint32_t index) = 0;
  virtual void setVertexInputDescriptions(std::vector<VertexInputDescription> inputs) = 0;
  virtual void setColorExportState(const ColorExportState &state) = 0;
  virtual void setGraphicsState(const GraphicsState &state) = 0;

  // Links shader modules (each made through a Builder, one stage each) into the pipeline module and records the state
  // in its metadata.
  virtual Result<std::unique_ptr<llvm::Module>> link(std::vector<std::unique_ptr<llvm::Module>> shaders) = 0;

  // Runs the middle-end and back-end on a linked module and generates the code of its one stage. The module is used up.
  virtual Result<CompiledShader> generate(std::unique_ptr<llvm::Module> module, const ComposeHook &compose = {}) = 0;

  // The first half of generate(), for a shader that is to be composed with another one: brings it to hardware form and
  // calls the hook. The module is used up.
  virtual Result<HardwareFormShader> lower(std::unique_ptr<llvm::Module> module, const ComposeHook &compose = {}) = 0;

  // Makes the copy shader of a geometry shader from the interface that generate() gave with it: a Vs program that reads
  // the vertices of the GSVS ring and exports them, and does the shader's transform feedback. Of the state it sees the
  // options only.
  virtual Result<CompiledShader> generateCopyShader(const dovetail::ShaderInterface &geometryShader) = 0;
};

} // namespace lgc
