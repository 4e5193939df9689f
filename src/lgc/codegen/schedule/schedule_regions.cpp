// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/schedule/schedule_regions.h"
#include "src/lgc/codegen/schedule/region_scheduler.h"
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/RegisterClassInfo.h>
#include <llvm/CodeGen/SlotIndexes.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// The regions of a block, the last one first.
std::vector<Region> regionsOf(MachineBasicBlock &block, const TargetInstrInfo &info) {
  std::vector<Region> regions;
  const MachineFunction &function = *block.getParent();
  auto isBoundary = [&](const MachineInstr &inst) {
    return inst.isCall() || info.isSchedulingBoundary(inst, &block, function);
  };
  for (MachineBasicBlock::iterator end = block.end(); end != block.begin();) {
    if (end != block.end() || isBoundary(*std::prev(end)))
      --end;
    MachineBasicBlock::iterator begin = end;
    unsigned count = 0;
    while (begin != block.begin() && !isBoundary(*std::prev(begin))) {
      --begin;
      count += !begin->isDebugOrPseudoInstr();
    }
    if (count != 0)
      regions.push_back({&block, begin, end, count});
    end = begin;
  }
  return regions;
}

} // namespace

void ScheduleRegionsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  usage.addRequired<MachineDominatorTreeWrapperPass>();
  usage.addRequired<MachineLoopInfoWrapperPass>();
  usage.addRequired<AAResultsWrapperPass>();
  usage.addRequired<SlotIndexesWrapperPass>();
  usage.addPreserved<SlotIndexesWrapperPass>();
  usage.addRequired<LiveIntervalsWrapperPass>();
  usage.addPreserved<LiveIntervalsWrapperPass>();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool ScheduleRegionsPass::runOnMachineFunction(MachineFunction &function) {
  const StringRef gpu = function.getSubtarget().getCPU();
  const dovetail::TargetInfo *target = dovetail::findTarget({gpu.data(), gpu.size()}); // BuilderContext::create has it
  MachineSchedContext context;
  context.MF = &function;
  context.MLI = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  context.MDT = &getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
  context.TM = &function.getTarget();
  context.AA = &getAnalysis<AAResultsWrapperPass>().getAAResults();
  context.LIS = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  context.RegClassInfo->runOnMachineFunction(function);
  RegionScheduler scheduler(context, *target);
  for (MachineBasicBlock &block : function) {
    const std::vector<Region> regions = regionsOf(block, *function.getSubtarget().getInstrInfo());
    if (regions.empty())
      continue;
    scheduler.startBlock(&block);
    for (const Region &region : regions)
      scheduler.run(region);
    scheduler.finishBlock();
  }
  return true;
}

} // namespace lgc
