// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/registers/count_spills.h"
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// The number of registers that "SI_SPILL_V96_SAVE" or "SI_SPILL_WWM_V32_SAVE" (of all lanes) stores; 0 for other
// instructions.
unsigned savedRegisters(StringRef name, StringRef bank) {
  unsigned bits = 0;
  if (!name.consume_front("SI_SPILL_"))
    return 0;
  name.consume_front("WWM_");
  if (!name.consume_front(bank) || name.consumeInteger(10, bits) || name != "_SAVE")
    return 0;
  return bits / 32;
}

} // namespace

void CountSpillsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool CountSpillsPass::runOnMachineFunction(MachineFunction &function) {
  if (!function.getFrameInfo().hasStackObjects())
    return false;
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  unsigned &count = m_bank == SpilledBank::Scalar ? m_counts.sgprs : m_counts.vgprs;
  const StringRef bank = m_bank == SpilledBank::Scalar ? "S" : "V";
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block)
      if (inst.mayStore())
        count += savedRegisters(info.getName(inst.getOpcode()), bank);
  return false;
}

char CountSpillsPass::ID = 0;

} // namespace lgc
