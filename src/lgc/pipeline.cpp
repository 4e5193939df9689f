// SPDX-License-Identifier: MIT
#include "src/lgc/pipeline.h"
#include "src/base/compile_phases.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/lowering/copy_shader.h"
#include "src/lgc/middle_end.h"
#include "src/lgc/optimize/shader_attributes.h"
#include "src/lgc/state/entry_function.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Module.h>

using namespace llvm;
using dovetail::CompilePhase;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::PhaseScope;

namespace lgc {

Result<std::unique_ptr<Module>> Pipeline::link(std::vector<std::unique_ptr<Module>> shaders) {
  const PhaseScope phase(CompilePhase::Translate);
  if (shaders.size() != 1)
    return makeError(ErrorCode::Unsupported, "a pipeline module of {} shaders; each stage is compiled as a part",
                     shaders.size());
  std::unique_ptr<Module> module = std::move(shaders.front());
  if (&module->getContext() != &m_builderContext.context())
    return makeError(ErrorCode::InvalidInput, "the shader module belongs to another LLVMContext than the pipeline");
  DOVETAIL_CHECK(verifyStructure(*module, "when it is linked"));
  if (std::string problem = verifyOps(*module); !problem.empty())
    return makeError(ErrorCode::CompileFailed, "{}", problem);
  ShaderModes modes;
  if (!modes.read(*module))
    return makeError(ErrorCode::InvalidInput, "the shader module does not carry its modes");
  if (m_frontEnd.stageMask && !(m_frontEnd.stageMask & stageBit(modes.stage)))
    return makeError(ErrorCode::StateMismatch, "the shader's stage is not in the pipeline's stage mask");

  m_codeGenerator.setTarget(*module);
  m_frontEnd.record(*module);
  return module;
}

Result<PipelineState> Pipeline::beginCompile(const Module &module) {
  m_codeGenerator.diagnostics().clear();
  FrontEndState frontEnd;
  if (!frontEnd.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no pipeline state, or a malformed one");
  ShaderModes modes;
  if (!modes.read(module))
    return makeError(ErrorCode::InvalidInput, "the module carries no shader modes");
  return PipelineState(m_builderContext.targetInfo(), std::move(frontEnd), modes);
}

Result<HardwareFormShader> Pipeline::lower(std::unique_ptr<Module> module) {
  ++m_codeGenerator.counts().lowered;
  const PhaseScope phase(CompilePhase::Replay);
  PipelineState state = DOVETAIL_TRY(beginCompile(*module));
  Function *function = DOVETAIL_TRY(findEntryFunction(*module));
  setShaderAttributes(*function, state);
  BuilderImpl builder(module->getContext(), state);
  m_codeGenerator.run(*module, BuilderReplayer(builder));
  DOVETAIL_CHECK(state.checkNoFailure());

  // Beyond this point, no recorded op is left.
  PhaseScope::change(CompilePhase::Optimize);
  auto useKnowledge = [&] {
    bool hasFolded = foldInlinableUniforms(*function, state);
    return applyKnowledge(*function, state) || hasFolded;
  };
  const unsigned level = state.options().optimizationLevel;
  useKnowledge();
  m_codeGenerator.optimizeShader(*module, level);
  constexpr unsigned maxRounds = 3; // loops in loops, each of which reads its bound at a place that the outer one says
  for (unsigned round = 0; round < maxRounds && useKnowledge(); ++round)
    m_codeGenerator.optimizeShader(*module, level);
  PhaseScope::change(CompilePhase::Lower);
  DOVETAIL_CHECK(collectResources(*function, state));

  // Beyond this point, it is known what the shader needs.
  HardwareFormShader lowered;
  dovetail::ShaderInterface &interface = lowered.interface;
  interface.floatMode = floatModeOf(state.shaderModes().common);
  ReturnValues returnValues = DOVETAIL_TRY(lowerInputsAndOutputs(*function, state, interface));
  lowerUserData(*function, state, interface);
  makeEntryPoint(*function, returnValues, state, interface);

  // Beyond this point, no dialect op is left.
  lowered.module = std::move(module);
  lowered.options = state.options();
  return lowered;
}

Result<CompiledShader> Pipeline::generate(std::unique_ptr<Module> module) {
  return m_builderContext.generateCode(DOVETAIL_TRY(lower(std::move(module))));
}

Result<CompiledShader> Pipeline::generateCopyShader(const dovetail::ShaderInterface &geometryShader) {
  m_codeGenerator.diagnostics().clear();
  PipelineState state(m_builderContext.targetInfo(), m_frontEnd, copyShaderUsage(geometryShader.geometry));
  std::unique_ptr<Module> module = m_builderContext.createModule("copy");

  HardwareFormShader copy;
  dovetail::ShaderInterface &interface = copy.interface;
  interface.floatMode = floatModeOf(state.shaderModes().common);
  Function *function = DOVETAIL_TRY(buildCopyShader(*module, state.targetInfo(), geometryShader, state.usage(),
                                                    state.options().knowledge, interface));
  setShaderAttributes(*function, state);
  lowerUserData(*function, state, interface);
  makeEntryPoint(*function, {}, state, interface);
  copy.module = std::move(module);
  copy.options = state.options();
  return m_builderContext.generateCode(std::move(copy));
}

} // namespace lgc
