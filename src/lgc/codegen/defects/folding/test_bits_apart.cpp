// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/MachineRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<2> TestOpcodes({"S_AND_B32", "S_AND_B64"});

} // namespace

void TestBitsApartPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool TestBitsApartPass::runOnMachineFunction(MachineFunction &function) {
  MachineRegisterInfo &registers = function.getRegInfo();
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!is_contained(TestOpcodes.in(function), inst.getOpcode()) || !inst.getOperand(0).getReg().isVirtual())
        continue;
      SmallVector<MachineInstr *, 4> comparisons;
      for (MachineInstr &user : registers.use_nodbg_instructions(inst.getOperand(0).getReg()))
        if (info.getName(user.getOpcode()).starts_with("S_CMP_"))
          comparisons.push_back(&user);
      for (MachineInstr *comparison : drop_begin(comparisons, comparisons.empty() ? 0 : 1)) {
        MachineInstr &copy = info.duplicate(*comparison->getParent(), comparison, inst);
        const Register own = registers.cloneVirtualRegister(inst.getOperand(0).getReg());
        copy.getOperand(0).setReg(own);
        for (MachineOperand &operand : copy.all_uses())
          registers.clearKillFlags(operand.getReg());
        for (MachineOperand &operand : comparison->explicit_uses())
          if (operand.isReg() && operand.getReg() == inst.getOperand(0).getReg())
            operand.setReg(own);
        hasChanged = true;
      }
    }
  return hasChanged;
}

} // namespace lgc
