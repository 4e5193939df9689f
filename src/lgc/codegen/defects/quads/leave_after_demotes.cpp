// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/quads/meeting_places.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include "src/lgc/ops/op.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace lgc {

namespace {

Intrinsic::ID intrinsicOf(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

// Whether the instruction needs helper invocations: derivatives, and samples that take their level of detail from them.
bool needsHelpers(const Instruction &inst) {
  const Intrinsic::ID id = intrinsicOf(inst);
  if (id == Intrinsic::not_intrinsic || id == Intrinsic::amdgcn_wqm)
    return id == Intrinsic::amdgcn_wqm;
  StringRef name = cast<CallInst>(inst).getCalledFunction()->getName();
  if (!name.consume_front("llvm.amdgcn.image."))
    return false;
  SmallVector<StringRef, 8> words;
  name.split(words, '.');
  const bool isSample = words[0] == "sample" || words[0] == "gather4" || words[0] == "getlod";
  return isSample && none_of(words, [](StringRef word) {
           return word == "l" || word == "lz" || word == "d" ||
                  word == "cd"; // the level or the derivatives are operands
         });
}

class DemoteExits {
public:
  explicit DemoteExits(Function &function) : m_function(function), m_meetings(function) {}

  // The demotes behind which lanes must leave.
  SmallVector<Instruction *, 4> find() {
    SmallVector<Instruction *, 4> found;
    for (Instruction &inst : instructions(m_function))
      if (intrinsicOf(inst) == Intrinsic::amdgcn_wqm_demote && needsLanes(inst))
        found.push_back(&inst);
    return found;
  }

private:
  bool needsLanes(Instruction &demote) {
    BasicBlock &demoting = *demote.getParent();
    if (m_meetings.contains(demoting))
      return false;
    SmallVector<BasicBlock *, 16> waiting = {&demoting};
    SmallPtrSet<BasicBlock *, 16> seen(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
      BasicBlock *block = waiting.pop_back_val();
      if (m_meetings.isInCycle(*block))
        return true;
      const auto rest = make_range(block == &demoting ? demote.getIterator() : block->begin(), block->end());
      if (any_of(rest, mayReadAnywhere))
        return true;
      for (BasicBlock *next : successors(block))
        if (!m_meetings.contains(*next) && seen.insert(next).second)
          waiting.push_back(next);
    }
    return false;
  }

  // Whether the instruction may become a scalar load whose address depends on vector instructions. Accesses to buffers
  // are checked against their bounds, so they do not count.
  static bool mayReadAnywhere(const Instruction &inst) {
    if (auto *read = dyn_cast<ReadPushConstantsOp>(&inst))
      return !isScalar(read->byteOffset());
    if (auto *load = dyn_cast<LoadDescriptorOp>(&inst))
      return !isScalar(load->index());
    auto *load = dyn_cast<LoadInst>(&inst);
    return load && load->getPointerAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS &&
           load->getPointerAddressSpace() != AMDGPUAS::LOCAL_ADDRESS && !isScalar(load->getPointerOperand());
  }

  // Whether scalar instructions alone surely make the value, from push constants and descriptors, in few steps.
  // Products, quotients and floats may take vector instructions.
  static bool isScalar(const Value *value, unsigned steps = 8) {
    if (isa<Constant>(value))
      return true;
    if (steps == 0)
      return false;
    if (auto *read = dyn_cast<ReadPushConstantsOp>(value))
      return isScalar(read->byteOffset(), steps - 1);
    if (auto *load = dyn_cast<LoadDescriptorOp>(value))
      return isScalar(load->index(), steps - 1);
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst)
      return false;
    switch (inst->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::BitCast:
    case Instruction::IntToPtr:
    case Instruction::ExtractElement:
      return all_of(inst->operands(), [&](const Use &operand) { return isScalar(operand, steps - 1); });
    case Instruction::GetElementPtr:
      return cast<GetElementPtrInst>(inst)->hasAllConstantIndices() && isScalar(inst->getOperand(0), steps - 1);
    default:
      return false;
    }
  }

  Function &m_function;
  MeetingPlaces m_meetings;
};

} // namespace

PreservedAnalyses LeaveAfterDemotesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.getReturnType()->isVoidTy() || none_of(instructions(function), [](const Instruction &inst) {
        return intrinsicOf(inst) == Intrinsic::amdgcn_wqm_demote;
      }))
    return PreservedAnalyses::all();
  const SmallVector<Instruction *, 4> demotes = DemoteExits(function).find();
  if (demotes.empty())
    return PreservedAnalyses::all();
  const bool hasHelpers = any_of(instructions(function), needsHelpers);
  BasicBlock *left = BasicBlock::Create(function.getContext(), "left", &function);
  ReturnInst::Create(function.getContext(), left);
  for (Instruction *demote : demotes) {
    BasicBlock *rest = SplitBlock(demote->getParent(), demote->getNextNode());
    Instruction *branch = rest->getSinglePredecessor()->getTerminator();
    IRBuilder<> builder(branch);
    Value *isWanted = builder.CreateIntrinsic(builder.getInt1Ty(), Intrinsic::amdgcn_live_mask, {});
    if (hasHelpers)
      isWanted = builder.CreateIntrinsic(builder.getInt1Ty(), Intrinsic::amdgcn_wqm_vote, {isWanted});
    builder.CreateCondBr(isWanted, rest, left);
    branch->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
