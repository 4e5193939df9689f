// SPDX-License-Identifier: MIT
//
// The middle-end: runs the steps of middle_end.def, all in order or one alone, on a module and the state of its
// compile.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/pipeline_state.h"
#include "src/lgc/step.h"
#include <optional>

namespace lgc {

class CodeGenerator;

class MiddleEnd {
public:
  // All must outlive it. The module is a linked one, or what is left of it after the steps before.
  MiddleEnd(CodeGenerator &codeGenerator, llvm::Module &module, PipelineState &state,
            dovetail::ShaderInterface &interface, StepObserver observer = {})
      : m_codeGenerator(codeGenerator), m_module(module), m_state(state), m_interface(interface),
        m_observer(std::move(observer)) {}

  // One step alone. Returns whether it has, or may have, changed the code.
  dovetail::Result<bool> run(Step step);

  // All steps as far as MakeEntryPoint, but for those that the module has behind it.
  dovetail::Result<void> lower(std::optional<Step> reached);

private:
  dovetail::Result<bool> runStep(Step step);
  dovetail::Result<bool> useKnowledge();

  CodeGenerator &m_codeGenerator;
  llvm::Module &m_module;
  PipelineState &m_state;
  dovetail::ShaderInterface &m_interface;
  StepObserver m_observer;
};

} // namespace lgc
