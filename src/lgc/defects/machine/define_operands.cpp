// SPDX-License-Identifier: MIT
#include "src/lgc/defects/machine/define_operands.h"
#include "src/lgc/defects/machine/target_numbers.h"
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<2> Opcodes({"V_READFIRSTLANE_B32", "S_MOV_B32"});

class Definer {
public:
  explicit Definer(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()) {}

  bool run() {
    bool hasChanged = false;
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (inst.getOpcode() == Opcodes.in(m_function)[0])
          hasChanged |= defineRead(inst);
        else if (m_info.getName(inst.getOpcode()).starts_with("V_"))
          hasChanged |= define(inst);
    return hasChanged;
  }

private:
  bool define(MachineInstr &inst) {
    bool hasChanged = false;
    for (MachineOperand &operand : inst.explicit_uses()) {
      if (!isVector(operand) || !operand.isUndef() || operand.isTied())
        continue;
      const auto other = find_if(inst.explicit_uses(), [&](const MachineOperand &candidate) {
        return isVector(candidate) && !candidate.isUndef() && bitsOf(candidate) == bitsOf(operand);
      });
      if (other == inst.explicit_uses().end())
        continue;
      operand.setReg(other->getReg());
      operand.setSubReg(other->getSubReg());
      operand.setIsUndef(false);
      hasChanged = true;
    }
    return hasChanged;
  }

  // The first lane of nothing: a move of 0.
  bool defineRead(MachineInstr &inst) {
    if (!inst.getOperand(1).isReg() || !inst.getOperand(1).isUndef())
      return false;
    while (inst.getNumOperands() > 1)
      inst.removeOperand(inst.getNumOperands() - 1);
    inst.setDesc(m_info.get(Opcodes.in(m_function)[1]));
    inst.addOperand(m_function, MachineOperand::CreateImm(0));
    return true;
  }

  // What is to be in SGPRs, as the number of a lane, may have no other place.
  bool isVector(const MachineOperand &operand) const {
    return operand.isReg() && operand.getReg().isVirtual() &&
           StringRef(m_target.getRegClassName(m_registers.getRegClass(operand.getReg()))).starts_with("V");
  }

  unsigned bitsOf(const MachineOperand &operand) const {
    return operand.getSubReg() ? m_target.getSubRegIdxSize(operand.getSubReg())
                               : m_target.getRegSizeInBits(*m_registers.getRegClass(operand.getReg()));
  }

  MachineFunction &m_function;
  MachineRegisterInfo &m_registers;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
};

} // namespace

void DefineOperandsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool DefineOperandsPass::runOnMachineFunction(MachineFunction &function) {
  return Definer(function).run();
}

char DefineOperandsPass::ID = 0;

} // namespace lgc
