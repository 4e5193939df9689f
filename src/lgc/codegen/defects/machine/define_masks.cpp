// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<5> MaskOpcodes({"S_MOV_B64", "S_ANDN2_B64", "S_AND_B64", "S_OR_B64", "S_XOR_B64"});

// Whether other masks are combined with this one, perhaps behind phis.
bool isCombined(Register mask, const MachineFunction &function) {
  const MachineRegisterInfo &registers = function.getRegInfo();
  const std::array<unsigned, 5> &opcodes = MaskOpcodes.in(function);
  SmallVector<Register, 8> open = {mask};
  SmallPtrSet<const MachineInstr *, 8> seen;
  while (!open.empty())
    for (const MachineInstr &user : registers.use_nodbg_instructions(open.pop_back_val())) {
      if (is_contained(drop_begin(opcodes), user.getOpcode()))
        return true;
      if ((user.isPHI() || user.isCopy()) && user.getOperand(0).getReg().isVirtual() && seen.insert(&user).second)
        open.push_back(user.getOperand(0).getReg());
    }
  return false;
}

} // namespace

void DefineMasksPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool DefineMasksPass::runOnMachineFunction(MachineFunction &function) {
  const MachineRegisterInfo &registers = function.getRegInfo();
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (!inst.isImplicitDef() || !inst.getOperand(0).getReg().isVirtual())
        continue;
      const Register mask = inst.getOperand(0).getReg();
      const TargetRegisterClass *masks = registers.getRegClass(mask);
      if (target.getRegSizeInBits(*masks) != 64 || !StringRef(target.getRegClassName(masks)).starts_with("S") ||
          !isCombined(mask, function))
        continue;
      inst.setDesc(info.get(MaskOpcodes.in(function)[0]));
      inst.addOperand(function, MachineOperand::CreateImm(0));
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
