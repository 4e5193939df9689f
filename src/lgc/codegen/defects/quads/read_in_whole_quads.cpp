// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// The second is a copy that is made in whole quads if the shader has any.
OpcodeNumbers<2> QuadOpcodes({"V_READFIRSTLANE_B32", "SOFT_WQM"});

class Reader {
public:
  explicit Reader(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()), m_exec(ExecRegister.in(function)) {}

  bool run() {
    const unsigned read = QuadOpcodes.in(m_function)[0];
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block) {
        if (inst.getOpcode() == read || isUnboundedLoad(inst))
          copyOperands(inst);
        else if (isTestOfLanes(inst))
          findComparisons(inst);
      }
    return m_hasChanged;
  }

private:
  // Makes LLVM compute the vector operands in whole quads.
  void copyOperands(MachineInstr &inst) {
    for (MachineOperand &value : inst.explicit_uses()) {
      if (!value.isReg() || value.isTied() || !isOf("V", value.getReg()) || isUndefined(value))
        continue;
      const TargetRegisterClass *all = m_registers.getRegClass(value.getReg());
      const TargetRegisterClass *part = value.getSubReg() ? m_target.getSubRegisterClass(all, value.getSubReg()) : all;
      const Register copied = m_registers.createVirtualRegister(part);
      BuildMI(*inst.getParent(), inst, inst.getDebugLoc(), m_info.get(QuadOpcodes.in(m_function)[1]), copied)
          .addReg(value.getReg(), 0, value.getSubReg());
      value.ChangeToRegister(copied, /*isDef=*/false);
      m_hasChanged = true;
    }
  }

  // Whether the value is undefined. A copy of it would hide that.
  bool isUndefined(const MachineOperand &value) const {
    if (value.isUndef())
      return true;
    const MachineInstr *maker = m_registers.getUniqueVRegDef(value.getReg());
    while (maker && maker->isCopy() && maker->getOperand(1).getReg().isVirtual())
      maker = m_registers.getUniqueVRegDef(maker->getOperand(1).getReg());
    return maker && maker->isImplicitDef();
  }

  // Finds the comparisons that make a mask of lanes.
  void findComparisons(const MachineInstr &user) {
    for (const MachineOperand &operand : user.explicit_uses()) {
      if (!operand.isReg() || !isOf("S", operand.getReg()))
        continue;
      MachineInstr *mask = m_registers.getUniqueVRegDef(operand.getReg());
      if (!mask || !m_seen.insert(mask).second)
        continue;
      if (m_info.getName(mask->getOpcode()).starts_with("V_CMP"))
        copyOperands(*mask);
      else if (mask->isCopy() || mask->isPHI() || m_info.getName(mask->getOpcode()).ends_with("_B64"))
        findComparisons(*mask);
    }
  }

  // Loads by address, of GFX9 and of GFX8.
  bool isUnboundedLoad(const MachineInstr &inst) const {
    if (!inst.mayLoad() || inst.mayStore())
      return false;
    constexpr unsigned scratch = 5; // LLVM's address space of private memory
    const StringRef name = m_info.getName(inst.getOpcode());
    return name.starts_with("GLOBAL_LOAD_") || name.starts_with("FLAT_LOAD_") ||
           any_of(inst.memoperands(), [](const MachineMemOperand *place) { return place->getAddrSpace() == scratch; });
  }

  // Whether the instruction tests if any lane is in a mask: among EXEC's lanes, or among all, as code reads a uniform
  // carry. Divergent branches are still pseudo instructions here.
  bool isTestOfLanes(const MachineInstr &inst) const {
    const StringRef name = m_info.getName(inst.getOpcode());
    return name == "S_CMP_LG_U64" || name == "S_CMP_EQ_U64" ||
           (name.starts_with("S_AND") && any_of(inst.explicit_uses(), [&](const MachineOperand &operand) {
              return operand.isReg() && operand.getReg() == m_exec;
            }));
  }

  bool isOf(StringRef classes, Register reg) const {
    return reg.isVirtual() && StringRef(m_target.getRegClassName(m_registers.getRegClass(reg))).starts_with(classes);
  }

  MachineFunction &m_function;
  MachineRegisterInfo &m_registers;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  const Register m_exec;
  SmallPtrSet<const MachineInstr *, 16> m_seen;
  bool m_hasChanged = false;
};

} // namespace

void ReadInWholeQuadsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool ReadInWholeQuadsPass::runOnMachineFunction(MachineFunction &function) {
  if (function.getFunction().getCallingConv() != CallingConv::AMDGPU_PS)
    return false;
  return Reader(function).run();
}

} // namespace lgc
