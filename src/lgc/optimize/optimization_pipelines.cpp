// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/optimization_pipelines.h"
#include "src/lgc/codegen/constants/bound_tables.h"
#include "src/lgc/codegen/constants/relative_constants.h"
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/ir/expand_divisions.h"
#include "src/lgc/codegen/defects/ir/fold_constants.h"
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/ir/reach_return.h"
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "src/lgc/codegen/leave_ordered_section.h"
#include "src/lgc/codegen/slow/slow_passes.h"
#include "src/lgc/optimize/optimize_passes.h"
#include "src/lgc/state/compile_options.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

using namespace llvm;

namespace lgc {

namespace {

// Instruction combining without the fixpoint check, which is a debugging aid.
InstCombinePass combine() {
  return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false));
}

using Condition = bool (*)(Function &, FunctionAnalysisManager &);

// Whether variables are in memory. The front end makes values of those whose address nobody needs.
bool hasVariables(Function &function, FunctionAnalysisManager &) {
  return any_of(function.getEntryBlock(), [](const Instruction &inst) { return isa<AllocaInst>(inst); });
}

bool hasSwitches(Function &function, FunctionAnalysisManager &) {
  return any_of(function, [](const BasicBlock &block) { return isa<SwitchInst>(block.getTerminator()); });
}

// Whether ranges of values make code better: signed divisions become unsigned ones, and a geometry shader, which alone
// sends messages, knows how many vertices it has emitted.
bool needsRanges(Function &function, FunctionAnalysisManager &) {
  return function.getParent()->getFunction("llvm.amdgcn.s.sendmsg") ||
         any_of(instructions(function), [](const Instruction &inst) {
           return inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
         });
}

bool hasLoopsOrVariables(Function &function, FunctionAnalysisManager &analyses) {
  return hasVariables(function, analyses) || !analyses.getResult<LoopAnalysis>(function).empty();
}

// Rotation visits the dominators of a loop for each change of it, so its time grows with the square of the loops, or of
// a loop's branches. First code does without it and without unrolling in functions beyond these limits.
bool hasSmallLoops(Function &function, FunctionAnalysisManager &analyses) {
  constexpr size_t maxLoops = 48;
  constexpr unsigned maxBlocks = 256; // in a loop
  const SmallVector<Loop *, 4> loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  return loops.size() <= maxLoops && all_of(loops, [](const Loop *loop) { return loop->getNumBlocks() <= maxBlocks; });
}

// Runs passes for those functions alone where they find something to do.
class OnlyWhere : public PassInfoMixin<OnlyWhere> {
public:
  OnlyWhere(Condition isFor, FunctionPassManager passes) : m_isFor(isFor), m_passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return m_isFor(function, analyses) ? m_passes.run(function, analyses) : PreservedAnalyses::all();
  }

private:
  Condition m_isFor;
  FunctionPassManager m_passes;
};

template <typename Pass> OnlyWhere onlyWhere(Condition isFor, Pass pass) {
  FunctionPassManager passes;
  passes.addPass(std::move(pass));
  return OnlyWhere(isFor, std::move(passes));
}

// Combines again. For each value, LLVM asks all branches on it, and on it and a constant, what they tell about it. The
// time grows faster than the square of these branches, so of functions with many branches on one value only dead code
// is removed.
class CombineAgain : public PassInfoMixin<CombineAgain> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return hasManyBranchesOnOneValue(function) ? ADCEPass().run(function, analyses) : m_combine.run(function, analyses);
  }

private:
  static bool hasManyBranchesOnOneValue(Function &function) {
    constexpr unsigned maxBranches = 64;
    DenseMap<const Value *, unsigned> branches;
    for (const BasicBlock &block : function) {
      const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      const auto *compare = branch && branch->isConditional() ? dyn_cast<CmpInst>(branch->getCondition()) : nullptr;
      if (!compare || !isa<Constant>(compare->getOperand(1)))
        continue;
      const Value *value = compare->getOperand(0);
      if (auto *sum = dyn_cast<BinaryOperator>(value); sum && isa<Constant>(sum->getOperand(1)))
        value = sum->getOperand(0);
      if (++branches[value] > maxBranches)
        return true;
    }
    return false;
  }

  InstCombinePass m_combine = combine();
};

// When a loop is unrolled that lanes leave at several places, each iteration keeps its tests and masks of lanes, and
// lanes may be done after a few iterations. So such a loop is unrolled only up to LLVM's own threshold. Exceptions are
// shaders that ask for another threshold, and loops over an array, which unrolling brings into registers.
constexpr unsigned EarlyExitUnrollThreshold = 300;

class LimitUnrolling : public PassInfoMixin<LimitUnrolling> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &, LPMUpdater &) {
    const Function &function = *loop.getHeader()->getParent();
    if (!loop.getExitingBlock() && !usesVariables(loop) &&
        function.getFnAttributeAsParsedInteger("amdgpu-unroll-threshold") == DefaultUnrollThreshold)
      addStringMetadataToLoop(&loop, "amdgpu.loop.unroll.threshold", EarlyExitUnrollThreshold);
    return PreservedAnalyses::all();
  }

private:
  static bool usesVariables(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &instruction) {
        const Value *pointer = getLoadStorePointerOperand(&instruction);
        return pointer && isa<AllocaInst>(getUnderlyingObject(pointer));
      });
    });
  }
};

} // namespace

// Of the passes below, IR for first code gets those that change control flow or bring variables into registers. First
// code folds operations and shares equal ones itself, in less time.
ModulePassManager makeShaderPipeline(PassBuilder &, unsigned level) {
  const bool isForFirstCode = level == FirstCodeLevel;
  FunctionPassManager passes;
  passes.addPass(onlyWhere(hasVariables, SROAPass(SROAOptions::ModifyCFG)));
  if (isForFirstCode)
    passes.addPass(DCEPass()); // so that the resources that are left are those that the shader needs
  else
    passes.addPass(EarlyCSEPass());
  passes.addPass(ThawBranchesPass());
  if (level >= 1) {
    if (!isForFirstCode)
      passes.addPass(combine());
    passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));

    // Full unrolling makes the indices into arrays constant, so that SROA afterwards keeps them in registers. Only ADCE
    // finds dead code that uses itself. First code does without LICM, IndVarSimplify and MemorySSA, which take a
    // seventh of the time in front of code generation; its code has as many instructions without them.
    FunctionPassManager unrolled, loops;
    LoopPassManager rotation;
    rotation.addPass(LoopRotatePass());
    if (!isForFirstCode)
      rotation.addPass(LICMPass(LICMOptions()));
    unrolled.addPass(createFunctionToLoopPassAdaptor(std::move(rotation), /*UseMemorySSA=*/!isForFirstCode));
    LoopPassManager unrolling;
    if (!isForFirstCode)
      unrolling.addPass(IndVarSimplifyPass());
    unrolling.addPass(LoopDeletionPass());
    unrolling.addPass(LimitUnrolling());
    constexpr unsigned maxUnrollLevel = 3;
    unrolling.addPass(LoopFullUnrollPass(static_cast<int>(isForFirstCode ? 2u : std::min(level, maxUnrollLevel))));
    unrolled.addPass(createFunctionToLoopPassAdaptor(std::move(unrolling)));
    if (isForFirstCode) {
      loops.addPass(LoopSimplifyPass()); // one back edge: with several, lanes would be in different iterations
      loops.addPass(OnlyWhere(hasSmallLoops, std::move(unrolled)));
    } else {
      loops.addPass(std::move(unrolled));
    }
    loops.addPass(onlyWhere(hasVariables, SROAPass(SROAOptions::ModifyCFG)));
    loops.addPass(EarlyCSEPass(/*UseMemorySSA=*/!isForFirstCode));
    if (!isForFirstCode)
      loops.addPass(combine());
    loops.addPass(ADCEPass());
    passes.addPass(OnlyWhere(hasLoopsOrVariables, std::move(loops)));
  } else {
    passes.addPass(ADCEPass());
    passes.addPass(LoopSimplifyPass()); // one back edge: with several, lanes would be in different iterations
  }
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  passes.addPass(LeaveAfterDemotesPass());
  passes.addPass(ReachReturnPass(ReachReturnPass::Loops));

  ModulePassManager pipeline;
  pipeline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  return pipeline;
}

namespace {

// The passes of the hardware form that first code needs: those whose results change what a shader does.
FunctionPassManager makeFirstCodePasses(PassBuilder &builder) {
  FunctionPassManager passes, arrays;
  passes.addPass(onlyWhere(hasVariables, SROAPass(SROAOptions::ModifyCFG)));
  arrays.addPass(ReadConstantsPass());
  arrays.addPass(FreezeArrayLoadsPass());
  cantFail(builder.parsePassPipeline(arrays, "amdgpu-promote-alloca-to-vector")); // small arrays become vectors
  passes.addPass(OnlyWhere(hasVariables, std::move(arrays)));
  passes.addPass(onlyWhere(needsRanges, SCCPPass()));
  passes.addPass(ConditionalKillsPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  passes.addPass(ExpandDivisionsPass(/*keepsConstants=*/true));
  passes.addPass(onlyWhere(hasLoopsOrVariables, ADCEPass()));
  passes.addPass(onlyWhere(hasSwitches, LowerSwitchPass()));
  passes.addPass(DefineValuesPass());
  passes.addPass(ReachReturnPass());
  passes.addPass(LeaveOrderedSectionPass());
  passes.addPass(BoundTablesPass());
  return passes;
}

} // namespace

ModulePassManager makeHardwareFormPipeline(PassBuilder &builder, unsigned level) {
  if (level == FirstCodeLevel) {
    ModulePassManager pipeline;
    pipeline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    pipeline.addPass(GlobalDCEPass());
    pipeline.addPass(createModuleToFunctionPassAdaptor(makeFirstCodePasses(builder)));
    pipeline.addPass(FoldConstantsPass());
    pipeline.addPass(RelativeConstantsPass());
    return pipeline;
  }
  FunctionPassManager passes;
  passes.addPass(onlyWhere(hasVariables, SROAPass(SROAOptions::ModifyCFG)));
  // Must not run earlier: LLVM does not carry facts about values behind a branch, and about unchanged memory, across a
  // kill.
  passes.addPass(ConditionalKillsPass());
  passes.addPass(CombineAgain()); // at level 0, too: the passes below must see what selection would fold
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  passes.addPass(ExpandDivisionsPass(/*keepsConstants=*/level >= 1));
  passes.addPass(ExpandWideCarriesPass());
  passes.addPass(SplitWideNotsPass());
  passes.addPass(SplitWideProductsPass());
  passes.addPass(SelectByBitsPass());
  passes.addPass(HideFieldWidthsPass());
  passes.addPass(HideHalfResultsPass());
  passes.addPass(HideZeroDifferencesPass());
  passes.addPass(OrderSignedLoadsPass());
  passes.addPass(SplitSignMasksPass());
  passes.addPass(SplitVectorSelectsPass());
  passes.addPass(onlyWhere(hasLoopsOrVariables, ADCEPass()));
  passes.addPass(LoopOverCopiesPass());
  passes.addPass(DivideSwitchesPass());
  passes.addPass(MergeExitsPass());       // after DivideSwitchesPass
  passes.addPass(TrimSamplesPass());      // after all passes that combine instructions
  passes.addPass(WidenScalarLoadsPass()); // likewise
  passes.addPass(DefineValuesPass());     // after all passes that make use of undefined values
  passes.addPass(ReachReturnPass());
  passes.addPass(LeaveOrderedSectionPass()); // after all passes that move or copy blocks
  passes.addPass(FreezeArrayLoadsPass());
  passes.addPass(BoundTablesPass());

  ModulePassManager pipeline;
  pipeline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  pipeline.addPass(GlobalDCEPass());
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  pipeline.addPass(FoldConstantsPass());
  pipeline.addPass(RelativeConstantsPass());
  return pipeline;
}

} // namespace lgc
