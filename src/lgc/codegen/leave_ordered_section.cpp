// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/leave_ordered_section.h"
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned OrderedDone = 7; // MSG_ORDERED_PS_DONE: "Vega" ISA manual, section 12.5.1; LLVM, SIDefines.h

bool isMessage(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_s_sendmsg &&
         cast<ConstantInt>(call->getArgOperand(0))->getZExtValue() == OrderedDone;
}

bool mustComeBefore(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::amdgcn_pops_exiting_wave_id:
  case Intrinsic::amdgcn_kill:
  case Intrinsic::amdgcn_wqm_demote:
    return true;
  default:
    return isMessage(*call);
  }
}

// The blocks that every path passes, in order.
SmallVector<BasicBlock *, 8> blocksOfEveryPath(Function &function) {
  const PostDominatorTree tree(function);
  SmallVector<BasicBlock *, 8> blocks;
  for (auto *node = tree.getNode(&function.getEntryBlock()); node && node->getBlock(); node = node->getIDom())
    blocks.push_back(node->getBlock());
  return blocks;
}

bool leadsTo(BasicBlock &block, const SmallPtrSetImpl<BasicBlock *> &others) {
  SmallVector<BasicBlock *, 8> work(successors(&block));
  SmallPtrSet<BasicBlock *, 32> seen;
  while (!work.empty()) {
    BasicBlock *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (next == &block || others.contains(next))
      return true;
    append_range(work, successors(next));
  }
  return false;
}

Instruction *placeIn(BasicBlock &block) {
  for (Instruction &instruction : reverse(block))
    if (mustComeBefore(instruction))
      return instruction.getNextNode();
  return &*block.getFirstInsertionPt();
}

} // namespace

CallInst *sendOrderedDone(IRBuilderBase &builder) {
  builder.CreateFence(AtomicOrdering::Release, builder.getContext().getOrInsertSyncScopeID("agent"));
  return builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::amdgcn_s_sendmsg,
                                 {builder.getInt32(OrderedDone), builder.getInt32(0)}); // this message does not use M0
}

PreservedAnalyses LeaveOrderedSectionPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 4> messages;
  SmallPtrSet<BasicBlock *, 8> before;
  bool isOrdered = false;
  for (Instruction &instruction : instructions(function))
    if (mustComeBefore(instruction)) {
      before.insert(instruction.getParent());
      const Intrinsic::ID id = cast<IntrinsicInst>(instruction).getIntrinsicID();
      isOrdered |= id == Intrinsic::amdgcn_pops_exiting_wave_id;
      if (isMessage(instruction))
        messages.push_back(&instruction);
    }
  if (isOrdered) {
    SmallVector<Instruction *, 1> places;
    for (BasicBlock *block : blocksOfEveryPath(function))
      if (places.empty() && !leadsTo(*block, before))
        places.push_back(placeIn(*block));
    // A function whose loops all lack an end has no such block.
    if (places.empty())
      for (BasicBlock &block : function)
        if (isa<ReturnInst>(block.getTerminator()))
          places.push_back(block.getTerminator());
    for (Instruction *place : places) {
      IRBuilder<> builder(place);
      sendOrderedDone(builder);
    }
  }
  for (Instruction *message : messages)
    message->eraseFromParent();
  return isOrdered || !messages.empty() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void OrderedExitPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool OrderedExitPass::runOnMachineFunction(MachineFunction &function) {
  // No block of the function itself ends a wave like that: the early exit has no IR block.
  auto isEarlyExit = [](const MachineBasicBlock &block) {
    return !block.getBasicBlock() && block.succ_empty() && !block.empty() && block.back().isReturn();
  };
  SmallVector<MachineBasicBlock *, 1> exits;
  for (MachineBasicBlock &block : function)
    if (isEarlyExit(block))
      exits.push_back(&block);
  if (exits.empty())
    return false;

  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const MachineInstr *message = nullptr;
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block)
      if (info.getName(inst.getOpcode()) == "S_SENDMSG" && inst.getOperand(0).getImm() == OrderedDone)
        message = &inst;
  if (!message)
    return false;
  unsigned wait = 0;
  while (info.getName(wait) != "S_WAITCNT")
    ++wait;
  for (MachineBasicBlock *exit : exits) {
    const DebugLoc place = exit->back().getDebugLoc();
    BuildMI(*exit, exit->begin(), place, info.get(message->getOpcode())).addImm(OrderedDone);
    BuildMI(*exit, exit->begin(), place, info.get(wait)).addImm(0); // waits for everything
  }
  return true;
}

} // namespace lgc
