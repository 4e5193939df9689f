// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace lgc {

void DropEmptyAssemblyPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool DropEmptyAssemblyPass::runOnMachineFunction(MachineFunction &function) {
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      if (!inst.isInlineAsm() || *inst.getOperand(InlineAsm::MIOp_AsmString).getSymbolName() != '\0')
        continue;
      inst.eraseFromParent();
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
