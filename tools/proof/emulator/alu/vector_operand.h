// SPDX-License-Identifier: MIT
//
// Operands of vector ALU instructions. A type below says how 16, 32 or 64 bits of each lane become a C++ value. The
// fetch is the same for all types: register or constant; then DPP, SDWA or OP_SEL; then abs and neg; then denormal
// inputs become zero if MODE says so.
#pragma once

#include "tools/proof/emulator/numerics/half.h"
#include "tools/proof/emulator/wave/wave.h"
#include <bit>
#include <type_traits>

namespace dovetail::emulator {

using WideLanes = std::array<uint64_t, WaveSize>;

enum class Denormals : uint8_t { AsMode, Flushed, Kept };

// The properties of a type that the fetch needs.
struct OperandKind {
  uint8_t width; // bits: 0 (no operand), 16, 32, 64
  bool isFloat;  // inline constants have the operand's width, and abs and neg are allowed
  bool isPacked; // two 16-bit values; width is 32
  bool isSigned; // 64-bit literals are sign-extended
  Denormals denormals;
};

template <typename V, unsigned Width, bool IsFloat, bool IsSigned = false, Denormals Mode = Denormals::Kept>
struct OperandType {
  using Value = V;
  static constexpr OperandKind Kind = {Width, IsFloat, false, IsSigned, Mode};
  static constexpr uint8_t Dwords = (Width + 31) / 32;
  static constexpr bool KeepsOtherHalf = false;
};

struct Nothing {};
struct NoOperand : OperandType<Nothing, 0, false> {};

struct U32 : OperandType<uint32_t, 32, false> {};
struct I32 : OperandType<int32_t, 32, false, true> {};
struct U64 : OperandType<uint64_t, 64, false> {};
struct I64 : OperandType<int64_t, 64, false, true> {};
struct U16 : OperandType<uint16_t, 16, false> {};
struct I16 : OperandType<int16_t, 16, false, true> {};

struct F32 : OperandType<float, 32, true, false, Denormals::AsMode> {};
struct F64 : OperandType<double, 64, true, false, Denormals::AsMode> {};
struct F16 : OperandType<double, 16, true, false, Denormals::AsMode> {}; // as a double with the same value

// v_mad and v_mac of GFX9 always flush denormals, whatever MODE says; so do the f32 transcendentals.
struct F32Flushed : OperandType<float, 32, true, false, Denormals::Flushed> {};
struct F16Flushed : OperandType<double, 16, true, false, Denormals::Flushed> {};
// Classification and scaling always keep denormals, whatever MODE says.
struct F32Kept : OperandType<float, 32, true> {};
struct F64Kept : OperandType<double, 64, true> {};
struct F16Kept : OperandType<double, 16, true> {};
// Bits to which float modifiers apply, as in v_cndmask_b32.
struct B32 : OperandType<uint32_t, 32, true> {};
struct B16 : OperandType<uint16_t, 16, true> {};

// A 16-bit result that keeps the other half of the register. Other 16-bit results clear it: GFX9's rule for the
// instructions that GFX8 already had.
template <typename T> struct KeepOtherHalf : T { static constexpr bool KeepsOtherHalf = true; };

template <typename T> using Values = std::array<typename T::Value, WaveSize>;

// The bits of source operand `index` after all modifiers except the flush of denormals. 16-bit values are in the low
// half, with zeros above. operandBits() returns the register itself if nothing changes it, otherwise `scratch`.
const Lanes &operandBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, Lanes &scratch);
void fetchBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, Lanes &bits);
void fetchBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, WideLanes &bits);

// Whether denormal inputs become zero.
inline bool flushesInputs(const Wave &wave, OperandKind kind) {
  if (kind.denormals != Denormals::AsMode)
    return kind.denormals == Denormals::Flushed;
  return (wave.mode() >> (kind.width == 32 ? 4 : 6) & 1) == 0;
}

// The lane from which DPP takes `lane`'s value. WaveSize: no lane, because of the edge of a row or of the wave, or
// because the lane is off. WaveSize + 1: no such control. `control` is DPP_CTRL.
unsigned dppSource(unsigned control, unsigned lane, uint64_t exec);

// The lanes that the instruction writes: those in EXEC, without those that DPP's masks and bounds leave out.
uint64_t writtenByDpp(Wave &wave, const Instruction &instruction);
inline uint64_t writtenLanes(Wave &wave, const Instruction &instruction) {
  return instruction.isDpp ? writtenByDpp(wave, instruction) : wave.exec();
}

template <typename T> typename T::Value decodeLane(uint64_t bits, bool flush) {
  using Value = typename T::Value;
  if constexpr (T::Kind.width == 16) {
    if constexpr (!std::is_same_v<Value, double>)
      return Value(bits);
    else
      return fromHalf(uint16_t(flush && (bits & 0x7c00) == 0 ? bits & 0x8000 : bits));
  } else if constexpr (T::Kind.width == 32) {
    uint32_t low = uint32_t(bits);
    if constexpr (std::is_same_v<Value, float>)
      return std::bit_cast<float>(flush && (low & 0x7f800000) == 0 ? low & 0x80000000 : low);
    else
      return Value(low);
  } else {
    if constexpr (std::is_same_v<Value, double>)
      return std::bit_cast<double>(flush && (bits & 0x7ff0000000000000) == 0 ? bits & 0x8000000000000000 : bits);
    else
      return Value(bits);
  }
}

template <typename T> using BitsOf = std::conditional_t<T::Kind.width == 64, WideLanes, Lanes>;

template <typename T> void decodeLanes(const Wave &wave, const BitsOf<T> &bits, Values<T> &values) {
  // Two loops without a condition inside: the compiler can vectorise each.
  if (flushesInputs(wave, T::Kind))
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      values[lane] = decodeLane<T>(bits[lane], true);
  else
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      values[lane] = decodeLane<T>(bits[lane], false);
}

template <typename T> void fetch(Wave &wave, const Instruction &instruction, unsigned index, Values<T> &values) {
  if constexpr (T::Kind.width != 0) {
    BitsOf<T> bits;
    if constexpr (T::Kind.width == 64) {
      fetchBits(wave, instruction, index, T::Kind, bits);
      decodeLanes<T>(wave, bits, values);
    } else {
      decodeLanes<T>(wave, operandBits(wave, instruction, index, T::Kind, bits), values);
    }
  }
}

} // namespace dovetail::emulator
