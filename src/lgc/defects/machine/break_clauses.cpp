// SPDX-License-Identifier: MIT
#include "src/lgc/defects/machine/break_clauses.h"
#include "src/lgc/defects/machine/opcode_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<1> Opcodes({"S_NOP"});

// Only the GPUs that may replay memory.
bool hasClauses(const MachineFunction &function) {
  const StringRef gpu = function.getSubtarget().getCPU();
  return gpu == "gfx801" || gpu.starts_with("gfx9");
}

} // namespace

void BreakClausesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool BreakClausesPass::runOnMachineFunction(MachineFunction &function) {
  if (!hasClauses(function))
    return false;
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  const MachineInstr *before = nullptr; // that becomes code
  for (MachineBasicBlock &block : function) {
    bool isFirst = true; // of its block
    for (MachineInstr &inst : block.instrs()) {
      if (inst.isMetaInstruction() || inst.isBundle())
        continue;
      const bool isClause = before && before->mayLoadOrStore() && inst.mayLoadOrStore();
      if (isClause && !inst.isBundledWithPred() && (isFirst || (before->mayLoad() && inst.mayStore()))) {
        BuildMI(block, inst, DebugLoc(), info.get(Opcodes.in(function)[0])).addImm(0);
        hasChanged = true;
      }
      before = &inst;
      isFirst = false;
    }
  }
  return hasChanged;
}

char BreakClausesPass::ID = 0;

} // namespace lgc
