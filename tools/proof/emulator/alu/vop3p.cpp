// SPDX-License-Identifier: MIT
//
// VOP3P has three kinds of instructions:
// - two 16-bit operations in one, each on the halves that OP_SEL (low result) and OP_SEL_HI (high result) select;
// - v_mad_mix and v_fma_mix, whose sources are each an f32 or one of two halves;
// - dot products.
#include "tools/proof/emulator/alu/vector_execute.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// Fetches a packed source: its values for the low and for the high operation.
template <typename T>
void fetchPacked(Wave &wave, const Instruction &instruction, unsigned index, Values<T> &low, Values<T> &high) {
  if constexpr (T::Kind.width != 0) {
    // In VOP3P, NEG belongs to the low operation and NEG_HI to the high one; there is no ABS.
    Instruction unmodified = instruction;
    unmodified.neg = {};
    Lanes bits;
    fetchBits(wave, unmodified, index, {32, T::Kind.isFloat, true, T::Kind.isSigned, Denormals::Kept}, bits);
    bool negateLow = instruction.neg[index], negateHigh = (instruction.negHi >> index & 1) != 0;
    if ((negateLow || negateHigh) && !T::Kind.isFloat)
      wave.trap(TrapKind::Unsupported, "neg of an integer");
    unsigned lowShift = (instruction.opSel >> index & 1) * 16, highShift = (instruction.opSelHi >> index & 1) * 16;
    bool flush = flushesInputs(wave, T::Kind);
    for (unsigned lane = 0; lane < WaveSize; ++lane) {
      uint32_t lowBits = bits[lane] >> lowShift & 0xffff, highBits = bits[lane] >> highShift & 0xffff;
      low[lane] = decodeLane<T>(lowBits ^ (negateLow ? 0x8000 : 0), flush);
      high[lane] = decodeLane<T>(highBits ^ (negateHigh ? 0x8000 : 0), flush);
    }
  }
}

template <typename D, typename A, typename B, typename C, auto Operation>
void executePacked(Wave &wave, const Instruction &instruction) {
  Values<A> aLow, aHigh;
  Values<B> bLow, bHigh;
  Values<C> cLow, cHigh;
  fetchPacked<A>(wave, instruction, 0, aLow, aHigh);
  fetchPacked<B>(wave, instruction, 1, bLow, bHigh);
  fetchPacked<C>(wave, instruction, 2, cLow, cHigh);
  ResultMode mode = resultMode(wave, instruction, D::Kind);
  Lanes bits;
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    uint32_t low = uint32_t(encodeLane<D>(Operation(aLow[lane], bLow[lane], cLow[lane]), mode));
    uint32_t high = uint32_t(encodeLane<D>(Operation(aHigh[lane], bHigh[lane], cHigh[lane]), mode));
    bits[lane] = packWords(low, high);
  }
  writeLanes(wave, instruction, U32::Kind, false, bits);
}

// Reports say that v_mad_mix of gfx900 flushes half denormals whatever MODE says (Mesa's work item 6178, llvm-project
// #224911); the manuals do not say so (docs/hardware-facts.md). So each denormal is flushed or kept, as a function of
// its bits or the noise decides.
uint32_t withUnknownDenormals(Wave &wave, uint32_t half) {
  constexpr uint32_t Exponent = 0x7c00, Sign = 0x8000;
  if (wave.chip().instructionSet != InstructionSet::Gfx9 || (half & Exponent) != 0)
    return half;
  const bool isFlushed = wave.roundingNoise().isOf(NoiseSource::HalfDenormals) ? wave.roundingNoise().choose()
                                                                               : std::popcount(half) % 2 != 0;
  return isFlushed ? half & Sign : half;
}

// Fetches a source of v_mad_mix: OP_SEL_HI makes it a half, OP_SEL selects which; NEG_HI is ABS.
template <typename Single>
void fetchMixed(Wave &wave, const Instruction &instruction, unsigned index, Values<F32> &values) {
  bool isHalf = (instruction.opSelHi >> index & 1) != 0;
  Instruction modified = instruction;
  bool absolute = (instruction.negHi >> index & 1) != 0, negate = instruction.neg[index];
  modified.neg = {};
  Lanes bits;
  fetchBits(wave, modified, index, {32, true, isHalf, false, Denormals::Kept}, bits);
  Values<F16> halves;
  if (isHalf) {
    unsigned shift = (instruction.opSel >> index & 1) * 16;
    for (uint32_t &value : bits)
      value = withUnknownDenormals(wave, value >> shift & 0xffff);
    decodeLanes<F16>(wave, bits, halves);
  } else {
    decodeLanes<Single>(wave, bits, values);
  }
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    float value = isHalf ? float(halves[lane]) : values[lane];
    value = absolute ? std::fabs(value) : value;
    values[lane] = negate ? -value : value;
  }
}

enum class Destination { Whole, LowHalf, HighHalf };

template <Destination TheDestination, typename Single, typename MultiplyAdd>
void executeMix(Wave &wave, const Instruction &instruction, MultiplyAdd multiplyAdd) {
  Values<F32> a, b, c;
  fetchMixed<Single>(wave, instruction, 0, a);
  fetchMixed<Single>(wave, instruction, 1, b);
  fetchMixed<Single>(wave, instruction, 2, c);
  Values<F32> results;
  {
    HostRounding rounding(roundingOf(wave, 32));
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      results[lane] = multiplyAdd(a[lane], b[lane], c[lane]);
  }
  if (TheDestination == Destination::Whole) {
    storeResult<Single>(wave, instruction, results);
    return;
  }
  Instruction half = instruction;
  half.format = Format::Vop3; // in VOP3, OP_SEL's bit 3 selects the half of the destination
  half.opSel = TheDestination == Destination::HighHalf ? 8 : 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    const uint16_t bits = toHalf(double(results[lane]), roundingOf(wave, 16));
    if (withUnknownDenormals(wave, bits) != bits)
      results[lane] = std::copysign(0.0f, results[lane]);
  }
  storeResult<KeepOtherHalf<F16>>(wave, half, results);
}

// Multiplies and adds f32 numbers. v_mad_mix is not fused and has no f32 denormals. v_fma_mix, which has v_mad_mix's
// opcode numbers on some chips, is fused and follows MODE for denormals.
template <Destination TheDestination> void executeMix(Wave &wave, const Instruction &instruction) {
  if ((instruction.opcode->generations & FmaMix) != 0)
    executeMix<TheDestination, F32>(wave, instruction, [](float x, float y, float z) { return std::fma(x, y, z); });
  else
    executeMix<TheDestination, F32Flushed>(wave, instruction, [](float x, float y, float z) { return x * y + z; });
}

// Two products of halves plus a 32-bit summand. For a float summand, NEG is in both fields.
template <typename D, typename Half, auto Operation> void executeDot2(Wave &wave, const Instruction &instruction) {
  Values<Half> aLow, aHigh, bLow, bHigh;
  Values<D> c;
  fetchPacked<Half>(wave, instruction, 0, aLow, aHigh);
  fetchPacked<Half>(wave, instruction, 1, bLow, bHigh);
  if ((instruction.negHi >> 2 & 1) != unsigned(instruction.neg[2]))
    wave.trap(TrapKind::Unsupported, "a summand of which one half is negated");
  fetch<D>(wave, instruction, 2, c);
  std::array<decltype(Operation(aLow[0], aHigh[0], bLow[0], bHigh[0], c[0])), WaveSize> results;
  HostRounding rounding(roundingOf(wave, 32));
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = Operation(aLow[lane], aHigh[lane], bLow[lane], bHigh[lane], c[lane]);
  storeResult<D>(wave, instruction, results);
}

#define PACKED(number, name, D, A, B, C, ...)                                                                          \
  Opcode{                                                                                                              \
      Format::Vop3p,                                                                                                   \
      number,                                                                                                          \
      Gfx9,                                                                                                            \
      #name,                                                                                                           \
      1,                                                                                                               \
      {A::Dwords, B::Dwords, C::Dwords},                                                                               \
      &executePacked<D, A, B, C, [](A::Value a, B::Value b, [[maybe_unused]] C::Value c) { return (__VA_ARGS__); }>},
#define MIX(number, name, sets, destination)                                                                           \
  FUNCTION_ROW(Vop3p, number, name, sets, 1, 1, 1, 1, executeMix<destination>)
#define DOT2(number, name, D, Half, ...)                                                                               \
  Opcode{                                                                                                              \
      Format::Vop3p,                                                                                                   \
      number,                                                                                                          \
      DotProducts,                                                                                                     \
      #name,                                                                                                           \
      1,                                                                                                               \
      {1, 1, 1},                                                                                                       \
      &executeDot2<D, Half, [](Half::Value aLow, Half::Value aHigh, Half::Value bLow, Half::Value bHigh, D::Value c) { \
        return (__VA_ARGS__);                                                                                          \
      }>},
#define DOT(number, name, D, ...)                                                                                      \
  VECTOR_ROW(Vop3p, number, name, DotProducts, D, U32, U32, D, Shape{}, (__VA_ARGS__) + c)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vop3p.def"
};

} // namespace

std::span<const Opcode> vop3pOpcodes() {
  return Table;
}

} // namespace dovetail::emulator
