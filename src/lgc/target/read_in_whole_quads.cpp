// SPDX-License-Identifier: MIT
#include "src/lgc/target/read_in_whole_quads.h"
#include "src/lgc/target/opcode_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// The second is a copy that is made in whole quads, if anything else is.
OpcodeNumbers<2> Opcodes({"V_READFIRSTLANE_B32", "SOFT_WQM"});

} // namespace

void ReadInWholeQuadsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool ReadInWholeQuadsPass::runOnMachineFunction(MachineFunction &function) {
  if (function.getFunction().getCallingConv() != CallingConv::AMDGPU_PS)
    return false;
  const auto [read, copy] = Opcodes.in(function);
  MachineRegisterInfo &registers = function.getRegInfo();
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (inst.getOpcode() != read)
        continue;
      MachineOperand &value = inst.getOperand(1);
      if (!value.isReg() || !value.getReg().isVirtual())
        continue;
      const TargetRegisterClass *all = registers.getRegClass(value.getReg());
      const TargetRegisterClass *one = value.getSubReg() ? target.getSubRegisterClass(all, value.getSubReg()) : all;
      const Register copied = registers.createVirtualRegister(one);
      BuildMI(block, inst, inst.getDebugLoc(), info.get(copy), copied).addReg(value.getReg(), 0, value.getSubReg());
      value.ChangeToRegister(copied, /*isDef=*/false);
      hasChanged = true;
    }
  return hasChanged;
}

char ReadInWholeQuadsPass::ID = 0;

} // namespace lgc
