// SPDX-License-Identifier: MIT
//
// A forward data flow. It finds the VGPRs and stack slots whose value was made in exact mode by an instruction that
// allocation may have added. Only SIWholeQuadMode makes the instructions that this pass takes for changes of mode: at
// this point those of loops and of the ends of branches still have other opcodes, and branches save EXEC by a copy of
// it.
#include "src/lgc/codegen/defects/quads/exact_copies.h"
#include "src/lgc/codegen/defects/machine/target_numbers.h"
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <optional>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// The first four enter exact mode. The others leave it, and so does a copy to EXEC.
OpcodeNumbers<6> ExactOpcodes({"S_AND_SAVEEXEC_B64", "S_AND_B64", "S_AND_SAVEEXEC_B64_term", "S_AND_B64_term",
                               "S_MOV_B64", "S_WQM_B64"});

// The state at the end of a block.
struct State {
  bool isExact = false;
  BitVector registers; // units of VGPRs
  BitVector slots;     // of the stack
};

class Finder {
public:
  explicit Finder(MachineFunction &function)
      : m_function(function), m_info(*function.getSubtarget().getInstrInfo()),
        m_target(*function.getSubtarget().getRegisterInfo()), m_exec(ExecRegister.in(function)) {}

  bool find() {
    const ReversePostOrderTraversal<MachineFunction *> order(&m_function);
    std::vector<State> ends(m_function.getNumBlockIDs(), empty());
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (MachineBasicBlock *block : order) {
        State state = empty();
        for (const MachineBasicBlock *before : block->predecessors()) {
          const State &end = ends[before->getNumber()];
          state.isExact |= end.isExact;
          state.registers |= end.registers;
          state.slots |= end.slots;
        }
        for (const MachineInstr &inst : *block)
          if (step(inst, state))
            return true;
        State &end = ends[block->getNumber()];
        if (end.isExact != state.isExact || end.registers != state.registers || end.slots != state.slots) {
          end = std::move(state);
          isChanged = true;
        }
      }
    }
    return false;
  }

private:
  State empty() const {
    return {false, BitVector(m_target.getNumRegUnits()), BitVector(m_function.getFrameInfo().getObjectIndexEnd())};
  }

  // Whether the instruction reads in whole quads a value that was made in exact mode.
  bool step(const MachineInstr &inst, State &state) const {
    if (changesMode(inst, state.isExact))
      return false;
    const StringRef name = m_info.getName(inst.getOpcode());
    const bool isSpill = name.starts_with("SI_SPILL_V"), isSave = isSpill && name.ends_with("_SAVE");
    if (!state.isExact && readsVector(inst) && any_of(inst.all_uses(), [&](const MachineOperand &operand) {
          return operand.getReg().isPhysical() && !operand.isUndef() && holds(state.registers, operand.getReg());
        }))
      return true;
    if (const std::optional<unsigned> slot = isSpill ? slotOf(inst) : std::nullopt) {
      if (!state.isExact && !isSave && state.slots.test(*slot))
        return true;
      if (isSave)
        state.slots[*slot] = state.isExact;
    }
    const bool isAdded = inst.isCopy() || isSpill || inst.getDesc().isRematerializable();
    const bool isHeld = (state.isExact && isAdded) || (inst.isCopy() && inst.getOperand(1).getReg().isPhysical() &&
                                                       holds(state.registers, inst.getOperand(1).getReg()));
    for (const MachineOperand &operand : inst.all_defs())
      if (isVectorRegister(operand.getReg()))
        for (MCRegUnit unit : m_target.regunits(operand.getReg()))
          state.registers[static_cast<unsigned>(unit)] = isHeld;
    return false;
  }

  bool changesMode(const MachineInstr &inst, bool &isExact) const {
    if (!inst.modifiesRegister(m_exec, &m_target))
      return false;
    const ArrayRef<unsigned> opcodes = ExactOpcodes.in(m_function);
    if (is_contained(opcodes.take_front(4), inst.getOpcode()))
      isExact = true;
    else if (is_contained(opcodes.drop_front(4), inst.getOpcode()) ||
             (inst.isCopy() && inst.getOperand(0).getReg() == m_exec))
      isExact = false;
    return true;
  }

  // A copy reads no VGPR in this sense: it passes the value on.
  bool readsVector(const MachineInstr &inst) const {
    return any_of(inst.implicit_operands(), [&](const MachineOperand &operand) {
      return operand.isReg() && operand.isUse() && operand.getReg() == m_exec;
    });
  }

  bool holds(const BitVector &units, Register reg) const {
    return any_of(m_target.regunits(reg), [&](MCRegUnit unit) { return units.test(static_cast<unsigned>(unit)); });
  }

  bool isVectorRegister(Register reg) const {
    return reg.isPhysical() && StringRef(m_target.getName(reg)).starts_with("VGPR");
  }

  static std::optional<unsigned> slotOf(const MachineInstr &spill) {
    for (const MachineOperand &operand : spill.operands())
      if (operand.isFI() && operand.getIndex() >= 0)
        return static_cast<unsigned>(operand.getIndex());
    return std::nullopt;
  }

  MachineFunction &m_function;
  const TargetInstrInfo &m_info;
  const TargetRegisterInfo &m_target;
  Register m_exec;
};

} // namespace

void ExactCopiesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool ExactCopiesPass::runOnMachineFunction(MachineFunction &function) {
  if (function.getFunction().getCallingConv() == CallingConv::AMDGPU_PS)
    *m_isFound |= Finder(function).find();
  return false;
}

char ExactCopiesPass::ID = 0;

} // namespace lgc
