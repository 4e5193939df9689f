// SPDX-License-Identifier: MIT
#include "src/first/form/check_operands.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <set>

namespace dovetail::first {

namespace {

using isa::Encoding;
using isa::Opcode;
using Operand = MachineOperand;
namespace traits = isa::traits;

constexpr uint32_t MaxDppImm = DppBound << 1 | (DppBound - 1); // all bits

bool isLiteral(const Operand &operand) {
  if (operand.kind == Operand::Constant)
    return isa::constant(int32_t(operand.value)).isLiteral();
  return operand.kind == Operand::Relocated || operand.kind == Operand::TableLow || operand.kind == Operand::TableHigh;
}

class OperandChecker {
public:
  OperandChecker(const Program &program, const Machine &machine, uint16_t block, bool isGfx9)
      : m_program(program), m_machine(machine), m_block(block), m_isGfx9(isGfx9) {}

  std::string_view run(const MachineInstruction &instruction) {
    checkRegisters(instruction);
    if (m_fault.empty())
      checkForm(instruction);
    return m_fault;
  }

private:
  void fail(std::string_view rule) {
    if (m_fault.empty())
      m_fault = rule;
  }
  void require(bool holds, std::string_view rule) {
    if (!holds)
      fail(rule);
  }

  const VirtualRegister &registerOf(const Operand &operand) const { return m_machine.registers[operand.value]; }
  bool isVector(const Operand &operand) const { return m_machine.isVector(operand); }
  bool isScalar(const Operand &operand) const { return m_machine.isScalar(operand); }
  bool isVgprs(const Operand &operand, unsigned dwords) const { return isVector(operand) && operand.dwords == dwords; }
  bool isSgprs(const Operand &operand, unsigned dwords) const { return isScalar(operand) && operand.dwords == dwords; }
  bool isInline(const Operand &operand) const { return operand.kind == Operand::Constant && !isLiteral(operand); }
  // Constants of 64 bits extend those of 32; an inline float would be a double.
  static bool fits(const Operand &operand, unsigned dwords) {
    constexpr int32_t lowest = -16, highest = 64;
    switch (operand.kind) {
    case Operand::Constant:
      return dwords == 1 || (int32_t(operand.value) >= lowest && int32_t(operand.value) <= highest);
    case Operand::None:
      return false;
    default:
      return operand.dwords == dwords;
    }
  }

  // A register, or those of a group or of neighbouring arguments.
  bool isThere(const Operand &operand) const {
    if (operand.kind != Operand::Register)
      return true;
    if (operand.dwords == 0 || size_t(operand.value) + operand.dwords > m_machine.registers.size())
      return false;
    const VirtualRegister &first = registerOf(operand);
    for (unsigned i = 1; i < operand.dwords; ++i) {
      const VirtualRegister &reg = m_machine.registers[operand.value + i];
      const bool isNext = operand.value + i < m_machine.arguments
                              ? reg.place == first.place + i
                              : reg.index == first.index + i && reg.index < reg.groupSize;
      if (reg.bank != first.bank || !isNext)
        return false;
    }
    return true;
  }

  void checkRegisters(const MachineInstruction &instruction) {
    for (const Operand &definition : m_machine.definitionsOf(instruction)) {
      require(definition.kind == Operand::Register && isThere(definition), "a result that is no register");
      require(definition.value >= m_machine.arguments, "an argument that is overwritten");
    }
    for (const Operand &use : m_machine.usesOf(instruction))
      require(isThere(use), "registers that do not stand side by side");
    if (instruction.isTied && m_fault.empty()) {
      const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
      const bool isKept = instruction.form == Form::Dpp; // lanes without a source keep it, also a constant
      require((isKept || instruction.opcode == Opcode::VInterpP2F32) && definitions.size() == 1 && !uses.empty() &&
                  (isVgprs(uses.back(), definitions[0].dwords) || (isKept && fits(uses.back(), 1))),
              "a result in the place of what is no source");
    }
  }

  void checkForm(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
    if (instruction.form != Form::Copies && instruction.form != Form::Undefine)
      require(row.exists(m_isGfx9), "an instruction that the GPU does not have");
    switch (instruction.form) {
    case Form::Valu:
      return checkValu(instruction, row);
    case Form::Salu:
    case Form::SetExec:
      return checkSalu(instruction, row);
    case Form::Dpp:
      return require((row.encoding == Encoding::Vop1 || row.encoding == Encoding::Vop2) && definitions.size() == 1 &&
                         uses.size() == (row.sourceCount == 1 ? 1u + instruction.isTied : row.sourceCount) &&
                         isVgprs(definitions[0], 1) && isVgprs(uses[0], 1) &&
                         (row.sourceCount == 1 || isVgprs(uses[1], 1)) && instruction.imm <= MaxDppImm,
                     "DPP of what is no VGPR");
    case Form::Interp:
      return checkInterpolation(instruction);
    case Form::Smem:
    case Form::Buffer:
    case Form::Image:
    case Form::Flat:
    case Form::Lds:
    case Form::Export:
      if (instruction.imm >= m_program.accesses.size())
        return fail("an access that is not there");
      return checkAccess(instruction, row, m_program.accesses[instruction.imm]);
    case Form::Copies: {
      require(definitions.size() == uses.size(), "copies without a source");
      std::set<VReg> written;
      for (size_t i = 0; i < definitions.size() && m_fault.empty(); ++i) {
        require(definitions[i].dwords == 1 && fits(uses[i], 1), "a copy of more than a dword");
        require(isVector(definitions[i]) || !isVector(uses[i]), "a copy of a vector to a scalar");
        require(written.insert(definitions[i].value).second, "two copies to one register");
      }
      return;
    }
    case Form::Undefine:
      return require(definitions.size() == 1 && uses.empty(), "what is undefined is no register");
    case Form::Message:
      return require(uses.size() == 1 && !isVector(uses[0]) && fits(uses[0], 1), "a message without M0");
    case Form::Jump:
      if (instruction.opcode == Opcode::SEndpgm)
        return;
      require(row.encoding == Encoding::Sopp && instruction.imm < m_machine.blocks.size(), "a jump to nowhere");
      if (m_fault.empty())
        require(instruction.isLoopEnd == (instruction.imm <= m_block) &&
                    (!instruction.isLoopEnd || m_program.blocks[instruction.imm].isLoopHeader),
                "a jump back to what is no loop");
      return;
    case Form::Return:
      for (size_t i = 0; i < uses.size(); ++i)
        require(uses[i].kind != Operand::None && fits(uses[i], 1) && (i >= instruction.imm || !isVector(uses[i])),
                "a result of another bank");
      return;
    default:
      return;
    }
  }

  // "Vega" ISA manual, sections 6.2 and 6.2.1: one SGPR, or one literal in the short form.
  void checkValu(const MachineInstruction &instruction, const isa::OpcodeRow &row) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    if (row.encoding < Encoding::Vop1 || row.encoding > Encoding::Vop3)
      return fail("a scalar instruction in the place of a vector one");
    size_t made = 0;
    if (row.destinationDwords > 0 && made < definitions.size()) {
      const Operand &result = definitions[made++];
      require(row.is(traits::ScalarDestination) ? isSgprs(result, row.destinationDwords)
                                                : isVgprs(result, row.destinationDwords),
              "a result of another bank or width");
    }
    if (row.is(traits::MaskOut) && made < definitions.size())
      require(isSgprs(definitions[made++], 2), "a mask that is no pair of SGPRs");
    const bool takesMask = row.is(traits::MaskIn | traits::ReadsVcc);
    require(made == definitions.size() && made == size_t(row.destinationDwords > 0) + row.is(traits::MaskOut),
            "results that the instruction does not have");
    require(uses.size() == size_t(row.sourceCount) + takesMask && !row.is(traits::Accumulates),
            "sources that the instruction does not have");
    if (!m_fault.empty())
      return;

    std::set<uint64_t> onTheBus; // SGPRs and EXEC
    auto note = [&](const Operand &operand) {
      if (isScalar(operand) || operand.kind == Operand::Exec)
        onTheBus.insert(uint64_t(operand.kind) << 32 | operand.value);
    };
    unsigned literals = 0;
    const bool isShort = row.encoding != Encoding::Vop3 && instruction.modifiers.isNone() &&
                         !row.is(traits::MaskIn | traits::MaskOut) &&
                         (row.sourceCount < 2 || row.is(traits::LiteralSecond) || isVector(uses[1]));
    for (unsigned i = 0; i < row.sourceCount; ++i) {
      if (row.is(i == 1 ? traits::LiteralSecond : i == 2 ? traits::LiteralThird : traits::None)) {
        require(uses[i].kind == Operand::Constant, "a register in the place of a literal");
        ++literals;
        continue;
      }
      const bool isDouble = row.sourceDwords[i] == 2 && row.is(traits::ReadsMode) && isInline(uses[i]);
      require(isDouble || fits(uses[i], row.sourceDwords[i]), "a source of another width");
      note(uses[i]);
      if (isLiteral(uses[i])) {
        require(i == 0 && isShort && !row.is(traits::LiteralSecond | traits::LiteralThird),
                "a literal without a place");
        ++literals;
      }
    }
    if (row.is(traits::LiteralSecond))
      require(isVector(uses[2]), "a source that must be a VGPR");
    if (row.is(traits::LiteralThird))
      require(isVector(uses[1]), "a source that must be a VGPR");
    if (takesMask) {
      require(isSgprs(uses.back(), 2), "a mask that is no pair of SGPRs");
      note(uses.back());
    }
    require(onTheBus.size() + literals <= 1, "more than one scalar");
    if (instruction.opcode == Opcode::VReadfirstlaneB32 || instruction.opcode == Opcode::VReadlaneB32)
      require(isVector(uses[0]), "a lane of what is no VGPR");
    if (instruction.opcode == Opcode::VReadlaneB32)
      require(!isVector(uses[1]) && !isLiteral(uses[1]), "a number of a lane that is no scalar");
    const unsigned negated = instruction.modifiers.neg | instruction.modifiers.abs;
    require(negated >> row.sourceCount == 0 && (negated == 0 || row.is(traits::ReadsMode)),
            "a modifier of what is no float");
  }

  void checkSalu(const MachineInstruction &instruction, const isa::OpcodeRow &row) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    if (row.encoding > Encoding::Sopc)
      return fail("no scalar instruction");
    if (instruction.form == Form::SetExec)
      require(definitions.empty() && row.destinationDwords == 2, "EXEC is set to what is no mask");
    else if (row.destinationDwords == 0)
      require(definitions.empty(), "results that the instruction does not have");
    else
      require(definitions.size() == 1 && isSgprs(definitions[0], row.destinationDwords),
              "a result of another bank or width");
    require(uses.size() == row.sourceCount, "sources that the instruction does not have");
    if (!m_fault.empty())
      return;
    unsigned literals = 0;
    for (unsigned i = 0; i < row.sourceCount; ++i) {
      require(!isVector(uses[i]) && fits(uses[i], row.sourceDwords[i]), "a source of another bank or width");
      literals += isLiteral(uses[i]);
    }
    require(literals <= 1, "two literals");
  }

  void checkInterpolation(const MachineInstruction &instruction) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    const bool isMove = instruction.opcode == Opcode::VInterpMovF32;
    const bool isFirst = instruction.opcode == Opcode::VInterpP1F32 || instruction.opcode == Opcode::VInterpP1llF16;
    const bool isSecond = instruction.isTied || instruction.opcode == Opcode::VInterpP2F16;
    if (isMove + isFirst + isSecond != 1 || definitions.size() != 1 || !isVgprs(definitions[0], 1) ||
        uses.size() != (isMove    ? 1u
                        : isFirst ? 2u
                                  : 3u))
      return fail("an interpolation with other operands");
    const Operand &m0 = uses[isMove ? 0 : 1];
    require(!isVector(m0) && fits(m0, 1) && (isMove || isVgprs(uses[0], 1)), "an interpolation with other operands");
  }

  void checkAccess(const MachineInstruction &instruction, const isa::OpcodeRow &row, const Access &access) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    if (instruction.form != Form::Export)
      require(access.opcode == instruction.opcode, "another access's instruction");
    require(definitions.size() <= 1, "results that the instruction does not have");
    if (!m_fault.empty())
      return;
    size_t next = 0;
    auto take = [&]() -> Operand { return next < uses.size() ? uses[next++] : Operand(); };
    const bool isAtomic = row.is(traits::Loads) && row.is(traits::Stores);
    switch (instruction.form) {
    case Form::Smem: {
      require(definitions.size() == 1 && isSgprs(definitions[0], row.destinationDwords), "a result of another width");
      require(isSgprs(take(), row.sourceDwords[0]), "an address that is in no SGPRs");
      if (next < uses.size())
        require(isSgprs(take(), 1), "an offset that is in no SGPR");
      break;
    }
    case Form::Buffer:
    case Form::Image: {
      const bool isBuffer = instruction.form == Form::Buffer;
      const unsigned descriptorDwords = isBuffer ? 4 : 8;
      require(isSgprs(take(), descriptorDwords), "a descriptor that is in no SGPRs");
      if (isBuffer) {
        const Operand offset = take();
        require(isSgprs(offset, 1) || isInline(offset), "an offset that is in no SGPR");
      } else if (access.samples) {
        require(isSgprs(take(), 4), "a sampler that is in no SGPRs");
      }
      const unsigned addresses = isBuffer ? access.idxen + access.offen : access.addresses;
      if (addresses > 0)
        require(isVgprs(take(), addresses), "an address of another width");
      const unsigned stored = isBuffer ? row.sourceDwords[0] : unsigned(row.is(traits::Stores)) * access.dwords;
      unsigned dwords = 0;
      if (next < uses.size()) {
        const Operand data = take();
        dwords = data.dwords;
        require(isVector(data) && stored > 0 && (row.is(traits::PackedHalves) || isAtomic || dwords == stored),
                "data of another width");
      } else {
        require(stored == 0, "a store without data");
      }
      if (!definitions.empty())
        require(isVgprs(definitions[0], access.dwords) &&
                    (isAtomic ? definitions[0].value == uses.back().value : row.is(traits::Loads) || stored == 0),
                "a result of another width");
      else
        require(stored > 0, "a load without a result");
      break;
    }
    case Form::Flat: {
      require(isVgprs(take(), 2), "an address of another width");
      if (row.sourceDwords[0] > 0)
        require(isVgprs(take(), row.sourceDwords[0]), "data of another width");
      if (row.destinationDwords > 0 && (!isAtomic || access.returns))
        require(definitions.size() == 1 && isVgprs(definitions[0], row.destinationDwords), "a result of another width");
      else
        require(definitions.empty(), "results that the instruction does not have");
      break;
    }
    case Form::Lds: {
      for (unsigned i = 0; i < row.sourceCount; ++i)
        require(isVgprs(take(), row.sourceDwords[i]), "an address or data of another width");
      require(definitions.size() == (row.destinationDwords > 0) &&
                  (definitions.empty() || isVgprs(definitions[0], row.destinationDwords)),
              "a result of another width");
      break;
    }
    default: // Export
      require(definitions.empty() && uses.size() == 4, "an export with other operands");
      for (unsigned i = 0; i < 4 && m_fault.empty(); ++i) {
        const Operand source = take();
        require(access.dmask >> i & 1 ? isVgprs(source, 1) : source.kind == Operand::None,
                "an export of what is no VGPR");
      }
      break;
    }
    require(next == uses.size(), "sources that the instruction does not have");
  }

  const Program &m_program;
  const Machine &m_machine;
  const uint16_t m_block;
  const bool m_isGfx9;
  std::string_view m_fault; // a literal
};

} // namespace

std::string_view checkOperands(const Program &program, const Machine &machine, const MachineInstruction &instruction,
                               uint16_t block, bool isGfx9) {
  return OperandChecker(program, machine, block, isGfx9).run(instruction);
}

} // namespace dovetail::first
