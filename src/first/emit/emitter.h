// SPDX-License-Identifier: MIT
//
// The state of the last step (emit_code.h). emit_code.cpp has blocks, waits and hazards, encode_instructions.cpp how
// each instruction is encoded.
#pragma once

#include "src/first/emit/clause.h"
#include "src/first/emit/emit_code.h"
#include "src/first/emit/waits.h"
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dovetail::first {

class Emitter {
public:
  Emitter(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code)
      : m_program(program), m_machine(machine), m_target(target), m_code(code), m_encoder(code.encoder),
        m_clock(LongAgo) {}

  std::string run();

private:
  static constexpr uint32_t LongAgo = 100, NoM0 = UINT32_MAX; // wait states; no value of M0

  struct Branch {
    uint32_t offset;
    uint16_t block;
    bool isLoopEnd;
  };
  struct Move {
    uint32_t destination, source; // operand codes of the instruction set
  };

  using Copy = std::pair<isa::Operand, const MachineOperand *>; // destination, source

  uint16_t placeOf(uint32_t reg) const { return m_machine.registers[reg].place; }
  bool isVector(uint32_t reg) const { return m_machine.registers[reg].bank == Bank::Vector; }

  // emit_code.cpp
  bool isEmpty(const MachineInstruction &instruction) const;
  bool isIdleJump(uint32_t at) const;
  void emitBlock(uint16_t number);
  void need(const MachineOperand &operand, bool isWrite);
  void waitForNext();
  void emitInstruction(const MachineInstruction &instruction);
  void waitStates(uint32_t writtenAt, uint32_t states);
  void avoidHazards(const MachineInstruction &instruction);
  void avoidClauseHazards(const MachineInstruction &instruction);
  void noteHazards(const MachineInstruction &instruction);
  void step() { ++m_clock; }
  void setM0Early();
  const MachineOperand *wantedM0(const MachineInstruction &instruction) const;
  void setM0(const MachineInstruction &instruction);
  void loadM0(const MachineOperand &operand);
  void arrive(uint16_t block);
  static bool isVectorMemory(Form form) { return form == Form::Buffer || form == Form::Image || form == Form::Flat; }
  static bool isVectorAlu(Form form) {
    return form == Form::Valu || form == Form::Interp || form == Form::Dpp || form == Form::Copies ||
           form == Form::Return;
  }

  // encode_instructions.cpp
  isa::Operand operandOf(const MachineOperand &operand) const;
  std::optional<isa::Operand> dataOf(const MachineInstruction &instruction, unsigned source) const;
  void encode(const MachineInstruction &instruction);
  void noteField(const MachineOperand &use);
  void encodeValu(const MachineInstruction &instruction);
  void encodeSalu(const MachineInstruction &instruction);
  void noteLoaded(std::span<const MachineOperand> definitions, Waits::Counter counter);
  void encodeBuffer(const MachineInstruction &instruction);
  void encodeImage(const MachineInstruction &instruction);
  void encodeFlat(const MachineInstruction &instruction);
  void copy(std::span<const Copy> copies, uint32_t aside, bool isVectorBank);
  void encodeCopies(const MachineInstruction &instruction);
  void encodeReturn(const MachineInstruction &instruction);

  const Program &m_program;
  Machine &m_machine;
  const TargetInfo &m_target;
  FirstCode &m_code;
  isa::Encoder &m_encoder;
  std::string m_refusal;
  std::vector<uint32_t> m_starts, m_entries; // of blocks, bytes
  std::vector<Branch> m_branches;
  std::vector<Waits> m_arriving;                // by block: what is outstanding where jumps come from
  std::vector<bool> m_hasArriving, m_hasScalar; // the second: jumps to it stand close behind m_scalarAt
  Waits m_waits;
  // Wait states. 0: never.
  uint32_t m_clock, m_unknownWrite = 0, m_m0At = 0, m_wideStoreAt = 0, m_modeAt = 0;
  uint32_t m_scalarAt = 0; // the vector unit wrote what may be an operand of memory accesses
  std::pair<unsigned, unsigned> m_wideStore;
  std::array<uint32_t, 128> m_sgprWrites{};
  std::array<uint32_t, 256> m_vgprWrites{};
  uint32_t m_next = 0, m_end = 0; // instructions of the block that are not emitted yet
  Clause m_clause;
  uint32_t m_repeatFrom = 0, m_behindGetpc = 0; // bytes
  uint32_t m_m0 = NoM0, m_m0Register = NoRegister;
  bool m_keepsM0 = false; // M0 has one value, which is set where the code begins
};

} // namespace dovetail::first
