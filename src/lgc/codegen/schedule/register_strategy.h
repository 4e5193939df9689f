// SPDX-License-Identifier: MIT
//
// The order in which a region of a block is scheduled: LLVM's GenericScheduler, which compares two instructions by how
// far each goes beyond a limit of registers, by latency and by clusters, with limits that let a number of waves run.
#pragma once

#include <llvm/CodeGen/MachineScheduler.h>
#include <mutex>
#include <vector>

namespace lgc {

// Numbers of registers: those that instructions have at once.
struct RegisterDemand {
  unsigned sgprs = 0, vgprs = 0;

  bool isWithin(const RegisterDemand &limit) const { return sgprs <= limit.sgprs && vgprs <= limit.vgprs; }
};

// LLVM's register classes and pressure sets of single registers, which its installed headers do not number. They are
// the same for all GPUs.
struct RegisterKinds {
  static const RegisterKinds &get(const llvm::TargetRegisterInfo &info);

  const llvm::TargetRegisterClass *sgprs = nullptr, *vgprs = nullptr;
  unsigned sgprSet = 0, vgprSet = 0;

  RegisterDemand demandOf(llvm::ArrayRef<unsigned> pressure) const { return {pressure[sgprSet], pressure[vgprSet]}; }

private:
  void read(const llvm::TargetRegisterInfo &info);

  // Made when the library is loaded: see exit_order.h.
  static std::once_flag once;
  static RegisterKinds kinds;
};

// A strategy for ScheduleDAGMILive, which must track pressure.
class RegisterStrategy final : public llvm::GenericScheduler {
public:
  explicit RegisterStrategy(const llvm::MachineSchedContext &context);

  // The registers with which enough waves run: instructions that need more are put off. Must be called for each region
  // before initialize().
  void setLimit(RegisterDemand limit);

  void initialize(llvm::ScheduleDAGMI *dag) override;
  llvm::SUnit *pickNode(bool &isTop) override;

private:
  void pickFrom(llvm::SchedBoundary &zone, const CandPolicy &policy, const llvm::RegPressureTracker &tracker,
                SchedCandidate &best);
  void initialize(SchedCandidate &candidate, llvm::SUnit *unit, bool isTop, const llvm::RegPressureTracker &tracker,
                  RegisterDemand now);
  llvm::SUnit *pickFromBoth(bool &isTop);

  const RegisterKinds &m_kinds;
  RegisterDemand m_critical, m_excess;
  std::vector<unsigned> m_pressure, m_maxPressure;
};

} // namespace lgc
