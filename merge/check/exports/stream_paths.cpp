// SPDX-License-Identifier: MIT
//
// Which paths a wave takes depends on its stream. Constants are propagated through the scalar instructions, bit by bit,
// beginning with the stream's number in StreamoutConfig[25:24]. A branch whose condition is known goes one way.
//
// Only the instructions that compilers make switches of are computed. Any other instruction makes its results unknown,
// and a branch on an unknown condition goes both ways: at worst, a path is followed that does not exist.
//
// EXEC counts as full. If a condition is the same for all lanes, s_and and s_andn2 of it with EXEC are zero or not as
// the condition is, as long as a lane is on. Whether all lanes of the start are on is known apart from that, for
// branches that depend on it: LLVM ends regions with s_cbranch_execnz in place of s_branch.
#include "merge/check/exports/stream_paths.h"
#include "merge/check/data_flow.h"
#include "merge/check/entry.h"
#include <array>
#include <cstring>
#include <optional>

namespace dovetail::check {

namespace {

constexpr unsigned StreamShift = 24;
constexpr uint32_t StreamMask = 3u << StreamShift;

// A dword of which some bits are known.
struct Bits {
  uint32_t known = 0, value = 0; // unknown bits are 0 in the value

  bool operator==(const Bits &) const = default;
  bool isConstant() const { return known == ~0u; }
  bool isNonZero() const { return value != 0; }
};

Bits constant(uint32_t value) {
  return {~0u, value};
}

Bits meet(const Bits &a, const Bits &b) {
  const uint32_t known = a.known & b.known & ~(a.value ^ b.value);
  return {known, a.value & known};
}

Bits bitAnd(const Bits &a, const Bits &b) {
  const uint32_t value = a.value & b.value;
  return {value | (a.known & ~a.value) | (b.known & ~b.value), value};
}

Bits bitOr(const Bits &a, const Bits &b) {
  const uint32_t value = a.value | b.value;
  return {value | (a.known & b.known), value};
}

Bits bitNot(const Bits &a) {
  return {a.known, a.known & ~a.value};
}

Bits shiftRight(const Bits &a, unsigned distance) {
  return {a.known >> distance | ~(~0u >> distance), a.value >> distance};
}

// Source operands as SOP instructions number them.
constexpr unsigned Sgprs = 102, VccLo = 106, VccHi = 107, ExecLo = 126, ExecHi = 127, Operands = 128, Zero = 128,
                   PositiveEnd = 192, NegativeEnd = 208, Literal = 255;

struct ScalarState {
  std::array<Bits, Operands> registers = {};
  Bits scc; // bit 0

  bool operator==(const ScalarState &) const = default;
};

ScalarState meet(const ScalarState &a, const ScalarState &b) {
  ScalarState result;
  for (unsigned i = 0; i < Operands; ++i)
    result.registers[i] = meet(a.registers[i], b.registers[i]);
  result.scc = meet(a.scc, b.scc);
  return result;
}

class StreamPaths {
public:
  explicit StreamPaths(const Program &program) : m_program(program) {}

  std::vector<std::vector<uint32_t>> run(const ScalarState &start) {
    const FlowStates<ScalarState> states = flowForward(
        m_program, m_program.stage.entry, start,
        [&](uint32_t node, const ScalarState &before, const auto &pass) {
          const ScalarState after = step(m_program.instructions[node], before);
          for (uint32_t successor : possibleSuccessors(node, before))
            pass(successor, after);
        },
        [](const ScalarState &a, const ScalarState &b) { return meet(a, b); });
    std::vector<std::vector<uint32_t>> result(m_program.instructions.size());
    for (uint32_t node = 0; node < result.size(); ++node)
      if (const ScalarState *before = states.before(node))
        result[node] = possibleSuccessors(node, *before);
    return result;
  }

private:
  uint32_t word(const isa::Instruction &inst, unsigned index) const {
    uint32_t value = 0;
    std::memcpy(&value, &m_program.image.code[inst.offset + index * 4], 4);
    return value;
  }

  // The dword of an operand, or the upper dword of a 64-bit operand. EXEC counts as full, but a result that becomes
  // EXEC depends on which lanes are on.
  Bits source(const isa::Instruction &inst, const ScalarState &state, unsigned operand, unsigned half,
              bool becomesExec) const {
    if (!becomesExec && (operand == ExecLo || operand == ExecHi))
      return constant(~0u);
    if (operand < Operands)
      return operand + half < Operands ? state.registers[operand + half] : Bits{};
    if (operand <= PositiveEnd)
      return constant(half ? 0 : operand - Zero);
    if (operand <= NegativeEnd)
      return constant(half ? ~0u : PositiveEnd - operand);
    if (operand == Literal)
      return constant(half ? 0 : word(inst, 1));
    return {};
  }

  static Bits compare(std::string_view name, const Bits &a, const Bits &b) {
    // Values that differ in a known bit are not equal, whatever the other bits are.
    const bool differs = (a.known & b.known & (a.value ^ b.value)) != 0, areKnown = a.isConstant() && b.isConstant();
    if (name.starts_with("s_cmp_eq_") || name.starts_with("s_cmp_lg_")) {
      if (!differs && !areKnown)
        return {};
      return constant(differs == name.starts_with("s_cmp_lg_"));
    }
    if (!areKnown)
      return {};
    const bool isSigned = name.ends_with("_i32");
    const int64_t x = isSigned ? int64_t(int32_t(a.value)) : int64_t(a.value);
    const int64_t y = isSigned ? int64_t(int32_t(b.value)) : int64_t(b.value);
    if (name.starts_with("s_cmp_gt_"))
      return constant(x > y);
    if (name.starts_with("s_cmp_ge_"))
      return constant(x >= y);
    if (name.starts_with("s_cmp_lt_"))
      return constant(x < y);
    if (name.starts_with("s_cmp_le_"))
      return constant(x <= y);
    return {};
  }

  ScalarState step(const isa::Instruction &inst, const ScalarState &before) const {
    ScalarState after = before;
    forget(inst, after);
    if (inst.encoding != isa::Encoding::Sop1 && inst.encoding != isa::Encoding::Sop2 &&
        inst.encoding != isa::Encoding::Sopc && inst.encoding != isa::Encoding::Sopk)
      return after;
    const std::string_view name = inst.mnemonic;
    const uint32_t encoded = word(inst, 0);
    const unsigned target = encoded >> 16 & 127;
    const bool becomesExec = target == ExecLo || target == ExecHi;
    auto a = [&](unsigned half = 0) { return source(inst, before, encoded & 255, half, becomesExec); };
    auto b = [&](unsigned half = 0) { return source(inst, before, encoded >> 8 & 255, half, becomesExec); };
    auto setPair = [&](auto make) {
      for (unsigned half = 0; half < 2 && target + half < Operands; ++half)
        after.registers[target + half] = make(half);
    };
    // Logical operations set SCC if the result is not zero.
    auto setLogical = [&](const Bits &result) {
      after.registers[target] = result;
      after.scc = result.isNonZero() ? constant(1) : result.isConstant() ? constant(0) : Bits{};
    };
    if (inst.encoding == isa::Encoding::Sopc) {
      after.scc = compare(name, a(), b());
    } else if (name == "s_mov_b32") {
      after.registers[target] = a();
    } else if (name == "s_movk_i32") {
      after.registers[target] = constant(uint32_t(int32_t(int16_t(encoded & 0xffff))));
    } else if (name == "s_mov_b64") {
      setPair([&](unsigned half) { return a(half); });
    } else if (name == "s_and_b32") {
      setLogical(bitAnd(a(), b()));
    } else if (name == "s_lshr_b32" && b().isConstant()) {
      setLogical(shiftRight(a(), b().value & 31));
    } else if (name == "s_bfe_u32" && b().isConstant()) {
      const unsigned width = b().value >> 16 & 127;
      const uint32_t mask = width >= 32 ? ~0u : (1u << width) - 1;
      setLogical(bitAnd(shiftRight(a(), b().value & 31), constant(mask)));
    } else if (name.ends_with("_saveexec_b64")) {
      setPair([&](unsigned half) { return before.registers[ExecLo + half]; });
    } else if (name == "s_or_b64") {
      setPair([&](unsigned half) { return bitOr(a(half), b(half)); });
    } else if (name == "s_and_b64") {
      setPair([&](unsigned half) { return bitAnd(a(half), b(half)); });
    } else if (name == "s_andn2_b64") {
      setPair([&](unsigned half) { return bitAnd(a(half), bitNot(b(half))); });
    } else if (name == "s_cselect_b64" && before.scc.isConstant()) {
      setPair([&](unsigned half) { return before.scc.value ? a(half) : b(half); });
    } else if (name == "s_cselect_b32" && before.scc.isConstant()) {
      after.registers[target] = before.scc.value ? a() : b();
    }
    return after;
  }

  static void forget(const isa::Instruction &inst, ScalarState &state) {
    for (const isa::RegisterRange &range : inst.writes) {
      if (range.file == isa::RegisterFile::Scc)
        state.scc = {};
      if (range.file == isa::RegisterFile::Exec)
        state.registers[ExecLo] = state.registers[ExecHi] = {};
      const bool isVcc = range.file == isa::RegisterFile::Vcc;
      if (!isVcc && range.file != isa::RegisterFile::Sgpr)
        continue;
      for (unsigned i = 0; i < range.count; ++i)
        if (const unsigned number = (isVcc ? VccLo : 0) + range.first + i; number < (isVcc ? VccHi + 1 : Sgprs))
          state.registers[number] = {};
    }
  }

  std::vector<uint32_t> possibleSuccessors(uint32_t node, const ScalarState &state) const {
    const isa::Instruction &inst = m_program.instructions[node];
    const std::vector<uint32_t> &all = m_program.successors[node];
    if (!inst.is(isa::Conditional))
      return all;
    const Bits &low = state.registers[VccLo], &high = state.registers[VccHi];
    Bits isTaken;
    if (inst.mnemonic == "s_cbranch_scc0" && state.scc.isConstant())
      isTaken = constant(state.scc.value == 0);
    if (inst.mnemonic == "s_cbranch_scc1" && state.scc.isConstant())
      isTaken = constant(state.scc.value != 0);
    const bool isVccNonZero = low.isNonZero() || high.isNonZero();
    if (isVccNonZero || (low.isConstant() && high.isConstant())) {
      if (inst.mnemonic == "s_cbranch_vccnz")
        isTaken = constant(isVccNonZero);
      if (inst.mnemonic == "s_cbranch_vccz")
        isTaken = constant(!isVccNonZero);
    }
    if (state.registers[ExecLo].isNonZero() || state.registers[ExecHi].isNonZero()) {
      if (inst.mnemonic == "s_cbranch_execnz")
        isTaken = constant(1);
      if (inst.mnemonic == "s_cbranch_execz")
        isTaken = constant(0);
    }
    if (!isTaken.isConstant())
      return all;
    std::vector<uint32_t> result;
    for (uint32_t successor : all) {
      const uint32_t to = m_program.instructions[successor].offset;
      const bool isTarget = to == inst.branchTarget, isNext = to == inst.offset + inst.size;
      if (isTaken.value ? isTarget || !isNext : isNext || !isTarget)
        result.push_back(successor);
    }
    return result;
  }

  const Program &m_program;
};

// The SGPR that holds StreamoutConfig when the program starts.
std::optional<unsigned> streamoutConfig(const Program &program) {
  for (const auto &[reg, value] : entryValues(program.image, program.stage))
    if (value.kind == ValueKind::StreamoutConfig && reg.bank == RegisterBank::Sgpr)
      return reg.index;
  return std::nullopt;
}

} // namespace

bool runsForStreams(const Program &program) {
  return program.stage.stage == HardwareStage::Vs && program.image.findStage(HardwareStage::Gs) &&
         streamoutConfig(program);
}

std::vector<std::vector<uint32_t>> successorsForStream(const Program &program, unsigned stream) {
  ScalarState start;
  start.registers[ExecLo] = start.registers[ExecHi] = constant(~0u);
  if (const std::optional<unsigned> config = streamoutConfig(program))
    start.registers[*config] = {StreamMask, stream << StreamShift};
  return StreamPaths(program).run(start);
}

} // namespace dovetail::check
