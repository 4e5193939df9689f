// SPDX-License-Identifier: MIT
//
// A forward dataflow over the set of registers that may have been written: what the hardware and the driver set at the
// entry, and every destination on any path. A read of a register outside that set sees garbage whatever path was taken.
//
// Compilers read undefined values on purpose where any value will do, so three kinds of reads are let pass: the old
// value of a partly written destination (unless the instruction computes with it); single registers of a wider operand
// of which at least one is written (the unused component of a vector, the high half of a 64-bit value that is cut to 32
// bits later), but not of addresses and descriptors in SGPRs; and M0 as it is listed for LDS and scalar memory
// instructions, which on GFX9 do not use it. A plain move of an undefined register makes an undefined register: a part
// may put what it merely keeps out of its way and back.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include <bitset>
#include <deque>
#include <optional>

namespace dovetail::check {

namespace {

// SGPRs by number (VCC and the others have numbers there, too), SCC, then VGPRs.
constexpr unsigned SccBit = 127;
constexpr unsigned FirstVgprBit = 128;
using Written = std::bitset<FirstVgprBit + 256>;

std::optional<unsigned> bitOf(isa::RegisterFile file, unsigned index) {
  switch (file) {
  case isa::RegisterFile::Sgpr:
    return index < 102 ? std::optional<unsigned>(index) : std::nullopt;
  case isa::RegisterFile::FlatScratch:
    return 102 + index;
  case isa::RegisterFile::XnackMask:
    return 104 + index;
  case isa::RegisterFile::Vcc:
    return 106 + index;
  case isa::RegisterFile::M0:
    return 124;
  case isa::RegisterFile::Scc:
    return SccBit;
  case isa::RegisterFile::Vgpr:
    return index < 256 ? std::optional<unsigned>(FirstVgprBit + index) : std::nullopt;
  default:
    return std::nullopt; // EXEC, MODE and the like always hold something
  }
}

bool isPlainMove(const isa::Instruction &inst) {
  return (inst.mnemonic == "v_mov_b32" || inst.mnemonic == "s_mov_b32" || inst.mnemonic == "s_mov_b64") &&
         !inst.is(isa::Dpp | isa::Sdwa);
}

// The range that a plain move takes from, nothing if it takes a constant or something that always holds a value.
const isa::RegisterRange *movedFrom(const isa::Instruction &inst) {
  for (const isa::RegisterRange &range : inst.reads)
    if (!range.implicit && bitOf(range.file, range.first))
      return &range;
  return nullptr;
}

void write(Written &written, const isa::Instruction &inst) {
  if (const isa::RegisterRange *from = isPlainMove(inst) ? movedFrom(inst) : nullptr) {
    const Written before = written;
    for (const isa::RegisterRange &range : inst.writes)
      for (unsigned i = 0; i < range.count; ++i)
        if (auto to = bitOf(range.file, range.first + i))
          if (auto source = bitOf(from->file, from->first + i))
            written.set(*to, before.test(*source));
    return;
  }
  for (const isa::RegisterRange &range : inst.writes)
    for (unsigned i = 0; i < range.count; ++i)
      if (auto bit = bitOf(range.file, range.first + i))
        written.set(*bit);
}

bool computesWithOldValue(const isa::Instruction &inst) {
  return inst.mnemonic.starts_with("v_mac_") || inst.mnemonic.starts_with("v_fmac_") ||
         inst.mnemonic.starts_with("v_interp_p2");
}

bool mayBeUndefined(const isa::Instruction &inst, const isa::RegisterRange &range) {
  if (range.tied)
    return !computesWithOldValue(inst);
  if (range.file == isa::RegisterFile::M0 && range.implicit)
    return !inst.is(isa::Vintrp);
  // FLAT_SCRATCH is listed for all flat instructions; only those that go to scratch need it.
  if (range.file == isa::RegisterFile::FlatScratch || range.file == isa::RegisterFile::XnackMask)
    return range.implicit;
  return false;
}

std::string nameOf(const isa::RegisterRange &range, unsigned index) {
  switch (range.file) {
  case isa::RegisterFile::Sgpr:
    return fmt::format("s{}", index);
  case isa::RegisterFile::Vgpr:
    return fmt::format("v{}", index);
  case isa::RegisterFile::Vcc:
    return index ? "vcc_hi" : "vcc_lo";
  case isa::RegisterFile::M0:
    return "m0";
  case isa::RegisterFile::Scc:
    return "scc";
  default:
    return "a special register";
  }
}

void checkReads(const Program &program, const isa::Instruction &inst, const Written &written, Defects &defects) {
  if (isPlainMove(inst))
    return;
  for (const isa::RegisterRange &range : inst.reads) {
    if (mayBeUndefined(inst, range))
      continue;
    unsigned known = 0;
    std::optional<unsigned> missing;
    for (unsigned i = 0; i < range.count; ++i) {
      auto bit = bitOf(range.file, range.first + i);
      if (!bit || written.test(*bit))
        ++known;
      else if (!missing)
        missing = range.first + i;
    }
    bool isPointer = range.file == isa::RegisterFile::Sgpr && inst.is(isa::Vmem | isa::Smem);
    bool partOfVector = range.count > 1 && known > 0 && !isPointer;
    if (missing && !partOfVector)
      defects.add("{}: {} reads {}, which nothing has written", program.place(inst.offset), inst.mnemonic,
                  nameOf(range, *missing));
  }
}

} // namespace

void checkInitialised(const Program &program, Defects &defects) {
  if (program.instructions.empty())
    return;
  Written entry;
  for (const auto &[reg, value] : entryValues(program.image, program.stage))
    if (auto bit = bitOf(reg.bank == RegisterBank::Sgpr ? isa::RegisterFile::Sgpr : isa::RegisterFile::Vgpr, reg.index))
      entry.set(*bit);

  std::vector<Written> before(program.instructions.size());
  std::vector<uint8_t> visited(program.instructions.size());
  std::deque<uint32_t> work;
  if (auto first = program.indexAt.find(program.stage.entry); first != program.indexAt.end()) {
    before[first->second] = entry;
    work.push_back(first->second);
  }
  while (!work.empty()) {
    uint32_t node = work.front();
    work.pop_front();
    visited[node] = 1;
    Written after = before[node];
    write(after, program.instructions[node]);
    for (uint32_t successor : program.successors[node]) {
      Written merged = before[successor] | after;
      if (visited[successor] && merged == before[successor])
        continue;
      before[successor] = merged;
      work.push_back(successor);
    }
  }
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    checkReads(program, program.instructions[i], before[i], defects);

  // What a contract promises must have been made by somebody.
  for (unsigned i = 0; i < program.stage.partCount; ++i) {
    const ImagePart &part = program.image.parts[program.stage.firstPart + i];
    auto first = program.indexAt.find(part.offset);
    if (first == program.indexAt.end()) {
      defects.add("{}: no path reaches the part", program.place(part.offset));
      continue;
    }
    for (const Binding &input : part.part->contract.inputs) {
      auto bit = bitOf(input.reg.bank == RegisterBank::Sgpr ? isa::RegisterFile::Sgpr : isa::RegisterFile::Vgpr,
                       input.reg.index);
      if (isListedForItsPlace(part, input))
        continue;
      if (bit && !before[first->second].test(*bit))
        defects.add("{}: {} is expected in {}, which nothing has written", program.place(part.offset),
                    toString(input.value), toString(input.reg));
    }
  }
}

} // namespace dovetail::check
