// SPDX-License-Identifier: MIT
#include "src/lgc/pipeline.h"
#include "src/base/compile_phases.h"
#include "src/lgc/builder/direct_builder.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/middle_end.h"
#include "src/lgc/optimize/shader_attributes.h"
#include "src/lgc/pipeline_module.h"
#include "src/lgc/reached_step.h"
#include "src/lgc/state/compile_state.h"
#include <llvm/IR/Module.h>

using namespace llvm;
using dovetail::CompilePhase;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::PhaseScope;

namespace lgc {

Result<std::unique_ptr<Module>> Pipeline::irLink(std::vector<std::unique_ptr<Module>> shaders) {
  const PhaseScope phase(CompilePhase::Translate);
  if (shaders.size() == 1 && !m_graphics)
    return linkShader(std::move(shaders.front()));
  return linkPipelineModule(m_builderContext, std::move(shaders), m_frontEnd, m_graphics.value_or(GraphicsState()));
}

Result<std::unique_ptr<Module>> Pipeline::linkShader(std::unique_ptr<Module> module) {
  if (&module->getContext() != &m_builderContext.context())
    return makeError(ErrorCode::InvalidInput, "the shader module belongs to another LLVMContext than the pipeline");
  DOVETAIL_CHECK(verifyStructure(*module, "when it is linked"));
  if (std::string problem = verifyOps(*module); !problem.empty())
    return makeError(ErrorCode::CompileFailed, "{}", problem);
  DOVETAIL_CHECK(checkIsRecorded(*module));
  ShaderModes modes;
  if (!modes.read(*module))
    return makeError(ErrorCode::InvalidInput, "the shader module does not carry its modes");
  DOVETAIL_CHECK(checkStage(modes));
  m_codeGenerator.setTarget(*module);
  m_frontEnd.record(*module);
  recordFunctionHash(*module, m_shaderHash);
  return module;
}

Result<void> Pipeline::checkStage(const ShaderModes &modes) const {
  if (m_frontEnd.stageMask && !(m_frontEnd.stageMask & stageBit(modes.stage)))
    return makeError(ErrorCode::StateMismatch, "the shader's stage is not in the pipeline's stage mask");
  return {};
}

Result<HardwareFormShader> Pipeline::lower(std::unique_ptr<Module> module) {
  ++m_codeGenerator.counts().lowered;
  m_codeGenerator.diagnostics().clear();
  CompileState state = DOVETAIL_TRY(readCompileState(*module, m_builderContext.targetInfo()));
  HardwareFormShader lowered;
  lowered.reached = DOVETAIL_TRY(reachedStep(*module));
  DOVETAIL_CHECK(
      MiddleEnd(m_codeGenerator, *module, state.pipeline, state.interface, m_observer).lower(lowered.reached));
  lowered.module = std::move(module);
  lowered.interface = std::move(state.interface);
  lowered.options = state.pipeline.options();
  lowered.observer = m_observer;
  return lowered;
}

Result<std::unique_ptr<DirectBuilder>> Pipeline::beginShader(ShaderStage stage) {
  if (m_observer)
    return nullptr;
  DOVETAIL_CHECK(checkKnowledge(m_frontEnd.knowledge));
  m_builderContext.context().setDiscardValueNames(!m_frontEnd.options.keepIr); // nobody reads them
  ShaderModes modes;
  modes.stage = stage;
  return std::make_unique<DirectBuilder>(
      m_builderContext.context(),
      std::make_unique<PipelineState>(m_builderContext.targetInfo(), m_frontEnd, modes, m_shaderHash));
}

Result<HardwareFormShader> Pipeline::lower(std::unique_ptr<Module> module, std::unique_ptr<DirectBuilder> builder) {
  ++m_codeGenerator.counts().lowered;
  ++m_codeGenerator.counts().direct;
  m_codeGenerator.diagnostics().clear();
  PipelineState &state = builder->finishState();
  state.setOptimizationLevel(m_frontEnd.options.optimizationLevel);
  DOVETAIL_CHECK(checkStage(state.shaderModes()));
  if (verifiesDirectShaders())
    DOVETAIL_CHECK(verifyStructure(*module, "when it is built"));
  HardwareFormShader lowered;
  DOVETAIL_CHECK(MiddleEnd(m_codeGenerator, *module, state, lowered.interface).lower(*builder));
  lowered.module = std::move(module);
  lowered.options = state.options();
  return lowered;
}

Result<CompiledShader> Pipeline::generate(std::unique_ptr<Module> module) {
  if (isPipelineModule(*module)) {
    if (!m_builderContext.pipelineGenerator())
      return makeError(ErrorCode::Unsupported, "a pipeline module takes a BuilderContext that joins its stages");
    CompiledShader pipeline;
    pipeline.elf = DOVETAIL_TRY(m_builderContext.pipelineGenerator()(*module, m_observer));
    return pipeline;
  }
  return m_builderContext.generateCode(DOVETAIL_TRY(lower(std::move(module))));
}

Result<HardwareFormShader> Pipeline::lowerCopyShader(const dovetail::ShaderInterface &geometryShader) {
  m_codeGenerator.diagnostics().clear();
  PipelineState state(m_builderContext.targetInfo(), m_frontEnd, copyShaderUsage(geometryShader.geometry));
  std::unique_ptr<Module> module = m_builderContext.createModule("copy");

  HardwareFormShader copy;
  dovetail::ShaderInterface &interface = copy.interface;
  interface.floatMode = floatModeOf(state);
  Function *function = DOVETAIL_TRY(
      buildCopyShader(*module, state.targetInfo(), geometryShader, state.usage(), state.interShaderData(), interface));
  setShaderAttributes(*function, state);
  DOVETAIL_CHECK(lowerUserData(*function, state, interface));
  DOVETAIL_CHECK(makeEntryPoint(*function, state, interface));
  copy.module = std::move(module);
  copy.options = state.options();
  copy.observer = m_observer;
  return copy;
}

Result<CompiledShader> Pipeline::generateCopyShader(const dovetail::ShaderInterface &geometryShader) {
  return m_builderContext.generateCode(DOVETAIL_TRY(lowerCopyShader(geometryShader)));
}

} // namespace lgc
