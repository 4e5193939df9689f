// SPDX-License-Identifier: MIT
#include "src/lgc/defects/machine/read_in_whole_quads.h"
#include "src/lgc/defects/machine/opcode_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// The second is a copy that is made in whole quads, if anything else is.
OpcodeNumbers<2> Opcodes({"V_READFIRSTLANE_B32", "SOFT_WQM"});

bool isVectorRegister(Register reg, const MachineRegisterInfo &registers, const TargetRegisterInfo &target) {
  return reg.isVirtual() && StringRef(target.getRegClassName(registers.getRegClass(reg))).starts_with("V");
}

// Loads by addresses of GFX9 and GFX8.
bool isUnboundedLoad(const MachineInstr &inst, const TargetInstrInfo &info) {
  if (!inst.mayLoad() || inst.mayStore())
    return false;
  const StringRef name = info.getName(inst.getOpcode());
  return name.starts_with("GLOBAL_LOAD_") || name.starts_with("FLAT_LOAD_");
}

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
      if (inst.getOpcode() != read && !isUnboundedLoad(inst, info))
        continue;
      for (MachineOperand &value : inst.explicit_uses()) {
        if (!value.isReg() || value.isTied() || !isVectorRegister(value.getReg(), registers, target))
          continue;
        const TargetRegisterClass *all = registers.getRegClass(value.getReg());
        const TargetRegisterClass *part = value.getSubReg() ? target.getSubRegisterClass(all, value.getSubReg()) : all;
        const Register copied = registers.createVirtualRegister(part);
        BuildMI(block, inst, inst.getDebugLoc(), info.get(copy), copied).addReg(value.getReg(), 0, value.getSubReg());
        value.ChangeToRegister(copied, /*isDef=*/false);
        hasChanged = true;
      }
    }
  return hasChanged;
}

char ReadInWholeQuadsPass::ID = 0;

} // namespace lgc
