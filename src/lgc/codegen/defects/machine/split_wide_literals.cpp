// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<2> WideMoves({"S_MOV_B64", "S_MOV_B64_IMM_PSEUDO"});

// Whether 32 bits hold the whole number, whether LLVM extends them by zeros or by the sign. Inline integers are among
// the small numbers. Inline floats are left to LLVM in either form.
bool isShort(int64_t number) {
  return number >= -16 && number <= INT32_MAX;
}

} // namespace

void SplitWideLiteralsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SplitWideLiteralsPass::runOnMachineFunction(MachineFunction &function) {
  const auto [move, pseudo] = WideMoves.in(function);
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      if (inst.getOpcode() != move || !inst.getOperand(1).isImm() || isShort(inst.getOperand(1).getImm()))
        continue;
      inst.setDesc(info.get(pseudo));
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
