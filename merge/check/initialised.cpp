// SPDX-License-Identifier: MIT
//
// No instruction may read a register that nobody wrote. A forward data flow follows the set of registers that may have
// been written: those that the hardware and the driver set at the entry, and every destination on any path. A register
// outside that set holds garbage on every path.
//
// Compilers read undefined values on purpose where any value will do, so four kinds of reads are allowed:
// - the old value of a partly written destination, unless the instruction computes with it;
// - single registers of a wider operand of which at least one is written: the unused component of a vector, the high
//   half of a 64-bit value that is cut to 32 bits later. This does not apply to addresses and descriptors in SGPRs;
// - registers that are spilled (SGPRs into lanes of a VGPR, VGPRs to memory): whole tuples may be spilled of which only
//   some registers are in use;
// - M0 as it is listed for LDS and scalar memory instructions, which on GFX9 do not use it.
//
// A plain move of an undefined register makes an undefined register: a part may move a register that it only keeps out
// of its way and back.
#include "merge/check/checks.h"
#include "merge/check/data_flow.h"
#include "merge/check/entry.h"
#include "merge/check/register_numbers.h"
#include <algorithm>
#include <bitset>
#include <optional>

namespace dovetail::check {

namespace {

using Written = std::bitset<RegisterNumbers>;

void write(Written &written, const isa::Instruction &inst) {
  const std::optional<PlainMove> move = asPlainMove(inst);
  const Written before = written;
  for (const isa::RegisterRange &range : inst.writes)
    for (unsigned i = 0; i < range.count; ++i)
      if (std::optional<unsigned> to = numberOf(range, i))
        written.set(*to, !move || !move->from || before.test(*numberOf(*move->from, i)));
}

bool computesWithOldValue(const isa::Instruction &inst) {
  return inst.mnemonic.starts_with("v_mac_") || inst.mnemonic.starts_with("v_fmac_") ||
         inst.mnemonic.starts_with("v_interp_p2_f32");
}

bool mayBeUndefined(const isa::Instruction &inst, const isa::RegisterRange &range) {
  if (range.tied)
    return !computesWithOldValue(inst);
  if (range.file == isa::RegisterFile::M0 && range.implicit)
    return !inst.is(isa::Vintrp);
  if (inst.mnemonic.starts_with("v_writelane"))
    return range.file == isa::RegisterFile::Sgpr;
  if (inst.mnemonic == "buffer_store_dword" && range.file == isa::RegisterFile::Vgpr) // a spill has no address in VGPRs
    return std::ranges::count(inst.reads, isa::RegisterFile::Vgpr, &isa::RegisterRange::file) == 1;
  // FLAT_SCRATCH is listed for all flat instructions; only flat instructions that go to scratch need it.
  if (range.file == isa::RegisterFile::FlatScratch || range.file == isa::RegisterFile::XnackMask)
    return range.implicit;
  return false;
}

// v_movrels and v_movrelsd read an element of an array that begins at their source. Elements that LLVM knows to be
// undefined are not written.
bool isPartOfArray(const isa::Instruction &inst, const isa::RegisterRange &range, const Written &written) {
  if (!inst.mnemonic.starts_with("v_movrels") || range.file != isa::RegisterFile::Vgpr)
    return false;
  return (written >> *numberOf(range, 0)).any();
}

void checkReads(const Program &program, const isa::Instruction &inst, const Written &written, Defects &defects) {
  if (asPlainMove(inst))
    return;
  for (const isa::RegisterRange &range : inst.reads) {
    if (mayBeUndefined(inst, range) || isPartOfArray(inst, range, written))
      continue;
    unsigned known = 0;
    std::optional<uint16_t> missing;
    for (unsigned i = 0; i < range.count; ++i) {
      std::optional<unsigned> number = numberOf(range, i);
      if (!number || written.test(*number))
        ++known;
      else if (!missing)
        missing = uint16_t(range.first + i);
    }
    bool isPointer = range.file == isa::RegisterFile::Sgpr && inst.is(isa::Vmem | isa::Smem);
    bool partOfVector = range.count > 1 && known > 0 && !isPointer;
    if (missing && !partOfVector)
      defects.add<ReadsUnwritten>(program.place(inst.offset), inst.mnemonic, isa::RegisterRange{range.file, *missing});
  }
}

} // namespace

void checkInitialised(const Program &program, Defects &defects) {
  if (program.instructions.empty())
    return;
  Written entry;
  for (const auto &[reg, value] : entryValues(program.image, program.stage))
    entry.set(numberOf(reg));
  const FlowStates<Written> states = flowForward(
      program, program.stage.entry, entry,
      [&](uint32_t node, const Written &before, const auto &pass) {
        Written after = before;
        write(after, program.instructions[node]);
        for (uint32_t successor : program.successors[node])
          pass(successor, after);
      },
      [](const Written &a, const Written &b) { return a | b; });
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    if (const Written *written = states.before(i))
      checkReads(program, program.instructions[i], *written, defects);

  // Somebody must have written the inputs of each contract.
  for (unsigned i = 0; i < program.stage.partCount; ++i) {
    const ImagePart &part = program.image.parts[program.stage.firstPart + i];
    auto first = program.indexAt.find(part.offset);
    if (first == program.indexAt.end()) {
      defects.add<PartNotReached>(program.place(part.offset));
      continue;
    }
    for (const Binding &input : part.part->contract.inputs)
      if (!isListedForItsPlace(part, input) && !states.before(first->second)->test(numberOf(input.reg)))
        defects.add<InputUnwritten>(program.place(part.offset), input.value, input.reg);
  }
}

} // namespace dovetail::check
