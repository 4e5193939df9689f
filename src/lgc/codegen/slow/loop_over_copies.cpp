// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr uint64_t MinBytes = 256;

// Loads from buffers take long. A loop begins at so many bytes, and makes so many loads at once.
constexpr uint64_t MinBytesFromBuffer = 1024;
constexpr size_t LoadsAtOnce = 8;

bool isLarge(const MemCpyInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  return length && length->getZExtValue() >= MinBytes && copy.getSourceAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS &&
         copy.getDestAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS;
}

// A value that is loaded from a buffer and stored in a variable, both at known byte offsets.
struct CopiedElement {
  IntrinsicInst *load;
  StoreInst *store;
  AllocaInst *variable;
  int64_t from, to;

  Value *buffer() const { return load->getArgOperand(0); }
  bool isLike(const CopiedElement &other) const {
    auto hasSameOperands = [&] {
      for (unsigned i = 0; i < load->arg_size(); ++i)
        if (i != 1 && load->getArgOperand(i) != other.load->getArgOperand(i))
          return false;
      return true;
    };
    return variable == other.variable && load->getCalledFunction() == other.load->getCalledFunction() &&
           hasSameOperands();
  }
};

std::optional<CopiedElement> copiedElement(StoreInst &store, const DataLayout &layout) {
  auto *load = dyn_cast<IntrinsicInst>(store.getValueOperand());
  if (!store.isSimple() || store.getPointerAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS || !load ||
      load->getParent() != store.getParent())
    return std::nullopt;
  // Uniforms never change; a load of other memory must serve this store alone.
  const Intrinsic::ID kind = load->getIntrinsicID();
  if (kind != Intrinsic::amdgcn_s_buffer_load && !(kind == Intrinsic::amdgcn_raw_buffer_load && load->hasOneUse()))
    return std::nullopt;
  auto *from = dyn_cast<ConstantInt>(load->getArgOperand(1));
  APInt to(layout.getIndexTypeSizeInBits(store.getPointerOperandType()), 0);
  auto *variable = dyn_cast<AllocaInst>(store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, to, true));
  if (!from || !variable)
    return std::nullopt;
  return CopiedElement{load, &store, variable, from->getSExtValue(), to.getSExtValue()};
}

// Elements at equal distances, with no other access to memory between them.
using Run = SmallVector<CopiedElement, 0>;

bool follows(const Run &run, const CopiedElement &next) {
  const CopiedElement &last = run.back();
  if (!next.isLike(last))
    return false;
  return run.size() < 2 ||
         (next.from - last.from == run[1].from - run[0].from && next.to - last.to == run[1].to - run[0].to);
}

SmallVector<Run, 4> findRuns(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<Run, 4> found;
  Run run;
  auto end = [&] {
    if (!run.empty() &&
        run.size() * layout.getTypeStoreSize(run[0].load->getType()).getFixedValue() >= MinBytesFromBuffer)
      found.push_back(std::move(run));
    run.clear();
  };
  for (BasicBlock &block : function) {
    for (Instruction &inst : block) {
      auto *store = dyn_cast<StoreInst>(&inst);
      if (std::optional<CopiedElement> element = store ? copiedElement(*store, layout) : std::nullopt) {
        if (!run.empty() && !follows(run, *element))
          end();
        run.push_back(*element);
        continue;
      }
      // A load from a buffer that belongs to an element does not read memory that the run writes.
      auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
      if (inst.mayReadOrWriteMemory() &&
          !(intrinsic && intrinsic->getIntrinsicID() == Intrinsic::amdgcn_raw_buffer_load))
        end();
    }
    end();
  }
  return found;
}

// Makes the loop in the place of the last store.
void makeLoop(const Run &run) {
  const size_t count = run.size() / LoadsAtOnce * LoadsAtOnce;
  const CopiedElement &first = run[0];
  Align alignment = first.store->getAlign();
  for (const CopiedElement &element : run)
    alignment = std::min(alignment, element.store->getAlign());

  BasicBlock *before = run.back().store->getParent();
  BasicBlock *behind = SplitBlock(before, run.back().store->getNextNode());
  BasicBlock *loop = BasicBlock::Create(before->getContext(), "copy", before->getParent(), behind);
  before->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> builder(loop);
  PHINode *index = builder.CreatePHI(builder.getInt32Ty(), 2);
  index->addIncoming(builder.getInt32(0), before);
  for (unsigned i = 0; i < LoadsAtOnce; ++i) {
    Value *element = builder.CreateAdd(index, builder.getInt32(i));
    auto place = [&](int64_t begin, int64_t step) {
      return builder.CreateAdd(builder.CreateMul(element, builder.getInt32(static_cast<uint32_t>(step))),
                               builder.getInt32(static_cast<uint32_t>(begin)));
    };
    auto *load = cast<IntrinsicInst>(builder.Insert(first.load->clone()));
    load->setArgOperand(1, place(first.from, run[1].from - first.from));
    load->moveBefore(*loop, loop->end());
    Value *to = builder.CreateInBoundsGEP(builder.getInt8Ty(), first.variable, place(first.to, run[1].to - first.to));
    builder.CreateAlignedStore(load, to, alignment);
  }
  Value *next = builder.CreateAdd(index, builder.getInt32(LoadsAtOnce));
  index->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt32(static_cast<uint32_t>(count))), loop, behind);

  for (const CopiedElement &element : ArrayRef(run).take_front(count)) {
    Value *to = element.store->getPointerOperand();
    element.store->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(element.load);
    RecursivelyDeleteTriviallyDeadInstructions(to);
  }
}

} // namespace

PreservedAnalyses LoopOverCopiesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (none_of(function.getEntryBlock(), [](const Instruction &inst) { return isa<AllocaInst>(inst); }))
    return PreservedAnalyses::all(); // all copies are to variables
  SmallVector<MemCpyInst *, 8> copies;
  for (Instruction &inst : instructions(function))
    if (auto *copy = dyn_cast<MemCpyInst>(&inst); copy && isLarge(*copy))
      copies.push_back(copy);
  const SmallVector<Run, 4> runs = findRuns(function);
  if (copies.empty() && runs.empty())
    return PreservedAnalyses::all();
  for (const Run &run : runs)
    makeLoop(run);
  const TargetTransformInfo &target = analyses.getResult<TargetIRAnalysis>(function);
  for (MemCpyInst *copy : copies) {
    expandMemCpyAsLoop(copy, target);
    copy->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
