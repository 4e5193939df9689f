// SPDX-License-Identifier: MIT
//
// Some of our passes must know after instruction selection which registers hold constants: by moves, copies, parts of
// wider registers, lanes that are read, bit operations on constants, and selections between equal ones. SIFoldOperands
// finds no more than this; folded_constants_test checks that.
#pragma once

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <optional>

namespace lgc {

// The constants of a function in SSA form. A pass may replace instructions by others with the same result.
class MachineConstants {
public:
  explicit MachineConstants(const llvm::MachineRegisterInfo &registers) : m_registers(registers) {}

  // The constant in an operand of 32 bits.
  std::optional<uint32_t> of(const llvm::MachineOperand &operand) { return operandAt(operand, 0); }

private:
  std::optional<uint32_t> operandAt(const llvm::MachineOperand &operand, unsigned depth);
  std::optional<uint32_t> valueOf(llvm::Register reg, unsigned part, unsigned depth);
  std::optional<uint32_t> made(const llvm::MachineInstr &inst, unsigned part, unsigned depth);
  std::optional<uint32_t> computed(const llvm::MachineInstr &inst, unsigned part, unsigned depth);

  const llvm::MachineRegisterInfo &m_registers;
  llvm::DenseMap<std::pair<unsigned, unsigned>, std::optional<uint32_t>> m_known; // by register and part
};

// Whether an instruction can have this number as an integer operand without a literal.
bool isInlineInteger(uint32_t number);

} // namespace lgc
