// SPDX-License-Identifier: MIT
//
// It follows GCNSchedStrategy, whose header LLVM does not install.
#include "src/lgc/codegen/schedule/register_strategy.h"
#include <algorithm>
#include <llvm/CodeGen/RegisterClassInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// A tracker counts less than allocation needs.
constexpr unsigned ErrorMargin = 3;

unsigned lessMargin(unsigned limit) {
  return limit - std::min(limit, ErrorMargin);
}

// Whether the pressure of the instruction is known without a walk: it names no register of the hardware, and defines
// no part of a tuple.
bool hasPressureDifference(const SUnit &unit) {
  return unit.isInstr() && none_of(unit.getInstr()->operands(), [](const MachineOperand &operand) {
           return operand.isReg() && !operand.isImplicit() &&
                  (operand.getReg().isPhysical() || (operand.isDef() && operand.getSubReg() != 0));
         });
}

} // namespace

std::once_flag RegisterKinds::once;
RegisterKinds RegisterKinds::kinds;

const RegisterKinds &RegisterKinds::get(const TargetRegisterInfo &info) {
  std::call_once(once, [&] { kinds.read(info); });
  return kinds;
}

void RegisterKinds::read(const TargetRegisterInfo &info) {
  for (const TargetRegisterClass *each : info.regclasses()) {
    const StringRef name = info.getRegClassName(each);
    if (name == "SGPR_32")
      sgprs = each;
    else if (name == "VGPR_32")
      vgprs = each;
  }
  for (unsigned set = 0; set < info.getNumRegPressureSets(); ++set) {
    const StringRef name = info.getRegPressureSetName(set);
    if (name == "SReg_32")
      sgprSet = set;
    else if (name == "VGPR_32")
      vgprSet = set;
  }
}

RegisterStrategy::RegisterStrategy(const MachineSchedContext &context)
    : GenericScheduler(&context), m_kinds(RegisterKinds::get(*context.MF->getSubtarget().getRegisterInfo())) {}

void RegisterStrategy::setLimit(RegisterDemand limit) {
  m_critical = {lessMargin(limit.sgprs), lessMargin(limit.vgprs)};
}

void RegisterStrategy::initialize(ScheduleDAGMI *dag) {
  GenericScheduler::initialize(dag);
  m_excess = {lessMargin(Context->RegClassInfo->getNumAllocatableRegs(m_kinds.sgprs)),
              lessMargin(Context->RegClassInfo->getNumAllocatableRegs(m_kinds.vgprs))};
}

void RegisterStrategy::initialize(SchedCandidate &candidate, SUnit *unit, bool isTop, const RegPressureTracker &tracker,
                                  RegisterDemand now) {
  candidate.SU = unit;
  candidate.AtTop = isTop;
  RegisterDemand then = now;
  if (!isTop && hasPressureDifference(*unit)) {
    for (const PressureChange &change : DAG->getPressureDiff(unit)) {
      if (!change.isValid())
        break;
      if (change.getPSet() == m_kinds.sgprSet)
        then.sgprs += unsigned(change.getUnitInc());
      else if (change.getPSet() == m_kinds.vgprSet)
        then.vgprs += unsigned(change.getUnitInc());
    }
  } else {
    auto &temporary = const_cast<RegPressureTracker &>(tracker); // changed and changed back
    if (isTop)
      temporary.getDownwardPressure(unit->getInstr(), m_pressure, m_maxPressure);
    else
      temporary.getUpwardPressure(unit->getInstr(), m_pressure, m_maxPressure);
    then = m_kinds.demandOf(m_pressure);
  }
  // Only one of the two kinds counts, so that no instruction is put off for the kind that is plentiful.
  constexpr unsigned MostVgprsOfOne = 16;
  if (now.vgprs + MostVgprsOfOne >= m_excess.vgprs) {
    if (then.vgprs >= m_excess.vgprs) {
      candidate.RPDelta.Excess = PressureChange(m_kinds.vgprSet);
      candidate.RPDelta.Excess.setUnitInc(int(then.vgprs - m_excess.vgprs));
    }
  } else if (now.sgprs >= m_excess.sgprs && then.sgprs >= m_excess.sgprs) {
    candidate.RPDelta.Excess = PressureChange(m_kinds.sgprSet);
    candidate.RPDelta.Excess.setUnitInc(int(then.sgprs - m_excess.sgprs));
  }
  const int sgprs = int(then.sgprs) - int(m_critical.sgprs), vgprs = int(then.vgprs) - int(m_critical.vgprs);
  if (sgprs >= 0 || vgprs >= 0) {
    candidate.RPDelta.CriticalMax = PressureChange(sgprs > vgprs ? m_kinds.sgprSet : m_kinds.vgprSet);
    candidate.RPDelta.CriticalMax.setUnitInc(std::max(sgprs, vgprs));
  }
}

void RegisterStrategy::pickFrom(SchedBoundary &zone, const CandPolicy &policy, const RegPressureTracker &tracker,
                                SchedCandidate &best) {
  const RegisterDemand now = m_kinds.demandOf(tracker.getRegSetPressureAtPos());
  for (SUnit *unit : zone.Available) {
    SchedCandidate candidate(policy);
    initialize(candidate, unit, zone.isTop(), tracker, now);
    tryCandidate(best, candidate, best.AtTop == candidate.AtTop ? &zone : nullptr);
    if (candidate.Reason == NoCand)
      continue;
    if (candidate.ResDelta == SchedResourceDelta())
      candidate.initResourceDelta(DAG, SchedModel);
    best.setBest(candidate);
  }
}

SUnit *RegisterStrategy::pickFromBoth(bool &isTop) {
  if (SUnit *unit = Bot.pickOnlyChoice()) {
    isTop = false;
    return unit;
  }
  if (SUnit *unit = Top.pickOnlyChoice()) {
    isTop = true;
    return unit;
  }
  auto update = [&](SchedBoundary &zone, SchedBoundary &other, const RegPressureTracker &tracker,
                    SchedCandidate &best) {
    CandPolicy policy;
    setPolicy(policy, /*IsPostRA=*/false, zone, &other);
    if (best.isValid() && !best.SU->isScheduled && best.Policy == policy)
      return;
    best.reset(CandPolicy());
    pickFrom(zone, policy, tracker, best);
  };
  update(Bot, Top, DAG->getBotRPTracker(), BotCand);
  update(Top, Bot, DAG->getTopRPTracker(), TopCand);
  SchedCandidate best = BotCand;
  TopCand.Reason = NoCand;
  tryCandidate(best, TopCand, nullptr);
  if (TopCand.Reason != NoCand)
    best.setBest(TopCand);
  isTop = best.AtTop;
  return best.SU;
}

SUnit *RegisterStrategy::pickNode(bool &isTop) {
  if (DAG->top() == DAG->bottom())
    return nullptr;
  SUnit *unit;
  do {
    unit = pickFromBoth(isTop);
  } while (unit->isScheduled);
  if (unit->isTopReady())
    Top.removeReady(unit);
  if (unit->isBottomReady())
    Bot.removeReady(unit);
  return unit;
}

} // namespace lgc
