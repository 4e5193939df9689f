// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunction.h>

using namespace llvm;

namespace lgc {

void CountRegistersPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool CountRegistersPass::runOnMachineFunction(MachineFunction &function) {
  function.getFrameInfo().setHasTailCall();
  return false;
}

} // namespace lgc
