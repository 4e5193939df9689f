// SPDX-License-Identifier: MIT
//
// Two proofs. By name: starting from what the register values put into registers, each part's inputs are looked for
// where it expects them. By dataflow: what a part claims to hand on unchanged is followed through its code. A
// register's content is one of: the content that some register had at the part's start; computed (so it is something
// else); or opaque (loaded or moved between lanes, as spilled registers are), which is given the benefit of the doubt.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace dovetail::check {

namespace {

constexpr unsigned FirstVgpr = 128;
constexpr unsigned RegisterCount = FirstVgpr + 256;
constexpr uint16_t Computed = 0xfffe;
constexpr uint16_t Opaque = 0xffff;
using Contents = std::array<uint16_t, RegisterCount>; // otherwise the register whose initial content it is

unsigned numberOf(Register reg) {
  return reg.bank == RegisterBank::Sgpr ? reg.index : FirstVgpr + reg.index;
}

std::optional<unsigned> numberOf(const isa::RegisterRange &range, unsigned i) {
  if (range.file == isa::RegisterFile::Sgpr)
    return range.first + i;
  if (range.file == isa::RegisterFile::Vgpr)
    return FirstVgpr + range.first + i;
  if (range.file == isa::RegisterFile::Vcc)
    return 106 + range.first + i;
  return std::nullopt;
}

// The one register operand of a plain move, or nullptr.
const isa::RegisterRange *movedFrom(const isa::Instruction &inst) {
  if (!(inst.mnemonic == "v_mov_b32" || inst.mnemonic == "v_mov_b32_e32" || inst.mnemonic == "s_mov_b32" ||
        inst.mnemonic == "s_mov_b64") ||
      inst.is(isa::Dpp | isa::Sdwa))
    return nullptr;
  for (const isa::RegisterRange &range : inst.reads)
    if (!range.implicit)
      return &range;
  return nullptr;
}

void apply(const isa::Instruction &inst, Contents &contents) {
  const isa::RegisterRange *source = movedFrom(inst);
  bool opaque =
      inst.is(isa::Load) || inst.mnemonic.starts_with("v_readlane") || inst.mnemonic.starts_with("v_readfirstlane");
  const Contents old = contents;
  for (const isa::RegisterRange &range : inst.writes)
    for (unsigned i = 0; i < range.count; ++i) {
      auto to = numberOf(range, i);
      if (!to || *to >= RegisterCount)
        continue;
      contents[*to] = opaque ? Opaque : Computed;
      if (source && source->count == range.count)
        if (auto from = numberOf(*source, i))
          contents[*to] = old[*from];
    }
}

uint16_t meet(uint16_t a, uint16_t b) {
  if (a == b)
    return a;
  return a == Opaque || b == Opaque ? Opaque : Computed;
}

// The contents of all registers where control leaves the part for the next one; nothing if it never does.
std::optional<Contents> contentsAtEnd(const Program &program, const ImagePart &part) {
  auto first = program.indexAt.find(part.offset);
  if (first == program.indexAt.end())
    return std::nullopt;
  Contents initial;
  for (unsigned i = 0; i < RegisterCount; ++i)
    initial[i] = uint16_t(i);
  std::map<uint32_t, Contents> before;
  if (part.size == 0)
    return initial;
  before[first->second] = initial;
  std::optional<Contents> end;
  std::deque<uint32_t> work = {first->second};
  while (!work.empty()) {
    uint32_t node = work.front();
    work.pop_front();
    Contents after = before[node];
    apply(program.instructions[node], after);
    for (uint32_t successor : program.successors[node]) {
      bool leaves = program.partAt(program.instructions[successor].offset) != &part;
      Contents *target;
      if (leaves) {
        if (!end) {
          end = after;
          continue;
        }
        target = &*end;
      } else {
        auto [place, isNew] = before.try_emplace(successor, after);
        if (isNew) {
          work.push_back(successor);
          continue;
        }
        target = &place->second;
      }
      Contents merged;
      for (unsigned i = 0; i < RegisterCount; ++i)
        merged[i] = meet((*target)[i], after[i]);
      if (merged == *target)
        continue;
      *target = merged;
      if (!leaves)
        work.push_back(successor);
    }
  }
  return end;
}

void checkUnchanged(const Program &program, const ImagePart &part, const Contents &end, Register now, Register then,
                    Defects &defects) {
  uint16_t content = end[numberOf(now)];
  if (content != Opaque && content != numberOf(then))
    defects.add("{}: at its end {} does not hold what was in {} at its start", program.place(part.offset),
                toString(now), toString(then));
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
        defects.add("{}: {} is expected in {}, but nothing is there", program.place(placed.offset),
                    toString(input.value), toString(input.reg));
      else
        defects.add("{}: {} is expected in {}, but {} is there", program.place(placed.offset), toString(input.value),
                    toString(input.reg), toString(found->second));
    }
    if (i + 1 == stage.partCount)
      break;

    std::optional<Contents> end = contentsAtEnd(program, placed);
    if (!end) {
      defects.add("{}: control never leaves it for the next part", program.place(placed.offset));
      break;
    }
    for (uint16_t r = 0; r < contract.preservedSgprs && r < 102; ++r)
      checkUnchanged(program, placed, *end, {RegisterBank::Sgpr, r}, {RegisterBank::Sgpr, r}, defects);
    for (uint16_t r = 0; r < contract.preservedVgprs && r < 256; ++r)
      checkUnchanged(program, placed, *end, {RegisterBank::Vgpr, r}, {RegisterBank::Vgpr, r}, defects);

    // What no path through the part changes is kept, too: so the second half's values pass the first.
    std::map<Register, ValueName> next;
    for (const auto &[reg, value] : live)
      if ((*end)[numberOf(reg)] == numberOf(reg) ||
          reg.index < (reg.bank == RegisterBank::Sgpr ? contract.preservedSgprs : contract.preservedVgprs))
        next[reg] = value;
    for (const Binding &output : contract.outputs) {
      // A value that was there before the part must still be the same one; no part computes user data. In a merged
      // program it may be in two places: the first half's and where glue keeps it.
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
