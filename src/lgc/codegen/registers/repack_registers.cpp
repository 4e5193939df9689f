// SPDX-License-Identifier: MIT
#include "src/abi/target_info.h"
#include "src/lgc/codegen/defects/machine/register_units.h"
#include "src/lgc/codegen/registers/register_passes.h"
#include <algorithm>
#include <llvm/ADT/BitVector.h>
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/LiveRegMatrix.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/CodeGen/VirtRegMap.h>
#include <utility>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// A virtual register that lives in VGPRs.
struct AllocatedValue {
  const LiveInterval *interval;
  MCRegister before; // the allocator's place
  unsigned width;    // register units
  SlotIndex begin;   // invalid if the interval is empty
  unsigned size;
};

bool beginsFirst(const AllocatedValue &a, const AllocatedValue &b) {
  return b.begin.isValid() && (!a.begin.isValid() || a.begin < b.begin);
}

bool isWider(const AllocatedValue &a, const AllocatedValue &b) {
  return a.width != b.width ? a.width > b.width : beginsFirst(a, b);
}

bool isWiderOrLonger(const AllocatedValue &a, const AllocatedValue &b) {
  return a.width != b.width ? a.width > b.width : a.size > b.size;
}

class Repacker {
public:
  Repacker(MachineFunction &function, const dovetail::TargetInfo &target, LiveIntervals &intervals, VirtRegMap &map,
           LiveRegMatrix &matrix)
      : m_function(function), m_target(target), m_registers(function.getRegInfo()),
        m_info(*function.getSubtarget().getRegisterInfo()), m_units(RegisterUnits::get(m_info)), m_intervals(intervals),
        m_map(map), m_matrix(matrix) {}

  // Returns whether the layout has changed.
  bool run() {
    findFixed();
    findValues();
    const unsigned limit = limitForAnotherWave(std::max(m_fixedEnd, m_valuesEnd));
    if (limit < m_fixedEnd || limit == 0 || !neverNeedMore(limit))
      return false;
    // A first layout lets values stay where they are, which keeps away the copies that the allocator has saved.
    return layOut(beginsFirst, limit, true) || layOut(isWider, limit, false) || layOut(isWiderOrLonger, limit, false);
  }

private:
  unsigned endOf(MCRegister reg, const std::vector<uint16_t> &ends) const {
    unsigned end = 0;
    for (auto unit : m_info.regunits(reg))
      end = std::max<unsigned>(end, ends[unsigned(unit)]);
    return end;
  }

  // Finds the registers that instructions name directly; SGPRs are among them, because they are allocated already.
  void findFixed() {
    BitVector seen(m_info.getNumRegs()); // because each instruction names EXEC
    for (const MachineBasicBlock &block : m_function)
      for (const MachineInstr &inst : block)
        for (const MachineOperand &operand : inst.operands())
          if (operand.isReg() && operand.getReg().isPhysical() && !seen[operand.getReg()]) {
            const MCRegister reg = operand.getReg().asMCReg();
            seen.set(reg);
            m_fixedEnd = std::max(m_fixedEnd, endOf(reg, m_units.vgprEnds));
            m_sgprs = std::max(m_sgprs, endOf(reg, m_units.sgprEnds));
          }
  }

  void findValues() {
    for (unsigned i = 0; i < m_registers.getNumVirtRegs(); ++i) {
      const Register reg = Register::index2VirtReg(i);
      if (m_registers.reg_nodbg_empty(reg) || !m_map.hasPhys(reg))
        continue;
      const MCRegister at = m_map.getPhys(reg);
      const unsigned end = endOf(at, m_units.vgprEnds);
      if (end == 0)
        continue;
      const LiveInterval &interval = m_intervals.getInterval(reg);
      m_values.push_back({&interval, at, unitsIn(at, LaneBitmask::getAll()),
                          interval.empty() ? SlotIndex() : interval.beginIndex(), interval.getSize()});
      m_valuesEnd = std::max(m_valuesEnd, end);
    }
  }

  // The most VGPRs with which more waves run than with `end` VGPRs; 0 if there is no such number.
  unsigned limitForAnotherWave(unsigned end) const {
    auto waves = [&](unsigned vgprs) {
      return dovetail::wavesPerSimd(m_target, m_sgprs + m_target.reservedSgprs, vgprs);
    };
    return end - dovetail::registersToAnotherWave(end, waves);
  }

  unsigned unitsIn(MCRegister reg, LaneBitmask lanes) const {
    unsigned count = 0;
    for (MCRegUnitMaskIterator unit(reg, &m_info); unit.isValid(); ++unit)
      count += ((*unit).second & lanes).any();
    return count;
  }

  // Whether at most so many VGPRs are alive anywhere. Otherwise, no layout needs so few.
  bool neverNeedMore(unsigned limit) const {
    std::vector<std::pair<SlotIndex, int>> changes;
    auto add = [&](const LiveRange &range, unsigned units) {
      for (const LiveRange::Segment &segment : range) {
        changes.emplace_back(segment.start, int(units));
        changes.emplace_back(segment.end, -int(units));
      }
    };
    for (const AllocatedValue &value : m_values)
      if (value.interval->hasSubRanges())
        for (const LiveInterval::SubRange &range : value.interval->subranges())
          add(range, unitsIn(value.before, range.LaneMask));
      else
        add(*value.interval, value.width);
    unsigned unitsWithin = 0;
    for (unsigned unit = 0; unit < m_units.vgprEnds.size(); ++unit) {
      const unsigned end = m_units.vgprEnds[unit];
      unitsWithin += end != 0 && end <= limit;
      if (const LiveRange *fixed = end != 0 ? m_intervals.getCachedRegUnit(static_cast<MCRegUnit>(unit)) : nullptr)
        add(*fixed, 1);
    }
    std::sort(changes.begin(), changes.end()); // at one place, ranges that end come first
    int alive = 0;
    return std::all_of(changes.begin(), changes.end(),
                       [&](const auto &change) { return (alive += change.second) <= int(unitsWithin); });
  }

  // Assigns all values below the limit, each to a place that is free at its turn. If one does not fit, puts all back.
  bool layOut(bool (*comesFirst)(const AllocatedValue &, const AllocatedValue &), unsigned limit, bool mayStay) {
    std::stable_sort(m_values.begin(), m_values.end(), comesFirst);
    for (const AllocatedValue &value : m_values)
      m_matrix.unassign(*value.interval);
    size_t done = 0;
    for (; done < m_values.size(); ++done) {
      const MCRegister reg = findPlace(m_values[done], limit, mayStay);
      if (!reg)
        break;
      m_matrix.assign(*m_values[done].interval, reg);
    }
    if (done == m_values.size())
      return true;
    for (size_t i = 0; i < done; ++i)
      m_matrix.unassign(*m_values[i].interval);
    for (const AllocatedValue &value : m_values)
      m_matrix.assign(*value.interval, value.before);
    return false;
  }

  MCRegister findPlace(const AllocatedValue &value, unsigned limit, bool mayStay) {
    auto isFree = [&](MCRegister reg) {
      return endOf(reg, m_units.vgprEnds) <= limit &&
             m_matrix.checkInterference(*value.interval, reg) == LiveRegMatrix::IK_Free;
    };
    if (mayStay && isFree(value.before))
      return value.before;
    for (MCPhysReg reg : *m_registers.getRegClass(value.interval->reg()))
      if (!m_registers.isReserved(reg) && isFree(reg))
        return reg;
    return {};
  }

  MachineFunction &m_function;
  const dovetail::TargetInfo &m_target;
  const MachineRegisterInfo &m_registers;
  const TargetRegisterInfo &m_info;
  const RegisterUnits &m_units;
  LiveIntervals &m_intervals;
  VirtRegMap &m_map;
  LiveRegMatrix &m_matrix;

  std::vector<AllocatedValue> m_values;
  unsigned m_valuesEnd = 0, m_fixedEnd = 0; // one more than the highest VGPR
  unsigned m_sgprs = 0;
};

} // namespace

void RepackRegistersPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<LiveIntervalsWrapperPass>();
  usage.addRequired<VirtRegMapWrapperLegacy>();
  usage.addRequired<LiveRegMatrixWrapperLegacy>();
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool RepackRegistersPass::runOnMachineFunction(MachineFunction &function) {
  const StringRef gpu = function.getSubtarget().getCPU();
  const dovetail::TargetInfo *target = dovetail::findTarget({gpu.data(), gpu.size()});
  assert(target && "BuilderContext::create refuses others");
  return Repacker(function, *target, getAnalysis<LiveIntervalsWrapperPass>().getLIS(),
                  getAnalysis<VirtRegMapWrapperLegacy>().getVRM(), getAnalysis<LiveRegMatrixWrapperLegacy>().getLRM())
      .run();
}

} // namespace lgc
