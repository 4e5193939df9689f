// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/CodeGen/MachineCycleAnalysis.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

class LoopCopies {
public:
  explicit LoopCopies(MachineFunction &function)
      : m_registers(function.getRegInfo()), m_target(*function.getSubtarget().getRegisterInfo()),
        m_exec(ExecRegister.in(function)) {
    m_cycles.compute(function);
  }

  SmallVector<MachineInstr *, 8> findLeaving() {
    SmallVector<MachineInstr *, 8> found;
    for (MachineCycle *outermost : m_cycles.toplevel_cycles())
      for (MachineBasicBlock *block : outermost->blocks())
        for (MachineInstr &inst : *block)
          if (isCopyToVector(inst) && leaves(inst))
            found.push_back(&inst);
    return found;
  }

  Register exec() const { return m_exec; }

private:
  // Whether the instruction moves an SGPR to a VGPR and does not list EXEC as an operand yet.
  bool isCopyToVector(const MachineInstr &inst) const {
    return inst.isCopy() && inst.getNumOperands() == 2 && isOf("V", inst.getOperand(0)) &&
           isOf("S", inst.getOperand(1));
  }

  // Classes are called SReg_32, SGPR_32, VGPR_32, VReg_64 and so on.
  bool isOf(StringRef bank, const MachineOperand &operand) const {
    return operand.getReg().isVirtual() &&
           StringRef(m_target.getRegClassName(m_registers.getRegClass(operand.getReg()))).starts_with(bank);
  }

  bool leaves(const MachineInstr &copy) {
    for (const MachineCycle *cycle = m_cycles.getCycle(copy.getParent()); cycle; cycle = cycle->getParentCycle()) {
      SmallPtrSet<const MachineInstr *, 8> seen;
      if (lanesLeave(*cycle) && isReadOutside(copy, *cycle, seen))
        return true;
    }
    return false;
  }

  // Whether lanes leave the cycle one after the other: its exit changes EXEC.
  bool lanesLeave(const MachineCycle &cycle) const {
    SmallVector<MachineBasicBlock *, 4> exiting;
    cycle.getExitingBlocks(exiting);
    return any_of(exiting, [&](const MachineBasicBlock *block) {
      return any_of(block->terminators(),
                    [&](const MachineInstr &inst) { return inst.definesRegister(m_exec, &m_target); });
    });
  }

  // Also follows copies and tuples, which LLVM may fold before.
  bool isReadOutside(const MachineInstr &inst, const MachineCycle &cycle,
                     SmallPtrSetImpl<const MachineInstr *> &seen) const {
    return any_of(m_registers.use_nodbg_instructions(inst.getOperand(0).getReg()), [&](const MachineInstr &user) {
      if (!cycle.contains(user.getParent()))
        return true;
      const bool passesOn = user.isPHI() || user.isCopyLike() || user.isRegSequence() || user.isInsertSubreg();
      return passesOn && user.getOperand(0).getReg().isVirtual() && seen.insert(&user).second &&
             isReadOutside(user, cycle, seen);
    });
  }

  MachineRegisterInfo &m_registers;
  const TargetRegisterInfo &m_target;
  Register m_exec;
  MachineCycleInfo m_cycles;
};

} // namespace

void KeepLoopCopiesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool KeepLoopCopiesPass::runOnMachineFunction(MachineFunction &function) {
  LoopCopies copies(function);
  const SmallVector<MachineInstr *, 8> leaving = copies.findLeaving();
  for (MachineInstr *copy : leaving)
    MachineInstrBuilder(function, copy).addReg(copies.exec(), RegState::Implicit);
  return !leaving.empty();
}

} // namespace lgc
