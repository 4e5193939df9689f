// SPDX-License-Identifier: MIT
//
// Two proofs. By name: the values in registers start with those that the register values put there, and each part's
// inputs must be where it expects them. By data flow: registers that a part claims to preserve are followed through its
// code. The content of a register is one of three:
// - the content that some register had at the part's start;
// - computed, so it is something else;
// - opaque (loaded, or moved between lanes, as spilled registers are): it may be the old content, so it is no defect.
#include "merge/check/checks.h"
#include "merge/check/data_flow.h"
#include "merge/check/entry.h"
#include "merge/check/register_numbers.h"
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace dovetail::check {

namespace {

constexpr uint16_t Computed = 0xfffe;
constexpr uint16_t Opaque = 0xffff;
using Contents = std::array<uint16_t, RegisterNumbers>; // or the number of the register whose initial content it is

void apply(const isa::Instruction &inst, Contents &contents) {
  const std::optional<PlainMove> move = asPlainMove(inst);
  bool opaque =
      inst.is(isa::Load) || inst.mnemonic.starts_with("v_readlane") || inst.mnemonic.starts_with("v_readfirstlane");
  const Contents old = contents;
  for (const isa::RegisterRange &range : inst.writes)
    for (unsigned i = 0; i < range.count; ++i)
      if (std::optional<unsigned> to = numberOf(range, i)) {
        contents[*to] = opaque ? Opaque : Computed;
        if (move && move->from)
          contents[*to] = old[*numberOf(*move->from, i)];
      }
}

uint16_t meet(uint16_t a, uint16_t b) {
  if (a == b)
    return a;
  return a == Opaque || b == Opaque ? Opaque : Computed;
}

Contents meet(const Contents &a, const Contents &b) {
  Contents merged;
  for (unsigned i = 0; i < RegisterNumbers; ++i)
    merged[i] = meet(a[i], b[i]);
  return merged;
}

// The contents of all registers where control leaves the part for the next one; nothing if control never leaves.
std::optional<Contents> contentsAtEnd(const Program &program, const ImagePart &part) {
  if (!program.indexAt.contains(part.offset))
    return std::nullopt;
  Contents initial;
  for (unsigned i = 0; i < RegisterNumbers; ++i)
    initial[i] = uint16_t(i);
  if (part.size == 0)
    return initial;
  std::optional<Contents> end;
  flowForward(
      program, part.offset, initial,
      [&](uint32_t node, const Contents &before, const auto &pass) {
        Contents after = before;
        apply(program.instructions[node], after);
        for (uint32_t successor : program.successors[node])
          if (program.partAt(program.instructions[successor].offset) == &part)
            pass(successor, after);
          else
            end = end ? meet(*end, after) : after;
      },
      [](const Contents &a, const Contents &b) { return meet(a, b); });
  return end;
}

void checkUnchanged(const Program &program, const ImagePart &part, const Contents &end, Register now, Register then,
                    Defects &defects) {
  uint16_t content = end[numberOf(now)];
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

    std::optional<Contents> end = contentsAtEnd(program, placed);
    if (!end) {
      defects.add<PartNeverLeft>(program.place(placed.offset));
      break;
    }
    for (uint16_t r = 0; r < contract.preservedSgprs && r < 102; ++r)
      checkUnchanged(program, placed, *end, {RegisterBank::Sgpr, r}, {RegisterBank::Sgpr, r}, defects);
    for (uint16_t r = 0; r < contract.preservedVgprs && r < 256; ++r)
      checkUnchanged(program, placed, *end, {RegisterBank::Vgpr, r}, {RegisterBank::Vgpr, r}, defects);

    // A register that no path through the part changes keeps its value; so the second half's values get past the first
    // half.
    std::map<Register, ValueName> next;
    for (const auto &[reg, value] : live)
      if ((*end)[numberOf(reg)] == numberOf(reg) ||
          reg.index < (reg.bank == RegisterBank::Sgpr ? contract.preservedSgprs : contract.preservedVgprs))
        next[reg] = value;
    for (const Binding &output : contract.outputs) {
      // A value that was there before the part must be handed on unchanged; no part computes user data. In a merged
      // program the value may be in two places: in the first half's register and where glue keeps it.
      std::vector<Register> places;
      for (const auto &[reg, value] : live)
        if (value == output.value && value.kind <= ValueKind::UserDataPadding)
          places.push_back(reg);
      bool isOneOfThem =
          std::ranges::any_of(places, [&](Register reg) { return (*end)[numberOf(output.reg)] == numberOf(reg); });
      if (!places.empty() && !isOneOfThem)
        checkUnchanged(program, placed, *end, output.reg, places.front(), defects);
      next[output.reg] = output.value;
    }
    live = std::move(next);
  }
}

} // namespace dovetail::check
