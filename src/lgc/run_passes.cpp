// SPDX-License-Identifier: MIT
#include "src/lgc/run_passes.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/code_generator.h"
#include "src/lgc/codegen/constants/relative_constants.h"
#include "src/lgc/codegen/defects/ir/reach_return.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/codegen/slow/slow_passes.h"
#include "src/lgc/middle_end.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/optimize_passes.h"
#include "src/lgc/reached_step.h"
#include "src/lgc/state/compile_state.h"
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <optional>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::Result;

namespace lgc {

namespace {

// The state that the passes of one run share.
class PassRun {
public:
  PassRun(BuilderContext &context, Module &module, const RunPassesOptions &options)
      : m_context(context), m_module(module), m_options(options) {}

  // After a failure, no pass runs any more.
  bool hasFailed() const { return m_failure.has_value(); }
  Result<void> result() const {
    if (m_failure)
      return tl::unexpected<dovetail::Error>(*m_failure);
    return {};
  }

  void runStep(Step step) { keep(tryStep(step)); }

  void finishPass(StringRef passName) {
    if (m_options.verifyEach && !hasFailed())
      keep(verify(passName));
    if (m_options.observer && !hasFailed())
      m_options.observer(passName);
  }

private:
  Result<void> tryStep(Step step) {
    if (hasFailed())
      return {};
    if (std::string problem = verifyOps(m_module); !problem.empty())
      return makeError(ErrorCode::InvalidInput, "{}", problem);
    DOVETAIL_CHECK(checkStep(m_module, step));
    CompileState state = DOVETAIL_TRY(readCompileState(m_module, m_context.targetInfo()));
    MiddleEnd middleEnd(m_context.codeGenerator(), m_module, state.pipeline, state.interface);
    DOVETAIL_CHECK(middleEnd.run(step));
    recordCompileState(m_module, state.pipeline, state.interface);
    recordStep(m_module, step);
    return {};
  }

  Result<void> verify(StringRef passName) const {
    DOVETAIL_CHECK(verifyStructure(m_module, ("behind " + passName).str()));
    if (std::string problem = verifyOps(m_module); !problem.empty())
      return makeError(ErrorCode::CompileFailed, "{} behind {}", problem, std::string(passName));
    return {};
  }

  void keep(Result<void> result) {
    if (!result && !m_failure)
      m_failure = std::move(result).error();
  }

  BuilderContext &m_context;
  Module &m_module;
  const RunPassesOptions &m_options;
  std::optional<dovetail::Error> m_failure;
};

template <Step step> class StepPass : public PassInfoMixin<StepPass<step>> {
public:
  explicit StepPass(PassRun &run) : m_run(run) {}

  static StringRef name() { return passNameOf(step); }
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &, ModuleAnalysisManager &) {
    m_run.runStep(step);
    return PreservedAnalyses::none();
  }

private:
  PassRun &m_run;
};

// The passes of the optimisations, by name.
#define LGC_FUNCTION_PASSES(PASS)                                                                                      \
  PASS("lgc-thaw-branches", ThawBranchesPass)                                                                          \
  PASS("lgc-read-constants", ReadConstantsPass)                                                                        \
  PASS("lgc-conditional-kills", ConditionalKillsPass)                                                                  \
  PASS("lgc-loop-over-copies", LoopOverCopiesPass)                                                                     \
  PASS("lgc-divide-switches", DivideSwitchesPass)                                                                      \
  PASS("lgc-trim-samples", TrimSamplesPass)                                                                            \
  PASS("lgc-define-values", DefineValuesPass)                                                                          \
  PASS("lgc-reach-return", ReachReturnPass)
#define LGC_MODULE_PASSES(PASS) PASS("lgc-relative-constants", RelativeConstantsPass)

void registerPasses(PassBuilder &builder, PassInstrumentationCallbacks &callbacks, PassRun &run) {
#define LGC_NAME(passName, Pass) callbacks.addClassToPassName(Pass::name(), passName);
  LGC_FUNCTION_PASSES(LGC_NAME)
  LGC_MODULE_PASSES(LGC_NAME)
#undef LGC_NAME
#define LGC_STEP(step, passName) callbacks.addClassToPassName(passName, passName);
#include "src/lgc/middle_end.def"
#undef LGC_STEP
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
#define LGC_ADD(passName, Pass)                                                                                        \
  if (name == passName) {                                                                                              \
    passes.addPass(Pass());                                                                                            \
    return true;                                                                                                       \
  }
        LGC_FUNCTION_PASSES(LGC_ADD)
        return false;
      });
  builder.registerPipelineParsingCallback(
      [&run](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        LGC_MODULE_PASSES(LGC_ADD)
#undef LGC_ADD
#define LGC_STEP(step, passName)                                                                                       \
  if (name == passName) {                                                                                              \
    passes.addPass(StepPass<Step::step>(run));                                                                         \
    return true;                                                                                                       \
  }
#include "src/lgc/middle_end.def"
#undef LGC_STEP
        return false;
      });
}

// All analyses for which passes may ask.
struct Analyses {
  explicit Analyses(PassBuilder &builder) {
    builder.registerModuleAnalyses(module);
    builder.registerCGSCCAnalyses(cgscc);
    builder.registerFunctionAnalyses(function);
    builder.registerLoopAnalyses(loop);
    builder.crossRegisterProxies(loop, function, cgscc, module);
  }

  LoopAnalysisManager loop;
  FunctionAnalysisManager function;
  CGSCCAnalysisManager cgscc;
  ModuleAnalysisManager module;
};

// Errors: those that LLVM reports meanwhile. A pipeline's observer sees modules of another LLVMContext, whose compile
// continues with its own handler.
Result<void> runReported(ModulePassManager &passes, Module &module, ModuleAnalysisManager &analyses) {
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> handler = context.getDiagnosticHandler();
  Result<void> outcome;
  {
    const Diagnostics diagnostics(context);
    passes.run(module, analyses);
    outcome = diagnostics.check();
  }
  context.setDiagnosticHandler(std::move(handler));
  return outcome;
}

// Whether the class wraps passes and is none itself.
bool isWrapper(StringRef className) {
  return className.contains("PassManager") || className.contains("PassAdaptor") ||
         className.contains("AnalysisManagerProxy") || className.starts_with("Require");
}

} // namespace

std::vector<std::string_view> passNames() {
  return {
#define LGC_STEP(step, passName) passName,
#include "src/lgc/middle_end.def"
#undef LGC_STEP
#define LGC_NAME(passName, Pass) passName,
      LGC_FUNCTION_PASSES(LGC_NAME) LGC_MODULE_PASSES(LGC_NAME)
#undef LGC_NAME
  };
}

Result<void> runPasses(BuilderContext &context, Module &module, std::string_view passes,
                       const RunPassesOptions &options) {
  PassRun run(context, module, options);
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder(&context.codeGenerator().targetMachine(), PipelineTuningOptions(), std::nullopt, &callbacks);
  registerPasses(builder, callbacks, run);
  if (options.registerPasses)
    options.registerPasses(builder);
  callbacks.registerShouldRunOptionalPassCallback([&run](StringRef, Any) { return !run.hasFailed(); });
  auto finishPass = [&](StringRef className) {
    if (isWrapper(className))
      return;
    StringRef name = callbacks.getPassNameForClassName(className);
    run.finishPass(name.empty() ? className : name);
  };
  callbacks.registerAfterPassCallback(
      [&](StringRef className, Any, const PreservedAnalyses &) { finishPass(className); });
  callbacks.registerAfterPassInvalidatedCallback(
      [&](StringRef className, const PreservedAnalyses &) { finishPass(className); });

  ModulePassManager pipeline;
  if (llvm::Error error = builder.parsePassPipeline(pipeline, StringRef(passes)))
    return makeError(ErrorCode::InvalidInput, "the passes '{}': {}", passes, toString(std::move(error)));
  Analyses analyses(builder);
  const Result<void> reported = runReported(pipeline, module, analyses.module);
  DOVETAIL_CHECK(run.result());
  return reported;
}

Result<void> runPassManager(BuilderContext &context, Module &module, ModulePassManager &passes) {
  PassBuilder builder(&context.codeGenerator().targetMachine());
  Analyses analyses(builder);
  return runReported(passes, module, analyses.module);
}

} // namespace lgc
