// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace lgc {

void SwapDifferencesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SwapDifferencesPass::runOnMachineFunction(MachineFunction &function) {
  const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  const MachineRegisterInfo &registers = function.getRegInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      const StringRef name = instructions.getName(inst.getOpcode()); // GFX9: V_SUB_U32, GFX8: V_SUB_CO_U32
      if (name != "V_SUB_U32_e32" && name != "V_SUB_CO_U32_e32")
        continue;
      const MachineOperand &subtrahend = inst.getOperand(2);
      if (subtrahend.isReg() && subtrahend.getReg().isVirtual() &&
          StringRef(target.getRegClassName(registers.getRegClass(subtrahend.getReg()))).starts_with("S"))
        hasChanged |= instructions.commuteInstruction(inst) != nullptr;
    }
  return hasChanged;
}

} // namespace lgc
