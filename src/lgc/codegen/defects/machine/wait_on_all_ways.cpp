// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <optional>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> Nop({"S_NOP"});
RegisterNumber Vcc("VCC"), Exec("EXEC");

constexpr unsigned MostWaitStates = 5;

// Registers that an instruction reads and that no vector instruction may write in the `waitStates` before it, or the
// hardware register that no s_setreg may write there. The rules are those of merge/check/wait_states.cpp.
struct Need {
  unsigned waitStates;
  SmallVector<Register, 4> registers;
  std::optional<unsigned> hwreg = {};
};

class Counter {
public:
  explicit Counter(MachineFunction &function)
      : m_info(*function.getSubtarget().getInstrInfo()), m_target(*function.getSubtarget().getRegisterInfo()),
        m_nop(Nop.in(function)[0]), m_vcc(Vcc.in(function)), m_exec(Exec.in(function)) {}

  // How many wait states an instruction lacks. `inFront`: wait states in front of it in its block.
  unsigned missing(const MachineInstr &inst, unsigned inFront) const {
    unsigned most = 0;
    for (const Need &need : needsOf(inst))
      if (inFront < need.waitStates)
        most = std::max(most, missing(need, *inst.getParent(), inFront));
    return most;
  }

  unsigned statesOf(const MachineInstr &inst) const {
    if (inst.isMetaInstruction() || inst.isInlineAsm() || inst.isBundle())
      return 0;
    return inst.getOpcode() == m_nop ? unsigned(inst.getOperand(0).getImm()) + 1 : 1;
  }

  void addNop(MachineInstr &inst, unsigned waitStates) const {
    const MachineBasicBlock::instr_iterator place = getBundleStart(inst.getIterator());
    BuildMI(*inst.getParent(), place, inst.getDebugLoc(), m_info.get(m_nop)).addImm(waitStates - 1);
  }

private:
  StringRef nameOf(const MachineInstr &inst) const { return m_info.getName(inst.getOpcode()); }

  bool isVector(const MachineInstr &inst) const {
    const StringRef name = nameOf(inst);
    return name.starts_with("V_") || name == "SI_RESTORE_S32_FROM_VGPR" || name == "SI_SPILL_S32_TO_VGPR";
  }

  bool isMemory(StringRef name) const {
    return any_of(ArrayRef<StringRef>{"BUFFER_", "TBUFFER_", "IMAGE_", "FLAT_", "GLOBAL_", "SCRATCH_"},
                  [&](StringRef begin) { return name.starts_with(begin); });
  }

  bool isVgpr(Register reg) const { return StringRef(m_target.getName(reg)).starts_with("VGPR"); }

  void addRead(const MachineOperand &operand, bool isOfVgprs, SmallVector<Register, 4> &reads) const {
    if (operand.isReg() && operand.getReg().isPhysical() && isVgpr(operand.getReg()) == isOfVgprs)
      reads.push_back(operand.getReg());
  }

  SmallVector<Register, 4> readsOf(const MachineInstr &inst, bool isOfVgprs) const {
    SmallVector<Register, 4> reads;
    for (const MachineOperand &operand : inst.explicit_uses())
      addRead(operand, isOfVgprs, reads);
    return reads;
  }

  // The hardware register of s_setreg or s_getreg.
  unsigned hwregOf(const MachineInstr &inst) const { return unsigned(inst.getOperand(1).getImm()) & 63; }
  bool isSetreg(const MachineInstr &inst) const { return nameOf(inst).starts_with("S_SETREG_"); }

  SmallVector<Need, 2> needsOf(const MachineInstr &inst) const {
    const StringRef name = nameOf(inst);
    if (isMemory(name))
      return {{5, readsOf(inst, /*isOfVgprs=*/false)}};
    if (name.starts_with("V_DIV_FMAS"))
      return {{4, {m_vcc}}};
    if (name.starts_with("V_READLANE") || name.starts_with("V_WRITELANE")) {
      Need need = {4, {}};
      addRead(inst.getOperand(2), /*isOfVgprs=*/false, need.registers); // the lane
      return {need};
    }
    if (name.contains("_dpp"))
      return {{2, readsOf(inst, /*isOfVgprs=*/true)}, {5, {m_exec}}};
    if (isSetreg(inst) || name.starts_with("S_GETREG_"))
      return {{2, {}, hwregOf(inst)}};
    return {};
  }

  bool conflicts(const MachineInstr &inst, const Need &need) const {
    if (need.hwreg)
      return isSetreg(inst) && hwregOf(inst) == *need.hwreg;
    return isVector(inst) &&
           any_of(need.registers, [&](Register reg) { return inst.modifiesRegister(reg, &m_target); });
  }

  // Dijkstra's algorithm, without its queue, because distances are short: a block is visited again if a shorter path
  // leads to it.
  unsigned missing(const Need &need, const MachineBasicBlock &block, unsigned inFront) const {
    SmallDenseMap<const MachineBasicBlock *, unsigned> shortest;
    SmallVector<std::pair<const MachineBasicBlock *, unsigned>, 8> waiting;
    auto enter = [&](const MachineBasicBlock &from, unsigned distance) {
      for (const MachineBasicBlock *predecessor : from.predecessors()) {
        const auto [known, isNew] = shortest.try_emplace(predecessor, distance);
        if (!isNew && known->second <= distance)
          continue;
        known->second = distance;
        waiting.emplace_back(predecessor, distance);
      }
    };
    unsigned most = 0;
    enter(block, inFront);
    while (!waiting.empty()) {
      auto [from, distance] = waiting.pop_back_val();
      bool isFound = false;
      for (auto inst = from->instr_rbegin(); inst != from->instr_rend() && distance < need.waitStates; ++inst) {
        if (conflicts(*inst, need)) {
          most = std::max(most, need.waitStates - distance);
          isFound = true;
          break;
        }
        distance += statesOf(*inst);
      }
      if (!isFound && distance < need.waitStates)
        enter(*from, distance);
    }
    return most;
  }

  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  const unsigned m_nop;
  const Register m_vcc, m_exec;
};

} // namespace

void WaitOnAllWaysPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool WaitOnAllWaysPass::runOnMachineFunction(MachineFunction &function) {
  const Counter counter(function);
  bool hasChanged = false;
  for (MachineBasicBlock &block : function) {
    if (block.pred_empty())
      continue;
    unsigned inFront = 0;
    for (auto next = block.instr_begin(); next != block.instr_end() && inFront < MostWaitStates; ++next) {
      if (const unsigned missing = counter.missing(*next, inFront)) {
        counter.addNop(*next, missing);
        inFront += missing;
        hasChanged = true;
      }
      inFront += counter.statesOf(*next);
    }
  }
  return hasChanged;
}

} // namespace lgc
