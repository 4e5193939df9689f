// SPDX-License-Identifier: MIT
#include "src/lgc/builder_context.h"
#include "src/abi/get_target.h"
#include "src/lgc/builder/builder_recorder.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/middle_end.h"
#include "src/lgc/reached_step.h"
#include "src/lgc/state/compile_state.h"
#include "src/lgc/state/entry_function.h"
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>

// LLVM's own header declares these only inside its initialisation functions for all targets.
extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUDisassembler();
}

namespace lgc {

void BuilderContext::initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
  });
}

Result<std::unique_ptr<BuilderContext>> BuilderContext::create(llvm::LLVMContext &context, std::string_view gpuName) {
  const dovetail::TargetInfo *target = DOVETAIL_TRY(dovetail::getTarget(gpuName));
  initialize();
  std::unique_ptr<BuilderContext> builderContext(new BuilderContext(context, *target));
  builderContext->m_codeGenerator = DOVETAIL_TRY(CodeGenerator::create(context, *target));
  return builderContext;
}

BuilderContext::BuilderContext(llvm::LLVMContext &context, const dovetail::TargetInfo &targetInfo)
    : m_context(context), m_targetInfo(targetInfo) {}

BuilderContext::~BuilderContext() = default;

const CompileCounts &BuilderContext::counts() const {
  return m_codeGenerator->counts();
}

std::unique_ptr<Pipeline> BuilderContext::createPipeline() {
  auto pipeline = std::make_unique<Pipeline>(*this, *m_codeGenerator);
  pipeline->setObserver(m_observer);
  return pipeline;
}

std::unique_ptr<Builder> BuilderContext::createBuilder() {
  m_context.setDiscardValueNames(false); // a file or an observer may show the IR
  return std::make_unique<BuilderRecorder>(m_context);
}

std::unique_ptr<llvm::Module> BuilderContext::createModule(std::string_view name) const {
  auto module = std::make_unique<llvm::Module>(llvm::StringRef(name), m_context);
  m_codeGenerator->setTarget(*module);
  return module;
}

Result<std::vector<uint8_t>> BuilderContext::generateCode(llvm::Module &module, unsigned optimizationLevel) {
  DOVETAIL_CHECK(verifyStructure(module, "before optimisation"));
  m_codeGenerator->optimizeHardwareForm(module, optimizationLevel);
  if (m_observer)
    m_observer(Step::OptimizeHardwareForm, module);
  return m_codeGenerator->emit(module, optimizationLevel);
}

Result<void> BuilderContext::finishMiddleEnd(HardwareFormShader &shader) {
  llvm::Module &module = *shader.module;
  DOVETAIL_CHECK(findEntryFunction(module));
  for (Step step : {Step::OptimizeHardwareForm, Step::FinishEntryPoint}) {
    if (shader.reached >= step)
      continue;
    DOVETAIL_CHECK(
        runHardwareFormStep(step, *m_codeGenerator, module, shader.interface, shader.options.optimizationLevel));
    if (!shader.observer)
      continue;
    recordInterface(module, shader.interface);
    recordStep(module, step);
    shader.observer(step, module);
  }
  return {};
}

Result<CompiledShader> BuilderContext::generateCode(HardwareFormShader shader) {
  DOVETAIL_CHECK(finishMiddleEnd(shader));
  llvm::Module &module = *shader.module;
  CompiledShader compiled;
  compiled.interface = std::move(shader.interface);
  if (shader.options.keepIr) {
    llvm::raw_string_ostream out(compiled.ir);
    module.print(out, nullptr);
  }
  compiled.elf =
      DOVETAIL_TRY(m_codeGenerator->emit(module, shader.options.optimizationLevel, shader.options.codeFormat));
  compiled.instructions = m_codeGenerator->takeInstructions();
  compiled.spills = m_codeGenerator->spills();
  return compiled;
}

} // namespace lgc
