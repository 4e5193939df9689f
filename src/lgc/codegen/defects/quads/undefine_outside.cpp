// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/MachineFunction.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<3> WholeWaveOpcodes({"ENTER_STRICT_WWM", "EXIT_STRICT_WWM", "V_SET_INACTIVE_B32"});

using Place = MachineBasicBlock::iterator;

bool isNamed(Register reg, Place begin, Place end) {
  return std::any_of(begin, end, [&](const MachineInstr &inst) {
    return any_of(inst.operands(),
                  [&](const MachineOperand &operand) { return operand.isReg() && operand.getReg() == reg; });
  });
}

// The last operand of the beginning of a value is the mask of lanes that `enter` saves.
void readMask(MachineInstr &begin, const MachineInstr &enter) {
  MachineOperand &mask = begin.getOperand(begin.getNumExplicitOperands() - 1);
  if (mask.getReg() == enter.getOperand(0).getReg())
    mask.setIsUndef(false);
}

} // namespace

void UndefineOutsidePass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<LiveIntervalsWrapperPass>();
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool UndefineOutsidePass::runOnMachineFunction(MachineFunction &function) {
  const auto [enter, leave, begin] = WholeWaveOpcodes.in(function);
  LiveIntervals &intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function) {
    Place first = block.end(); // what enters the whole wave
    for (Place at = block.begin(); at != block.end();) {
      MachineInstr &inst = *at++;
      if (inst.getOpcode() == enter)
        first = Place(inst);
      else if (inst.getOpcode() == leave)
        first = block.end();
      else if (first != block.end() && inst.getOpcode() == begin)
        readMask(inst, *first);
      if (first == block.end() || !inst.isImplicitDef() || !inst.getOperand(0).getReg().isVirtual())
        continue;
      const Register reg = inst.getOperand(0).getReg();
      Place behind = first; // in front of the whole wave, or behind it
      if (isNamed(reg, first, Place(inst))) {
        const Place last =
            std::find_if(at, block.end(), [&](const MachineInstr &each) { return each.getOpcode() == leave; });
        if (last == block.end() || isNamed(reg, at, last))
          continue;
        behind = std::next(last);
      }
      block.splice(behind, &block, Place(inst));
      intervals.handleMove(inst);
      hasChanged = true;
    }
  }
  return hasChanged;
}

} // namespace lgc
