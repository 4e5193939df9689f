// SPDX-License-Identifier: MIT
//
// Machine instructions before and after their operands have registers. A virtual register is one dword; a group of them
// stands in consecutive registers. Registers that several blocks write (phis, masks of waiting lanes) have several
// definitions and one place.
#pragma once

#include "src/first/form/program.h"
#include "src/isa/encoder.h"
#include <span>
#include <vector>

namespace dovetail::first {

using VReg = uint32_t;
constexpr VReg NoRegister = UINT32_MAX;
constexpr uint16_t NoPlace = UINT16_MAX;

struct VirtualRegister {
  Bank bank = Bank::Scalar;
  bool isMask = false;              // VCC will do
  bool isWhole = false;             // a VGPR that belongs to the whole wave: no lane has anything else there
  uint8_t groupSize = 1, index = 0; // the group begins at this register - index
  uint16_t place = NoPlace;         // number of the SGPR or VGPR
  uint16_t wish = NoPlace;          // the place where it is wanted
  VReg near = NoRegister;           // a register whose place is wanted
};

struct MachineOperand {
  // Table…: half of the distance from the program counter to a table of constants; value: bytes into Program::tables.
  enum Kind : uint8_t { None, Register, Constant, Exec, Relocated, TableLow, TableHigh };

  Kind kind = None;
  uint8_t dwords = 1;
  uint32_t value = 0; // register (the first one), constant, number in Program::relocated
};

enum class Form : uint8_t {
  Valu,
  Salu,
  Smem,
  Buffer,
  Image,
  Flat,
  Lds,
  Export,
  Interp, // operands: weight, [result of P1], M0
  // imm: DppControl and so on; operands: source 0, [source 1 or, of a move, what lanes without a source get]
  Dpp,
  Copies, // all at once: definitions and uses in pairs
  Undefine,
  SetMode, // imm: the value of two bits of MODE | the number of the first one << 8
  Message,
  Wait, // imm: EmptyCaches, or nothing
  Barrier,
  RepeatBegin, // what stands between the two runs as long as EXEC has lanes behind it
  RepeatEnd,
  Jump,    // opcode; imm: block; sets `isLoopEnd`
  SetExec, // opcode like Salu, but EXEC is the destination
  Return,  // imm: so many uses go to s0 and on, the others to v0 and on
};

// The fields of MODE ("Vega" ISA manual, section 3.5).
constexpr uint32_t ModeRounding16And64 = 2 << 8, ModeDenormals32 = 4 << 8;
constexpr uint32_t RoundToNearest = 0, RoundToZero = 3;

struct MachineInstruction {
  isa::Opcode opcode{};
  Form form = Form::Valu;
  uint8_t definitions = 0, uses = 0;
  bool isTied = false;    // the definition takes the place of the last use
  bool isEarly = false;   // the definition must not take the place of a use
  bool isLoopEnd = false; // Jump: to behind the masks at the block's start
  bool isWhole = false;   // runs in all lanes of the wave
  isa::Modifiers modifiers;
  uint32_t firstOperand = 0; // definitions, then uses
  uint32_t imm = 0;          // Copies: an unused VGPR | an unused SGPR << 16, once registers have places
};

// Calls a function with each register that operands name.
template <typename Function> void forEachRegister(std::span<const MachineOperand> operands, const Function &function) {
  for (const MachineOperand &operand : operands)
    if (operand.kind == MachineOperand::Register)
      for (unsigned i = 0; i < operand.dwords; ++i)
        function(operand.value + i);
}

struct MachineBlock {
  uint32_t first = 0, end = 0; // instructions
  uint32_t entry = 0;          // of these, the first behind those that set EXEC at the block's start
};

// At the end of block `from`, `to` gets the value that a phi of block `into` has for the lanes that go there.
struct PhiCopy {
  uint16_t from = 0, into = 0;
  VReg to = NoRegister;
};

struct Machine {
  std::vector<VirtualRegister> registers; // arguments first, which have their places
  VReg arguments = 0;
  bool keepsVcc = false; // VCC is for divisions alone
  std::vector<MachineInstruction> instructions;
  std::vector<MachineOperand> operands;
  std::vector<MachineBlock> blocks;
  std::vector<PhiCopy> phiCopies; // that selection has made, for check_instructions.h

  VReg leaderOf(VReg reg) const { return reg - registers[reg].index; }
  // Lanes that wait have values of their own in it.
  bool isOfLanes(VReg reg) const { return registers[reg].bank == Bank::Vector && !registers[reg].isWhole; }
  bool isVector(const MachineOperand &operand) const {
    return operand.kind == MachineOperand::Register && registers[operand.value].bank == Bank::Vector;
  }
  bool isScalar(const MachineOperand &operand) const {
    return operand.kind == MachineOperand::Register && registers[operand.value].bank == Bank::Scalar;
  }
  std::span<const MachineOperand> operandsOf(const MachineInstruction &instruction) const {
    return {operands.data() + instruction.firstOperand, size_t(instruction.definitions) + instruction.uses};
  }
  std::span<MachineOperand> definitionsOf(const MachineInstruction &instruction) {
    return {operands.data() + instruction.firstOperand, instruction.definitions};
  }
  std::span<MachineOperand> usesOf(const MachineInstruction &instruction) {
    return {operands.data() + instruction.firstOperand + instruction.definitions, instruction.uses};
  }
  std::span<const MachineOperand> definitionsOf(const MachineInstruction &instruction) const {
    return {operands.data() + instruction.firstOperand, instruction.definitions};
  }
  std::span<const MachineOperand> usesOf(const MachineInstruction &instruction) const {
    return {operands.data() + instruction.firstOperand + instruction.definitions, instruction.uses};
  }
};

} // namespace dovetail::first
