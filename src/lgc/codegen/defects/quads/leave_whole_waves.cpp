// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/register_units.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/IR/LLVMContext.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<3> LeaverOpcodes({"ENTER_STRICT_WWM", "EXIT_STRICT_WWM", "S_MOV_B64"});

class Leaver {
public:
  explicit Leaver(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()), m_units(RegisterUnits::get(m_target)),
        m_exec(ExecRegister.in(function)) {}

  bool run() {
    const auto [enter, leave, move] = LeaverOpcodes.in(m_function);
    bool hasChanged = false;
    for (MachineBasicBlock &block : m_function) {
      bool isInside = false, isLeft = false;
      Register lanes; // those that run outside, if a register still has them
      for (MachineInstr &inst : block) {
        if (inst.getOpcode() == enter) {
          isInside = true;
          lanes = inst.getOperand(0).getReg();
          continue;
        }
        if (!isInside)
          continue;
        if (inst.getOpcode() == leave) {
          isInside = isLeft = false;
          continue;
        }
        if (isOfLanes(inst) && !isLeft) {
          if (!lanes) {
            m_function.getFunction().getContext().emitError("the lanes that run are not known in a whole wave");
            return hasChanged;
          }
          BuildMI(block, inst, inst.getDebugLoc(), m_info.get(move), m_exec).addReg(lanes);
          isLeft = hasChanged = true;
        } else if (isLeft && inst.readsRegister(m_exec, &m_target) && !isOfLanes(inst)) {
          BuildMI(block, inst, inst.getDebugLoc(), m_info.get(move), m_exec).addImm(-1);
          isLeft = false;
        }
        if (lanes && inst.modifiesRegister(lanes, &m_target))
          lanes = Register();
      }
    }
    return hasChanged;
  }

private:
  // Whether the instruction writes a VGPR of lanes, or spills one. A copy does not name EXEC, and v_writelane ignores
  // it.
  bool isOfLanes(const MachineInstr &inst) const {
    if (!inst.isCopy() && !inst.readsRegister(m_exec, &m_target))
      return false;
    const bool isSpill = any_of(inst.operands(), [](const MachineOperand &operand) { return operand.isFI(); });
    return any_of(inst.explicit_operands(), [&](const MachineOperand &operand) {
      return operand.isReg() && (isSpill || operand.isDef()) && isOfLanes(operand.getReg());
    });
  }

  // VGPRs of the whole wave are reserved.
  bool isOfLanes(Register reg) const {
    if (!reg.isPhysical() || m_registers.isReserved(reg))
      return false;
    const RegisterUnits::Numbers numbers = m_units.numbersOf(reg, m_target);
    return numbers.count > 0 && !numbers.isSgpr;
  }

  MachineFunction &m_function;
  const MachineRegisterInfo &m_registers;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  const RegisterUnits &m_units;
  const Register m_exec;
};

} // namespace

void LeaveWholeWavesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool LeaveWholeWavesPass::runOnMachineFunction(MachineFunction &function) {
  return Leaver(function).run();
}

} // namespace lgc
