// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>

using namespace llvm;

namespace lgc {

namespace {

// Where a value of the whole wave ends, and where it begins. Of what a beginning reads, only the last two are of the
// whole wave: what lanes get that do not run, and which lanes run.
OpcodeNumbers<2> WholeOpcodes({"STRICT_WWM", "V_SET_INACTIVE_B32"});

class Separator {
public:
  explicit Separator(MachineFunction &function)
      : m_function(function), m_registers(function.getRegInfo()), m_target(*function.getSubtarget().getRegisterInfo()),
        m_opcodes(WholeOpcodes.in(function)) {}

  bool run() {
    for (MachineBasicBlock &block : m_function)
      for (MachineInstr &inst : block)
        if (inst.getOpcode() == m_opcodes[0])
          addMakers(inst);
    for (size_t i = 0; i < m_whole.size(); ++i) // which grows
      addMakers(*m_whole[i]);
    bool hasChanged = false;
    for (bool isNew = true; isNew; hasChanged |= isNew) { // what is separate shares the makers of its operands
      isNew = false;
      for (size_t i = 0; i < m_whole.size(); ++i)
        isNew |= separate(*m_whole[i]);
    }
    return hasChanged;
  }

private:
  void addMakers(MachineInstr &user) {
    const bool isBegin = user.getOpcode() == m_opcodes[1];
    for (size_t i = isBegin ? user.getNumExplicitOperands() - 2 : 0; i < user.getNumExplicitOperands(); ++i) {
      const MachineOperand &operand = user.getOperand(unsigned(i));
      if (!operand.isReg() || !operand.isUse() || !operand.getReg().isVirtual())
        continue;
      MachineInstr *maker = m_registers.getUniqueVRegDef(operand.getReg());
      if (maker)
        m_whole.insert(maker);
    }
  }

  // If other code uses the result, too, code of the whole wave gets an instruction of its own.
  bool separate(MachineInstr &maker) {
    if (m_separated.contains(&maker) || !mayRepeat(maker))
      return false;
    const Register made = maker.getOperand(0).getReg();
    SmallVector<MachineOperand *, 8> uses;
    bool isShared = false;
    for (MachineOperand &use : m_registers.use_nodbg_operands(made)) {
      const MachineInstr *user = use.getParent();
      const bool isOfWhole = user->getOpcode() == m_opcodes[0] ||
                             (m_whole.contains(user) && !m_separated.contains(user) && !isOfLanes(use));
      isOfWhole ? uses.push_back(&use) : void(isShared = true);
    }
    if (!isShared || uses.empty())
      return false;
    MachineInstr *own = m_function.CloneMachineInstr(&maker);
    maker.getParent()->insertAfter(maker.getIterator(), own);
    const Register result = m_registers.cloneVirtualRegister(made);
    own->getOperand(0).setReg(result);
    for (MachineOperand *use : uses) {
      use->setReg(result);
      use->setIsKill(false);
    }
    m_separated.insert(&maker);
    m_whole.insert(own);
    return true;
  }

  bool isOfLanes(const MachineOperand &use) const {
    const MachineInstr &user = *use.getParent();
    return user.getOpcode() == m_opcodes[1] && user.getOperandNo(&use) + 2 < user.getNumExplicitOperands();
  }

  bool mayRepeat(const MachineInstr &inst) const {
    if (inst.getOpcode() == m_opcodes[1] || inst.getNumExplicitDefs() != 1 || inst.isPHI() || inst.mayLoadOrStore() ||
        inst.hasUnmodeledSideEffects() || inst.isConvergent())
      return false;
    const Register made = inst.getOperand(0).getReg();
    return made.isVirtual() && StringRef(m_target.getRegClassName(m_registers.getRegClass(made))).starts_with("V") &&
           none_of(inst.implicit_operands(), [](const MachineOperand &operand) { return operand.isDef(); });
  }

  MachineFunction &m_function;
  MachineRegisterInfo &m_registers;
  const TargetRegisterInfo &m_target;
  const std::array<unsigned, 2> m_opcodes;
  SmallSetVector<MachineInstr *, 32> m_whole;
  SmallPtrSet<const MachineInstr *, 16> m_separated; // they are of lanes now
};

} // namespace

void SeparateWholeWavesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SeparateWholeWavesPass::runOnMachineFunction(MachineFunction &function) {
  return Separator(function).run();
}

} // namespace lgc
