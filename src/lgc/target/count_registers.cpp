// SPDX-License-Identifier: MIT
#include "src/lgc/target/count_registers.h"
#include <algorithm>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <mutex>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// By register unit: one more than the number of the VGPR or SGPR that it is part of. Outside the target, registers are
// known by name. They are the same for all GPUs.
class UnitEnds {
public:
  std::vector<uint16_t> vgprs, sgprs;

  static const UnitEnds &get(const TargetRegisterInfo &info) {
    std::call_once(once, [&] { ends.read(info); });
    return ends;
  }

private:
  void read(const TargetRegisterInfo &info) {
    vgprs.resize(info.getNumRegUnits());
    sgprs.resize(info.getNumRegUnits());
    for (const TargetRegisterClass *registers : info.regclasses()) {
      if (StringRef name = info.getRegClassName(registers); name == "VGPR_32")
        fill(info, *registers, "VGPR", vgprs);
      else if (name == "SGPR_32")
        fill(info, *registers, "SGPR", sgprs);
    }
  }

  static void fill(const TargetRegisterInfo &info, const TargetRegisterClass &registers, StringRef prefix,
                   std::vector<uint16_t> &ends) {
    for (MCPhysReg reg : registers.getRegisters()) {
      StringRef name = info.getName(reg);
      uint16_t number;
      if (name.consume_front(prefix) && !name.getAsInteger(10, number))
        for (auto unit : info.regunits(reg))
          ends[unsigned(unit)] = number + 1;
    }
  }

  // As old as the library: see exit_order.h.
  static std::once_flag once;
  static UnitEnds ends;
};

std::once_flag UnitEnds::once;
UnitEnds UnitEnds::ends;

} // namespace

void CountRegistersPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool CountRegistersPass::runOnMachineFunction(MachineFunction &function) {
  const TargetRegisterInfo &info = *function.getSubtarget().getRegisterInfo();
  const UnitEnds &ends = UnitEnds::get(info);
  m_counts = {};
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &inst : block.instrs())
      for (const MachineOperand &operand : inst.operands())
        if (operand.isReg() && operand.getReg().isPhysical())
          for (auto unit : info.regunits(operand.getReg().asMCReg())) {
            m_counts.vgprs = std::max<unsigned>(m_counts.vgprs, ends.vgprs[unsigned(unit)]);
            m_counts.sgprs = std::max<unsigned>(m_counts.sgprs, ends.sgprs[unsigned(unit)]);
          }
  m_counts.stackBytes = function.getFrameInfo().getStackSize();
  return false;
}

char CountRegistersPass::ID = 0;

} // namespace lgc
