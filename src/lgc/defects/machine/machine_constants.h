// SPDX-License-Identifier: MIT
//
// What a register holds behind instruction selection, where that is a constant: moves, copies, parts of wider
// registers, lanes that are read, and bit operations on constants. SIFoldOperands finds no more than this.
#pragma once

#include <cstdint>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <optional>

namespace lgc {

// Of an operand of 32 bits, in SSA form.
std::optional<uint32_t> constantOf(const llvm::MachineOperand &operand, const llvm::MachineRegisterInfo &registers);

// Whether an instruction can have this number as its operand without a literal, as an integer.
bool isInlineInteger(uint32_t number);

} // namespace lgc
