// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// Behind the first opcode, moves of a number.
OpcodeNumbers<5> DefinedOpcodes({"V_READFIRSTLANE_B32", "S_MOV_B32", "S_MOV_B64", "V_MOV_B32_e32", "V_MOV_B64_PSEUDO"});

class OperandDefiner {
public:
  explicit OperandDefiner(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()) {}

  bool run() {
    bool hasChanged = defineMoves();
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (inst.isInsertSubreg())
          hasChanged |= dropInsertion(inst);
        else if (inst.getOpcode() == DefinedOpcodes.in(m_function)[0])
          hasChanged |= defineRead(inst);
        else if (m_info.getName(inst.getOpcode()).starts_with("V_"))
          hasChanged |= define(inst);
    return hasChanged;
  }

private:
  // Phis and copies that get only each other's values and undefined ones become moves of 0.
  bool defineMoves() {
    SmallVector<MachineInstr *, 16> moves;
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (inst.isPHI() || (inst.isFullCopy() && inst.getOperand(0).getReg().isVirtual()))
          moves.push_back(&inst);
    SmallPtrSet<const MachineInstr *, 16> undefined(moves.begin(), moves.end());
    auto isOfUndefined = [&](const MachineOperand &operand) {
      if (operand.isUndef() || operand.getReg().isPhysical())
        return operand.isUndef();
      const MachineInstr *maker = m_registers.getUniqueVRegDef(operand.getReg());
      return maker && (maker->isImplicitDef() || undefined.contains(maker));
    };
    for (bool isComplete = false; !isComplete;) {
      isComplete = true;
      for (const MachineInstr *move : moves)
        for (unsigned i = 1; i < (move->isPHI() ? move->getNumOperands() : 2); i += 2)
          if (!isOfUndefined(move->getOperand(i)))
            isComplete &= !undefined.erase(move);
    }
    bool hasChanged = false;
    for (MachineInstr *move : moves) {
      const Register result = move->getOperand(0).getReg();
      const MCInstrDesc *number = moveTo(*m_registers.getRegClass(result));
      const auto isUndefined = [&](const MachineInstr &user) { return undefined.contains(&user); };
      if (!isUndefined(*move) || !number || all_of(m_registers.use_nodbg_instructions(result), isUndefined))
        continue;
      MachineBasicBlock &block = *move->getParent();
      BuildMI(block, move->isPHI() ? block.getFirstNonPHI() : move->getIterator(), move->getDebugLoc(), *number, result)
          .addImm(0);
      undefined.erase(move);
      move->eraseFromParent();
      hasChanged = true;
    }
    return hasChanged;
  }

  // The move of a number to a register of this class; nullptr if there is none.
  const MCInstrDesc *moveTo(const TargetRegisterClass &registers) const {
    const unsigned bits = m_target.getRegSizeInBits(registers);
    if (bits != 32 && bits != 64)
      return nullptr;
    const bool isVector = StringRef(m_target.getRegClassName(&registers)).starts_with("V");
    return &m_info.get(DefinedOpcodes.in(m_function)[(isVector ? 3 : 1) + (bits == 64)]);
  }

  bool define(MachineInstr &inst) {
    bool hasChanged = false;
    for (MachineOperand &operand : inst.explicit_uses()) {
      if (!isVector(operand) || !operand.isUndef() || operand.isTied())
        continue;
      const auto other = find_if(inst.explicit_uses(), [&](const MachineOperand &candidate) {
        return isVector(candidate) && !candidate.isUndef() && bitsOf(candidate) == bitsOf(operand);
      });
      if (other != inst.explicit_uses().end()) {
        operand.setReg(other->getReg());
        operand.setSubReg(other->getSubReg());
      } else if (const Register zero = makeZero(inst, operand)) {
        operand.setReg(zero);
        operand.setSubReg(0);
      } else {
        continue;
      }
      operand.setIsUndef(false);
      hasChanged = true;
    }
    return hasChanged;
  }

  // Makes a 0 in front of the instruction; no register if there is no move for it.
  Register makeZero(MachineInstr &inst, const MachineOperand &operand) {
    const TargetRegisterClass *registers = m_registers.getRegClass(operand.getReg());
    if (operand.getSubReg())
      registers = m_target.getSubRegisterClass(registers, operand.getSubReg());
    const MCInstrDesc *move = registers && !inst.isCopy() ? moveTo(*registers) : nullptr;
    if (!move)
      return Register();
    const Register zero = m_registers.createVirtualRegister(registers);
    BuildMI(*inst.getParent(), inst, inst.getDebugLoc(), *move, zero).addImm(0);
    return zero;
  }

  // A tuple into which an undefined value is inserted stays as it is: the insertion becomes a copy.
  bool dropInsertion(MachineInstr &inst) {
    if (!inst.getOperand(2).isUndef())
      return false;
    if (inst.getOperand(1).isTied())
      inst.untieRegOperand(1);
    while (inst.getNumOperands() > 2)
      inst.removeOperand(inst.getNumOperands() - 1);
    inst.setDesc(m_info.get(TargetOpcode::COPY));
    return true;
  }

  // A read of the first lane of an undefined value becomes a move of 0.
  bool defineRead(MachineInstr &inst) {
    if (!inst.getOperand(1).isReg() || !inst.getOperand(1).isUndef())
      return false;
    while (inst.getNumOperands() > 1)
      inst.removeOperand(inst.getNumOperands() - 1);
    inst.setDesc(m_info.get(DefinedOpcodes.in(m_function)[1]));
    inst.addOperand(m_function, MachineOperand::CreateImm(0));
    return true;
  }

  // Whether the operand is a VGPR. An operand that must be in SGPRs, such as the number of a lane, may not be replaced.
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
  return OperandDefiner(function).run();
}

} // namespace lgc
