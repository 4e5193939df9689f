// SPDX-License-Identifier: MIT
//
// Two proofs. By name: the values in registers start with those that the register values put there, and each part's
// inputs must be where it expects them. By data flow: registers that a part claims to preserve are followed through its
// code. The content of a register is one of three:
// - the content that some register had at the part's start;
// - computed, so it is something else;
// - opaque (loaded, or moved between lanes, as spilled registers are): it may be the old content, so it is no defect.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include "merge/check/register_numbers.h"
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace dovetail::check {

namespace {

constexpr uint16_t Computed = 0xfffe;
constexpr uint16_t Opaque = 0xffff; // others: the number of the register whose initial content it is

uint16_t meet(uint16_t a, uint16_t b) {
  if (a == b)
    return a;
  return a == Opaque || b == Opaque ? Opaque : Computed;
}

// The contents of registers where control leaves a part for the next one. Most registers are never asked for, so each
// is followed back from there when it is.
class PartEnd {
public:
  PartEnd(const Program &program, const ImagePart &part)
      : m_program(program), m_isInPart(program.instructions.size()), m_written(RegisterNumbers) {
    const auto first = program.indexAt.find(part.offset);
    if (first == program.indexAt.end())
      return;
    m_first = first->second;
    m_isLeft = m_isEmpty = part.size == 0;
    if (m_isEmpty)
      return;
    std::vector<uint32_t> work = {m_first};
    m_isInPart[m_first] = true;
    while (!work.empty()) {
      const uint32_t node = work.back();
      work.pop_back();
      for (const isa::RegisterRange &range : program.instructions[node].writes)
        for (unsigned i = 0; i < range.count; ++i)
          if (const std::optional<unsigned> to = numberOf(range, i))
            m_written[*to] = true;
      bool isExit = false;
      for (uint32_t successor : program.successors[node])
        if (program.partAt(program.instructions[successor].offset) != &part) {
          isExit = true;
        } else if (!m_isInPart[successor]) {
          m_isInPart[successor] = true;
          work.push_back(successor);
        }
      if (isExit)
        m_exits.push_back(node);
    }
    m_isLeft = !m_exits.empty();
  }

  bool isLeft() const { return m_isLeft; }

  uint16_t contentOf(unsigned reg) {
    if (m_isEmpty || !m_written[reg])
      return uint16_t(reg);
    const auto known = m_contents.find(reg);
    return known != m_contents.end() ? known->second : m_contents[reg] = follow(reg);
  }

private:
  struct Place {
    uint32_t node;
    unsigned reg;
  };

  uint16_t follow(unsigned reg) const {
    std::optional<uint16_t> content;
    auto found = [&](uint16_t one) { content = content ? meet(*content, one) : one; };
    std::map<unsigned, std::vector<bool>> seen; // by register: behind which instructions
    std::vector<Place> work;
    auto visit = [&](uint32_t node, unsigned wanted) {
      std::vector<bool> &nodes = seen[wanted];
      nodes.resize(m_isInPart.size());
      if (!nodes[node])
        work.push_back({node, wanted});
      nodes[node] = true;
    };
    for (uint32_t exit : m_exits)
      visit(exit, reg);
    while (!work.empty()) {
      Place place = work.back();
      work.pop_back();
      if (const std::optional<uint16_t> made = apply(m_program.instructions[place.node], place.reg)) {
        if (*made == Opaque)
          return Opaque;
        found(*made);
        continue;
      }
      if (place.node == m_first)
        found(uint16_t(place.reg));
      for (uint32_t predecessor : m_program.predecessors[place.node])
        if (m_isInPart[predecessor])
          visit(predecessor, place.reg);
    }
    return *content;
  }

  // What the instruction gives a register. Nothing if that is a content from in front of it: then `reg` becomes the
  // register that has it there.
  static std::optional<uint16_t> apply(const isa::Instruction &inst, unsigned &reg) {
    for (const isa::RegisterRange &range : inst.writes)
      for (unsigned i = 0; i < range.count; ++i) {
        if (numberOf(range, i) != reg)
          continue;
        if (const std::optional<PlainMove> move = asPlainMove(inst); move && move->from) {
          reg = *numberOf(*move->from, i);
          return std::nullopt;
        }
        const bool isOpaque = inst.is(isa::Load) || inst.mnemonic.starts_with("v_readlane") ||
                              inst.mnemonic.starts_with("v_readfirstlane");
        return isOpaque ? Opaque : Computed;
      }
    return std::nullopt;
  }

  const Program &m_program;
  uint32_t m_first = 0;
  bool m_isLeft = false, m_isEmpty = false;
  std::vector<bool> m_isInPart; // instructions that control comes to without leaving the part
  std::vector<bool> m_written;  // registers
  std::vector<uint32_t> m_exits;
  std::map<unsigned, uint16_t> m_contents; // that were asked for
};

void checkUnchanged(const Program &program, const ImagePart &part, PartEnd &end, Register now, Register then,
                    Defects &defects) {
  const uint16_t content = end.contentOf(numberOf(now));
  if (content != Opaque && content != numberOf(then))
    defects.add<NotPreserved>(program.place(part.offset), now, then);
}

} // namespace

void checkContracts(const Program &program, Defects &defects) {
  const ImageStage &stage = program.stage;
  std::map<Register, ValueName> live = entryValues(program.image, stage);
  for (unsigned i = 0; i < stage.partCount; ++i) {
    const ImagePart &placed = program.image.parts[stage.firstPart + i];
    const Contract &contract = placed.part->contract;
    for (const Binding &input : contract.inputs) {
      auto found = live.find(input.reg);
      bool isThere = found != live.end() && found->second == input.value;
      if (isThere || isListedForItsPlace(placed, input))
        continue;
      if (found == live.end())
        defects.add<InputMissing>(program.place(placed.offset), input.value, input.reg);
      else
        defects.add<InputIsAnother>(program.place(placed.offset), input.value, input.reg, found->second);
    }
    if (i + 1 == stage.partCount)
      break;

    PartEnd end(program, placed);
    if (!end.isLeft()) {
      defects.add<PartNeverLeft>(program.place(placed.offset));
      break;
    }
    for (uint16_t r = 0; r < contract.preservedSgprs && r < 102; ++r)
      checkUnchanged(program, placed, end, {RegisterBank::Sgpr, r}, {RegisterBank::Sgpr, r}, defects);
    for (uint16_t r = 0; r < contract.preservedVgprs && r < 256; ++r)
      checkUnchanged(program, placed, end, {RegisterBank::Vgpr, r}, {RegisterBank::Vgpr, r}, defects);

    // A register that no path through the part changes keeps its value; so the second half's values get past the first
    // half.
    std::map<Register, ValueName> next;
    for (const auto &[reg, value] : live)
      if (end.contentOf(numberOf(reg)) == numberOf(reg) ||
          reg.index < (reg.bank == RegisterBank::Sgpr ? contract.preservedSgprs : contract.preservedVgprs))
        next[reg] = value;
    for (const Binding &output : contract.outputs) {
      // A value that was there before the part must be handed on unchanged; no part computes user data. In a merged
      // program the value may be in two places: in the first half's register and where glue keeps it.
      std::vector<Register> places;
      for (const auto &[reg, value] : live)
        if (value == output.value && value.kind <= ValueKind::UserDataPadding)
          places.push_back(reg);
      bool isOneOfThem = std::ranges::any_of(
          places, [&](Register reg) { return end.contentOf(numberOf(output.reg)) == numberOf(reg); });
      if (!places.empty() && !isOneOfThem)
        checkUnchanged(program, placed, end, output.reg, places.front(), defects);
      next[output.reg] = output.value;
    }
    live = std::move(next);
  }
}

} // namespace dovetail::check
