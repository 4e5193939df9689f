// SPDX-License-Identifier: MIT
#include "src/lgc/code_generator.h"
#include "src/base/compile_phases.h"
#include "src/lgc/check_ir.h"
#include "src/lgc/known_intrinsics.h"
#include "src/lgc/object_emitter.h"
#include "src/lgc/optimize/optimization_pipelines.h"
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;
using dovetail::CompilePhase;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::PhaseScope;

namespace lgc {

namespace {

constexpr char TargetTriple[] = "amdgcn--amdpal";

// Whether code that is made with an allocation may have to be made again. EXEC can be restored too late only where
// control flow meets again.
bool mayRepeat(const Module &module, Allocation allocation) {
  return allocation == Allocation::AtOnce ||
         any_of(module, [](const Function &function) { return function.size() > 1; });
}

dovetail::Result<void> checkDeclarations(const Module &module, const dovetail::TargetInfo &target) {
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    if (!function.isIntrinsic()) // for example an op of a front end's dialect that the front end has not lowered
      return makeError(ErrorCode::CompileFailed, "{} is called and not there: nobody has lowered it",
                       function.getName().str());
    if (!hasCode(function, target.gfxIp.major))
      return makeError(ErrorCode::Unsupported, "GFX{} has no {}", target.gfxIp.major, function.getName().str());
  }
  return {};
}

} // namespace

struct CodeGenerator::Level {
  std::unique_ptr<TargetMachine> machine;
  std::unique_ptr<ObjectEmitter> emitters[CodeFormatCount][AllocationCount]; // null: not made yet
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
  if (!TargetRegistry::lookupTarget(Triple(TargetTriple), error))
    return makeError(ErrorCode::Internal, "LLVM has no AMDGPU target: {}", error);
  std::unique_ptr<CodeGenerator> generator(new CodeGenerator(context, target));
  generator->level(2);
  return generator;
}

CodeGenerator::Level &CodeGenerator::level(unsigned number) {
  number = std::min(number, FirstCodeLevel);
  if (m_levels[number])
    return *m_levels[number];
  auto made = std::make_unique<Level>();

  std::string error;
  const Target *target = TargetRegistry::lookupTarget(Triple(TargetTriple), error);
  // At level 0, LLVM generates code with other passes, and our passes against LLVM's defects do not run before these.
  const auto codeLevel = static_cast<CodeGenOptLevel>(std::clamp(number, 1u, 3u));
  made->machine.reset(target->createTargetMachine(Triple(TargetTriple), StringRef(m_target.gpuName), "",
                                                  TargetOptions(), Reloc::PIC_, std::nullopt, codeLevel));

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

TargetMachine &CodeGenerator::targetMachine() {
  return *level(2).machine;
}

void CodeGenerator::setTarget(Module &module) const {
  const TargetMachine &machine = const_cast<CodeGenerator *>(this)->targetMachine();
  module.setTargetTriple(Triple(TargetTriple));
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
  const PhaseScope phase(CompilePhase::Optimize);
  runPasses(module, level(number).hardwareFormPasses, number);
}

dovetail::Result<std::vector<uint8_t>> CodeGenerator::emit(Module &module, unsigned number, CodeFormat format) {
#ifndef NDEBUG // front ends' modules are verified when they are linked; a malformed module here is our fault
  DOVETAIL_CHECK(verifyStructure(module, "before code generation"));
#endif
  DOVETAIL_CHECK(checkDeclarations(module, m_target));
  const PhaseScope phase(CompilePhase::Prepare); // codegen_passes.cpp changes it
  ++m_counts.emitted;
  dropForeignData(module);
  // Code generation changes the module, so a module that may have to be compiled again is copied first.
  Allocation allocation = firstAllocation(module);
  std::unique_ptr<Module> again = mayRepeat(module, allocation) ? CloneModule(module) : nullptr;
  Emitted emitted = DOVETAIL_TRY(emitOnce(module, number, format, allocation));
  if (allocation == Allocation::AtOnce && emitted.outcome.spills.sgprs != 0) {
    ++m_counts.repeated;
    allocation = Allocation::ByBank;
    std::unique_ptr<Module> current = std::move(again);
    again = mayRepeat(*current, allocation) ? CloneModule(*current) : nullptr;
    emitted = DOVETAIL_TRY(emitOnce(*current, number, format, allocation));
  }
  if (emitted.outcome.isDoubtful() && again) {
    ++m_counts.repeated;
    emitted = DOVETAIL_TRY(emitOnce(*again, number, format, Allocation::Careful));
  }
  m_instructions = std::move(emitted.instructions);
  m_spills = emitted.outcome.spills;
  if (!emitted.outcome.restoresExecLate)
    return std::move(emitted.object);
  return makeError(ErrorCode::CompileFailed, "LLVM puts copies of registers where lanes are missing that they are for");
}

dovetail::Result<CodeGenerator::Emitted> CodeGenerator::emitOnce(Module &module, unsigned number, CodeFormat format,
                                                                 Allocation allocation) {
  m_diagnostics.clear();
  // The emitter is put back only on success. After an error or an exception, the next compile starts with a new one.
  Level &at = level(number);
  std::unique_ptr<ObjectEmitter> &kept = at.emitters[static_cast<size_t>(format)][static_cast<size_t>(allocation)];
  std::unique_ptr<ObjectEmitter> emitter = std::move(kept);
  if (!emitter)
    emitter = DOVETAIL_TRY(ObjectEmitter::create(*at.machine, format, allocation));
  std::vector<uint8_t> object = emitter->emit(module);
  DOVETAIL_CHECK(m_diagnostics.check());
  kept = std::move(emitter);
  return Emitted{std::move(object), kept->takeInstructions(), kept->outcome()};
}

} // namespace lgc
