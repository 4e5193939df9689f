// SPDX-License-Identifier: MIT
//
// Rules for merged programs (GFX9's HS and GS) and for geometry waves, followed along every path:
//
// EXEC. The hardware does not define EXEC at the start. Each half runs with as many lanes as its field of
// merged_wave_info (s3; [7:0] first half, [15:8] second) says. So the code must make the mask from that field before it
// enters the half's parts, for 64 lanes, too. No vector instruction may run before EXEC is set at all. Glue moves the
// values of all lanes.
//
// A geometry wave without lanes must be silent, so it must end in the second piece of glue.
//
// Barrier. The second half reads the outputs that the group's first halves wrote to LDS. Between the halves, every path
// waits for the wave's own writes and then passes s_barrier. Monolithic programs may hand over in registers instead.
//
// GS_DONE. "The last message of a geometry wave" ("Vega" ISA manual, S_SENDMSG): once on every path that ends a wave
// with geometry threads, and nothing behind it.
#include "merge/check/checks.h"
#include "merge/check/data_flow.h"
#include <algorithm>
#include <cstring>

namespace dovetail::check {

namespace {

using isa::Instruction;
using isa::RegisterFile;

// The facts that are known where an instruction begins. Where paths meet, only the facts that hold on both are kept.
struct Known {
  // Modulo64: the mask is still made of the number modulo 64, so no lanes may mean 64.
  enum Exec : uint8_t { Launch, All, FirstModulo64, SecondModulo64, FirstLanes, SecondLanes, Other };
  enum Count : uint8_t { NoCount, FirstCount, SecondCount }; // the content of VCC_LO
  Exec exec = Launch;
  Count count = NoCount;
  bool waited = false, passedBarrier = false;
  bool sccTellsOfLanes = false; // SCC says whether the second half has lanes
  bool hasLanes = false;        // the second half has lanes

  bool operator==(const Known &) const = default;
};

Known meet(const Known &a, const Known &b) {
  return {a.exec == b.exec ? a.exec : Known::Other,
          a.count == b.count ? a.count : Known::NoCount,
          a.waited && b.waited,
          a.passedBarrier && b.passedBarrier,
          a.sccTellsOfLanes && b.sccTellsOfLanes,
          a.hasLanes && b.hasLanes};
}

bool writes(const Instruction &inst, RegisterFile file) {
  for (const isa::RegisterRange &range : inst.writes)
    if (range.file == file)
      return true;
  return false;
}

// The encoded instruction: its first dword and, behind it, a literal.
struct Encoded {
  uint32_t word = 0, literal = 0;
  uint32_t source0() const { return word & 0xff; }
  uint32_t source1() const { return word >> 8 & 0xff; }
};

Encoded encodedAt(const Program &program, const Instruction &inst) {
  Encoded encoded;
  std::memcpy(&encoded.word, &program.image.code[inst.offset], 4);
  if (inst.size >= 8)
    std::memcpy(&encoded.literal, &program.image.code[inst.offset + 4], 4);
  return encoded;
}

constexpr uint32_t VccLo = 106, Literal = 255, Zero = 128, MinusOne = 193, Six = 134;

class Halves {
public:
  Halves(const Program &program, Defects &defects) : m_program(program), m_defects(defects) {
    m_first = &program.image.parts[program.stage.firstPart];
    m_second = m_first + program.stage.secondHalf;
  }

  void check() {
    const FlowStates<Known> states = flowForward(
        m_program, m_program.stage.entry, Known(),
        [&](uint32_t node, const Known &before, const auto &pass) {
          for (uint32_t successor : m_program.successors[node])
            pass(successor, stepTo(successor, m_program.instructions[node], before));
        },
        [](const Known &a, const Known &b) { return meet(a, b); });
    for (uint32_t node = 0; node < m_program.instructions.size(); ++node)
      if (const Known *known = states.before(node))
        look(node, *known);
  }

private:
  bool isIn(const ImagePart *part, uint32_t offset) const { return m_program.partAt(offset) == part; }

  // The SGPR that holds merged_wave_info where a piece of glue begins. The first piece has it in the hardware's place.
  // The second piece has it where its contract expects it; checkContracts() proves that.
  uint32_t waveInfo(bool isSecond) const {
    if (isSecond)
      for (const Binding &input : m_second->part->contract.inputs)
        if (input.value.kind == ValueKind::MergedWaveInfo)
          return input.reg.index;
    return 3;
  }

  // The direction of a branch on SCC tells whether there are lanes.
  Known stepTo(uint32_t successor, const Instruction &inst, const Known &known) const {
    Known after = step(inst, known);
    const uint32_t to = m_program.instructions[successor].offset;
    const bool isTaken = inst.branchTarget == to, isNext = inst.offset + inst.size == to;
    if (known.sccTellsOfLanes && isTaken != isNext &&
        ((inst.mnemonic == "s_cbranch_scc1" && isTaken) || (inst.mnemonic == "s_cbranch_scc0" && isNext)))
      after.hasLanes = true;
    return after;
  }

  Known step(const Instruction &inst, Known known) const {
    const Encoded encoded = encodedAt(m_program, inst);
    const bool isSecond = isIn(m_second, inst.offset);
    if (writes(inst, RegisterFile::Scc))
      known.sccTellsOfLanes = false;
    if (writes(inst, RegisterFile::Vcc)) {
      known.count = Known::NoCount;
      if (inst.mnemonic == "s_bfe_u32" && encoded.source1() == Literal && encoded.source0() == waveInfo(isSecond)) {
        if (encoded.literal == (0 | 8 << 16))
          known.count = Known::FirstCount;
        if (encoded.literal == (8 | 8 << 16))
          known.count = Known::SecondCount;
        known.sccTellsOfLanes = known.count == Known::SecondCount; // s_bfe: SCC = the result is not 0
      }
    }
    if (writes(inst, RegisterFile::Exec)) {
      const Known::Exec old = known.exec;
      known.exec = Known::Other;
      if (inst.mnemonic == "s_mov_b64" && encoded.source0() == MinusOne)
        known.exec = Known::All;
      if (inst.mnemonic == "s_bfm_b64" && encoded.source0() == VccLo && encoded.source1() == Zero)
        known.exec = known.count == Known::FirstCount    ? Known::FirstModulo64
                     : known.count == Known::SecondCount ? Known::SecondModulo64
                                                         : Known::Other;
      // The mask is made of the number modulo 64. With 64 lanes, bit 6 of the number is set, and s_cmov makes the mask
      // full. The instruction before tests the bit.
      if (inst.mnemonic == "s_cmov_b64" && encoded.source0() == MinusOne && followsTestOfBit6(inst))
        known.exec = old == Known::FirstModulo64    ? Known::FirstLanes
                     : old == Known::SecondModulo64 ? Known::SecondLanes
                                                    : old;
    }
    if (isSecond && inst.mnemonic == "s_waitcnt" && (inst.immediate & 0x0f00) == 0) // lgkmcnt(0)
      known.waited = true;
    if (inst.mnemonic == "s_barrier" && known.waited)
      known.passedBarrier = true;
    return known;
  }

  // Whether glue makes one of its output VGPRs here.
  bool makesOutput(const ImagePart *glue, const Instruction &inst) const {
    if (!isIn(glue, inst.offset) || !inst.is(isa::Valu))
      return false;
    for (const isa::RegisterRange &range : inst.writes)
      for (const Binding &output : glue->part->contract.outputs)
        if (range.file == RegisterFile::Vgpr && output.reg.bank == RegisterBank::Vgpr &&
            output.reg.index >= range.first && output.reg.index < range.first + range.count)
          return true;
    return false;
  }

  bool followsTestOfBit6(const Instruction &inst) const {
    auto before = m_program.indexAt.find(inst.offset - 4);
    if (before == m_program.indexAt.end())
      return false;
    const Instruction &test = m_program.instructions[before->second];
    const Encoded encoded = encodedAt(m_program, test);
    return test.mnemonic == "s_bitcmp1_b32" && encoded.source0() == VccLo && encoded.source1() == Six;
  }

  void look(uint32_t node, const Known &known) const {
    const Instruction &inst = m_program.instructions[node];
    if (known.exec == Known::Launch && inst.is(isa::Valu | isa::Vmem | isa::Ds | isa::Vintrp | isa::Exp))
      m_defects.add<RunsBeforeExecIsSet>(m_program.place(inst.offset), inst.mnemonic);
    else if (known.exec != Known::All && (makesOutput(m_first, inst) || makesOutput(m_second, inst)))
      m_defects.add<MovesSomeLanes>(m_program.place(inst.offset), inst.mnemonic);
    for (uint32_t successor : m_program.successors[node]) {
      const uint32_t to = m_program.instructions[successor].offset;
      const Known after = stepTo(successor, inst, known);
      if (isIn(m_first, inst.offset) && !isIn(m_first, to) && !isIn(m_second, to) && after.exec != Known::FirstLanes)
        m_defects.add<FirstHalfWithoutItsLanes>(m_program.place(inst.offset));
      if (!isIn(m_second, inst.offset) || isIn(m_second, to))
        continue;
      if (after.exec != Known::SecondLanes)
        m_defects.add<SecondHalfWithoutItsLanes>(m_program.place(inst.offset));
      if (!after.hasLanes && m_program.stage.stage == HardwareStage::Gs)
        m_defects.add<GeometryWithoutLanes>(m_program.place(inst.offset));
      if (!after.passedBarrier)
        m_defects.add<SecondHalfWithoutBarrier>(m_program.place(inst.offset));
    }
  }

  const Program &m_program;
  Defects &m_defects;
  const ImagePart *m_first;
  const ImagePart *m_second;
};

constexpr unsigned MessageGs = 2, MessageGsDone = 3;

void checkMessages(const Program &program, Defects &defects) {
  const ImageStage &stage = program.stage;
  const ImagePart *glue = stage.secondHalf ? &program.image.parts[stage.firstPart + stage.secondHalf] : nullptr;
  const bool isMonolithicMerged = stage.firstInterface && !glue;
  auto messageOf = [](const Instruction &inst) {
    return inst.mnemonic == "s_sendmsg" || inst.mnemonic == "s_sendmsghalt" ? inst.immediate & 15u : 0u;
  };
  auto isDone = [&](const Instruction &inst) { return messageOf(inst) == MessageGsDone; };
  const FlowStates<Happened> done = flowOf(program, program.successors, isDone);
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &inst = program.instructions[i];
    const unsigned message = messageOf(inst);
    const Happened before = done.before(i) ? *done.before(i) : Happened();
    if ((message == MessageGs || message == MessageGsDone) && before.onSomePath)
      defects.add<MessageBehindGsDone>(program.place(inst.offset));
    // A wave without geometry threads ends silently, in glue or on a path of a monolithic part.
    const bool mayBeSilent = isMonolithicMerged || (glue && program.partAt(inst.offset) == glue);
    if (inst.is(isa::EndsProgram) && before.notOnSomePath && !mayBeSilent)
      defects.add<EndWithoutGsDone>(program.place(inst.offset));
  }
  if (std::ranges::none_of(program.instructions, isDone))
    defects.add<NoGsDone>(program.place());
}

// Checks a monolithic merged program. No part says where its second half begins, but some instruction must wait for the
// other waves, unless no vertex goes through LDS. If, besides, the control shader does not read its own outputs back,
// the program has no LDS at all.
void checkHasBarrier(const Program &program, Defects &defects) {
  const ShaderInterface &first = *program.stage.firstInterface, &second = *program.stage.interface;
  auto isBarrier = [](const Instruction &inst) { return inst.mnemonic == "s_barrier"; };
  const bool handsOverInLds = first.outputSlots || second.inputSlots;
  if (handsOverInLds && std::ranges::none_of(program.instructions, isBarrier))
    defects.add<NoBarrier>(program.place());
  if (handsOverInLds || second.tessellation.ldsPatchStride)
    return;
  for (const Instruction &inst : program.instructions)
    if (inst.mnemonic.starts_with("ds_read") || inst.mnemonic.starts_with("ds_write"))
      defects.add<LdsWithoutAllocation>(program.place(inst.offset), inst.mnemonic);
}

} // namespace

void checkHalves(const Program &program, Defects &defects) {
  if (program.instructions.empty())
    return;
  if (program.stage.secondHalf)
    Halves(program, defects).check();
  else if (program.stage.firstInterface)
    checkHasBarrier(program, defects);
  if (program.stage.stage == HardwareStage::Gs)
    checkMessages(program, defects);
}

} // namespace dovetail::check
