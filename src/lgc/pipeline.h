// SPDX-License-Identifier: MIT
//
// A front end holds a Pipeline. It takes the pipeline state, links shader modules into a pipeline module, and generates
// code from it. Each compile has a state of its own (PipelineState).
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/base/error.h"
#include "src/isa/instruction.h"
#include "src/lgc/codegen/registers/spill_counts.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/graphics_state.h"
#include "src/lgc/step.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace lgc {

class BuilderContext;
class CodeGenerator;
class DirectBuilder;

using dovetail::Result;

// One compiled shader stage: `elf` is LLVM's relocatable object file. Or a compiled pipeline: `elf` is its PAL ELF.
struct CompiledShader {
  std::vector<uint8_t> elf;
  // The instructions of an object file, without what mc::readControl() adds. None if they are not known; the code must
  // then be decoded.
  std::vector<dovetail::isa::Instruction> instructions;
  dovetail::ShaderInterface interface;
  std::string ir; // the optimised LLVM IR, if Options::keepIr
  SpillCounts spills;
};

// A shader as one function in hardware form, before the last optimisations; BuilderContext::generateCode goes on from
// here. Monolithic compiles add the IR of prolog and epilog:
// - They may replace the entry function. There must be exactly one that is not internal, with a hardware calling
//   convention.
// - A new entry function must take over the old one's function attributes.
// - They must keep the interface up to date.
// - Internal functions with `alwaysinline` and the default calling convention are inlined later.
//
// The arguments are, in order: one `i32 inreg` for each SGPR from s0 to the last of interface.inputs before
// ScratchOffset (an evaluation shader as Es has one that is not in the list), then
//   vertex    v0..v3 as i32, one float for each attribute word
//   other stages of Ls, Hs, Es, Gs, Vs
//             one i32 for each of entryVgprs(interface.hardwareStage, interface.source)
//   fragment  LLVM's 16 fragment inputs, used or not, and one float for each component of GL's colours that is read
//   compute   one i32 for each VGPR
//
// interface.inputs lists only those of the hardware's VGPRs that are read. It is brought up to date after the
// optimisation, so it need not list the reads of added code. Functions with the calling convention amdgpu_hs or
// amdgpu_gs are exempt: they are merged programs, and the code that composes them knows their launch state. The return
// value is void, or interface.outputs: a struct of i32 for SGPRs, then float for VGPRs.
struct HardwareFormShader {
  std::unique_ptr<llvm::Module> module;
  dovetail::ShaderInterface interface;
  Options options; // the options of its compile so far
  StepObserver observer;
  std::optional<Step> reached; // if the module came from a file: the last middle-end step behind it; that one and
                               // earlier ones do not run again
};

// How often the two halves of a compile have run.
struct CompileCounts {
  uint64_t lowered = 0;  // shaders brought to hardware form
  uint64_t direct = 0;   // of these, made without their recorded form
  uint64_t emitted = 0;  // object files
  uint64_t repeated = 0; // of these, compiled again without the cause of wrong code

  CompileCounts &operator+=(const CompileCounts &other) {
    lowered += other.lowered;
    direct += other.direct;
    emitted += other.emitted;
    repeated += other.repeated;
    return *this;
  }
};

// BuilderContext::createPipeline makes it; it must not outlive the BuilderContext. Not thread-safe.
class Pipeline {
public:
  Pipeline(BuilderContext &builderContext, CodeGenerator &codeGenerator)
      : m_builderContext(builderContext), m_codeGenerator(codeGenerator) {}

  void setShaderStageMask(uint32_t mask) { m_frontEnd.stageMask = mask; } // stageBit()s
  void setOptions(const Options &options) { m_frontEnd.options = options; }
  void setOptimizationLevel(unsigned level) { m_frontEnd.options.optimizationLevel = level; }
  void setShaderOptions(ShaderStage stage, const ShaderOptions &options) {
    m_frontEnd.shaderOptions[static_cast<unsigned>(stage)] = options;
  }
  // Sets the forms of resources that change code. Otherwise shaders know nothing of the layout; the interface and the
  // relocations of their code say what it needs to know of it (docs/linking.md).
  void setResourceForms(dovetail::ResourceForms forms) { m_frontEnd.resourceForms = std::move(forms); }
  void setDeviceIndex(uint32_t index) { m_frontEnd.deviceIndex = index; }
  // Sets the state of the draw, and the nodes of the layout.
  void setGraphicsState(GraphicsState graphics) { m_graphics = std::move(graphics); }
  // Sets what the compile may assume of other stages and of the state.
  void setKnowledge(dovetail::StageKnowledge knowledge) { m_frontEnd.knowledge = std::move(knowledge); }
  // Sets a hash of the shader and of everything that decides its compile beside the knowledge.
  // ShaderInterface::functionHash is made of it and of the knowledge that the middle-end uses; without it, there is
  // none.
  void setShaderHash(const dovetail::Hash128 &hash) { m_shaderHash = hash; }

  // Sets the observer, which sees the module after each step of the middle-end. The code is the same with and without
  // it.
  void setObserver(StepObserver observer) { m_observer = std::move(observer); }

  // Links shader modules (each made through a Builder, one stage each) into one, and records the state in its metadata.
  // The module of one shader without graphics state is for generate() and lower(). The module of several, or with a
  // state, is a pipeline module (pipeline_module.h): its modules may be of other LLVMContexts, and another process may
  // compile it.
  Result<std::unique_ptr<llvm::Module>> irLink(std::vector<std::unique_ptr<llvm::Module>> shaders);

  // Runs the middle-end and back-end on a linked module, with the state that it carries, and generates code: an object
  // file of its one stage, or a PAL ELF of a pipeline module's stages, without an interface. Uses the module up.
  // Errors: also Unsupported for a pipeline module if no generator is set (BuilderContext::setPipelineGenerator).
  Result<CompiledShader> generate(std::unique_ptr<llvm::Module> module);

  // The first half of generate(), for a shader that is composed with other code: brings it to hardware form. Uses the
  // module up.
  Result<HardwareFormShader> lower(std::unique_ptr<llvm::Module> module);

  // Begins a shader that is compiled without its recorded form: the Builder lowers each op at once, for this Pipeline's
  // state, which must be set. The shader's modes are set in the Builder before its first op; only useSubgroupSize may
  // change later. Give the module of createModule() to lower() together with the Builder. nullptr: an observer wants to
  // see the recorded form. Errors: InvalidInput for knowledge that is out of range.
  Result<std::unique_ptr<DirectBuilder>> beginShader(ShaderStage stage);
  // Brings a module to hardware form that has one function, which was built with the Builder. Uses both up. The
  // optimisation level may change until then. Errors: also those that the Builder has noted.
  Result<HardwareFormShader> lower(std::unique_ptr<llvm::Module> module, std::unique_ptr<DirectBuilder> builder);

  // Makes the copy shader of a geometry shader from the interface that generate() returned with it. That is a Vs
  // program that reads the vertices of the GSVS ring, exports them, and does the shader's transform feedback. It uses
  // only the options of the state.
  Result<CompiledShader> generateCopyShader(const dovetail::ShaderInterface &geometryShader);
  // The first half of that.
  Result<HardwareFormShader> lowerCopyShader(const dovetail::ShaderInterface &geometryShader);

private:
  Result<std::unique_ptr<llvm::Module>> linkShader(std::unique_ptr<llvm::Module> shader);
  // Whether the shader is of one of the stages of the mask.
  Result<void> checkStage(const ShaderModes &modes) const;

  BuilderContext &m_builderContext;
  CodeGenerator &m_codeGenerator;
  FrontEndState m_frontEnd;
  std::optional<GraphicsState> m_graphics;
  dovetail::Hash128 m_shaderHash;
  StepObserver m_observer;
};

} // namespace lgc
