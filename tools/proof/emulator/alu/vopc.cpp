// SPDX-License-Identifier: MIT
//
// Compares write one bit per lane, 0 for lanes that are off, to VCC or to the SGPR pair in VOP3 or SDWA. v_cmpx of GFX8
// and GFX9 also writes EXEC; that of GFX10 writes only EXEC.
// Source: "Vega" ISA manual, section 12.9; that v_cmpx writes both: LLVM, VOPCInstructions.td.
#include "tools/proof/emulator/alu/vector_execute.h"

namespace dovetail::emulator {

namespace {

template <typename A, typename B, auto Condition>
[[gnu::always_inline]] inline uint64_t compareFused(const FusedOperands &operands) {
  std::array<Lanes, 2> uniform;
  const FusedOperand sourceA = inLanes<A>(operands.sources[0], uniform[0]),
                     sourceB = inLanes<B>(operands.sources[1], uniform[1]);
  Lanes holds;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    holds[lane] = Condition(fusedValue<A>(sourceA, lane), fusedValue<B>(sourceB, lane)) ? ~0u : 0;
  return laneBits(holds);
}

// The lanes in which the condition holds.
template <typename A, typename B, auto Condition> uint64_t compareLanes(Wave &wave, const Instruction &instruction) {
  if constexpr (AreOf32Bits<A, B>)
    if (mayBeFused(wave, instruction)) {
      FusedOperands operands;
      operands.sources[0] = fusedOperand<A>(wave, instruction, 0);
      operands.sources[1] = fusedOperand<B>(wave, instruction, 1);
      uint64_t holds = 0;
      withHostVectors([&] { holds = compareFused<A, B, Condition>(operands); });
      return holds;
    }
  Values<A> a;
  Values<B> b;
  fetch<A>(wave, instruction, 0, a);
  fetch<B>(wave, instruction, 1, b);
  Lanes holds;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    holds[lane] = Condition(a[lane], b[lane]) ? ~0u : 0;
  return laneBits(holds);
}

template <typename A, typename B, bool WritesExec, auto Condition>
void executeCompare(Wave &wave, const Instruction &instruction) {
  if (instruction.isDpp)
    wave.trap(TrapKind::Unsupported, "DPP of a compare");
  const uint64_t mask = compareLanes<A, B, Condition>(wave, instruction) & wave.exec();
  if (!WritesExec || !wave.facts().comparesToExecAlone)
    wave.writeSgprPair(instruction.sdst, mask);
  if (WritesExec)
    wave.setExec(mask);
}

#define COMPARE_ROW(number, name, A, B, writesExec, ...)                                                               \
  Opcode{Format::Vopc,                                                                                                 \
         number,                                                                                                       \
         Gfx8And9,                                                                                                     \
         name,                                                                                                         \
         2,                                                                                                            \
         {A::Dwords, B::Dwords, 0},                                                                                    \
         &executeCompare<A, B, writesExec, []([[maybe_unused]] A::Value a, [[maybe_unused]] B::Value b) -> bool {      \
           return (__VA_ARGS__);                                                                                       \
         }>},
#define COMPARE(number, distance, name, A, B, ...)                                                                     \
  COMPARE_ROW(number, "v_cmp_" #name, A, B, false, __VA_ARGS__)                                                        \
  COMPARE_ROW(number + distance, "v_cmpx_" #name, A, B, true, __VA_ARGS__)
// The negated conditions are also true for NaNs.
#define FLOAT_COMPARES(number, suffix, T)                                                                              \
  COMPARE(number + 0, 16, f_##suffix, T, T, false)                                                                     \
  COMPARE(number + 1, 16, lt_##suffix, T, T, a < b)                                                                    \
  COMPARE(number + 2, 16, eq_##suffix, T, T, a == b)                                                                   \
  COMPARE(number + 3, 16, le_##suffix, T, T, a <= b)                                                                   \
  COMPARE(number + 4, 16, gt_##suffix, T, T, a > b)                                                                    \
  COMPARE(number + 5, 16, lg_##suffix, T, T, a < b || a > b)                                                           \
  COMPARE(number + 6, 16, ge_##suffix, T, T, a >= b)                                                                   \
  COMPARE(number + 7, 16, o_##suffix, T, T, !std::isnan(a) && !std::isnan(b))                                          \
  COMPARE(number + 8, 16, u_##suffix, T, T, std::isnan(a) || std::isnan(b))                                            \
  COMPARE(number + 9, 16, nge_##suffix, T, T, !(a >= b))                                                               \
  COMPARE(number + 10, 16, nlg_##suffix, T, T, !(a < b || a > b))                                                      \
  COMPARE(number + 11, 16, ngt_##suffix, T, T, !(a > b))                                                               \
  COMPARE(number + 12, 16, nle_##suffix, T, T, !(a <= b))                                                              \
  COMPARE(number + 13, 16, neq_##suffix, T, T, !(a == b))                                                              \
  COMPARE(number + 14, 16, nlt_##suffix, T, T, !(a < b))                                                               \
  COMPARE(number + 15, 16, tru_##suffix, T, T, true)
#define INTEGER_COMPARES(number, suffix, T)                                                                            \
  COMPARE(number + 0, 16, f_##suffix, T, T, false)                                                                     \
  COMPARE(number + 1, 16, lt_##suffix, T, T, a < b)                                                                    \
  COMPARE(number + 2, 16, eq_##suffix, T, T, a == b)                                                                   \
  COMPARE(number + 3, 16, le_##suffix, T, T, a <= b)                                                                   \
  COMPARE(number + 4, 16, gt_##suffix, T, T, a > b)                                                                    \
  COMPARE(number + 5, 16, ne_##suffix, T, T, a != b)                                                                   \
  COMPARE(number + 6, 16, ge_##suffix, T, T, a >= b)                                                                   \
  COMPARE(number + 7, 16, t_##suffix, T, T, true)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vopc.def"
};

} // namespace

std::span<const Opcode> vopcOpcodes() {
  return Table;
}

} // namespace dovetail::emulator
