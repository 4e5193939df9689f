// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include <llvm/ADT/DenseSet.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr unsigned MinInstructionCount = 5000;

// Whether the copied register, or a part of one, may replace the copy in all of its uses.
bool isOfSameClass(const MachineInstr &copy, const MachineRegisterInfo &registers, const TargetRegisterInfo &target) {
  const MachineOperand &to = copy.getOperand(0), &from = copy.getOperand(1);
  if (!to.getReg().isVirtual() || !from.getReg().isVirtual() || to.getSubReg())
    return false;
  const TargetRegisterClass *given = registers.getRegClassOrNull(from.getReg());
  if (given && from.getSubReg())
    given = target.getSubRegisterClass(given, from.getSubReg());
  return given && given == registers.getRegClassOrNull(to.getReg());
}

} // namespace

void MergeCopiesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool MergeCopiesPass::runOnMachineFunction(MachineFunction &function) {
  if (function.getInstructionCount() < MinInstructionCount)
    return false;
  MachineRegisterInfo &registers = function.getRegInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  SmallDenseSet<Register, 16> values;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      if (!inst.isCopy() || inst.getNumOperands() != 2 || !isOfSameClass(inst, registers, target))
        continue;
      const Register copy = inst.getOperand(0).getReg(), value = inst.getOperand(1).getReg();
      const unsigned part = inst.getOperand(1).getSubReg();
      if (!registers.hasOneDef(copy) || !registers.hasOneDef(value))
        continue;
      for (MachineOperand &use : make_early_inc_range(registers.use_operands(copy)))
        if (!part || !use.getParent()->isPHI())
          use.substVirtReg(value, part, target);
      values.insert(value);
      if (registers.use_empty(copy))
        inst.eraseFromParent();
    }
  for (const Register value : values)
    registers.clearKillFlags(value);
  return !values.empty();
}

} // namespace lgc
