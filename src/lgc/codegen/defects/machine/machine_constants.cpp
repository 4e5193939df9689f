// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_constants.h"
#include <llvm/ADT/StringSwitch.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <mutex>

using namespace llvm;

namespace lgc {

namespace {

enum class Action {
  None,
  Move,
  MoveWide,
  ReadLane,
  Select,       // operands 1 and 2
  SelectSigned, // operands 2 and 4, each behind its sign modifiers
  Not,
  And,
  Or,
  Xor,
  Nand,
  Nor,
  Xnor,
  AndNot,
  OrNot,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  ShiftLeftReversed,
  ShiftRightReversed,
  ShiftRightSignedReversed,
};

// Actions by LLVM's opcode. LLVM's installed headers do not have the opcodes' numbers, but their names are known at run
// time.
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
                                .Case("S_NAND_B32", Action::Nand)
                                .Case("S_NOR_B32", Action::Nor)
                                .Case("S_ANDN2_B32", Action::AndNot)
                                .Case("S_ORN2_B32", Action::OrNot)
                                .Case("S_LSHL_B32", Action::ShiftLeft)
                                .Case("S_LSHR_B32", Action::ShiftRight)
                                .Case("S_ASHR_I32", Action::ShiftRightSigned)
                                .Cases({"V_LSHLREV_B32_e32", "V_LSHLREV_B32_e64"}, Action::ShiftLeftReversed)
                                .Cases({"V_LSHRREV_B32_e32", "V_LSHRREV_B32_e64"}, Action::ShiftRightReversed)
                                .Cases({"V_ASHRREV_I32_e32", "V_ASHRREV_I32_e64"}, Action::ShiftRightSignedReversed)
                                .Case("V_CNDMASK_B32_e32", Action::Select)
                                .Case("V_CNDMASK_B32_e64", Action::SelectSigned)
                                .Default(Action::None);
      if (action != Action::None)
        actions[opcode] = action;
    }
  }

  // Made when the library is loaded: see exit_order.h.
  static std::once_flag once;
  static DenseMap<unsigned, Action> actions;
};

std::once_flag Actions::once;
DenseMap<unsigned, Action> Actions::actions;

std::optional<uint32_t> combined(Action action, std::optional<uint32_t> first, std::optional<uint32_t> second) {
  if (action == Action::And && (first == 0u || second == 0u))
    return 0;
  if (action == Action::Or && (first == ~0u || second == ~0u))
    return ~0u;
  if (!first || !second)
    return std::nullopt;
  const uint32_t a = *first, b = *second;
  switch (action) {
  case Action::Select:
  case Action::SelectSigned:
    return a == b ? std::optional(a) : std::nullopt;
  case Action::And:
    return a & b;
  case Action::Or:
    return a | b;
  case Action::Xor:
    return a ^ b;
  case Action::Nand:
    return ~(a & b);
  case Action::Nor:
    return ~(a | b);
  case Action::Xnor:
    return ~(a ^ b);
  case Action::AndNot:
    return a & ~b;
  case Action::OrNot:
    return a | ~b;
  case Action::ShiftLeft:
    return a << (b & 31);
  case Action::ShiftRight:
    return a >> (b & 31);
  case Action::ShiftRightSigned:
    return static_cast<uint32_t>(static_cast<int32_t>(a) >> (b & 31));
  case Action::ShiftLeftReversed:
    return b << (a & 31);
  case Action::ShiftRightReversed:
    return b >> (a & 31);
  case Action::ShiftRightSignedReversed:
    return static_cast<uint32_t>(static_cast<int32_t>(b) >> (a & 31));
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<uint32_t> MachineConstants::operandAt(const MachineOperand &operand, unsigned depth) {
  if (operand.isImm())
    return static_cast<uint32_t>(operand.getImm());
  return operand.isReg() ? valueOf(operand.getReg(), operand.getSubReg(), depth) : std::nullopt;
}

std::optional<uint32_t> MachineConstants::valueOf(Register reg, unsigned part, unsigned depth) {
  constexpr unsigned maxDepth = 64; // bounds the stack
  const MachineInstr *inst = reg.isVirtual() && depth < maxDepth ? m_registers.getUniqueVRegDef(reg) : nullptr;
  if (!inst)
    return std::nullopt;
  const std::pair<unsigned, unsigned> key = {reg.id(), part};
  if (const auto known = m_known.find(key); known != m_known.end())
    return known->second;
  const std::optional<uint32_t> value = made(*inst, part, depth);
  m_known[key] = value;
  return value;
}

std::optional<uint32_t> MachineConstants::made(const MachineInstr &inst, unsigned part, unsigned depth) {
  if (inst.isCopy()) {
    const MachineOperand &from = inst.getOperand(1);
    if (inst.getOperand(0).getSubReg())
      return std::nullopt;
    const TargetRegisterInfo &target = *m_registers.getTargetRegisterInfo();
    return valueOf(from.getReg(), target.composeSubRegIndices(from.getSubReg(), part), depth + 1);
  }
  if (inst.isRegSequence()) {
    for (unsigned i = 1; i + 1 < inst.getNumOperands(); i += 2)
      if (inst.getOperand(i + 1).getImm() == part)
        return operandAt(inst.getOperand(i), depth + 1);
    return std::nullopt;
  }
  return computed(inst, part, depth);
}

std::optional<uint32_t> MachineConstants::computed(const MachineInstr &inst, unsigned part, unsigned depth) {
  const Action action = Actions::of(inst);
  if (action == Action::None)
    return std::nullopt;
  if (action == Action::MoveWide) {
    const TargetRegisterInfo &target = *m_registers.getTargetRegisterInfo();
    const MachineOperand &number = inst.getOperand(1);
    if (number.isReg())
      return valueOf(number.getReg(), target.composeSubRegIndices(number.getSubReg(), part), depth + 1);
    if (!number.isImm() || !part || target.getSubRegIdxSize(part) != 32)
      return std::nullopt;
    return static_cast<uint32_t>(static_cast<uint64_t>(number.getImm()) >> target.getSubRegIdxOffset(part));
  }
  if (part)
    return std::nullopt;
  if (action == Action::Move)
    return operandAt(inst.getOperand(1), depth + 1);
  const bool isSigned = action == Action::SelectSigned;
  if (isSigned && (inst.getOperand(1).getImm() != 0 || inst.getOperand(3).getImm() != 0))
    return std::nullopt;
  const std::optional<uint32_t> a = operandAt(inst.getOperand(isSigned ? 2 : 1), depth + 1);
  if (action == Action::ReadLane)
    return a;
  if (action == Action::Not)
    return a ? std::optional(~*a) : std::nullopt;
  return combined(action, a, operandAt(inst.getOperand(isSigned ? 4 : 2), depth + 1));
}

bool isInlineInteger(uint32_t number) {
  return number <= 64 || number >= uint32_t(-16);
}

} // namespace lgc
