// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/folding/folding_passes.h"
#include "src/lgc/codegen/defects/machine/machine_constants.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/CodeGen/MachineInstrBuilder.h>

using namespace llvm;

namespace lgc {

namespace {

OpcodeNumbers<5> SaturatingOpcodes({"V_ADD_CO_U32_e64", "V_SUB_CO_U32_e64", "V_SUBREV_CO_U32_e64", "V_MIN_U32_e64",
                                    "V_NOT_B32_e32"});

bool isLiteral(const MachineOperand &operand, MachineConstants &constants) {
  const std::optional<uint32_t> number = constants.of(operand);
  return number && !isInlineInteger(*number);
}

} // namespace

void SaturateLiteralsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

// Operands of these instructions: the result, the carry, two sources, and whether they saturate.
bool SaturateLiteralsPass::runOnMachineFunction(MachineFunction &function) {
  const auto [add, subtract, subtractReversed, minimum, bitwiseNot] = SaturatingOpcodes.in(function);
  MachineRegisterInfo &registers = function.getRegInfo();
  MachineConstants constants(registers);
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  bool hasChanged = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : block) {
      const unsigned opcode = inst.getOpcode();
      if (opcode != add && opcode != subtract && opcode != subtractReversed)
        continue;
      MachineOperand &saturates = inst.getOperand(4);
      if (!saturates.getImm() ||
          (!isLiteral(inst.getOperand(2), constants) && !isLiteral(inst.getOperand(3), constants)))
        continue;
      // x + y saturates as x + min(~x, y), x - y as x - min(x, y). The constant takes the place of y.
      const unsigned changed =
          opcode == subtract || (opcode == add && isLiteral(inst.getOperand(3), constants)) ? 3 : 2;
      MachineOperand &kept = inst.getOperand(5 - changed), &bounded = inst.getOperand(changed);
      const TargetRegisterClass *vgpr = registers.getRegClass(inst.getOperand(0).getReg());
      auto plainly = [](const MachineOperand &operand) {
        MachineOperand copy = operand;
        if (copy.isReg())
          copy.setIsKill(false);
        return copy;
      };
      MachineOperand bound = plainly(kept);
      if (opcode == add) {
        const Register inverted = registers.createVirtualRegister(vgpr);
        BuildMI(block, inst, inst.getDebugLoc(), info.get(bitwiseNot), inverted).add(bound);
        bound = MachineOperand::CreateReg(inverted, false);
      }
      const Register least = registers.createVirtualRegister(vgpr);
      BuildMI(block, inst, inst.getDebugLoc(), info.get(minimum), least).add(bound).add(plainly(bounded));
      bounded.ChangeToRegister(least, false);
      saturates.setImm(0);
      hasChanged = true;
    }
  return hasChanged;
}

} // namespace lgc
