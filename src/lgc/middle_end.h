// SPDX-License-Identifier: MIT
//
// The middle-end runs the steps of middle_end.def, all in order or a single one, on a module and the state of its
// compile.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/pipeline_state.h"
#include "src/lgc/step.h"
#include <optional>

namespace lgc {

class BuilderImpl;
class CodeGenerator;

class MiddleEnd {
public:
  // All arguments must outlive the object. The module is a linked one, or a linked one after some of the steps.
  MiddleEnd(CodeGenerator &codeGenerator, llvm::Module &module, PipelineState &state,
            dovetail::ShaderInterface &interface, StepObserver observer = {})
      : m_codeGenerator(codeGenerator), m_module(module), m_state(state), m_interface(interface),
        m_observer(std::move(observer)) {}

  // Runs one step alone. Returns whether it has, or may have, changed the code.
  dovetail::Result<bool> run(Step step);

  // Runs all steps up to MakeEntryPoint, without those that the module has behind it.
  dovetail::Result<void> lower(std::optional<Step> reached);
  // The same for a module that was built with a DirectBuilder, which has lowered all ops: runs all steps but Replay.
  dovetail::Result<void> lower(BuilderImpl &builder);

private:
  dovetail::Result<bool> runStep(Step step);
  // What comes behind the lowering of the ops, which the builder has done.
  dovetail::Result<void> finishOps(llvm::Function &function, BuilderImpl &builder);
  // The steps behind Replay.
  dovetail::Result<void> lowerReplayed(std::optional<Step> reached);
  dovetail::Result<bool> useKnowledge();

  CodeGenerator &m_codeGenerator;
  llvm::Module &m_module;
  PipelineState &m_state;
  dovetail::ShaderInterface &m_interface;
  StepObserver m_observer;
};

// Runs one of the steps behind MakeEntryPoint on a module in hardware form, and brings its interface up to date. These
// steps need nothing else of the compile.
dovetail::Result<void> runHardwareFormStep(Step step, CodeGenerator &codeGenerator, llvm::Module &module,
                                           dovetail::ShaderInterface &interface, unsigned optimizationLevel);

} // namespace lgc
