// SPDX-License-Identifier: MIT
//
// The lanes that go on are the same as before, and so are their results. Blocks that do more than end lanes stay,
// because their other code is for the ending lanes only. Demotes stay, too: lanes go on behind them as helpers.
#include "src/lgc/codegen/defects/quads/meeting_places.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace lgc {

namespace {

// Whether the block only ends its lanes and leaves. Its successor must have another predecessor, because a shader needs
// its end.
bool onlyKills(const BasicBlock &block) {
  auto *leave = dyn_cast<BranchInst>(block.getTerminator());
  return leave && leave->isUnconditional() && leave->getSuccessor(0)->getUniquePredecessor() != &block &&
         block.sizeWithoutDebug() == 2 && isKillOfAll(*block.getFirstNonPHIOrDbg());
}

// A conditional branch with a successor that only kills.
struct Candidate {
  BranchInst *branch;
  unsigned way;
  BasicBlock *killing;

  BasicBlock *front() const { return branch->getParent(); }
  BasicBlock *otherWay() const { return branch->getSuccessor(1 - way); }
};

SmallVector<Candidate, 8> findCandidates(Function &function) {
  SmallVector<Candidate, 8> candidates;
  SmallPtrSet<BranchInst *, 8> branches; // if both successors only kill, one of them stays
  for (BasicBlock &block : drop_begin(function)) {
    if (!onlyKills(block))
      continue;
    for (BasicBlock *front : predecessors(&block)) {
      auto *branch = dyn_cast<BranchInst>(front->getTerminator());
      if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
          branches.insert(branch).second)
        candidates.push_back({branch, branch->getSuccessor(0) == &block ? 0u : 1u, &block});
    }
  }
  return candidates;
}

// The meeting places of the function if the candidates' edges to their killing blocks were closed.
MeetingPlaces meetingsWithout(Function &function, ArrayRef<Candidate> candidates) {
  for (const Candidate &candidate : candidates)
    candidate.branch->setSuccessor(candidate.way, candidate.otherWay());
  MeetingPlaces meetings(function);
  for (const Candidate &candidate : candidates)
    candidate.branch->setSuccessor(candidate.way, candidate.killing);
  return meetings;
}

// Keeps the candidates that all lanes pass unless one of these candidates has ended them. A candidate that stays a
// branch is a path around those behind it, so this repeats until none goes.
void keepThoseOnAllWays(Function &function, SmallVectorImpl<Candidate> &candidates) {
  for (size_t count = 0; count != candidates.size();) {
    count = candidates.size();
    const MeetingPlaces meetings = meetingsWithout(function, candidates);
    erase_if(candidates, [&](const Candidate &candidate) { return !meetings.contains(*candidate.front()); });
  }
}

// Makes the block kill by the condition of its branch, and go on.
void killInFront(const Candidate &candidate) {
  IRBuilder<> builder(candidate.branch);
  Value *condition = candidate.branch->getCondition();
  builder.CreateIntrinsic(Intrinsic::amdgcn_kill, {}, {candidate.way == 0 ? builder.CreateNot(condition) : condition});
  builder.CreateBr(candidate.otherWay());
  candidate.killing->removePredecessor(candidate.front());
  candidate.branch->eraseFromParent();
  if (pred_empty(candidate.killing))
    DeleteDeadBlock(candidate.killing);
}

bool isQuadMode(const User *user) {
  auto *call = dyn_cast<IntrinsicInst>(user);
  return call &&
         (call->getIntrinsicID() == Intrinsic::amdgcn_wqm || call->getIntrinsicID() == Intrinsic::amdgcn_softwqm);
}

// Whether the shader has subgroup operations whose results depend on the lanes that run. LLVM takes equal ones in one
// block for one, even if a kill stands between them (EarlyCSE), so such shaders keep the blocks of their kills.
bool asksForLanes(const Module &module) {
  return any_of(module, [](const Function &callee) {
    switch (callee.getIntrinsicID()) {
    case Intrinsic::amdgcn_ballot:
    case Intrinsic::amdgcn_set_inactive:
      return !callee.use_empty();
    case Intrinsic::amdgcn_readfirstlane:
      return any_of(callee.users(), [](const User *call) { return any_of(call->users(), isQuadMode); });
    default:
      return false;
    }
  });
}

} // namespace

PreservedAnalyses ConditionalKillsPass::run(Function &function, FunctionAnalysisManager &) {
  if (asksForLanes(*function.getParent()))
    return PreservedAnalyses::all();
  SmallVector<Candidate, 8> candidates = findCandidates(function);
  if (candidates.empty())
    return PreservedAnalyses::all();
  keepThoseOnAllWays(function, candidates);
  for (const Candidate &candidate : candidates)
    killInFront(candidate);
  return candidates.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lgc
