// SPDX-License-Identifier: MIT
#include "src/lgc/code_generator.h"
#include "src/lgc/optimize/optimization_pipelines.h"
#include "src/lgc/target/llvm_compat.h"
#include "src/mc/llvm_triple.h"
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

namespace {

constexpr char TargetTriple[] = "amdgcn--amdpal";

} // namespace

struct CodeGenerator::Level {
  std::unique_ptr<TargetMachine> machine;
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager cgsccAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  std::unique_ptr<PassBuilder> passBuilder;
  ModulePassManager shaderPasses;
  ModulePassManager hardwareFormPasses;
};

CodeGenerator::CodeGenerator(LLVMContext &context, const dovetail::TargetInfo &target)
    : m_target(target), m_diagnostics(context) {}

CodeGenerator::~CodeGenerator() = default;

dovetail::Result<std::unique_ptr<CodeGenerator>> CodeGenerator::create(LLVMContext &context,
                                                                       const dovetail::TargetInfo &target) {
  std::string error;
  if (!TargetRegistry::lookupTarget(dovetail::mc::LlvmTriple(TargetTriple), error))
    return makeError(ErrorCode::Internal, "LLVM has no AMDGPU target: {}", error);
  std::unique_ptr<CodeGenerator> generator(new CodeGenerator(context, target));
  generator->level(2);
  return generator;
}

CodeGenerator::Level &CodeGenerator::level(unsigned number) {
  number = std::min(number, 3u);
  if (m_levels[number])
    return *m_levels[number];
  auto made = std::make_unique<Level>();

  std::string error;
  const Target *target = TargetRegistry::lookupTarget(dovetail::mc::LlvmTriple(TargetTriple), error);
  made->machine = compat::createTargetMachine(*target, TargetTriple, StringRef(m_target.gpuName),
                                              static_cast<CodeGenOptLevel>(number));

  PipelineTuningOptions tuning;
  made->passBuilder = std::make_unique<PassBuilder>(made->machine.get(), tuning);
  PassBuilder &builder = *made->passBuilder;
  made->machine->registerPassBuilderCallbacks(builder);
  builder.registerModuleAnalyses(made->moduleAnalyses);
  builder.registerCGSCCAnalyses(made->cgsccAnalyses);
  builder.registerFunctionAnalyses(made->functionAnalyses);
  builder.registerLoopAnalyses(made->loopAnalyses);
  builder.crossRegisterProxies(made->loopAnalyses, made->functionAnalyses, made->cgsccAnalyses, made->moduleAnalyses);

  made->shaderPasses = makeShaderPipeline(builder, number);
  made->hardwareFormPasses = makeHardwareFormPipeline(builder, number);
  m_levels[number] = std::move(made);
  return *m_levels[number];
}

void CodeGenerator::setTarget(Module &module) const {
  const TargetMachine &machine = *const_cast<CodeGenerator *>(this)->level(2).machine;
  compat::setTargetTriple(module, TargetTriple);
  module.setDataLayout(machine.createDataLayout());
}

void CodeGenerator::runPasses(Module &module, ModulePassManager &passes, unsigned number) {
  Level &at = level(number);
  passes.run(module, at.moduleAnalyses);
  // The results point into this module.
  at.moduleAnalyses.clear();
  at.cgsccAnalyses.clear();
  at.functionAnalyses.clear();
  at.loopAnalyses.clear();
}

void CodeGenerator::optimizeShader(Module &module, unsigned number) {
  runPasses(module, level(number).shaderPasses, number);
}

void CodeGenerator::optimizeHardwareForm(Module &module, unsigned number) {
  runPasses(module, level(number).hardwareFormPasses, number);
}

dovetail::Result<std::vector<uint8_t>> CodeGenerator::emitObject(Module &module, unsigned number) {
  DOVETAIL_CHECK(verifyStructure(module, "before code generation"));
  m_diagnostics.clear();
  ++m_counts.emitted;

  SmallVector<char, 0> object;
  {
    raw_svector_ostream stream(object);
    legacy::PassManager passes;
    constexpr bool disableVerify = true; // done above
    if (level(number).machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile, disableVerify))
      return makeError(ErrorCode::Internal, "LLVM cannot emit AMDGPU object files");
    passes.run(module);
  }
  DOVETAIL_CHECK(m_diagnostics.check());
  return std::vector<uint8_t>(object.begin(), object.end());
}

} // namespace lgc
