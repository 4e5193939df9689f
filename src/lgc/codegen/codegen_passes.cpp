// SPDX-License-Identifier: MIT
//
// Passes are known by their command line names. Names that this LLVM does not have match nothing.
#include "src/lgc/codegen/codegen_passes.h"
#include "src/base/compile_phases.h"
#include "src/lgc/codegen/constants/fold_offsets.h"
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include "src/lgc/codegen/defects/quads/exact_copies.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "src/lgc/codegen/defects/quads/restore_exec.h"
#include "src/lgc/codegen/leave_ordered_section.h"
#include "src/lgc/codegen/registers/count_spills.h"
#include "src/lgc/codegen/registers/register_passes.h"
#include "src/lgc/codegen/schedule/schedule_regions.h"
#include "src/lgc/codegen/slow/slow_passes.h"
#include "src/lgc/codegen/slow/split_blocks.h"
#include "src/lgc/codegen/slow/store_far_values.h"
#include <algorithm>
#include <array>
#include <functional>
#include <llvm/ADT/StringRef.h>
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <llvm/Transforms/Scalar.h>
#include <memory>
#include <utility>

using namespace llvm;
using dovetail::CompilePhase;
using dovetail::PhaseScope;

namespace lgc {

namespace {

// Passes that find nothing to do in a graphics shader: one function without calls, generic pointers, library functions,
// exceptions or variables to debug, for a GPU before GFX10. The code is the same without them.
constexpr StringRef Idle[] = {
    // calls, kernels and OpenCL
    "always-inline",
    "amdgpu-always-inline",
    "amdgpu-export-kernel-runtime-handles",
    "amdgpu-lower-ctor-dtor",
    "amdgpu-lower-exec-sync",
    "amdgpu-lower-kernel-arguments",
    "amdgpu-preload-kern-arg-prolog",
    "amdgpu-preload-kernel-arguments",
    "amdgpu-printf-runtime-binding",
    "amdgpu-remove-incompatible-functions",
    "amdgpu-sw-lower-lds",
    "callbrprepare",
    "expand-memcmp",
    "fentry-insert",
    "fixup-statepoint-caller-saved",
    "lowerinvoke",
    "mergeicmps",
    "objc-arc-contract",
    "partially-inline-libcalls",
    "post-inline-ee-instrument",
    "reg-usage-propagation",
    "RegUsageInfoCollector",
    "replace-with-veclib",
    "safe-stack",
    "shrink-wrap",
    "xray-instrumentation",
    // types and intrinsics that no front end here makes
    "amdgpu-lower-buffer-fat-pointers",
    "expand-reductions",
    "scalarize-masked-mem-intrin",
    // expensive constants; AMDGPU's are cheap
    "consthoist",
    // debugging
    "livedebugvalues",
    "machine-sanmd",
    "remove-loads-into-fake-uses",
    "removeredundantdebugvalues",
    "stack-frame-layout",
    // later GPUs
    "amdgpu-image-intrinsic-opt",
    "amdgpu-insert-delay-alu",
    "amdgpu-lower-vgpr-encoding",
    "amdgpu-prepare-agpr-alloc",
    "amdgpu-rewrite-agpr-copy-mfma",
    "amdgpu-wait-sgpr-hazards",
    "gcn-create-vopd",
    "si-insert-hard-clauses",
};

// Passes that take more time than they are worth, after the optimisations of optimization_pipelines.h
// (docs/performance.md).
constexpr StringRef NotWorthIt[] = {
    "canon-freeze",
    "early-machinelicm",
    "licm",
    "livevars", // goes through all physical registers for each block; later passes find live ranges anew
    "loop-reduce",
    "machine-cp",
    "machine-cse",
    "machinelicm",
    "nary-reassociate",
    "si-opt-vgpr-liverange", // needs livevars
};

// Passes that find nothing to do if there are no values of whole waves and no spilled SGPRs.
constexpr StringRef BetweenAllocators[] = {
    "amdgpu-reserve-wwm-regs",
    "si-lower-sgpr-spills",
    "si-lower-wwm-copies",
    "si-pre-allocate-wwm-regs",
};

// Passes that make wrong code, and improve little (docs/llvm-defects.md).
constexpr StringRef Wrong[] = {
    "amdgpu-uniform-intrinsic-combine", // takes a ballot of all lanes for one of some lanes, also where EXEC is 0
    "codegenprepare",                   // makes carries of sums and comparisons, of which the DAG loses one (#204362)
    "si-peephole-sdwa", // takes shifts of halves for bytes of another sign; makes v_movrels_b32_sdwa, which crashes
};

// Whether a function accesses memory beyond its descriptors. Buffers are no memory to LLVM's vectoriser. Of
// descriptors, it makes loads that have to be taken apart again, and a pass after instruction selection puts neighbours
// together anyway (SILoadStoreOptimizer). Only where a block loads many descriptors side by side, the vectoriser's
// loads take fewer registers.
bool usesMemory(const Function &function) {
  constexpr unsigned manyDescriptors = 8; // in a block
  for (const BasicBlock &block : function) {
    unsigned descriptors = 0;
    for (const Instruction &instruction : block) {
      if (isa<StoreInst>(instruction))
        return true;
      const auto *load = dyn_cast<LoadInst>(&instruction);
      if (load && (load->getPointerAddressSpace() != AMDGPUAS::CONSTANT_ADDRESS || ++descriptors > manyDescriptors))
        return true;
    }
  }
  return false;
}

// The constant multiple of a value that an instruction computes; nullptr: it computes something else.
const Value *multipliedBy(const Value *value) {
  const auto *product = dyn_cast<BinaryOperator>(value);
  const bool isMultiple =
      product && (product->getOpcode() == Instruction::Mul || product->getOpcode() == Instruction::Shl);
  return isMultiple && isa<ConstantInt>(product->getOperand(1)) ? product->getOperand(0) : nullptr;
}

bool isSum(const User *user) {
  const auto *sum = dyn_cast<Instruction>(user);
  return sum && (sum->getOpcode() == Instruction::Add || isa<GetElementPtrInst>(sum));
}

// Whether sums of several multiples of one value are computed, as of the stride of patches. Strength reduction looks
// for those, and compares every sum and product with all others.
bool addsMultiples(const Function &function) {
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block) {
      const Value *value = multipliedBy(&inst);
      if (!value || isa<Constant>(value) || !any_of(inst.users(), isSum)) // constants do not know their users
        continue;
      if (any_of(value->users(),
                 [&](const User *user) { return user != &inst && (isSum(user) || multipliedBy(user)); }))
        return true;
    }
  return false;
}

unsigned countSums(const Function &function) {
  unsigned sums = 0;
  for (const BasicBlock &block : function)
    sums += count_if(block, [](const Instruction &inst) { return isSum(&inst); });
  return sums;
}

// Whether it pays to make one of equal sums in front of strength reduction.
bool addsManyMultiples(const Function &function) {
  constexpr unsigned few = 16;
  return countSums(function) > few && addsMultiples(function);
}

// Strength reduction of a chain of sums and products, as of a hash of many numbers, visits the chain anew for each of
// them, so its time grows with the cube of the sums.
bool addsFewMultiples(const Function &function) {
  constexpr unsigned maxSums = 96;
  return countSums(function) <= maxSums && addsMultiples(function);
}

bool hasBranches(const Function &function) {
  return function.size() > 1;
}

// Passes that remember something of the last function. Their code is right, but depends on where in memory objects of
// the last function were.
// - si-insert-waitcnts: whether to wait in front of a loop, by the address of the block there.
constexpr StringRef Remembering[] = {"si-insert-waitcnts"};

// The pass `sink` compares calls and loads with the stores of their block.
bool hasManyStoresAndLoads(const Function &function) {
  constexpr uint64_t MaxPairs = 200'000;
  return any_of(function, [](const BasicBlock &block) {
    uint64_t writes = 0, reads = 0;
    for (const Instruction &inst : block) {
      writes += inst.mayWriteToMemory();
      reads += isa<CallBase>(inst) || inst.mayReadFromMemory();
    }
    return writes * reads > MaxPairs;
  });
}

// Forming clauses looks at all values to find those that are alive at each row of loads. Its only use is to keep loads
// from overwriting addresses, for loads that the hardware may have to repeat (XNACK).
bool hasManyLoadsAndValues(const Function &function) {
  constexpr uint64_t MaxPairs = 500'000;
  uint64_t reads = 0, instructions = 0;
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block) {
      reads += inst.mayReadFromMemory();
      ++instructions;
    }
  return reads * instructions > MaxPairs;
}

// An atomic optimiser reduces over the lanes that were alive at the first of several atomics. If a fragment ends
// between two of them, the second still includes its value.
bool endsNoFragments(const Function &function) {
  if (function.getCallingConv() != CallingConv::AMDGPU_PS)
    return true;
  const Module &module = *function.getParent();
  return none_of(std::array{"llvm.amdgcn.kill", "llvm.amdgcn.wqm.demote"}, [&](const char *name) {
    const Function *end = module.getFunction(name);
    return end && !end->use_empty();
  });
}

// The pass takes EXEC for unchanged between the two sides of a branch, where si-wqm has changed it.
bool hasNoQuads(const Function &function) {
  return function.getCallingConv() != CallingConv::AMDGPU_PS;
}

// Whether the function has code for whole waves, whatever lanes are alive.
bool hasWholeWaves(const Function &function) {
  return any_of(*function.getParent(), [](const Function &callee) {
    switch (callee.getIntrinsicID()) {
    case Intrinsic::amdgcn_init_whole_wave:
    case Intrinsic::amdgcn_set_inactive:
    case Intrinsic::amdgcn_set_inactive_chain_arg:
    case Intrinsic::amdgcn_strict_wqm:
    case Intrinsic::amdgcn_strict_wwm:
    case Intrinsic::amdgcn_wwm:
      return true;
    default:
      return false;
    }
  });
}

// Whether VGPRs have values of whole waves: those of such code, and SGPRs that are spilled into lanes.
bool usesWholeWaves(const Function &function, const SpillCounts &spills) {
  return spills.sgprs != 0 || hasWholeWaves(function);
}

// Passes that need not run, and the functions for which they run. Some take time that grows with the square of a
// function's size, some make wrong code of other functions (docs/llvm-defects.md).
struct ConditionalPass {
  StringRef pass;
  bool (*isFor)(const Function &function);
};
constexpr ConditionalPass Conditional[] = {
    {"flattencfg", hasBranches},
    {"load-store-vectorizer", usesMemory},
    {"si-form-memory-clauses", [](const Function &function) { return !hasManyLoadsAndValues(function); }},
    {"si-optimize-exec-masking-pre-ra", hasNoQuads},
    {"sink", [](const Function &function) { return hasBranches(function) && !hasManyStoresAndLoads(function); }},
};

// The passes with which the phases begin; the first phase has begun before all of them.
struct PhaseBegin {
  StringRef pass;
  CompilePhase phase;
};
constexpr PhaseBegin PhaseBegins[] = {
    {"amdgpu-isel", CompilePhase::Select},         {"detect-dead-lanes", CompilePhase::Allocate},
    {"machine-scheduler", CompilePhase::Schedule}, {"si-wqm", CompilePhase::Allocate},
    {"prologepilog", CompilePhase::Emit},          {"postmisched", CompilePhase::Schedule},
    {"block-placement", CompilePhase::Emit},
};

// Changes the phase to which the thread's time is added.
class PhasePass final : public FunctionPass {
public:
  static char ID;

  explicit PhasePass(CompilePhase phase) : FunctionPass(ID), m_phase(phase) {}

  StringRef getPassName() const override { return "Phase of a compile"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesAll(); }

  bool runOnFunction(Function &) override {
    PhaseScope::change(m_phase);
    return false;
  }

private:
  const CompilePhase m_phase;
};

char PhasePass::ID = 0;

// Runs a pass on those functions for which it is meant.
class GuardedPass final : public FunctionPass {
public:
  static char ID;

  GuardedPass(Pass *pass, std::function<bool(const Function &)> isFor)
      : FunctionPass(ID), m_pass(pass), m_isFor(std::move(isFor)) {}

  StringRef getPassName() const override { return m_pass->getPassName(); }
  void getAnalysisUsage(AnalysisUsage &usage) const override { m_pass->getAnalysisUsage(usage); }
  bool doInitialization(Module &module) override { return m_pass->doInitialization(module); }
  bool doFinalization(Module &module) override { return m_pass->doFinalization(module); }

  bool runOnFunction(Function &function) override {
    if (!m_isFor(function))
      return false;
    if (!m_resolver) {
      m_resolver = new AnalysisResolver(getResolver()->getPMDataManager()); // a pass owns its resolver
      m_pass->setResolver(m_resolver);
    }
    // Gives it the analyses that the pass manager has given to this pass.
    m_resolver->clearAnalysisImpls();
    AnalysisUsage usage;
    getAnalysisUsage(usage);
    for (AnalysisID analysis : usage.getRequiredSet())
      if (Pass *result = getResolver()->findImplPass(analysis))
        m_resolver->addAnalysisImplsPair(analysis, result);
    return static_cast<FunctionPass &>(*m_pass).runOnFunction(function);
  }

private:
  const std::unique_ptr<Pass> m_pass;
  const std::function<bool(const Function &)> m_isFor;
  AnalysisResolver *m_resolver = nullptr;
};

char GuardedPass::ID = 0;

// Makes a new pass for each function for which it is meant; LLVM, too, makes these passes without arguments. The
// original pass lists the analyses that it needs.
class FreshPass final : public FunctionPass {
public:
  static char ID;

  using Condition = bool (*)(const Function &);

  // Without a condition, the pass runs on all functions.
  FreshPass(Pass *model, const PassInfo &info, Condition isFor)
      : FunctionPass(ID), m_model(model), m_info(info), m_isFor(isFor) {}

  StringRef getPassName() const override { return m_model->getPassName(); }
  void getAnalysisUsage(AnalysisUsage &usage) const override { m_model->getAnalysisUsage(usage); }

  bool runOnFunction(Function &function) override {
    if (m_isFor && !m_isFor(function))
      return false;
    std::unique_ptr<Pass> pass(m_info.createPass());
    pass->setResolver(makeResolver());
    return static_cast<FunctionPass &>(*pass).runOnFunction(function);
  }

private:
  // A resolver with the analyses that the pass manager has given to this pass. A pass owns its resolver.
  AnalysisResolver *makeResolver() const {
    auto *resolver = new AnalysisResolver(getResolver()->getPMDataManager());
    AnalysisUsage usage;
    getAnalysisUsage(usage);
    for (AnalysisID analysis : usage.getRequiredSet())
      if (Pass *result = getResolver()->findImplPass(analysis))
        resolver->addAnalysisImplsPair(analysis, result);
    return resolver;
  }

  std::unique_ptr<Pass> m_model;
  const PassInfo &m_info;
  const Condition m_isFor;
};

char FreshPass::ID = 0;

bool isScalar(const TargetRegisterInfo &target, const MachineRegisterInfo &registers, const Register reg) {
  return StringRef(target.getRegClassName(registers.getRegClass(reg))).starts_with("S");
}

} // namespace

bool CodegenPassFilter::isWanted(StringRef name) {
  // Of the three, the last one finds everything that the others would have found.
  if (name == "early-cse" && ++m_earlyCses < 3)
    return false;
  // A later one finds everything that the first two would have found.
  if (name == "dead-mi-elimination" && ++m_deadInstructionEliminations < 3)
    return false;
  // The first two rewrite SGPRs and VGPRs of whole waves, the last one all that is left.
  if (name == "virtregrewriter" && ++m_rewriters < 3 && m_allocation == Allocation::AtOnce)
    return false;
  // The first colours the slots of SGPRs.
  if (name == "stack-slot-coloring" && ++m_slotColorings < 2 && m_allocation == Allocation::AtOnce)
    return false;
  if (m_allocation == Allocation::AtOnce && is_contained(BetweenAllocators, name))
    return false;
  return !is_contained(Idle, name) && !is_contained(NotWorthIt, name) && !is_contained(Wrong, name);
}

// The first allocates SGPRs, the second the VGPRs of whole waves, the third the others. Each finds out anew which
// registers are reserved, which takes as long as allocating a small shader. May return nullptr.
Pass *CodegenPassFilter::changeAllocator(Pass *pass) {
  const unsigned allocator = m_allocators++;
  if (m_allocation == Allocation::AtOnce) {
    delete pass;
    return allocator == 0 ? createGreedyRegisterAllocator() : nullptr;
  }
  if (allocator == 1)
    return new GuardedPass(
        pass, [&spills = m_outcome.spills](const Function &function) { return usesWholeWaves(function, spills); });
  if (m_allocation == Allocation::ByBank)
    return pass;
  delete pass;
  return allocator == 0 ? createBasicRegisterAllocator(isScalar) : createBasicRegisterAllocator();
}

Allocation firstAllocation(const Module &module) {
  constexpr size_t maxInstructions = 3000; // larger ones are likely to spill SGPRs
  // Of one block, no copy is kept unless the allocation may have to change, and a copy of a larger one takes longer
  // than AtOnce saves.
  constexpr size_t maxInBlock = 400;
  size_t instructions = 0;
  bool hasOneBlock = true;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (hasWholeWaves(function))
      return Allocation::ByBank;
    instructions += function.getInstructionCount();
    hasOneBlock &= !hasBranches(function);
  }
  return instructions > (hasOneBlock ? maxInBlock : maxInstructions) ? Allocation::ByBank : Allocation::AtOnce;
}

void CodegenPassFilter::add(Pass *pass) {
  const PassInfo *info = PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
  const StringRef name = info ? info->getPassArgument() : StringRef();
  if (name == "si-lower-sgpr-spills")
    m_passes.add(new CountSpillsPass(SpilledBank::Scalar, m_outcome.spills));
  if (!isWanted(name)) {
    delete pass;
    return;
  }
  if (const auto *begin = find_if(PhaseBegins, [&](const PhaseBegin &begin) { return begin.pass == name; });
      begin != std::end(PhaseBegins))
    m_passes.add(new PhasePass(begin->phase));
  if (name == "structurizecfg") {
    m_passes.add(new HoistFreeValuesPass);
    m_passes.add(new DivergeBeforeKillsPass);
  }
  if (name == "si-annotate-control-flow") {
    m_passes.add(new AlignElementStoresPass);
    m_passes.add(new UniformOffsetsPass);
    m_passes.add(new UniformIndicesPass);
    m_passes.add(new HideBallotsPass);
    m_passes.add(new HideHalfZerosPass);
    m_passes.add(new HideSignBytesPass);
    m_passes.add(new StoreFarValuesPass);
    m_passes.add(new FreezeLoopEntriesPass);
  }
  // Instruction selection requires this pass, which forgets all analyses. So the passes before selection stand before
  // this one.
  if (name == "stack-protector")
    m_passes.add(new SplitBlocksPass);
  if (name == "peephole-opt") {
    m_passes.add(new TestBitsApartPass);
    m_passes.add(new KeepLoopCopiesPass);
  }
  if (name == "si-fold-operands") {
    m_passes.add(new FoldOrOnesPass);
    m_passes.add(new SaturateLiteralsPass);
    m_passes.add(new FoldOffsetsPass);
    m_passes.add(new MergeCopiesPass);
  }
  if (name == "amdgpu-nsa-reassign") // between allocation and rewriting
    m_passes.add(new RepackRegistersPass);
  if (name == "finalize-isel") // after si-i1-copies
    m_passes.add(new DefineMasksPass);
  if (name == "detect-dead-lanes") { // after si-fold-operands, which finds reads of values in SGPRs
    m_passes.add(new IndexRegistersPass);
    m_passes.add(new ReadInWholeQuadsPass);
    m_passes.add(new GuardedPass(new SeparateWholeWavesPass, hasWholeWaves));
    m_passes.add(new SeparateTuplesPass);
  }
  if (name == "si-fix-vgpr-copies") { // the first pass after allocation and rewriting
    m_passes.add(new RestoreExecPass(&m_outcome.restoresExecLate));
    m_passes.add(new ExactCopiesPass(&m_outcome.mayLackHelpers));
    m_passes.add(new GuardedPass(new LeaveWholeWavesPass, hasWholeWaves));
    m_passes.add(new SplitWideLiteralsPass);
    m_passes.add(new DropEmptyAssemblyPass);
  }
  if (name == "prologepilog")
    m_passes.add(new CountSpillsPass(SpilledBank::Vector, m_outcome.spills));
  if (name ==
      "post-RA-hazard-rec") { // after the steps that drop and lower branches, and before the one that adds wait states
    m_passes.add(new DefineReadsPass);
    m_passes.add(new OrderedExitPass);
    m_passes.add(new SplitBranchesPass);
  }
  if (name == "branch-relaxation") { // the last pass
    m_passes.add(new WaitOnAllWaysPass);
    m_passes.add(new MarkOffsetsPass);
    m_passes.add(new ShiftAmountsPass);
    m_passes.add(new CountRegistersPass);
  }
  if (m_visitPrinter && pass->getPassName() == "AMDGPU Assembly Printer")
    m_visitPrinter(static_cast<AsmPrinter &>(*pass));
  if (name == "greedy") {
    pass = changeAllocator(pass);
    if (!pass)
      return;
  }
  // At level 3, the scheduler is LLVM's, which takes three times as long and looks harder for ways to hide latency.
  if (name == "machine-scheduler" && m_level != CodeGenOptLevel::Aggressive) {
    delete pass;
    pass = new ScheduleRegionsPass;
  }
  if (name == "amdgpu-atomic-optimizer") // LLVM makes it with an argument
    pass = new GuardedPass(pass, endsNoFragments);
  if (name == "slsr") { // reads the module's data layout before it runs
    // Strength reduction compares all sums with each other, also equal ones, so equal ones become one before.
    m_passes.add(new GuardedPass(createEarlyCSEPass(), addsManyMultiples));
    pass = new GuardedPass(pass, addsFewMultiples);
  }
  const auto *conditional = find_if(Conditional, [&](const ConditionalPass &row) { return row.pass == name; });
  if (conditional != std::end(Conditional))
    pass = new FreshPass(pass, *info, conditional->isFor);
  else if (is_contained(Remembering, name))
    pass = new FreshPass(pass, *info, nullptr);
  m_passes.add(pass);
  if (name == "si-fix-sgpr-copies")
    m_passes.add(new SwapDifferencesPass);
  if (name == "processimpdefs")
    m_passes.add(new DefineOperandsPass);
  if (name == "si-wqm") {
    m_passes.add(new SaveLanesLatePass);
    m_passes.add(new GuardedPass(new UndefineOutsidePass, hasWholeWaves));
  }
}

} // namespace lgc
