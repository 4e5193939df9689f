// SPDX-License-Identifier: MIT
//
// Registers are plain arrays. Beside them are the data for checks: which registers were ever written, and how many
// operations in flight will write or still read each. Loaded values are stored at once, so the counters only guard
// them.
#include "tools/proof/emulator/wave/wave.h"
#include "tools/proof/emulator/isa/print.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail::emulator {

namespace {

constexpr unsigned MaxVgprs = 256;

constexpr unsigned FirstTrapRegister = 108; // TTMP0..15, up to M0

std::string sgprName(unsigned number) {
  switch (number) {
  case VccLo:
  case VccHi:
    return number == VccLo ? "vcc_lo" : "vcc_hi";
  case FlatScratchLo:
  case FlatScratchLo + 1:
    return number == FlatScratchLo ? "flat_scratch_lo" : "flat_scratch_hi";
  case XnackMaskLo:
  case XnackMaskLo + 1:
    return number == XnackMaskLo ? "xnack_mask_lo" : "xnack_mask_hi";
  case M0:
    return "m0";
  case ExecLo:
  case ExecHi:
    return number == ExecLo ? "exec_lo" : "exec_hi";
  default:
    return fmt::format("s{}", number);
  }
}

bool isVectorMemory(Format format) {
  return format == Format::Mubuf || format == Format::Mtbuf || format == Format::Mimg || format == Format::Flat;
}

constexpr std::array<uint32_t, 9> InlineFloats = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                                  0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr uint64_t InlineInverseTwoPi64 = 0x3fc45f306dc9c882;

} // namespace

Wave::Wave(Generation generation, Memory &memory, Workgroup &group, const WaveSetup &setup)
    : pc(setup.address), m_chip(chipOf(generation)), m_facts(factsOf(generation)), m_memory(memory), m_group(group),
      m_setup(setup), m_vgprs(std::clamp(setup.vgprCount, 1u, MaxVgprs)), m_exec(setup.halves ? 0 : setup.exec),
      m_execWritten(!setup.halves) {
  if (setup.mayReadUndefined) {
    m_sgprs.fill(UndefinedValue);
    for (Lanes &lanes : m_vgprs)
      lanes.fill(UndefinedValue);
  }
  for (size_t i = 0; i < std::min<size_t>(setup.sgprs.size(), m_facts.numberedSgprs); ++i) {
    if (setup.sgprs[i]) {
      m_sgprs[i] = *setup.sgprs[i];
      m_sgprDefined[i] = ~0u;
    }
  }
  for (size_t i = 0; i < std::min(setup.vgprs.size(), m_vgprs.size()); ++i) {
    if (setup.vgprs[i]) {
      m_vgprs[i] = *setup.vgprs[i];
      m_vgprWritten[i] = true;
    }
  }
  m_ordinarySgprs = std::min<unsigned>(setup.sgprCount, m_facts.numberedSgprs);
  m_sgprDefined[ExecLo] = m_sgprDefined[ExecHi] = ~0u;
  m_mode = setup.floatMode | uint32_t(setup.dx10Clamp) << 8 | uint32_t(setup.ieeeMode) << 9;
}

void Wave::stop(TrapKind kind, std::string text) {
  if (m_trap)
    return;
  status = WaveStatus::Trapped;
  if (kind == TrapKind::UninitialisedRegister && m_unwrittenSource)
    text += fmt::format(" (at {:#x}, {} was never written)", m_unwrittenSource->address,
                        printOperand(m_unwrittenSource->operand, 1));
  if (m_current == nullptr) {
    m_trap = Trap{kind, pc, fmt::format("{:#x}: {}", pc, text)};
    return;
  }
  std::string instruction = m_current->opcode != nullptr ? print(*m_current) : "?";
  m_trap = Trap{kind, m_current->address, fmt::format("{:#x} {}: {}", m_current->address, instruction, text)};
}

void Wave::stop(WaitStateViolation violation) {
  stop(TrapKind::WaitStates, violation.text());
}

// Whether this wave has such a register.
bool Wave::checkSgpr(unsigned number) {
  const bool isSgpr = number < m_facts.numberedSgprs;
  if ((isSgpr && number < m_setup.sgprCount) || (!isSgpr && number < FirstTrapRegister) || number == M0 ||
      number == ExecLo || number == ExecHi || (number == Null && m_facts.hasNull))
    return true;
  trap(TrapKind::RegisterNotAllocated, "{} is not among the {} SGPRs of the wave", sgprName(number), m_setup.sgprCount);
  return false;
}

bool Wave::checkVgpr(unsigned number) {
  if (hasVgpr(number))
    return true;
  trap(TrapKind::RegisterNotAllocated, "v{} is not among the {} VGPRs of the wave", number, m_setup.vgprCount);
  return false;
}

Wave::DefinedBits Wave::readAnySgprBits(unsigned number) {
  if (!checkSgpr(number))
    return {};
  if (number == Null)
    return {0, ~0u};
  if (m_sgprResults[number] != 0)
    trap(TrapKind::UseBeforeWaitcnt, "{} is read while it is being loaded", sgprName(number));
  if (m_current != nullptr)
    checkWaitStates(m_waitStates.readSgpr(number, *m_current));
  if (m_chip.replaysMemory)
    checkSoftClause(m_softClause.readSgpr(number));
  uint32_t value = number == ExecLo ? uint32_t(m_exec) : number == ExecHi ? uint32_t(m_exec >> 32) : m_sgprs[number];
  return {value, m_setup.mayReadUndefined ? ~0u : m_sgprDefined[number]};
}

bool Wave::isNamed(std::string_view name) const {
  return m_current != nullptr && m_current->opcode != nullptr && m_current->opcode->name == name;
}

bool Wave::isMove() const {
  return isNamed("v_mov_b32");
}

// Compilers also use v_cndmask_b32 for a uniform choice. Then the source that no lane takes may be unwritten: the LS
// VGPRs lie at v0 or at v2, depending on the wave (hasLsVgprInitBug).
bool Wave::isChosenByNoLane(unsigned vgpr) {
  if (!isNamed("v_cndmask_b32") || m_current->isDpp)
    return false;
  const unsigned maskRegister = m_current->format == Format::Vop3 ? m_current->src[2] : unsigned(VccLo);
  if (maskRegister >= InlineZero)
    return false;
  const uint64_t mask = readLaneMask(maskRegister);
  const bool isFirst = m_current->src[0] == FirstVgpr + vgpr, isSecond = m_current->src[1] == FirstVgpr + vgpr;
  return !(isFirst && (m_exec & ~mask) != 0) && !(isSecond && (m_exec & mask) != 0);
}

// While EXEC is 0, vector instructions have no effect; LLVM leaves out the branch around a few of them. Only
// v_readfirstlane_b32 still takes some lane's value.
bool Wave::isReadByNoLane() const {
  return m_exec == 0 && m_current != nullptr && m_current->opcode != nullptr && !isNamed("v_readfirstlane_b32");
}

uint32_t Wave::readSgpr(unsigned number, uint32_t needed) {
  DefinedBits bits = readSgprBits(number);
  if (bits.defined == 0 && isMove())
    m_movesUndefined = true;
  else if ((needed & ~bits.defined) != 0)
    trap(TrapKind::UninitialisedRegister, "{} was {}", sgprName(number),
         bits.defined == 0 ? "never written" : "written in part only");
  return bits.value;
}

uint64_t Wave::readLaneMask(unsigned number) {
  DefinedBits low = readSgprBits(number), high = readSgprBits(upperHalf(number));
  uint64_t defined = low.defined | uint64_t(high.defined) << 32;
  if ((m_exec & ~defined) != 0)
    trap(TrapKind::UninitialisedRegister, "{} was not written for the lanes {:#x}", sgprName(number),
         m_exec & ~defined);
  return low.value | uint64_t(high.value) << 32;
}

uint64_t Wave::readSgprPair(unsigned number) {
  uint64_t low = readSgpr(number);
  return low | uint64_t(readSgpr(upperHalf(number))) << 32;
}

void Wave::writeAnySgprBits(unsigned number, DefinedBits bits) {
  if (!checkSgpr(number) || number == Null)
    return;
  if (m_sgprResults[number] != 0)
    trap(TrapKind::UseBeforeWaitcnt, "{} is written while it is being loaded", sgprName(number));
  if (m_current != nullptr)
    m_waitStates.writeSgpr(number, *m_current);
  if (m_chip.replaysMemory)
    checkSoftClause(m_softClause.writeSgpr(number));
  if (number != ExecLo && number != ExecHi) {
    m_sgprs[number] = bits.value;
    m_sgprDefined[number] = bits.defined;
    return;
  }
  if (bits.defined != ~0u)
    trap(TrapKind::UninitialisedRegister, "{} gets bits that were never written", sgprName(number));
  m_execWritten = true;
  m_exec = number == ExecLo ? (m_exec & 0xffffffff00000000) | bits.value
                            : (m_exec & 0xffffffff) | uint64_t(bits.value) << 32;
  m_wereOn |= m_exec;
}

void Wave::writeSgpr(unsigned number, uint32_t value) {
  writeSgprBits(number, {value, ~0u});
}

void Wave::writeSgprPair(unsigned number, uint64_t value) {
  writeSgpr(number, uint32_t(value));
  writeSgpr(upperHalf(number), uint32_t(value >> 32));
}

// A load writes only the lanes that were on when it was issued. So a loop over the values of different lanes may
// overwrite its own operands. Instructions that read other lanes count as reading all lanes.
bool Wave::readsLoadingLanes(unsigned number) const {
  bool readsAll =
      m_current == nullptr || m_current->isDpp || m_current->format == Format::Ds || isNamed("v_readlane_b32");
  return readsAll || (m_loadingLanes[number] & m_exec) != 0 || m_exec == 0;
}

// In the same way, the two sides of a branch may write a register in their own lanes, one by a load and one by a move.
bool Wave::writesLoadingLanes(unsigned number) const {
  const bool isOneLane = isNamed("v_writelane_b32"); // it may write any lane
  return m_current == nullptr || isOneLane || (m_loadingLanes[number] & m_exec) != 0;
}

const Lanes &Wave::readAnyVgpr(unsigned number, uint32_t needed) {
  if (!checkVgpr(number))
    return m_vgprs[0];
  if (m_hasUndefinedBits[number] && readsUndefinedBits(number, needed))
    trap(TrapKind::UninitialisedRegister, "v{} was written in part only", number);
  if (!m_vgprWritten[number] && needed != 0 && !m_setup.mayReadUndefined) {
    if (isMove())
      m_movesUndefined = true;
    else if (!isChosenByNoLane(number) && !isReadByNoLane())
      trap(TrapKind::UninitialisedRegister, "v{} was never written", number);
  }
  if (m_vgprInFlight[number].hasResults() && readsLoadingLanes(number))
    trap(TrapKind::UseBeforeWaitcnt, "v{} is read while it is being loaded", number);
  if (m_chip.replaysMemory)
    checkSoftClause(m_softClause.readVgpr(number));
  return m_vgprs[number];
}

// Vector memory returns in order, so a second load to the same register may be in flight with a first one.
Lanes &Wave::writeAnyVgpr(unsigned number) {
  if (!checkVgpr(number))
    return m_vgprs[0];
  bool inOrder = m_current != nullptr && isVectorMemory(m_current->format);
  const InFlightCounts &inFlight = m_vgprInFlight[number];
  const bool isLoading = (!inOrder && inFlight.results[size_t(Counter::Vm)] != 0) ||
                         inFlight.results[size_t(Counter::Lgkm)] != 0 || inFlight.results[size_t(Counter::Exp)] != 0;
  if (isLoading && writesLoadingLanes(number))
    trap(TrapKind::UseBeforeWaitcnt, "v{} is written while it is being loaded", number);
  if (inFlight.sources != 0)
    trap(TrapKind::UseBeforeWaitcnt, "v{} is written while it is still being read", number);
  if (!m_movesUndefined)
    m_vgprWritten[number] = true;
  m_movesUndefined = false;
  if (m_hasUndefinedBits[number] && !isNamed("v_writelane_b32")) // writeVgprLane() handles its one lane
    setUndefinedBits(number, {}, m_exec);
  if (m_current != nullptr)
    checkWaitStates(m_waitStates.writeVgpr(number, *m_current));
  if (m_chip.replaysMemory)
    checkSoftClause(m_softClause.writeVgpr(number));
  return m_vgprs[number];
}

std::optional<Instruction> Wave::withVgprIndex(Instruction instruction, uint32_t index, unsigned operands) const {
  for (unsigned i = 0; i < 3; ++i) {
    if (instruction.src[i] < FirstVgpr || (operands >> i & 1) == 0)
      continue;
    const uint32_t number = instruction.src[i] - FirstVgpr + index;
    instruction.src[i] = uint16_t(FirstVgpr + (hasVgpr(number) ? number : 0));
  }
  if (instruction.dst >= FirstVgpr && (operands >> 3 & 1) != 0) {
    const uint32_t number = instruction.dst - FirstVgpr + index;
    if (!hasVgpr(number))
      return std::nullopt;
    instruction.dst = uint16_t(FirstVgpr + number);
  }
  return instruction;
}

uint32_t Wave::scalar(const Instruction &instruction, unsigned source, uint32_t needed) {
  if (source < InlineZero)
    return readSgpr(source, needed);
  if (source <= 192)
    return source - InlineZero;
  if (source <= 208)
    return uint32_t(-int32_t(source - 192));
  if (source >= InlineHalf && source <= 248)
    return InlineFloats[source - InlineHalf];
  switch (source) {
  case Vccz:
    return vcc() == 0;
  case Execz:
    return readSgprPair(ExecLo) == 0;
  case Scc:
    return scc();
  case Literal:
    return instruction.literal;
  case PopsExitingWaveId:
    return readExitingWave(*this);
  default:
    trap(TrapKind::Unsupported, "scalar operand {}", source);
    return 0;
  }
}

// A literal has 32 bits. Signed integer instructions extend its sign; f64 instructions take it as the upper half.
uint64_t Wave::scalar64(const Instruction &instruction, unsigned source, bool isFloat) {
  if (source < InlineZero)
    return readSgprPair(source);
  if (source >= InlineHalf && source < InlineHalf + 8u)
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(InlineFloats[source - InlineHalf])));
  if (source == InlineHalf + 8u)
    return InlineInverseTwoPi64;
  if (source == Literal && isFloat)
    return uint64_t(instruction.literal) << 32;
  if (source == Literal && instruction.opcode->name.find("_i64") == std::string_view::npos)
    return instruction.literal;
  return uint64_t(int64_t(int32_t(scalar(instruction, source))));
}

void Wave::setExec(uint64_t value) {
  writeSgprPair(ExecLo, value);
}

bool Wave::scc() {
  if (!m_sccWritten)
    trap(TrapKind::UninitialisedRegister, "SCC was never written");
  return m_scc;
}

void Wave::setScc(bool value) {
  m_scc = value;
  m_sccWritten = true;
}

void Wave::count(Counter counter, const Operation &operation, int change) {
  for (unsigned i = 0; i < operation.count; ++i) {
    const InFlight &range = operation.registers[i];
    for (unsigned reg = range.first; reg < unsigned(range.first + range.count); ++reg) {
      if (!range.isVgpr) {
        if (range.result && reg < m_sgprResults.size())
          m_sgprResults[reg] = uint8_t(m_sgprResults[reg] + change);
      } else if (reg < m_vgprInFlight.size()) {
        InFlightCounts &inFlight = m_vgprInFlight[reg];
        uint8_t &counted = range.result ? inFlight.results[size_t(counter)] : inFlight.sources;
        counted = uint8_t(counted + change);
        if (range.result && change > 0)
          m_loadingLanes[reg] |= m_exec;
        else if (!inFlight.hasResults())
          m_loadingLanes[reg] = 0;
      }
    }
  }
}

unsigned Wave::counterLimit(Counter counter) const {
  switch (counter) {
  case Counter::Vm:
    return m_facts.vmLimit;
  case Counter::Lgkm:
    return m_facts.lgkmLimit;
  case Counter::Exp:
    return 7;
  case Counter::Vs:
    return 63;
  }
  return 0;
}

void Wave::issue(Counter counter, std::initializer_list<InFlight> registers, bool outOfOrder) {
  Operation operation;
  operation.outOfOrder = outOfOrder;
  for (const InFlight &range : registers) {
    if (range.count != 0)
      operation.registers[operation.count++] = range;
    if (range.isVgpr && range.result)
      for (unsigned reg = range.first; reg < unsigned(range.first + range.count) && reg < m_vgprs.size(); ++reg)
        m_division.forget(reg, m_exec);
  }
  std::vector<Operation> &operations = m_inFlight[size_t(counter)];
  waitFor(counter, counterLimit(counter) - 1); // the hardware holds back an instruction that would count further
  operations.push_back(operation);
  count(counter, operation, 1);
}

void Wave::issueInvalidation() {
  issue(Counter::Vm, {});
  m_inFlight[size_t(Counter::Vm)].back().invalidates = true;
}

void Wave::waitFor(Counter counter, unsigned atMost) {
  std::vector<Operation> &operations = m_inFlight[size_t(counter)];
  if (operations.size() <= atMost)
    return;
  // Operations without an order may be the last ones left, so only 0 tells that they are done. If an ordered operation
  // is in flight, so are all ordered ones behind it. So it is over if those alone exceed the count.
  auto ordered = size_t(std::ranges::count(operations, false, &Operation::outOfOrder));
  auto kept = operations.begin();
  for (const Operation &operation : operations) {
    if (!operation.outOfOrder)
      --ordered; // now the number of ordered operations behind this one
    if (atMost == 0 || (!operation.outOfOrder && ordered >= atMost))
      count(counter, operation, -1);
    else
      *kept++ = operation;
  }
  operations.erase(kept, operations.end());
}

size_t Wave::accessesInFlight() const {
  return size_t(std::ranges::count(m_inFlight[size_t(Counter::Vm)], false, &Operation::invalidates)) +
         m_inFlight[size_t(Counter::Vs)].size();
}

bool Wave::hasLdsWritesInFlight() const {
  // LDS reads have registers that they write, and SMEM is out of order: the rest is LDS writes.
  return std::ranges::any_of(m_inFlight[size_t(Counter::Lgkm)],
                             [](const Operation &operation) { return operation.count == 0 && !operation.outOfOrder; });
}

void Wave::trapOutOfBounds(uint64_t address, unsigned size, bool forWriting) {
  trap(TrapKind::MemoryOutOfBounds, "{} of {} bytes at {}", forWriting ? "write" : "read", size,
       m_memory.describe(address));
}

} // namespace dovetail::emulator
