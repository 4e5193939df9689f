// SPDX-License-Identifier: MIT
//
// Schedules the regions of a function one after the other (schedule_regions.h).
#pragma once

#include "src/abi/target_info.h"
#include "src/lgc/codegen/schedule/register_strategy.h"
#include <array>
#include <vector>

namespace lgc {

// Instructions of a block that may change places with each other. At `end` is the block's end or an instruction that
// stays where it is.
struct Region {
  llvm::MachineBasicBlock *block;
  llvm::MachineBasicBlock::iterator begin, end;
  unsigned count; // of instructions, without those for debuggers
};

class RegionScheduler final : public llvm::ScheduleDAGMILive {
public:
  // `target` must outlive the scheduler.
  RegionScheduler(llvm::MachineSchedContext &context, const dovetail::TargetInfo &target);

  // Regions of a block come one after the other, between startBlock() and finishBlock(), the last one first.
  void run(const Region &region);

private:
  class ClusterLoads;

  // The most registers with which so many waves run on a SIMD.
  static constexpr unsigned MaxWaves = 10;
  using Limits = std::array<RegisterDemand, MaxWaves + 1>;
  static Limits limitsOf(const dovetail::TargetInfo &target);

  void chooseLimit();
  unsigned scheduleOnce(bool isLean);
  RegisterDemand demandBefore() const { return m_kinds.demandOf(RegPressure.MaxSetPressure); }
  RegisterDemand demandAfter() const;
  unsigned wavesWith(const RegisterDemand &demand) const;
  void restore(llvm::ArrayRef<llvm::MachineInstr *> order);

  const RegisterKinds &m_kinds;
  RegisterStrategy &m_strategy;
  const Limits m_limits;
  unsigned m_waves = MaxWaves; // that run with all regions so far
  bool m_isLean = false;       // whether the region needs its loads apart
};

} // namespace lgc
