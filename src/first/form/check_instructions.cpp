// SPDX-License-Identifier: MIT
#include "src/first/form/check_instructions.h"
#include "src/first/form/check_operands.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/BitVector.h>
#include <map>

namespace dovetail::first {

namespace {

using isa::Encoding;
using isa::Opcode;
using Operand = MachineOperand;
namespace traits = isa::traits;

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
  using Masks = std::map<VReg, unsigned>; // narrowings by registers

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
      if (const std::string_view rule = checkOperands(m_program, m_machine, instruction, m_block, m_isGfx9);
          !rule.empty())
        return fail(rule);
      checkHelpers(instruction);
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

  void checkHelpers(const MachineInstruction &instruction) {
    if (!isMemory(instruction.form) || instruction.form == Form::Export)
      return;
    const Access &access = m_program.accesses[instruction.imm];
    require(!access.writes || access.isPrivate || !m_hasHelpers || m_narrowings.size() > 1,
            "helper lanes write memory");
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
        require(hasWriter && (isa::rowOf(writer).encoding == Encoding::Sopc || isChoiceOfLanes(instruction)),
                "SCC of what is no comparison");
      m_isSccRead = true;
    }
    if (row.is(traits::WritesScc)) {
      require(m_isSccRead, "a comparison that nobody reads");
      m_sccWriter = m_at;
      m_isSccRead = row.encoding != Encoding::Sopc;
    }
  }

  // Of lanes that s_and_b64 has found, whether there are any: those themselves, or all that they are among.
  bool isChoiceOfLanes(const MachineInstruction &instruction) const {
    const MachineInstruction &writer = m_machine.instructions[m_sccWriter];
    if (instruction.opcode != Opcode::SCselectB64 || writer.opcode != Opcode::SAndB64)
      return false;
    const auto chosen = m_machine.usesOf(instruction), met = m_machine.usesOf(writer);
    auto isSame = [](const Operand &left, const Operand &right) {
      return left.kind == right.kind && left.value == right.value;
    };
    return isSame(chosen[0], m_machine.definitionsOf(writer)[0]) &&
           std::ranges::any_of(met, [&](const Operand &operand) { return isSame(operand, chosen[1]); });
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
      if (m_machine.isScalar(definition) && registerOf(definition).place == isa::VccLo.code) {
        require(m_isVccRead, "VCC that nobody reads");
        m_vccWriter = m_at;
        m_isVccRead = false;
      }
  }

  // Keeps EXEC, and narrows it.
  static bool savesExec(const MachineInstruction &instruction) {
    return instruction.opcode == Opcode::SAndSaveexecB64 || instruction.opcode == Opcode::SAndn1SaveexecB64;
  }

  // Of SetExec: sets lanes that are among those that run, or that ran before these were chosen of them.
  bool narrowsExec(const MachineInstruction &instruction) {
    const auto uses = m_machine.usesOf(instruction);
    const bool isFirst = uses[0].kind == Operand::Exec, isSecond = uses.size() > 1 && uses[1].kind == Operand::Exec;
    if (instruction.opcode == Opcode::SAndB64)
      return isFirst != isSecond;
    if (instruction.opcode == Opcode::SAndn2B64)
      return isFirst && !isSecond;
    if (instruction.opcode != Opcode::SXorB64 || !isFirst || uses[1].kind != Operand::Register ||
        m_narrowings.size() < 2)
      return false;
    m_narrowings.pop_back();
    return isNow(m_copiesOfExec.find(uses[1].value), m_copiesOfExec.end());
  }

  // Whether all lanes may run while it does, although it is none of the whole wave's.
  bool isSameInAllLanes(const MachineInstruction &instruction) const {
    const auto uses = m_machine.usesOf(instruction);
    return instruction.form == Form::Smem || instruction.opcode == Opcode::VReadlaneB32 ||
           (instruction.form == Form::Salu && !savesExec(instruction) &&
            std::ranges::count(uses, Operand::Exec, &Operand::kind) == 0);
  }

  // Its VGPRs belong to all lanes, so only all lanes write them, and these write no others.
  void checkWhole(const MachineInstruction &instruction) {
    require(m_isWhole == instruction.isWhole || (m_isWhole && isSameInAllLanes(instruction)),
            "lanes that do not run take part, or the whole wave does not");
    require(!m_isWhole || (!savesExec(instruction) &&
                           std::ranges::count(m_machine.usesOf(instruction), Operand::Exec, &Operand::kind) == 0),
            "the lanes that run are asked for while all do");
    for (const Operand &definition : m_machine.definitionsOf(instruction))
      require(!m_machine.isVector(definition) || registerOf(definition).isWhole == instruction.isWhole,
              "a VGPR of the whole wave is none of its own");
  }

  // Lanes among those of EXEC: some of them, and, where these are none, all.
  bool isPartOfExec(const MachineInstruction &instruction) const {
    if (instruction.form != Form::Salu)
      return false;
    auto isOfExec = [&](const Operand &operand) {
      return operand.kind == Operand::Exec ||
             (operand.kind == Operand::Register && (isNow(m_partsOfExec.find(operand.value), m_partsOfExec.end()) ||
                                                    isNow(m_copiesOfExec.find(operand.value), m_copiesOfExec.end())));
    };
    const auto uses = m_machine.usesOf(instruction);
    return (instruction.opcode == Opcode::SAndB64 && std::ranges::any_of(uses, isOfExec)) ||
           (instruction.opcode == Opcode::SCselectB64 && std::ranges::all_of(uses, isOfExec));
  }
  // Whether it was made of the lanes that EXEC has now.
  bool isNow(Masks::const_iterator mask, Masks::const_iterator none) const {
    return mask != none && mask->second == m_narrowings.back();
  }

  // EXEC is that of the block, one of the narrower ones that began within it, or all lanes.
  void checkExec(const MachineInstruction &instruction, bool isStart) {
    const auto definitions = m_machine.definitionsOf(instruction), uses = m_machine.usesOf(instruction);
    if (instruction.form == Form::SetExec) {
      if (!m_fault.empty())
        return;
      if (isStart) { // of the program, or of lanes that have waited
        m_copiesOfExec.clear();
        return require(m_block == 0 ? instruction.opcode == Opcode::SWqmB64 && uses[0].kind == Operand::Exec
                                    : instruction.opcode == Opcode::SMovB64 && uses[0].kind == Operand::Register,
                       "EXEC is set to what it was not");
      }
      const bool isBack = instruction.opcode == Opcode::SMovB64;
      const auto copy =
          isBack && uses[0].kind == Operand::Register ? m_copiesOfExec.find(uses[0].value) : m_copiesOfExec.end();
      if (isBack && uses[0].kind == Operand::Constant) {
        m_isWhole = true;
        return require(uses[0].value == UINT32_MAX, "EXEC is set to what it was not");
      }
      if (isBack && !m_isWhole && copy == m_copiesOfExec.end() &&
          isNow(m_partsOfExec.find(uses[0].value), m_partsOfExec.end())) {
        m_narrowings.push_back(++m_lastNarrowing);
        return;
      }
      m_isWhole = false;
      if (isBack) {
        const auto before =
            copy == m_copiesOfExec.end() ? m_narrowings.end() : std::ranges::find(m_narrowings, copy->second);
        if (before == m_narrowings.end())
          return fail("EXEC is set to what it was not");
        m_narrowings.erase(before + 1, m_narrowings.end());
        return;
      }
      require(narrowsExec(instruction), "EXEC is set to what it was not");
      m_narrowings.push_back(++m_lastNarrowing);
      return;
    }
    const bool isCopy =
        savesExec(instruction) ||
        (instruction.form == Form::Salu && instruction.opcode == Opcode::SMovB64 && uses[0].kind == Operand::Exec);
    const bool isPart = isPartOfExec(instruction);
    checkWhole(instruction);
    forEachRegister(definitions, [&](VReg reg) {
      for (VReg mask : {reg, reg - m_machine.registers[reg].index}) {
        m_copiesOfExec.erase(mask);
        m_partsOfExec.erase(mask);
      }
    });
    if (isCopy)
      m_copiesOfExec[definitions[0].value] = m_narrowings.back();
    if (isPart)
      m_partsOfExec[definitions[0].value] = m_narrowings.back();
    if (savesExec(instruction)) {
      m_narrowings.push_back(++m_lastNarrowing);
      return;
    }
    if (m_narrowings.size() > 1 && !m_isWhole && !isMemory(instruction.form))
      for (const Operand &definition : definitions)
        require(!m_machine.isVector(definition), "a VGPR is written while lanes are left out");
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
  Masks m_copiesOfExec;   // with the narrowing that each is of
  Masks m_partsOfExec;    // with the narrowing among whose lanes those of each are
  bool m_isWhole = false; // EXEC is -1, whatever m_narrowings says
};

} // namespace

std::string checkInstructions(const Program &program, const ControlFlow &flow, const Machine &machine,
                              const TargetInfo &target) {
  return InstructionChecker(program, flow, machine, target.gfxIp.major >= 9).run();
}

} // namespace dovetail::first
