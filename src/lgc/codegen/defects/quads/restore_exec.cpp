// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/quads/restore_exec.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

RegisterNumber SccRegister("SCC");

OpcodeNumbers<2> RestoreOpcodes({"S_OR_B64", "S_MOV_B64"});

class Restorer {
public:
  explicit Restorer(MachineFunction &function)
      : m_info(*function.getSubtarget().getInstrInfo()), m_target(*function.getSubtarget().getRegisterInfo()),
        m_or(RestoreOpcodes.in(function)[0]), m_move(RestoreOpcodes.in(function)[1]), m_exec(ExecRegister.in(function)),
        m_scc(SccRegister.in(function)) {}

  // Returns false if the restore of EXEC stays behind a vector instruction.
  bool run(MachineBasicBlock &block) {
    MachineInstr *restore = findRestore(block);
    if (!restore)
      return true;
    const Register lanes = lanesOf(*restore);
    // The restore goes right behind the last instruction that makes its lanes.
    MachineBasicBlock::iterator place = restore->getIterator();
    bool crossesVectors = false, readsCondition = false;
    while (place != block.begin()) {
      const MachineInstr &before = *std::prev(place);
      if (before.modifiesRegister(lanes, &m_target) || readsExecAsNumber(before))
        break;
      crossesVectors |= isVector(before);
      readsCondition |= before.readsRegister(m_scc, &m_target) || before.modifiesRegister(m_scc, &m_target);
      --place;
    }
    const bool leavesVectors = any_of(make_range(block.begin(), place), [&](auto &inst) { return isVector(inst); });
    if (crossesVectors && !readsCondition) {
      block.splice(place, &block, restore->getIterator());
      for (MachineOperand &operand : restore->all_uses())
        operand.setIsKill(false);
      return !leavesVectors;
    }
    return !crossesVectors && !leavesVectors;
  }

private:
  // The first instruction that changes EXEC, if it restores lanes that the block began without. An `or` restores them
  // at the end of a branch; any vector instruction in front of it was added by allocation. A move restores them behind
  // a loop over indices; but a move also ends exact mode in the middle of a block.
  MachineInstr *findRestore(MachineBasicBlock &block) const {
    bool isAllAdded = true;
    for (MachineInstr &inst : block) {
      if (!inst.modifiesRegister(m_exec, &m_target)) {
        isAllAdded &= !isVector(inst) || isAdded(inst);
        continue;
      }
      if (inst.isTerminator() || !inst.getOperand(0).isReg() || inst.getOperand(0).getReg() != m_exec || !lanesOf(inst))
        return nullptr;
      if (inst.getOpcode() == m_or)
        return inst.readsRegister(m_exec, &m_target) ? &inst : nullptr;
      return inst.getOpcode() == m_move && isAllAdded ? &inst : nullptr;
    }
    return nullptr;
  }

  Register lanesOf(const MachineInstr &restore) const {
    for (const MachineOperand &operand : restore.explicit_uses())
      if (operand.isReg() && operand.getReg() != m_exec)
        return operand.getReg();
    return Register();
  }

  bool isAdded(const MachineInstr &inst) const {
    return inst.isCopy() || inst.getDesc().isRematerializable() ||
           m_info.getName(inst.getOpcode()).starts_with("SI_SPILL_");
  }

  // Whether the instruction works on the lanes of EXEC. Spills of whole waves set EXEC themselves.
  bool isVector(const MachineInstr &inst) const {
    if (inst.isCopy())
      return isVectorRegister(inst.getOperand(0).getReg());
    if (m_info.getName(inst.getOpcode()).starts_with("SI_SPILL_WWM_"))
      return false;
    return any_of(inst.implicit_operands(), [&](const MachineOperand &operand) {
      return operand.isReg() && operand.isUse() && operand.getReg() == m_exec;
    });
  }

  bool isVectorRegister(Register reg) const { return StringRef(m_target.getName(reg)).starts_with("VGPR"); }

  bool readsExecAsNumber(const MachineInstr &inst) const {
    return any_of(inst.explicit_uses(), [&](const MachineOperand &operand) {
      return operand.isReg() && operand.getReg() && m_target.regsOverlap(operand.getReg(), m_exec);
    });
  }

  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  const unsigned m_or, m_move;
  const Register m_exec, m_scc;
};

} // namespace

void RestoreExecPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool RestoreExecPass::runOnMachineFunction(MachineFunction &function) {
  if (function.size() == 1)
    return false;
  Restorer restorer(function);
  for (MachineBasicBlock &block : function)
    *m_hasFailed |= !restorer.run(block);
  return true;
}

char RestoreExecPass::ID = 0;

} // namespace lgc
