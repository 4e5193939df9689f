// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/machine_constants.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<4> OrOpcodes({"S_OR_B32", "V_OR_B32_e32", "V_OR_B32_e64", "V_MOV_B32_e32"});

} // namespace

void FoldOrOnesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool FoldOrOnesPass::runOnMachineFunction(MachineFunction &function) {
  const auto [scalarOr, vectorOr, vectorOrLong, vectorMove] = OrOpcodes.in(function);
  MachineConstants constants(function.getRegInfo());
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      const unsigned opcode = inst.getOpcode();
      if (opcode != scalarOr && opcode != vectorOr && opcode != vectorOrLong)
        continue;
      if (constants.of(inst.getOperand(1)) != ~0u && constants.of(inst.getOperand(2)) != ~0u)
        continue;
      hasChanged = true;
      if (opcode == scalarOr) { // stays, because its SCC may be needed
        inst.getOperand(1).ChangeToImmediate(-1);
        inst.getOperand(2).ChangeToImmediate(-1);
        continue;
      }
      BuildMI(block, inst, inst.getDebugLoc(), info.get(vectorMove)).add(inst.getOperand(0)).addImm(-1);
      inst.eraseFromParent();
    }
  return hasChanged;
}

} // namespace lgc
