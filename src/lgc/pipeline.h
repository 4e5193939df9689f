// SPDX-License-Identifier: MIT
//
// Pipeline: one compilation. It takes the pipeline state, links shader modules into a pipeline module, and generates
// code from it.
#pragma once

#include "src/abi/shader_interface.h"
#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include "src/state/main_part_state.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include <functional>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace lgc {

using dovetail::Result;

// How much of the pipeline a compile sees.
enum class PipelineLink : uint32_t {
  WholePipeline, // all shaders and all state
  Unlinked,      // one shader; vertex fetch and colour export are left to a prolog and an epilog
  PartPipeline,  // some of the shaders
};

// Where fragment shaders of GL find one of their two colours.
struct ColorInputLocations {
  static constexpr uint32_t None = 0xff;
  uint32_t front = None, back = None; // locations of inputs; None: the colour is not used

  bool operator==(const ColorInputLocations &) const = default;
};

// Tuning of the whole pipeline.
struct Options {
  PipelineLink link = PipelineLink::Unlinked;
  unsigned optimizationLevel = 2; // 0..3, LLVM's meaning
  bool keepIr = false;            // CompiledShader::ir is filled in
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
  // What the rest of the pipeline and its state let this compile assume.
  dovetail::StageKnowledge knowledge;

  bool operator==(const Options &) const = default;
};

// Tuning of one shader.
struct ShaderOptions {
  unsigned vgprLimit = 0; // 0: the hardware's
  unsigned sgprLimit = 0;
  unsigned waveLimit = 0; // at least this many waves per SIMD

  bool operator==(const ShaderOptions &) const = default;
};

// Where a resource is found. The root table is an array of dwords that the driver sets (user data); its first dwords
// arrive in SGPRs, as many as fit, the rest is read through the spill table.
enum class UserDataNodeType : uint32_t {
  DescriptorTable, // one root dword: low half of the address of a table; `set` says which
  PushConstants,   // sizeInDwords root dwords
  // Elements of a DescriptorTable: offsetInDwords counts from the start of that table.
  Image,
  Sampler,
  CombinedImageSampler, // image at +0, sampler at +8 dwords, stride 12 dwords
  TexelBuffer,
  Buffer,
};

struct UserDataNode {
  UserDataNodeType type;
  uint32_t set = 0;
  uint32_t binding = 0; // not for DescriptorTable and PushConstants
  uint32_t offsetInDwords = 0;
  uint32_t sizeInDwords = 1;
  uint32_t strideInDwords = 0; // between the elements of an array binding

  bool operator==(const UserDataNode &) const = default;
};

// The nodes of the root table and, in the same list, the elements of the descriptor tables (each names its set).
using UserDataNodes = std::vector<UserDataNode>;

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
