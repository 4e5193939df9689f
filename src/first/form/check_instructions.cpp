// SPDX-License-Identifier: MIT
#include "src/first/form/check_instructions.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/BitVector.h>
#include <map>
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

bool isMemory(Form form) {
  return form == Form::Buffer || form == Form::Image || form == Form::Flat || form == Form::Lds || form == Form::Export;
}

class InstructionChecker {
public:
  InstructionChecker(const Program &program, const ControlFlow &flow, const Machine &machine, bool isGfx9)
      : m_program(program), m_flow(flow), m_machine(machine), m_isGfx9(isGfx9),
        m_hasHelpers(program.needsQuads || std::ranges::count(program.nodes, Op::Kill, &Node::op) > 0) {}

  std::string run() {
    if (m_machine.blocks.size() != m_program.blocks.size())
      return "blocks without instructions";
    for (uint16_t block = 0; block < m_machine.blocks.size() && m_fault.empty(); ++block) {
      m_block = block;
      checkBlock(m_machine.blocks[block]);
    }
    if (m_fault.empty())
      checkDefinitions();
    if (m_fault.empty())
      checkPhis();
    if (m_fault.empty())
      checkSlots();
    if (m_fault.empty())
      checkLoops();
    return m_fault;
  }

private:
  void fail(std::string_view rule) {
    if (!m_fault.empty())
      return;
    if (m_at >= m_machine.instructions.size())
      m_fault = fmt::format("{}, block {}", rule, m_block);
    else
      m_fault = fmt::format("{}: {}, instruction {} of block {}", rule,
                            isa::rowOf(m_machine.instructions[m_at].opcode).mnemonic(m_isGfx9), m_at, m_block);
  }
  void require(bool holds, std::string_view rule) {
    if (!holds)
      fail(rule);
  }

  const VirtualRegister &registerOf(const Operand &operand) const { return m_machine.registers[operand.value]; }
  bool isVector(const Operand &operand) const {
    return operand.kind == Operand::Register && registerOf(operand).bank == Bank::Vector;
  }
  bool isScalar(const Operand &operand) const {
    return operand.kind == Operand::Register && registerOf(operand).bank == Bank::Scalar;
  }
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

  template <typename Function>
  static void forEachRegister(std::span<const Operand> operands, const Function &function) {
    for (const Operand &operand : operands)
      if (operand.kind == Operand::Register)
        for (unsigned i = 0; i < operand.dwords; ++i)
          function(operand.value + i);
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

  void checkBlock(const MachineBlock &block) {
    m_at = UINT32_MAX;
    if (block.first > block.entry || block.entry > block.end || block.end > m_machine.instructions.size())
      return fail("a block that is not in the code");
    m_sccWriter = m_vccWriter = UINT32_MAX;
    m_isSccRead = m_isVccRead = true;
    m_narrowings = {0};
    m_lastNarrowing = 0;
    m_copiesOfExec.clear();
    m_partsOfExec.clear();
    m_isWhole = false;
    uint32_t narrowedAt = UINT32_MAX, lastOther = 0;
    unsigned repetitions = 0;
    Opcode lastSetExec = Opcode::SNop;
    for (m_at = block.first; m_at < block.end && m_fault.empty(); ++m_at) {
      const MachineInstruction &instruction = m_machine.instructions[m_at];
      checkOperands(instruction);
      if (!m_fault.empty())
        return;
      checkForm(instruction);
      checkScc(instruction);
      checkDivision(instruction);
      if (instruction.form == Form::RepeatBegin) {
        require(++repetitions == 1, "a repetition within another one");
        m_narrowingsOutside = m_narrowings.size();
      }
      if (instruction.form == Form::RepeatEnd)
        require(repetitions-- == 1 && lastSetExec == Opcode::SXorB64, "a repetition that does not end");
      if (repetitions > 0 && isMemory(instruction.form))
        require(m_narrowings.size() > m_narrowingsOutside, "an access of lanes with other descriptors");
      if (instruction.form == Form::SetExec)
        lastSetExec = instruction.opcode;
      const bool wasWhole = m_narrowings.size() == 1;
      checkExec(instruction, m_at < block.entry);
      if (wasWhole && m_narrowings.size() > 1)
        narrowedAt = m_at;
      if (instruction.form != Form::Jump && instruction.form != Form::Return && instruction.form != Form::SetExec &&
          !savesExec(instruction))
        lastOther = m_at;
    }
    if (!m_fault.empty())
      return;
    m_at = UINT32_MAX;
    require(repetitions == 0, "a repetition that does not end");
    require(!m_isWhole, "the whole wave goes on");
    require(m_narrowings.size() == 1 || lastOther < narrowedAt, "EXEC is not set back");
    require(m_narrowings.size() > 1 || !mustNarrow(), "lanes that go elsewhere go on");
    require(m_isSccRead && m_isVccRead, "a comparison that nobody reads");
    if (m_block + 1u == m_machine.blocks.size())
      require(block.end > block.first && endsCode(m_machine.instructions[block.end - 1]), "code without an end");
  }

  // Of the lanes that part at the block's end, some go on with the next block, or back to a loop's start. At the
  // program's end, helper lanes have no results.
  bool mustNarrow() const {
    const Block &block = m_program.blocks[m_block];
    if (block.terminator == Terminator::End)
      return m_hasHelpers;
    return m_flow.ways[m_block].isDivergent && std::ranges::any_of(block.successors, [&](uint16_t successor) {
             return successor <= m_block || (successor == m_block + 1 && m_flow.ways[successor].slot == Slot::None);
           });
  }

  static bool endsCode(const MachineInstruction &instruction) {
    return instruction.form == Form::Return || instruction.opcode == Opcode::SEndpgm;
  }

  void checkOperands(const MachineInstruction &instruction) {
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
    require(!access.writes || access.isPrivate || !m_hasHelpers || m_narrowings.size() > 1 ||
                instruction.form == Form::Export,
            "helper lanes write memory");
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

  // Comparisons are read by what stands behind them, and carries by the second half of a sum.
  void checkScc(const MachineInstruction &instruction) {
    if (instruction.form != Form::Salu && instruction.form != Form::SetExec && instruction.form != Form::Jump)
      return;
    const isa::OpcodeRow &row = isa::rowOf(instruction.opcode);
    if (row.is(traits::ReadsScc)) {
      const bool hasWriter = m_sccWriter != UINT32_MAX;
      const Opcode writer = hasWriter ? m_machine.instructions[m_sccWriter].opcode : Opcode::SNop;
      if (instruction.opcode == Opcode::SAddcU32)
        require(writer == Opcode::SAddU32 || writer == Opcode::SAddcU32, "a carry of another instruction");
      else if (instruction.opcode == Opcode::SSubbU32)
        require(writer == Opcode::SSubU32 || writer == Opcode::SSubbU32, "a borrow of another instruction");
      else
        require(hasWriter && (isa::rowOf(writer).encoding == Encoding::Sopc || writer == Opcode::SAndB64),
                "SCC of what is no comparison"); // or of whether a mask has lanes
      m_isSccRead = true;
    }
    if (row.is(traits::WritesScc)) {
      require(m_isSccRead, "a comparison that nobody reads");
      m_sccWriter = m_at;
      m_isSccRead = row.encoding != Encoding::Sopc;
    }
  }

  // v_div_fmas reads VCC, which no other instruction than the division's v_div_scale may write in front of it.
  void checkDivision(const MachineInstruction &instruction) {
    if (instruction.form != Form::Valu)
      return;
    if (isa::rowOf(instruction.opcode).is(traits::ReadsVcc)) {
      const Operand &mask = m_machine.usesOf(instruction).back();
      require(mask.kind == Operand::Register && registerOf(mask).place == isa::VccLo.code && m_machine.keepsVcc,
              "a mask that is not in VCC");
      const Opcode scale = instruction.opcode == Opcode::VDivFmasF32 ? Opcode::VDivScaleF32 : Opcode::VDivScaleF64;
      require(m_vccWriter != UINT32_MAX && m_machine.instructions[m_vccWriter].opcode == scale,
              "VCC of another instruction");
      m_isVccRead = true;
    }
    for (const Operand &definition : m_machine.definitionsOf(instruction))
      if (isScalar(definition) && registerOf(definition).place == isa::VccLo.code) {
        require(m_isVccRead, "VCC that nobody reads");
        m_vccWriter = m_at;
        m_isVccRead = false;
      }
  }

  // Keeps EXEC, and narrows it.
  static bool savesExec(const MachineInstruction &instruction) {
    return instruction.opcode == Opcode::SAndSaveexecB64 || instruction.opcode == Opcode::SAndn1SaveexecB64;
  }

  // Whether all lanes may run while it does, although it is none of the whole wave's.
  bool isSameInAllLanes(const MachineInstruction &instruction) const {
    const auto uses = m_machine.usesOf(instruction);
    return instruction.form == Form::Smem || instruction.opcode == Opcode::VReadlaneB32 ||
           (instruction.form == Form::Salu && std::ranges::count(uses, Operand::Exec, &Operand::kind) == 0);
  }

  // Its VGPRs belong to all lanes, so only all lanes write them, and these write no others.
  void checkWhole(const MachineInstruction &instruction) {
    require(m_isWhole == instruction.isWhole || (m_isWhole && isSameInAllLanes(instruction)),
            "lanes that do not run take part, or the whole wave does not");
    for (const Operand &definition : m_machine.definitionsOf(instruction))
      require(!isVector(definition) || registerOf(definition).isWhole == instruction.isWhole,
              "a VGPR of the whole wave is none of its own");
  }

  // Lanes among those of EXEC: some of them, and, where these are none, all.
  void noteParts(const MachineInstruction &instruction) {
    if (instruction.form != Form::Salu || instruction.definitions != 1)
      return;
    const auto uses = m_machine.usesOf(instruction);
    auto isOfExec = [&](const Operand &operand) {
      return operand.kind == Operand::Exec ||
             (operand.kind == Operand::Register &&
              (m_partsOfExec.contains(operand.value) || isNow(m_copiesOfExec.find(operand.value))));
    };
    const bool isPart = (instruction.opcode == Opcode::SAndB64 && std::ranges::any_of(uses, isOfExec)) ||
                        (instruction.opcode == Opcode::SCselectB64 && std::ranges::all_of(uses, isOfExec));
    const VReg made = m_machine.definitionsOf(instruction)[0].value;
    if (isPart)
      m_partsOfExec.insert(made);
    else
      m_partsOfExec.erase(made);
  }
  bool isNow(std::map<VReg, unsigned>::const_iterator copy) const {
    return copy != m_copiesOfExec.end() && copy->second == m_narrowings.back();
  }

  // EXEC is that of the block, one of the narrower ones that began within it, or all lanes.
  void checkExec(const MachineInstruction &instruction, bool isStart) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    if (instruction.form == Form::SetExec) {
      if (isStart || !m_fault.empty())
        return;
      const bool isBack = instruction.opcode == Opcode::SMovB64;
      if (isBack && uses[0].kind == Operand::Constant) {
        m_isWhole = true;
        return require(uses[0].value == UINT32_MAX, "EXEC is set to what it was not");
      }
      if (isBack && !m_isWhole && m_partsOfExec.contains(uses[0].value)) {
        m_narrowings.push_back(++m_lastNarrowing);
        return;
      }
      m_isWhole = false;
      if (isBack) {
        const auto copy = uses[0].kind == Operand::Register ? m_copiesOfExec.find(uses[0].value) : m_copiesOfExec.end();
        const auto before =
            copy == m_copiesOfExec.end() ? m_narrowings.end() : std::ranges::find(m_narrowings, copy->second);
        if (before == m_narrowings.end())
          return fail("EXEC is set to what it was not");
        m_narrowings.erase(before + 1, m_narrowings.end());
        return;
      }
      if (instruction.opcode == Opcode::SWqmB64)
        return require(m_block == 0 && m_narrowings.size() == 1, "whole quads within the code");
      require(std::ranges::count(uses, Operand::Exec, &Operand::kind) == 1, "EXEC is set to what it was not");
      m_narrowings.push_back(++m_lastNarrowing);
      return;
    }
    const bool isCopy =
        savesExec(instruction) ||
        (instruction.form == Form::Salu && instruction.opcode == Opcode::SMovB64 && uses[0].kind == Operand::Exec);
    noteParts(instruction);
    checkWhole(instruction);
    forEachRegister(definitions, [&](VReg reg) { m_copiesOfExec.erase(reg); });
    if (isCopy)
      m_copiesOfExec[definitions[0].value] = m_narrowings.back();
    if (savesExec(instruction)) {
      m_narrowings.push_back(++m_lastNarrowing);
      return;
    }
    if (m_narrowings.size() > 1 && !m_isWhole && !isMemory(instruction.form))
      for (const Operand &definition : definitions)
        require(!isVector(definition), "a VGPR is written while lanes are left out");
  }

  // Lanes follow the program's edges, and bring all registers along.
  void checkDefinitions() {
    const size_t registers = m_machine.registers.size(), blocks = m_machine.blocks.size();
    std::vector<llvm::BitVector> in(blocks, llvm::BitVector(unsigned(registers), true));
    in[0].reset();
    in[0].set(0, m_machine.arguments);
    auto through = [&](uint16_t block, llvm::BitVector &known, bool isChecked) {
      m_block = block;
      for (m_at = m_machine.blocks[block].first; m_at < m_machine.blocks[block].end; ++m_at) {
        const MachineInstruction &instruction = m_machine.instructions[m_at];
        if (isChecked)
          forEachRegister(m_machine.usesOf(instruction),
                          [&](VReg reg) { require(known[reg], "a register that is read before it is written"); });
        forEachRegister(m_machine.definitionsOf(instruction), [&](VReg reg) { known.set(reg); });
      }
    };
    for (bool isChanged = blocks > 1; isChanged;) {
      isChanged = false;
      for (uint16_t block = 0; block < blocks; ++block) {
        llvm::BitVector known = in[block];
        through(block, known, false);
        const Block &source = m_program.blocks[block];
        for (unsigned s = 0; s < source.successorCount(); ++s) {
          llvm::BitVector &next = in[source.successors[s]];
          llvm::BitVector met = next;
          met &= known;
          if (met != next) {
            isChanged |= source.successors[s] <= block;
            next = std::move(met);
          }
        }
      }
    }
    for (uint16_t block = 0; block < blocks && m_fault.empty(); ++block)
      through(block, in[block], true);
  }

  // The last thing that a block does to a phi of its successor is to set it, for each phi that is used.
  void checkPhis() {
    m_at = UINT32_MAX;
    std::map<std::pair<uint16_t, uint16_t>, size_t> copies;
    for (const PhiCopy &copy : m_machine.phiCopies) {
      m_block = copy.from;
      ++copies[{copy.from, copy.into}];
      const MachineBlock &block = m_machine.blocks[copy.from];
      const MachineInstruction *last = nullptr;
      for (uint32_t i = block.first; i < block.end; ++i)
        forEachRegister(m_machine.definitionsOf(m_machine.instructions[i]), [&](VReg reg) {
          if (reg == copy.to)
            last = &m_machine.instructions[i];
        });
      require(last && (last->form == Form::Copies || last->form == Form::Undefine), "a phi that is not set");
    }
    for (m_block = 0; m_block < m_program.blocks.size(); ++m_block) {
      const Block &block = m_program.blocks[m_block];
      const size_t used =
          size_t(std::ranges::count_if(block.phis, [&](NodeId phi) { return m_program.nodes[phi].uses > 0; }));
      for (uint16_t predecessor : block.predecessors)
        require(copies[{predecessor, m_block}] == used, "a phi that is not set");
    }
  }

  // Lanes that wait for a block are in its slot: from its setter's end, and from the ends of all blocks that add
  // theirs.
  void checkSlots() {
    m_at = UINT32_MAX;
    auto writes = [&](uint16_t number, VReg slot, std::initializer_list<Opcode> opcodes) {
      const MachineBlock &block = m_machine.blocks[number];
      for (uint32_t i = block.entry; i < block.end; ++i) {
        const MachineInstruction &instruction = m_machine.instructions[i];
        const auto definitions = m_machine.definitionsOf(instruction);
        if (!definitions.empty() && definitions[0].value == slot &&
            std::ranges::find(opcodes, instruction.opcode) != opcodes.end())
          return true;
      }
      return false;
    };
    for (m_block = 0; m_block < m_machine.blocks.size(); ++m_block) {
      const Way &way = m_flow.ways[m_block];
      VReg slot = NoRegister;
      for (uint32_t i = m_machine.blocks[m_block].first; i < m_machine.blocks[m_block].entry; ++i)
        if (m_machine.instructions[i].form == Form::SetExec && m_machine.instructions[i].opcode == Opcode::SMovB64)
          slot = m_machine.usesOf(m_machine.instructions[i])[0].value;
      require((slot != NoRegister) == (way.slot != Slot::None), "a block that does not know its lanes");
      if (way.slot == Slot::None || !m_fault.empty())
        continue;
      require(way.slot == Slot::Assigned
                  ? writes(way.setter, slot, {Opcode::SAndB64, Opcode::SAndn2B64})
                  : writes(way.setter, slot, {Opcode::SMovB64, Opcode::SAndSaveexecB64, Opcode::SAndn1SaveexecB64}),
              "a slot that does not begin");
      if (way.slot == Slot::Collected)
        for (uint16_t predecessor : m_program.blocks[m_block].predecessors)
          require(predecessor >= m_block || writes(predecessor, slot, {Opcode::SOrB64}), "lanes that are not added");
    }
  }

  bool isLeftApart(const Loop &loop) const {
    for (uint16_t block = loop.header; block <= loop.last; ++block) {
      const Block &source = m_program.blocks[block];
      if (source.terminator == Terminator::Branch && m_program.nodes[source.condition].bank == Bank::Vector &&
          std::ranges::any_of(source.successors, [&](uint16_t to) { return to < loop.header || to > loop.last; }))
        return true;
    }
    return false;
  }

  // Where lanes leave a loop apart, those that stay write its SGPRs anew.
  void checkLoops() {
    m_at = UINT32_MAX;
    struct Blocks {
      uint16_t first = UINT16_MAX, last = 0;
      void add(uint16_t block) { first = std::min(first, block), last = std::max(last, block); }
    };
    std::vector<Blocks> written(m_machine.registers.size());
    auto forAll = [&](auto operandsOf, auto function) {
      for (uint16_t block = 0; block < m_machine.blocks.size(); ++block)
        for (uint32_t i = m_machine.blocks[block].first; i < m_machine.blocks[block].end; ++i)
          forEachRegister(operandsOf(m_machine.instructions[i]), [&](VReg reg) {
            if (m_machine.registers[reg].bank == Bank::Scalar)
              function(block, reg);
          });
    };
    forAll([&](const MachineInstruction &instruction) { return m_machine.definitionsOf(instruction); },
           [&](uint16_t block, VReg reg) { written[reg].add(block); });
    forAll([&](const MachineInstruction &instruction) { return m_machine.usesOf(instruction); },
           [&](uint16_t block, VReg reg) {
             if (written[reg].first == UINT16_MAX)
               return;
             for (uint16_t loop = m_program.blocks[written[reg].first].loop; loop != UINT16_MAX;
                  loop = m_program.loops[loop].parent) {
               const Loop &around = m_program.loops[loop];
               if (written[reg].last > around.last || (block >= around.header && block <= around.last))
                 continue;
               m_block = block;
               require(!isLeftApart(around), "a scalar of a loop that lanes leave apart");
             }
           });
  }

  const Program &m_program;
  const ControlFlow &m_flow;
  const Machine &m_machine;
  const bool m_isGfx9;
  const bool m_hasHelpers; // helper lanes, or discarded ones, run
  std::string m_fault;
  uint16_t m_block = 0;
  uint32_t m_at = UINT32_MAX; // instruction
  // Of the block, in front of the instruction:
  uint32_t m_sccWriter = UINT32_MAX, m_vccWriter = UINT32_MAX; // the last instructions that wrote it
  bool m_isSccRead = true, m_isVccRead = true;                 // what a comparison, or v_div_scale, wrote
  std::vector<unsigned> m_narrowings;                          // each within the one before; the first: all lanes
  size_t m_narrowingsOutside = 0;                              // of the repetition
  unsigned m_lastNarrowing = 0;
  std::map<VReg, unsigned> m_copiesOfExec; // the narrowing that each is of
  std::set<VReg> m_partsOfExec;            // of the narrowing that is in force when they are made
  bool m_isWhole = false;                  // EXEC is -1, whatever m_narrowings says
};

} // namespace

std::string checkInstructions(const Program &program, const ControlFlow &flow, const Machine &machine,
                              const TargetInfo &target) {
  return InstructionChecker(program, flow, machine, target.gfxIp.major >= 9).run();
}

} // namespace dovetail::first
