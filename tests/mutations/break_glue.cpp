// SPDX-License-Identifier: MIT
//
// Places in the glue of merged programs: every instruction that decides how many lanes a half has, every move, every
// branch, and every instruction that sets MODE. Each is dropped. Where the instruction could as easily name another
// field, number or register, another mutant names that.
#include "tests/mutations/edit_part.h"
#include "tests/mutations/stage_program.h"
#include <algorithm>

namespace dovetail::mutations {

namespace {

bool writes(const isa::Instruction &instruction, isa::RegisterFile file) {
  return std::ranges::any_of(instruction.writes, [&](const isa::RegisterRange &range) { return range.file == file; });
}

std::optional<Register> writtenRegister(const isa::Instruction &instruction) {
  for (const isa::RegisterRange &range : instruction.writes) {
    if (range.file == isa::RegisterFile::Vgpr)
      return Register{RegisterBank::Vgpr, range.first};
    if (range.file == isa::RegisterFile::Sgpr)
      return Register{RegisterBank::Sgpr, range.first};
  }
  return std::nullopt;
}

std::optional<Register> readRegister(const isa::Instruction &instruction) {
  for (const isa::RegisterRange &range : instruction.reads) {
    if (range.file == isa::RegisterFile::Vgpr)
      return Register{RegisterBank::Vgpr, range.first};
    if (range.file == isa::RegisterFile::Sgpr)
      return Register{RegisterBank::Sgpr, range.first};
  }
  return std::nullopt;
}

// Stops the wave if the registers differ in any lane. The glue has all lanes on where it moves VGPRs, and VCC and SCC
// in use.
std::string compareInGlue(Register a, Register b) {
  if (a.bank == RegisterBank::Vgpr)
    return fmt::format("v_cmp_ne_u32 exec, v{}, v{}\ns_cbranch_execz same\ns_setkill 1\nsame:\ns_mov_b64 exec, -1",
                       a.index, b.index);
  return fmt::format("s_cmp_lg_u32 s{}, s{}\ns_cbranch_scc0 same\ns_setkill 1\nsame:", a.index, b.index);
}

class GlueBreaker {
public:
  GlueBreaker(const Subject &subject, size_t stage, size_t index, std::vector<Mutant> &mutants)
      : m_subject(subject), m_stage(stage), m_index(index), m_part(*subject.stages[stage].parts[index]),
        m_gpu(subject.target.gpuName), m_instructions(instructionsOf(m_part, m_gpu)), m_mutants(mutants) {}

  void run() {
    for (size_t i = 0; i < m_instructions.size(); ++i) {
      const isa::Instruction &instruction = m_instructions[i];
      if (instruction.mnemonic == "s_setreg_imm32_b32")
        breakMode(instruction);
      else if (instruction.is(isa::Branch | isa::EndsProgram))
        breakFlow(instruction);
      else if (writes(instruction, isa::RegisterFile::Exec) || writes(instruction, isa::RegisterFile::Vcc) ||
               instruction.mnemonic == "s_bitcmp1_b32")
        breakLanes(i);
      else if (instruction.is(isa::Salu | isa::Valu))
        breakMove(i);
    }
  }

private:
  EditedPart edit() const { return editPart(m_subject.stages, m_stage, m_index); }

  Mutant &add(MutationKind kind, const isa::Instruction &at, std::string_view how, EditedPart edited) {
    m_mutants.push_back({kind,
                         fmt::format("{} {:#x}: {}: {}", partName(m_subject.stages, m_stage, m_index), at.offset,
                                     textOf(m_part, at.offset, m_gpu), how),
                         std::move(edited.stages)});
    return m_mutants.back();
  }

  Mutant &drop(MutationKind kind, const isa::Instruction &instruction) {
    EditedPart edited = edit();
    dropInstruction(*edited.part, instruction, m_gpu);
    return add(kind, instruction, "dropped", std::move(edited));
  }

  Mutant &replace(MutationKind kind, const isa::Instruction &at, uint32_t dword, uint32_t value, std::string_view how) {
    EditedPart edited = edit();
    replaceDword(*edited.part, at.offset + 4 * dword, value, m_gpu);
    return add(kind, at, how, std::move(edited));
  }

  Mutant &putInFront(MutationKind kind, const isa::Instruction &at, std::string_view assembly) {
    EditedPart edited = edit();
    insert(*edited.part, at.offset, assembly, m_gpu);
    return add(kind, at, fmt::format("{} in front", assembly), std::move(edited));
  }

  void breakMode(const isa::Instruction &instruction) {
    drop(MutationKind::FloatMode, instruction);
    for (unsigned bit : {4u, 6u})
      replace(MutationKind::FloatMode, instruction, 1, dwordAt(m_part, instruction.offset + 4) ^ 3u << bit,
              fmt::format("bits {} and {}", bit, bit + 1));
  }

  void breakFlow(const isa::Instruction &instruction) {
    Mutant &mutant = drop(MutationKind::GlueBranch, instruction);
    if (m_index == 0 && !skipsFirstHalf(m_part, instruction))
      mutant.equivalent = whyVgprsAreInPlace();
    if (instruction.is(isa::EndsProgram))
      mutant.equivalent = whyIdleWithoutLanes(m_subject, m_stage, true);
    if (skipsFirstHalf(m_part, instruction))
      mutant.equivalent = whyIdleWithoutLanes(m_subject, m_stage, false);
  }

  void breakLanes(size_t i) {
    const isa::Instruction &instruction = m_instructions[i];
    const uint32_t word = dwordAt(m_part, instruction.offset);
    if (m_index == 0 && m_instructions[i + 1].is(isa::Branch))
      return breakBranchOnLanes(instruction);
    Mutant &dropped = drop(MutationKind::GlueExec, instruction);
    if (instruction.mnemonic == "s_mov_b64" && m_index != 0 && !hasVectorMoves())
      dropped.equivalent = "no vector instruction runs before EXEC is set again";
    if (instruction.mnemonic == "s_bfe_u32") {
      const uint32_t field = dwordAt(m_part, instruction.offset + 4);
      replace(MutationKind::GlueExec, instruction, 1, field ^ 8, "the other half's field");
      replace(MutationKind::GlueExec, instruction, 1, field + 1, "one bit too high");
      replace(MutationKind::GlueExec, instruction, 1, field - (2 << 16), "two bits too narrow");
    }
    if (instruction.mnemonic == "s_bfm_b64") {
      replace(MutationKind::GlueExec, instruction, 0, word + (1 << 8), "from lane 1 on");
      putInFront(MutationKind::GlueExec, instruction, "s_add_u32 vcc_lo, vcc_lo, 1");
      putInFront(MutationKind::GlueExec, instruction, "s_sub_u32 vcc_lo, vcc_lo, 1");
    }
    if (instruction.mnemonic == "s_bitcmp1_b32")
      replace(MutationKind::GlueExec, instruction, 0, word - (1 << 8), "bit 5");
  }

  // GFX9's first GPUs load an LS's VGPRs elsewhere in waves without control threads. So only the presence of control
  // threads counts.
  void breakBranchOnLanes(const isa::Instruction &count) {
    drop(MutationKind::GlueBranch, count).equivalent = whyVgprsAreInPlace();
    replace(MutationKind::GlueBranch, count, 1, dwordAt(m_part, count.offset + 4) ^ 8, "the other half's field")
        .equivalent = whyVgprsAreInPlace();
  }

  std::string whyVgprsAreInPlace() const {
    const auto &layout = m_subject.image->tessellation;
    return layout && layout->inputControlPoints <= layout->outputControlPoints
               ? "every wave with vertices has control threads"
               : "";
  }

  // The first half leaves the value in its place.
  std::string whyInPlace(Register to, Register from) const {
    const Contract &before = m_subject.stages[m_stage].parts[m_index - 1]->contract;
    for (const Binding &kept : m_part.contract.inputs)
      if (kept.reg == from && std::ranges::find(before.outputs, Binding{kept.value, to}) != before.outputs.end())
        return "the first half leaves the value there";
    return {};
  }

  bool hasVectorMoves() const {
    return std::ranges::any_of(m_instructions, [](const isa::Instruction &other) { return other.is(isa::Valu); });
  }

  void breakMove(size_t i) {
    const isa::Instruction &move = m_instructions[i];
    Mutant &dropped = drop(MutationKind::GlueMove, move);
    std::optional<Register> to = writtenRegister(move), from = readRegister(move);
    if (to && from && m_index != 0 && move.mnemonic == "s_mov_b32")
      dropped.equivalent = whyInPlace(*to, *from);
    if (to && from)
      dropped.probes.push_back({"the register holds the value anyhow", compared(move, *to, *from)});
    if (i + 1 == m_instructions.size())
      return;
    // Exchanges the sources of this move and the next. A move has its source in its lowest bits.
    const isa::Instruction &next = m_instructions[i + 1];
    if (next.mnemonic != move.mnemonic || move.mnemonic.find("_mov_b32") == std::string_view::npos || next.size != 4 ||
        move.size != 4)
      return;
    const uint32_t mask = move.is(isa::Valu) ? 0x1ff : 0xff;
    const uint32_t a = dwordAt(m_part, move.offset), b = dwordAt(m_part, next.offset);
    EditedPart crossed = edit();
    replaceDword(*crossed.part, move.offset, (a & ~mask) | (b & mask), m_gpu);
    replaceDword(*crossed.part, next.offset, (b & ~mask) | (a & mask), m_gpu);
    Mutant &mutant = add(MutationKind::GlueMove, move, "source exchanged with the next one's", std::move(crossed));
    std::optional<Register> other = readRegister(next);
    if (from && other)
      mutant.probes.push_back(
          {"both registers hold the same in all lanes of all scenes", compared(move, *from, *other)});
  }

  Stages compared(const isa::Instruction &at, Register a, Register b) const {
    EditedPart edited = edit();
    insert(*edited.part, at.offset, compareInGlue(a, b), m_gpu);
    return std::move(edited.stages);
  }

  const Subject &m_subject;
  size_t m_stage, m_index;
  const Part &m_part;
  const std::string_view m_gpu;
  std::vector<isa::Instruction> m_instructions;
  std::vector<Mutant> &m_mutants;
};

} // namespace

std::vector<Mutant> breakGlue(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage)
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index)
      if (subject.stages[stage].parts[index]->key.kind == PartKind::Glue)
        GlueBreaker(subject, stage, index, mutants).run();
  return mutants;
}

} // namespace dovetail::mutations
