// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <optional>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<3> WideShifts({"V_LSHLREV_B64_e64", "V_LSHRREV_B64_e64", "V_ASHRREV_I64_e64"});

constexpr unsigned VgprBlock = 4; // a wave of GFX9 gets VGPRs in blocks of this size

// The number of VGPR0, VGPR1, …; LLVM's register numbers follow the same order.
std::optional<unsigned> vgprNumber(StringRef name) {
  unsigned number = 0;
  return name.consume_front("VGPR") && !name.getAsInteger(10, number) ? std::optional(number) : std::nullopt;
}

} // namespace

void ShiftAmountsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool ShiftAmountsPass::runOnMachineFunction(MachineFunction &function) {
  if (!function.getSubtarget().getCPU().starts_with("gfx9"))
    return false;
  const std::array<unsigned, 3> &shifts = WideShifts.in(function);
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block.instrs()) {
      if (!is_contained(shifts, inst.getOpcode()) || !inst.getOperand(1).isReg())
        continue;
      const Register amount = inst.getOperand(1).getReg();
      const std::optional<unsigned> number = vgprNumber(target.getName(amount));
      if (!number || (*number + 1) % VgprBlock != 0 || vgprNumber(target.getName(amount + 1)) != *number + 1)
        continue;
      inst.addOperand(MachineOperand::CreateReg(amount + 1, /*isDef=*/false, /*isImp=*/true, /*isKill=*/false,
                                                /*isDead=*/false, /*isUndef=*/true));
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
