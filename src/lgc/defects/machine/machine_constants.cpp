// SPDX-License-Identifier: MIT
#include "src/lgc/defects/machine/machine_constants.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <mutex>

using namespace llvm;

namespace lgc {

namespace {

enum class Action { None, Move, MoveWide, ReadLane, Not, And, Or, Xor, Xnor, ShiftLeft, ShiftLeftReversed };

// By LLVM's opcode. The numbers are not in its installed headers, the names are known at run time.
class Actions {
public:
  static Action of(const MachineInstr &inst) {
    std::call_once(once, [&] { read(*inst.getMF()->getSubtarget().getInstrInfo()); });
    return actions.lookup(inst.getOpcode());
  }

private:
  static void read(const TargetInstrInfo &info) {
    for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode) {
      const Action action = StringSwitch<Action>(info.getName(opcode))
                                .Cases({"S_MOV_B32", "V_MOV_B32_e32", "V_MOV_B32_e64", "S_MOVK_I32"}, Action::Move)
                                .Cases({"S_MOV_B64", "S_MOV_B64_IMM_PSEUDO", "V_MOV_B64_PSEUDO"}, Action::MoveWide)
                                .Cases({"V_READFIRSTLANE_B32", "V_READLANE_B32"}, Action::ReadLane)
                                .Cases({"S_NOT_B32", "V_NOT_B32_e32", "V_NOT_B32_e64"}, Action::Not)
                                .Cases({"S_AND_B32", "V_AND_B32_e32", "V_AND_B32_e64"}, Action::And)
                                .Cases({"S_OR_B32", "V_OR_B32_e32", "V_OR_B32_e64"}, Action::Or)
                                .Cases({"S_XOR_B32", "V_XOR_B32_e32", "V_XOR_B32_e64"}, Action::Xor)
                                .Cases({"S_XNOR_B32", "V_XNOR_B32_e32", "V_XNOR_B32_e64"}, Action::Xnor)
                                .Case("S_LSHL_B32", Action::ShiftLeft)
                                .Cases({"V_LSHLREV_B32_e32", "V_LSHLREV_B32_e64"}, Action::ShiftLeftReversed)
                                .Default(Action::None);
      if (action != Action::None)
        actions[opcode] = action;
    }
  }

  // As old as the library: see exit_order.h.
  static std::once_flag once;
  static DenseMap<unsigned, Action> actions;
};

std::once_flag Actions::once;
DenseMap<unsigned, Action> Actions::actions;

class Evaluator {
public:
  explicit Evaluator(const MachineRegisterInfo &registers)
      : m_registers(registers), m_target(*registers.getTargetRegisterInfo()) {}

  std::optional<uint32_t> operand(const MachineOperand &operand, unsigned depth) const {
    if (operand.isImm())
      return static_cast<uint32_t>(operand.getImm());
    return operand.isReg() ? value(operand.getReg(), operand.getSubReg(), depth) : std::nullopt;
  }

private:
  static constexpr unsigned MaxDepth = 8;

  std::optional<uint32_t> value(Register reg, unsigned part, unsigned depth) const {
    const MachineInstr *inst = reg.isVirtual() && depth < MaxDepth ? m_registers.getUniqueVRegDef(reg) : nullptr;
    if (!inst)
      return std::nullopt;
    if (inst->isCopy()) {
      const MachineOperand &from = inst->getOperand(1);
      if (inst->getOperand(0).getSubReg())
        return std::nullopt;
      return value(from.getReg(), m_target.composeSubRegIndices(from.getSubReg(), part), depth + 1);
    }
    if (inst->isRegSequence()) {
      for (unsigned i = 1; i + 1 < inst->getNumOperands(); i += 2)
        if (inst->getOperand(i + 1).getImm() == part)
          return operand(inst->getOperand(i), depth + 1);
      return std::nullopt;
    }
    return computed(*inst, part, depth);
  }

  std::optional<uint32_t> computed(const MachineInstr &inst, unsigned part, unsigned depth) const {
    const Action action = Actions::of(inst);
    if (action == Action::None)
      return std::nullopt;
    if (action == Action::MoveWide) {
      const MachineOperand &number = inst.getOperand(1);
      if (!number.isImm() || !part || m_target.getSubRegIdxSize(part) != 32)
        return std::nullopt;
      return static_cast<uint32_t>(static_cast<uint64_t>(number.getImm()) >> m_target.getSubRegIdxOffset(part));
    }
    if (part)
      return std::nullopt;
    if (action == Action::Move)
      return inst.getOperand(1).isImm() ? operand(inst.getOperand(1), depth) : std::nullopt;
    const std::optional<uint32_t> a = operand(inst.getOperand(1), depth + 1);
    if (action == Action::ReadLane)
      return a;
    if (action == Action::Not)
      return a ? std::optional(~*a) : std::nullopt;
    const std::optional<uint32_t> b = operand(inst.getOperand(2), depth + 1);
    auto isEither = [&](uint32_t number) { return a == number || b == number; };
    switch (action) {
    case Action::And:
      return a && b ? std::optional(*a & *b) : isEither(0) ? std::optional(0u) : std::nullopt;
    case Action::Or:
      return a && b ? std::optional(*a | *b) : isEither(~0u) ? std::optional(~0u) : std::nullopt;
    case Action::Xor:
      return a && b ? std::optional(*a ^ *b) : std::nullopt;
    case Action::Xnor:
      return a && b ? std::optional(~(*a ^ *b)) : std::nullopt;
    case Action::ShiftLeft:
      return a && b ? std::optional(*a << (*b & 31)) : std::nullopt;
    default:
      return a && b ? std::optional(*b << (*a & 31)) : std::nullopt;
    }
  }

  const MachineRegisterInfo &m_registers;
  const TargetRegisterInfo &m_target;
};

} // namespace

std::optional<uint32_t> constantOf(const MachineOperand &operand, const MachineRegisterInfo &registers) {
  return Evaluator(registers).operand(operand, 0);
}

bool isInlineInteger(uint32_t number) {
  return number <= 64 || number >= uint32_t(-16);
}

} // namespace lgc
