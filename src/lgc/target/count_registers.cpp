// SPDX-License-Identifier: MIT
#include "src/lgc/target/count_registers.h"
#include <algorithm>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// By LLVM's number of a register: one more than the highest VGPR and SGPR in it. Outside the target, registers are
// known by name. They are the same for all GPUs.
struct RegisterEnds {
  std::vector<uint16_t> vgprs, sgprs;

  static const RegisterEnds &get(const TargetRegisterInfo &info) {
    static const RegisterEnds ends(info);
    return ends;
  }

private:
  explicit RegisterEnds(const TargetRegisterInfo &info) : vgprs(info.getNumRegs()), sgprs(info.getNumRegs()) {
    for (unsigned reg = 1; reg < info.getNumRegs(); ++reg)
      for (auto [prefix, ends] : {std::pair("VGPR", &vgprs), std::pair("SGPR", &sgprs)}) {
        StringRef name = info.getName(reg);
        uint16_t number;
        if (!name.consume_front(prefix) || name.getAsInteger(10, number))
          continue;
        for (auto wider : info.superregs_inclusive(reg))
          (*ends)[wider] = std::max<uint16_t>((*ends)[wider], number + 1);
        for (auto half : info.subregs(reg))
          (*ends)[half] = number + 1;
      }
  }
};

} // namespace

void CountRegistersPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool CountRegistersPass::runOnMachineFunction(MachineFunction &function) {
  const RegisterEnds &ends = RegisterEnds::get(*function.getSubtarget().getRegisterInfo());
  m_counts = {};
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block.instrs())
      for (const MachineOperand &operand : inst.operands())
        if (operand.isReg() && operand.getReg().isPhysical()) {
          m_counts.vgprs = std::max<unsigned>(m_counts.vgprs, ends.vgprs[operand.getReg().id()]);
          m_counts.sgprs = std::max<unsigned>(m_counts.sgprs, ends.sgprs[operand.getReg().id()]);
        }
  m_counts.stackBytes = function.getFrameInfo().getStackSize();
  return false;
}

char CountRegistersPass::ID = 0;

} // namespace lgc
