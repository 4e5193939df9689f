// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/schedule/region_scheduler.h"
#include <algorithm>
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <memory>
#include <utility>

using namespace llvm;

namespace lgc {

// Puts loads side by side. LLVM calls it when it knows the region's instructions and their registers.
class RegionScheduler::ClusterLoads final : public ScheduleDAGMutation {
public:
  explicit ClusterLoads(RegionScheduler &scheduler)
      : m_scheduler(scheduler), m_loads(createLoadClusterDAGMutation(scheduler.TII, scheduler.TRI)) {}

  void apply(ScheduleDAGInstrs *dag) override {
    m_scheduler.chooseLimit();
    if (!m_scheduler.m_isLean)
      m_loads->apply(dag);
  }

private:
  RegionScheduler &m_scheduler;
  const std::unique_ptr<ScheduleDAGMutation> m_loads;
};

RegionScheduler::Limits RegionScheduler::limitsOf(const dovetail::TargetInfo &target) {
  constexpr unsigned Sgprs = 102, Vgprs = 256; // that code can name
  Limits limits;
  for (unsigned vgprs = 1; vgprs <= Vgprs; ++vgprs)
    limits[std::min(dovetail::wavesPerSimd(target, 0, vgprs), MaxWaves)].vgprs = vgprs;
  for (unsigned sgprs = 1; sgprs <= Sgprs; ++sgprs)
    limits[std::min(dovetail::wavesPerSimd(target, sgprs + target.reservedSgprs, 0), MaxWaves)].sgprs = sgprs;
  for (unsigned waves = MaxWaves - 1; waves > 0; --waves) {
    limits[waves].vgprs = std::max(limits[waves].vgprs, limits[waves + 1].vgprs);
    limits[waves].sgprs = std::max(limits[waves].sgprs, limits[waves + 1].sgprs);
  }
  return limits;
}

RegionScheduler::RegionScheduler(MachineSchedContext &context, const dovetail::TargetInfo &target)
    : ScheduleDAGMILive(&context, std::make_unique<RegisterStrategy>(context)), m_kinds(RegisterKinds::get(*TRI)),
      m_strategy(static_cast<RegisterStrategy &>(*SchedImpl)), m_limits(limitsOf(target)) {
  addMutation(std::make_unique<ClusterLoads>(*this));
}

void RegionScheduler::run(const Region &region) {
  enterRegion(region.block, region.begin, region.end, region.count);
  const bool hasChoice = region.begin != region.end && std::next(region.begin) != region.end;
  if (hasChoice) {
    unsigned waves = scheduleOnce(false);
    if (waves < m_waves && !m_isLean) {
      exitRegion();
      enterRegion(region.block, RegionBegin, RegionEnd, region.count);
      waves = scheduleOnce(true);
    }
    m_waves = std::min(m_waves, waves);
  }
  exitRegion();
}

void RegionScheduler::chooseLimit() {
  m_isLean |= !demandBefore().isWithin(m_limits[m_waves]);
  m_strategy.setLimit(m_limits[m_waves]);
}

// Returns the waves that run with the region's new order. Keeps the old order if more waves run with that.
unsigned RegionScheduler::scheduleOnce(bool isLean) {
  m_isLean = isLean;
  SmallVector<MachineInstr *, 0> order;
  for (MachineInstr &inst : make_range(RegionBegin, RegionEnd))
    order.push_back(&inst);
  schedule();
  const unsigned before = wavesWith(demandBefore()), after = wavesWith(demandAfter());
  if (after >= std::min(m_waves, before))
    return after;
  restore(order);
  return before;
}

RegisterDemand RegionScheduler::demandAfter() const {
  const RegisterDemand top = m_kinds.demandOf(TopPressure.MaxSetPressure);
  const RegisterDemand bottom = m_kinds.demandOf(BotPressure.MaxSetPressure);
  return {std::max(top.sgprs, bottom.sgprs), std::max(top.vgprs, bottom.vgprs)};
}

unsigned RegionScheduler::wavesWith(const RegisterDemand &demand) const {
  unsigned waves = MaxWaves;
  while (waves > 1 && !demand.isWithin(m_limits[waves]))
    --waves;
  return waves;
}

// Puts the region's instructions back into an order, and marks values that nobody reads there.
void RegionScheduler::restore(ArrayRef<MachineInstr *> order) {
  MachineBasicBlock::iterator place = RegionEnd;
  for (MachineInstr *inst : reverse(order)) {
    if (std::next(inst->getIterator()) != place) {
      BB->splice(place, BB, inst);
      if (!inst->isDebugInstr())
        LIS->handleMove(*inst, /*UpdateFlags=*/true);
    }
    place = inst->getIterator();
  }
  RegionBegin = place;
  for (MachineInstr *inst : order) {
    if (inst->isDebugInstr())
      continue;
    for (MachineOperand &def : inst->all_defs())
      def.setIsUndef(false);
    RegisterOperands operands;
    operands.collect(*inst, *TRI, MRI, ShouldTrackLaneMasks, /*IgnoreDead=*/false);
    if (ShouldTrackLaneMasks)
      operands.adjustLaneLiveness(*LIS, MRI, LIS->getInstructionIndex(*inst).getRegSlot(), inst);
    else
      operands.detectDeadDefs(*inst, *LIS);
  }
}

} // namespace lgc
