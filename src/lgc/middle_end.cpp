// SPDX-License-Identifier: MIT
#include "src/lgc/middle_end.h"
#include "src/base/compile_phases.h"
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/builder_replayer.h"
#include "src/lgc/builder/interface/smooth_points.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/optimize/shader_attributes.h"
#include "src/lgc/optimize/shader_steps.h"
#include "src/lgc/reached_step.h"
#include "src/lgc/state/compile_state.h"
#include "src/lgc/state/entry_function.h"
#include <llvm/IR/Module.h>

using namespace llvm;
using dovetail::CompilePhase;
using dovetail::PhaseScope;
using dovetail::Result;

namespace lgc {

std::string_view passNameOf(Step step) {
  static constexpr std::string_view Names[] = {
#define LGC_STEP(name, passName) passName,
#include "src/lgc/middle_end.def"
#undef LGC_STEP
  };
  return Names[static_cast<size_t>(step)];
}

Result<bool> MiddleEnd::runStep(Step step) {
  Function *function = DOVETAIL_TRY(findEntryFunction(m_module));
  const unsigned level = m_state.options().optimizationLevel;
  switch (step) {
  case Step::SetAttributes:
    DOVETAIL_CHECK(checkShaderOptions(m_state));
    setShaderAttributes(*function, m_state);
    return true;
  case Step::Replay: {
    BuilderImpl builder(m_module.getContext(), m_state);
    m_codeGenerator.run(m_module, BuilderReplayer(builder));
    DOVETAIL_CHECK(finishOps(*function, builder));
    return true;
  }
  case Step::FoldInlinableUniforms:
    return foldInlinableUniforms(*function, m_state);
  case Step::ApplyKnowledge:
    return applyKnowledge(*function, m_state);
  case Step::OptimizeShader:
    m_codeGenerator.optimizeShader(m_module, level);
    return true;
  case Step::CollectResources:
    DOVETAIL_CHECK(collectResources(*function, m_state));
    return false;
  case Step::LowerInOut:
    m_interface.floatMode = floatModeOf(m_state);
    DOVETAIL_CHECK(lowerInputsAndOutputs(*function, m_state, m_interface));
    return true;
  case Step::LowerUserData:
    DOVETAIL_CHECK(lowerUserData(*function, m_state, m_interface));
    return true;
  case Step::MakeEntryPoint:
    // Beyond this point, no step reads the knowledge of other stages.
    m_interface.functionHash = m_state.interShaderData().functionHash();
    DOVETAIL_CHECK(makeEntryPoint(*function, m_state, m_interface));
    return true;
  case Step::OptimizeHardwareForm:
  case Step::FinishEntryPoint:
    DOVETAIL_CHECK(runHardwareFormStep(step, m_codeGenerator, m_module, m_interface, level));
    return true;
  }
  llvm_unreachable("a step without a case");
}

Result<void> MiddleEnd::finishOps(Function &function, BuilderImpl &builder) {
  if (m_state.options().mainPartState.pointSmoothing)
    smoothPoints(function, builder);
  DOVETAIL_CHECK(m_state.checkNoFailure());
  keepRounding(function, m_state);
  return {};
}

Result<void> runHardwareFormStep(Step step, CodeGenerator &codeGenerator, Module &module,
                                 dovetail::ShaderInterface &interface, unsigned optimizationLevel) {
  switch (step) {
  case Step::OptimizeHardwareForm:
    codeGenerator.optimizeHardwareForm(module, optimizationLevel);
    return {};
  case Step::FinishEntryPoint:
    return finishEntryPoint(*DOVETAIL_TRY(findEntryFunction(module)), interface);
  default:
    llvm_unreachable("a step in front of the hardware form");
  }
}

Result<bool> MiddleEnd::run(Step step) {
  const bool isChanged = DOVETAIL_TRY(runStep(step));
  if (m_observer) {
    recordCompileState(m_module, m_state, m_interface);
    recordStep(m_module, step);
    m_observer(step, m_module);
  }
  return isChanged;
}

Result<bool> MiddleEnd::useKnowledge() {
  const bool hasFolded = DOVETAIL_TRY(run(Step::FoldInlinableUniforms));
  return DOVETAIL_TRY(run(Step::ApplyKnowledge)) || hasFolded;
}

Result<void> MiddleEnd::lower(std::optional<Step> reached) {
  const PhaseScope phase(CompilePhase::Replay);
  for (const Step step : {Step::SetAttributes, Step::Replay})
    if (!reached || *reached < step)
      DOVETAIL_CHECK(run(step));
  return lowerReplayed(reached);
}

Result<void> MiddleEnd::lower(BuilderImpl &builder) {
  const PhaseScope phase(CompilePhase::Replay);
  DOVETAIL_CHECK(run(Step::SetAttributes));
  Function *function = DOVETAIL_TRY(findEntryFunction(m_module));
  DOVETAIL_CHECK(finishOps(*function, builder));
  return lowerReplayed(std::nullopt);
}

// No recorded op is left.
Result<void> MiddleEnd::lowerReplayed(std::optional<Step> reached) {
  const auto isBehind = [&](Step step) { return reached && *reached >= step; };
  const auto runUnlessBehind = [&](Step step) -> Result<void> {
    if (!isBehind(step))
      DOVETAIL_CHECK(run(step));
    return {};
  };
  PhaseScope::change(CompilePhase::Optimize);
  if (!isBehind(Step::OptimizeShader)) {
    DOVETAIL_CHECK(useKnowledge());
    DOVETAIL_CHECK(run(Step::OptimizeShader));
  }
  constexpr unsigned maxRounds = 3; // for nested loops: each reads its bound at a place that depends on the outer one
  for (unsigned round = 0; round < maxRounds && !isBehind(Step::CollectResources) && DOVETAIL_TRY(useKnowledge());
       ++round)
    DOVETAIL_CHECK(run(Step::OptimizeShader));
  PhaseScope::change(CompilePhase::Lower);
  DOVETAIL_CHECK(runUnlessBehind(Step::CollectResources));

  // Beyond this point, the shader's needs are known.
  DOVETAIL_CHECK(runUnlessBehind(Step::LowerInOut));
  DOVETAIL_CHECK(runUnlessBehind(Step::LowerUserData));
  DOVETAIL_CHECK(runUnlessBehind(Step::MakeEntryPoint));

  // Beyond this point, no dialect op is left.
  return {};
}

} // namespace lgc
