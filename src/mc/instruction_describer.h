// SPDX-License-Identifier: MIT
//
// LLVM's instructions (MCInst) as plain data. They come from LLVM's decoder (disassembler.h), and from code generation
// at the moment when LLVM encodes them (src/lgc/codegen/recorded_instructions.h).
#pragma once

#include "src/base/error.h"
#include "src/isa/encoding.h"
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <span>
#include <string_view>
#include <vector>

namespace llvm {
class MCInst;
class MCInstPrinter;
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace dovetail::mc {

// For the tables of one target; one thread at a time may use it.
class InstructionDescriber {
public:
  // All three must outlive the describer. The printer knows the names.
  InstructionDescriber(const llvm::MCRegisterInfo &registers, const llvm::MCInstrInfo &instructions,
                       llvm::MCInstPrinter &printer, isa::Microcode microcode)
      : m_registers(registers), m_instructions(instructions), m_printer(printer), m_microcode(microcode) {}

  // Describes an instruction of which these are the bytes, at this offset of its text, without what readControl() adds.
  // Errors: Unsupported for one with more operands than isa::Instruction has room for.
  Result<isa::Instruction> describe(const llvm::MCInst &inst, std::span<const uint8_t> bytes, uint32_t offset);

private:
  const std::vector<isa::RegisterRange> &rangesOf(unsigned llvmRegister);
  std::string_view nameOf(const llvm::MCInst &inst);
  bool addOperands(const llvm::MCInst &inst, isa::Instruction &result);
  template <typename List> bool addRanges(List &list, unsigned llvmRegister, bool implicit, bool tied);

  const llvm::MCRegisterInfo &m_registers;
  const llvm::MCInstrInfo &m_instructions;
  llvm::MCInstPrinter &m_printer;
  isa::Microcode m_microcode;
  // By LLVM's numbers; computed at the first request. Code has few of the thousands that LLVM knows.
  llvm::DenseMap<unsigned, std::vector<isa::RegisterRange>> m_ranges;
  llvm::DenseMap<unsigned, std::string_view> m_mnemonics;
};

// Adds what an instruction of control flow says in its final bytes: waits, and where it branches to.
void readControl(isa::Instruction &instruction, std::span<const uint8_t> text, isa::Microcode microcode);

} // namespace dovetail::mc
