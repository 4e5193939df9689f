// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> SaveOpcodes({"S_MOV_B64"});

class Mover {
public:
  Mover(MachineFunction &function, LiveIntervals &intervals)
      : m_function(function), m_target(*function.getSubtarget().getRegisterInfo()), m_intervals(intervals),
        m_move(SaveOpcodes.in(function)[0]), m_exec(ExecRegister.in(function)) {}

  bool run() {
    SmallVector<MachineInstr *, 8> saves;
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (isMove(inst) && inst.getOperand(1).getReg() == m_exec)
          saves.push_back(&inst);
    bool hasChanged = false;
    for (MachineInstr *save : saves) {
      if (isOfBranch(*save)) {
        hasChanged |= putBehindSwitches(*save, firstUser(*save));
      } else if (MachineInstr *restore = restoreOf(*save)) {
        hasChanged |= putBehindSwitches(*save, save->getParent()->getFirstTerminator());
        hasChanged |= putBeforeSwitches(*restore);
      }
    }
    return hasChanged;
  }

private:
  using Place = MachineBasicBlock::iterator;

  bool isMove(const MachineInstr &inst) const {
    return (inst.getOpcode() == m_move || inst.isCopy()) && inst.getOperand(1).isReg();
  }

  // Whether the save is that of a branch: only SILowerControlFlow marks such a copy as making EXEC.
  bool isOfBranch(const MachineInstr &save) const {
    return save.isCopy() && any_of(save.implicit_operands(), [&](const MachineOperand &operand) {
             return operand.isReg() && operand.isDef() && operand.getReg() == m_exec;
           });
  }

  // The first instruction of its block that reads the saved lanes.
  Place firstUser(MachineInstr &save) const {
    return std::find_if(std::next(Place(save)), save.getParent()->getFirstTerminator(), [&](const MachineInstr &inst) {
      return inst.readsRegister(save.getOperand(0).getReg(), &m_target);
    });
  }

  // The instruction in another block that restores the saved lanes; nullptr if they have any other use.
  MachineInstr *restoreOf(const MachineInstr &save) const {
    const Register lanes = save.getOperand(0).getReg();
    const MachineRegisterInfo &registers = m_function.getRegInfo();
    if (!lanes.isVirtual() || !registers.hasOneNonDBGUse(lanes))
      return nullptr;
    MachineInstr &user = *registers.use_instr_nodbg_begin(lanes);
    const bool isRestore = isMove(user) && user.getOperand(0).getReg() == m_exec;
    return isRestore && user.getParent() != save.getParent() ? &user : nullptr;
  }

  bool putBehindSwitches(MachineInstr &save, Place end) const {
    return switches(std::next(Place(save)), end) && move(save, end);
  }

  bool putBeforeSwitches(MachineInstr &restore) const {
    const Place begin = restore.getParent()->begin();
    return switches(begin, Place(restore)) && move(restore, begin);
  }

  bool switches(Place begin, Place end) const {
    return std::any_of(begin, end, [&](const MachineInstr &inst) { return inst.modifiesRegister(m_exec, &m_target); });
  }

  bool move(MachineInstr &inst, Place place) const {
    inst.getParent()->splice(place, inst.getParent(), Place(inst));
    m_intervals.handleMove(inst);
    return true;
  }

  MachineFunction &m_function;
  const TargetRegisterInfo &m_target;
  LiveIntervals &m_intervals;
  unsigned m_move;
  Register m_exec;
};

} // namespace

void SaveLanesLatePass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<LiveIntervalsWrapperPass>();
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SaveLanesLatePass::runOnMachineFunction(MachineFunction &function) {
  if (function.getFunction().getCallingConv() != CallingConv::AMDGPU_PS)
    return false;
  return Mover(function, getAnalysis<LiveIntervalsWrapperPass>().getLIS()).run();
}

} // namespace lgc
