// SPDX-License-Identifier: MIT
//
// The table of required wait states from the "Vega" ISA manual, section 4.5, restated as predicates over pairs of
// instructions. From each sensitive instruction, all paths are followed backwards as far as a rule reaches.
#include "merge/check/checks.h"
#include "merge/check/register_numbers.h"
#include <algorithm>
#include <bitset>
#include <functional>

namespace dovetail::check {

namespace {

using isa::Instruction;
using isa::RegisterFile;
using isa::RegisterRange;

template <typename Ranges> bool touches(const Ranges &ranges, RegisterFile file) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const RegisterRange &range) { return range.file == file; });
}

bool overlap(const RegisterRange &a, const RegisterRange &b) {
  return a.file == b.file && a.first < b.first + b.count && b.first < a.first + a.count;
}

bool isScalarData(const RegisterRange &range) {
  return range.file == RegisterFile::Sgpr || range.file == RegisterFile::Vcc || range.file == RegisterFile::M0;
}

bool isLaneAccess(const Instruction &inst) {
  return inst.mnemonic.starts_with("v_readlane") || inst.mnemonic.starts_with("v_writelane");
}

// hwreg(id, offset, size)
unsigned hwreg(const Instruction &inst) {
  return inst.immediate & 63;
}
bool isSetreg(const Instruction &inst) {
  return inst.mnemonic.starts_with("s_setreg_");
}
bool setsVskip(const Instruction &inst) {
  unsigned first = (inst.immediate >> 6) & 31, last = first + (inst.immediate >> 11);
  return inst.mnemonic == "s_setvskip" || (isSetreg(inst) && hwreg(inst) == 1 && first <= 28 && 28 <= last);
}

// Whether `before` is an S_SETREG and `after` accesses the same hardware register.
bool sameHwreg(const Instruction &before, const Instruction &after) {
  if (before.mnemonic == "s_setvskip")
    return hwreg(after) == 1 && after.mnemonic.starts_with("s_getreg");
  return isSetreg(before) && hwreg(before) == hwreg(after);
}

using Scalars = std::bitset<SccNumber>; // by their numbers

void add(const RegisterRange &range, Scalars &scalars) {
  for (unsigned i = 0; isScalarData(range) && i < range.count; ++i)
    if (const std::optional<unsigned> number = numberOf(range, i))
      scalars.set(*number);
}

Scalars writtenBy(const Instruction &inst) {
  Scalars written;
  for (const RegisterRange &range : inst.writes)
    add(range, written);
  return written;
}

Scalars operandsOf(const Instruction &inst) {
  Scalars operands;
  for (const RegisterRange &range : inst.reads)
    if (!range.implicit)
      add(range, operands);
  return operands;
}

struct Rule {
  unsigned waitStates;
  const char *text;
  bool (*isSensitive)(const Instruction &);
  bool (*conflicts)(const Instruction &before, const Instruction &after);
  bool isGfx9Only = false;
};

// A hazard of scalar registers that a VALU instruction writes. It ends when a scalar instruction writes them again.
struct ScalarRule {
  unsigned waitStates;
  const char *text;
  Scalars (*read)(const Instruction &); // none: the instruction is not sensitive
};

const ScalarRule ScalarRules[] = {
    {5, "a VMEM instruction reads an SGPR that a VALU instruction wrote",
     [](const Instruction &inst) { return inst.is(isa::Vmem) ? operandsOf(inst) : Scalars(); }},
    {4, "v_div_fmas uses VCC that a VALU instruction wrote",
     [](const Instruction &inst) {
       return inst.mnemonic.starts_with("v_div_fmas") ? Scalars().set(VccNumber).set(VccNumber + 1) : Scalars();
     }},
    {4, "a lane is selected by an SGPR that a VALU instruction wrote",
     [](const Instruction &inst) {
       // SRC1 holds the number of a register, or of a constant from 128 on.
       return isLaneAccess(inst) && inst.source1 < SccNumber ? Scalars().set(inst.source1) : Scalars();
     }},
};

bool writesM0(const Instruction &before, const Instruction &) {
  return before.is(isa::Salu) && touches(before.writes, RegisterFile::M0);
}

const Rule Rules[] = {
    // Interpolation counts as VALU when it writes VGPRs: LLVM's checkDPPHazards takes any writer, and ACO's
    // handle_valu_then_read_hazard and vmem_store_then_wr_data (aco_insert_NOPs.cpp) take VINTRP beside VALU.
    {2, "DPP reads a VGPR that a VALU instruction wrote", [](const Instruction &inst) { return inst.is(isa::Dpp); },
     [](const Instruction &before, const Instruction &after) {
       if (!before.is(isa::Valu | isa::Vintrp))
         return false;
       for (const RegisterRange &read : after.reads)
         for (const RegisterRange &written : before.writes)
           if (read.file == RegisterFile::Vgpr && overlap(read, written))
             return true;
       return false;
     }},
    {5, "DPP uses EXEC that a VALU instruction wrote", [](const Instruction &inst) { return inst.is(isa::Dpp); },
     [](const Instruction &before, const Instruction &) {
       return before.is(isa::Valu) && touches(before.writes, RegisterFile::Exec);
     }},
    {5, "VCCZ or EXECZ is read as data after a VALU instruction wrote VCC or EXEC",
     [](const Instruction &inst) {
       return touches(inst.reads, RegisterFile::Vccz) || touches(inst.reads, RegisterFile::Execz);
     },
     [](const Instruction &before, const Instruction &after) {
       return before.is(isa::Valu) &&
              ((touches(after.reads, RegisterFile::Vccz) && touches(before.writes, RegisterFile::Vcc)) ||
               (touches(after.reads, RegisterFile::Execz) && touches(before.writes, RegisterFile::Exec)));
     }},
    {1, "M0 is used after a SALU instruction wrote it",
     [](const Instruction &inst) {
       return inst.is(isa::Gds) || inst.mnemonic.starts_with("s_sendmsg") || inst.mnemonic == "s_ttracedata";
     },
     writesM0},
    {1, "M0 is used after a SALU instruction wrote it",
     [](const Instruction &inst) {
       return inst.is(isa::Vintrp) || inst.mnemonic.starts_with("s_movrel") ||
              inst.mnemonic.find("addtid") != std::string_view::npos || touches(inst.reads, RegisterFile::LdsDirect) ||
              (inst.is(isa::Vmem) && touches(inst.reads, RegisterFile::M0));
     },
     writesM0, /*isGfx9Only=*/true},
    {2, "s_getreg of a register that s_setreg wrote",
     [](const Instruction &inst) { return inst.mnemonic.starts_with("s_getreg"); }, sameHwreg},
    {2, "s_setreg of a register that s_setreg wrote", isSetreg,
     [](const Instruction &before, const Instruction &after) { return isSetreg(before) && sameHwreg(before, after); }},
    {1, "a VALU instruction overwrites the data of a store of more than 64 bits",
     [](const Instruction &inst) { return inst.is(isa::Valu | isa::Vintrp); },
     [](const Instruction &before, const Instruction &after) {
       if (!before.is(isa::Vmem) || !before.is(isa::Store) || before.is(isa::Mimg))
         return false;
       bool buffer = before.encoding == isa::Encoding::Mubuf || before.encoding == isa::Encoding::Mtbuf;
       for (const RegisterRange &read : before.reads)
         if (buffer && !read.implicit && isScalarData(read) && read.count == 1)
           return false; // the store has an SGPR offset
       for (const RegisterRange &read : before.reads)
         for (const RegisterRange &written : after.writes)
           if (read.file == RegisterFile::Vgpr && read.count > 2 && overlap(read, written))
             return true;
       return false;
     }},
    {2, "a vector instruction follows a write of MODE.VSKIP",
     [](const Instruction &inst) { return inst.is(isa::Valu | isa::Vmem | isa::Ds | isa::Exp | isa::Vintrp); },
     [](const Instruction &before, const Instruction &) { return setsVskip(before); }},
    {1, "s_rfe follows a write of TRAPSTS", [](const Instruction &inst) { return inst.mnemonic.starts_with("s_rfe"); },
     [](const Instruction &before, const Instruction &) { return isSetreg(before) && hwreg(before) == 3; }},
};

unsigned waitStatesOf(const Instruction &inst) {
  return inst.mnemonic == "s_nop" ? (inst.immediate & 15) + 1u : 1u;
}

// Searches all instructions that may run less than the rule's wait states before a node.
void search(const Program &program, const Rule &rule, uint32_t consumer, uint32_t node, unsigned waitStates,
            Defects &defects) {
  for (uint32_t predecessor : program.predecessors[node]) {
    const Instruction &before = program.instructions[predecessor];
    if (rule.conflicts(before, program.instructions[consumer])) {
      defects.add<TooFewWaitStates>(program.place(program.instructions[consumer].offset), rule.text, before.offset,
                                    waitStates, rule.waitStates);
      return;
    }
    const unsigned next = waitStates + waitStatesOf(before);
    if (next < rule.waitStates)
      search(program, rule, consumer, predecessor, next, defects);
  }
}

void search(const Program &program, const ScalarRule &rule, uint32_t consumer, uint32_t node, unsigned waitStates,
            const Scalars &read, Defects &defects) {
  for (uint32_t predecessor : program.predecessors[node]) {
    const Instruction &before = program.instructions[predecessor];
    const Scalars written = writtenBy(before);
    if (before.is(isa::Valu) && (written & read).any()) {
      defects.add<TooFewWaitStates>(program.place(program.instructions[consumer].offset), rule.text, before.offset,
                                    waitStates, rule.waitStates);
      return;
    }
    const Scalars left = read & ~written;
    const unsigned next = waitStates + waitStatesOf(before);
    if (left.any() && next < rule.waitStates)
      search(program, rule, consumer, predecessor, next, left, defects);
  }
}

} // namespace

void checkWaitStates(const Program &program, Defects &defects) {
  const bool isGfx8 = program.image.gpuName.starts_with("gfx8");
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    for (const Rule &rule : Rules)
      if (!(isGfx8 && rule.isGfx9Only) && rule.isSensitive(program.instructions[i]))
        search(program, rule, i, i, 0, defects);
    for (const ScalarRule &rule : ScalarRules)
      if (const Scalars read = rule.read(program.instructions[i]); read.any())
        search(program, rule, i, i, 0, read, defects);
  }
}

} // namespace dovetail::check
