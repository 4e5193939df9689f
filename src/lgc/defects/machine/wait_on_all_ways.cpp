// SPDX-License-Identifier: MIT
#include "src/lgc/defects/machine/wait_on_all_ways.h"
#include "src/lgc/defects/machine/target_numbers.h"
#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> Nop({"S_NOP"});
RegisterNumber Vcc("VCC");

constexpr unsigned MostWaitStates = 5;

// What an instruction reads that a vector instruction must not have written so many wait states before it. As in
// merge/check/wait_states.cpp.
struct Need {
  unsigned waitStates;
  SmallVector<Register, 4> registers;
};

class Counter {
public:
  explicit Counter(MachineFunction &function)
      : m_info(*function.getSubtarget().getInstrInfo()), m_target(*function.getSubtarget().getRegisterInfo()),
        m_nop(Nop.in(function)[0]), m_vcc(Vcc.in(function)) {}

  // How many wait states an instruction lacks whose block has so many in front of it.
  unsigned missing(const MachineInstr &inst, unsigned inFront) const {
    unsigned most = 0;
    for (const Need &need : needsOf(inst))
      if (inFront < need.waitStates && !need.registers.empty())
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

  SmallVector<Register, 4> readsOf(const MachineInstr &inst, StringRef bank) const {
    SmallVector<Register, 4> reads;
    for (const MachineOperand &operand : inst.explicit_uses())
      if (operand.isReg() && operand.getReg().isPhysical() && !operand.isUndef() &&
          StringRef(m_target.getName(operand.getReg())).starts_with(bank))
        reads.push_back(operand.getReg());
    return reads;
  }

  SmallVector<Need, 2> needsOf(const MachineInstr &inst) const {
    const StringRef name = nameOf(inst);
    if (isMemory(name)) {
      Need need = {5, readsOf(inst, "SGPR")};
      need.registers.append(readsOf(inst, "VCC"));
      return {need};
    }
    if (name.starts_with("V_DIV_FMAS"))
      return {{4, {m_vcc}}};
    if (name.starts_with("V_READLANE") || name.starts_with("V_WRITELANE")) {
      Need need = {4, readsOf(inst, "SGPR")};
      need.registers.append(readsOf(inst, "VCC"));
      return {need};
    }
    if (name.contains("_dpp"))
      return {{2, readsOf(inst, "VGPR")}};
    return {};
  }

  // Dijkstra's way, but that distances are few: a block is looked at again if a shorter way leads to it.
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
        if (isVector(*inst) &&
            any_of(need.registers, [&](Register reg) { return inst->modifiesRegister(reg, &m_target); })) {
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
  const Register m_vcc;
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

char WaitOnAllWaysPass::ID = 0;

} // namespace lgc
