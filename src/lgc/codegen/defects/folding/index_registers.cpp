// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> IndexMoves({"S_MOV_B32"});

} // namespace

void IndexRegistersPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool IndexRegistersPass::runOnMachineFunction(MachineFunction &function) {
  MachineRegisterInfo &registers = function.getRegInfo();
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const MCInstrDesc &move = info.get(IndexMoves.in(function)[0]);
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      const StringRef name = info.getName(inst.getOpcode());
      if (!name.starts_with("V_INDIRECT_REG_READ_GPR_IDX") && !name.starts_with("V_INDIRECT_REG_WRITE_GPR_IDX"))
        continue;
      MachineOperand &index = inst.getOperand(inst.getNumExplicitOperands() - 2); // the last is the array's first part
      if (!index.isImm())
        continue;
      const Register own = registers.createVirtualRegister(info.getRegClass(move, 0));
      BuildMI(block, inst, inst.getDebugLoc(), move, own).addImm(index.getImm());
      index.ChangeToRegister(own, /*isDef=*/false);
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
