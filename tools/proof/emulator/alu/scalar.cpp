// SPDX-License-Identifier: MIT
//
// The rows of the scalar families. Macros turn a row of the .def files into an Opcode. Its function reads the operands,
// evaluates the row's expression, and writes the result.
// Source: "Vega" ISA manual, chapter 5 and sections 12.1 to 12.5; that s_bfe writes SCC: README-ISA.md of Mesa's ACO.
#include "tools/proof/emulator/alu/scalar.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <bit>
#include <type_traits>

namespace dovetail::emulator {

using namespace scalar_ops;

namespace {

template <unsigned Dwords> using Word = std::conditional_t<Dwords == 2, uint64_t, uint32_t>;

// `needed`: the bits of a single register on which the result depends.
template <unsigned Dwords>
Word<Dwords> read(Wave &wave, const Instruction &instruction, unsigned index, [[maybe_unused]] uint32_t needed = ~0u) {
  if constexpr (Dwords == 0)
    return 0;
  else if constexpr (Dwords == 1)
    return wave.scalar(instruction, instruction.src[index], needed);
  else
    return wave.scalar64(instruction, instruction.src[index]);
}

template <unsigned Dwords> void write(Wave &wave, unsigned number, Word<Dwords> value) {
  if constexpr (Dwords == 1)
    wave.writeSgpr(number, value);
  else
    wave.writeSgprPair(number, value);
}

// A row's effect on SCC.
struct KeepSccTag {
} constexpr KeepScc;
void setScc(Wave &, KeepSccTag) {}
void setScc(Wave &wave, bool value) {
  wave.setScc(value);
}
#define NonZero (d != 0)
#define SCC_OF_BITS_KeepScc
#define SCC_OF_BITS_NonZero setSccOfBits(w, d);

// A value with bits that may be undefined. A bit of a result is defined if it is the same for all values of the
// undefined bits.
template <unsigned Dwords> struct Bits {
  Word<Dwords> value = 0, defined = 0;

  Bits operator~() const { return {Word<Dwords>(~value), defined}; }
  friend Bits operator&(Bits a, Bits b) {
    return {a.value & b.value, (a.defined & b.defined) | (a.defined & ~a.value) | (b.defined & ~b.value)};
  }
  friend Bits operator|(Bits a, Bits b) { return ~(~a & ~b); }
  friend Bits operator^(Bits a, Bits b) { return {a.value ^ b.value, a.defined & b.defined}; }
};

template <unsigned Dwords> uint64_t undefinedBits(Bits<Dwords> bits) {
  return Word<Dwords>(~bits.defined);
}
template <unsigned Dwords> bool isDefined(Bits<Dwords> bits) {
  return undefinedBits(bits) == 0;
}

// Selects by SCC. If SCC is undefined, only bits in which both values agree are defined.
template <unsigned Dwords> Bits<Dwords> selectByScc(Wave &wave, Bits<Dwords> a, Bits<Dwords> b) {
  if (!wave.isSccDefined())
    return {a.value, Word<Dwords>(a.defined & b.defined & ~(a.value ^ b.value))};
  return wave.scc() ? a : b;
}

template <unsigned Dwords> Bits<Dwords> readBits(Wave &wave, const Instruction &instruction, unsigned index) {
  unsigned source = instruction.src[index];
  if (source >= InlineZero)
    return {read<Dwords>(wave, instruction, index), Word<Dwords>(~Word<Dwords>(0))};
  Wave::DefinedBits low = wave.readSgprBits(source);
  if constexpr (Dwords == 1) {
    return {low.value, low.defined};
  } else {
    Wave::DefinedBits high = wave.readSgprBits(upperHalf(source));
    return {low.value | uint64_t(high.value) << 32, low.defined | uint64_t(high.defined) << 32};
  }
}

// The destination with one bit changed, for s_bitset0 and s_bitset1.
template <unsigned Dwords> Bits<Dwords> withBit(Wave &wave, const Instruction &instruction, unsigned bit, bool isSet) {
  Instruction old = instruction;
  old.src[0] = instruction.dst;
  Bits<Dwords> bits = readBits<Dwords>(wave, old, 0);
  const Word<Dwords> mask = Word<Dwords>(1) << bit;
  return {isSet ? bits.value | mask : bits.value & ~mask, bits.defined | mask};
}

// Sets SCC to one bit of a source, or to its opposite.
template <unsigned Dwords> void setSccOfBit(Wave &wave, Bits<Dwords> bits, unsigned bit, bool isSet) {
  if ((bits.defined >> bit & 1) != 0)
    wave.setScc((bits.value >> bit & 1) == isSet);
  else
    wave.setSccUndefined();
}

template <unsigned Dwords> void writeBits(Wave &wave, unsigned number, Bits<Dwords> bits) {
  wave.writeSgprBits(number, {uint32_t(bits.value), uint32_t(bits.defined)});
  if constexpr (Dwords == 2)
    wave.writeSgprBits(upperHalf(number), {uint32_t(bits.value >> 32), uint32_t(bits.defined >> 32)});
}

// Sets SCC if any bit is set. If that depends on undefined bits, SCC becomes undefined.
template <unsigned Dwords> void setSccOfBits(Wave &wave, Bits<Dwords> bits) {
  if ((bits.value & bits.defined) != 0)
    wave.setScc(true);
  else if (isDefined(bits))
    wave.setScc(false);
  else
    wave.setSccUndefined();
}

// Whether each bit of the result depends only on source bits that are as low or lower.
constexpr bool carriesUp(std::string_view name) {
  for (std::string_view start :
       {"s_add", "s_sub", "s_mul_i32", "s_mulk", "s_lshl1_add", "s_lshl2_add", "s_lshl3_add", "s_lshl4_add"})
    if (name.starts_with(start))
      return true;
  return false;
}

// Writes a result and SCC. Bits that depend on undefined bits become undefined: LLVM executes a few scalar instructions
// for no lane instead of branching around them.
template <unsigned Dwords, typename SccValue>
void finish(Wave &wave, const Instruction &instruction, Word<Dwords> result, SccValue sccValue, uint64_t undefined,
            bool isCarriedUp) {
  constexpr bool WritesScc = !std::is_same_v<SccValue, KeepSccTag>;
  if (undefined == 0) [[likely]] {
    setScc(wave, sccValue);
    return write<Dwords>(wave, instruction.dst, result);
  }
  wave.noteUnwrittenSource(instruction);
  const unsigned firstUndefined = isCarriedUp ? unsigned(std::countr_zero(undefined)) : 0;
  writeBits<Dwords>(wave, instruction.dst, {result, Word<Dwords>((Word<Dwords>(1) << firstUndefined) - 1)});
  if constexpr (WritesScc)
    wave.setSccUndefined();
}

bool isLess(uint32_t a, uint32_t b) {
  return int32_t(a) < int32_t(b);
}

bool addOverflows(uint32_t a, uint32_t b) {
  return int64_t(int32_t(a)) + int32_t(b) != int32_t(a + b);
}

bool subtractOverflows(uint32_t a, uint32_t b) {
  return int64_t(int32_t(a)) - int32_t(b) != int32_t(a - b);
}

template <typename T> T bitField(T value, unsigned offset, unsigned width, bool isSigned) {
  constexpr unsigned Bits = sizeof(T) * 8;
  value >>= offset;
  if (width == 0)
    return 0;
  if (width >= Bits)
    width = Bits;
  unsigned unused = Bits - width;
  using Signed = std::make_signed_t<T>;
  return isSigned ? T(Signed(value << unused) >> unused) : T(value << unused) >> unused;
}

// A bit for each quad, which is set if any of its lanes is on.
uint64_t quadMask(uint64_t mask) {
  uint64_t result = 0;
  for (unsigned quad = 0; quad < WaveSize / 4; ++quad)
    result |= uint64_t((mask >> (4 * quad) & 0xf) != 0) << quad;
  return result;
}

uint64_t wholeQuads(uint64_t mask) {
  uint64_t any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111111111111111;
  return any * 0xf;
}

uint64_t reverseBits(uint64_t value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 64; ++i)
    result |= (value >> i & 1) << (63 - i);
  return result;
}

uint64_t doubleBits(uint32_t value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= uint64_t(value >> i & 1) * 3 << (2 * i);
  return result;
}

// How many bits from the highest on equal the sign; -1 if all do.
template <typename T> int signBits(T value) {
  bool negative = std::make_signed_t<T>(value) < 0;
  int count = std::countl_zero(negative ? T(~value) : value);
  return count == int(sizeof(T) * 8) ? -1 : count;
}

// s_*_saveexec: the destination gets the old EXEC. s_*_wrexec: it gets the new EXEC.
void saveExec(Wave &wave, const Instruction &instruction, Bits<2> value) {
  uint64_t old = wave.exec();
  writeBits<2>(wave, ExecLo, value);
  wave.writeSgprPair(instruction.dst, old);
  setSccOfBits(wave, value);
}

void writeExec(Wave &wave, const Instruction &instruction, Bits<2> value) {
  writeBits<2>(wave, ExecLo, value);
  writeBits<2>(wave, instruction.dst, value);
  setSccOfBits(wave, value);
}

// All rows' functions have the same arguments, and may ignore the second.
constexpr Opcode Rows[] = {
#define SOP2(number, generations, name, dDwords, aDwords, bDwords, result, sccValue)                                   \
  {Format::Sop2,                                                                                                       \
   number,                                                                                                             \
   generations,                                                                                                        \
   #name,                                                                                                              \
   dDwords,                                                                                                            \
   {aDwords, bDwords},                                                                                                 \
   [](Wave &w, [[maybe_unused]] const Instruction &i) {                                                                \
     const Bits<aDwords> first = readBits<aDwords>(w, i, 0);                                                           \
     const Bits<bDwords> second = readBits<bDwords>(w, i, 1);                                                          \
     const auto a = first.value;                                                                                       \
     const auto b = second.value;                                                                                      \
     const auto d = Word<dDwords>(result);                                                                             \
     finish<dDwords>(w, i, d, sccValue, undefinedBits(first) | undefinedBits(second), carriesUp(#name));               \
   }},
#define SOP2_BITWISE(number, generations, name, dwords, result, sccValue)                                              \
  {Format::Sop2, number, generations, #name, dwords, {dwords, dwords}, [](Wave &w, const Instruction &i) {             \
     auto a = readBits<dwords>(w, i, 0);                                                                               \
     auto b = readBits<dwords>(w, i, 1);                                                                               \
     Bits<dwords> d = result;                                                                                          \
     SCC_OF_BITS_##sccValue writeBits<dwords>(w, i.dst, d);                                                            \
   }},
// Each bit of the result is a bit of a, or 0, so `result` also moves the mask of undefined bits.
#define SOP2_MOVED(number, generations, name, dDwords, aDwords, neededOfB, result, sccValue)                           \
  {Format::Sop2, number, generations, #name, dDwords, {aDwords, 1}, [](Wave &w, const Instruction &i) {                \
     const Bits<aDwords> source = readBits<aDwords>(w, i, 0);                                                          \
     const uint32_t b = read<1>(w, i, 1, neededOfB);                                                                   \
     const auto moved = [&](Word<aDwords> a) { return Word<dDwords>(result); };                                        \
     const Bits<dDwords> d = {moved(source.value), Word<dDwords>(~moved(~source.defined))};                            \
     SCC_OF_BITS_##sccValue writeBits<dDwords>(w, i.dst, d);                                                           \
   }},
#define SOP2_PACKED(number, generations, name, result)                                                                 \
  {Format::Sop2, number, generations, #name, 1, {1, 1}, [](Wave &w, const Instruction &i) {                            \
     const Bits<1> first = readBits<1>(w, i, 0), second = readBits<1>(w, i, 1);                                        \
     const auto packed = [](uint32_t a, uint32_t b) { return uint32_t(result); };                                      \
     writeBits<1>(w, i.dst, {packed(first.value, second.value), ~packed(~first.defined, ~second.defined)});            \
   }},
#include "tools/proof/emulator/isa/opcodes/sop2.def"
#undef SOP2
#undef SOP2_BITWISE
#undef SOP2_MOVED
#undef SOP2_PACKED

#define SOP1(number, generations, name, dDwords, aDwords, result, sccValue)                                            \
  {Format::Sop1, number, generations, #name, dDwords, {aDwords}, [](Wave &w, [[maybe_unused]] const Instruction &i) {  \
     const Bits<aDwords> source = readBits<aDwords>(w, i, 0);                                                          \
     [[maybe_unused]] const auto a = source.value;                                                                     \
     const auto d = Word<dDwords>(result);                                                                             \
     finish<dDwords>(w, i, d, sccValue, undefinedBits(source), carriesUp(#name));                                      \
   }},
#define SOP1_STATEMENT(number, generations, name, dDwords, aDwords, statement)                                         \
  {Format::Sop1, number, generations, #name, dDwords, {aDwords}, [](Wave &w, [[maybe_unused]] const Instruction &i) {  \
     auto a = read<aDwords>(w, i, 0);                                                                                  \
     statement;                                                                                                        \
   }},
#define SOP1_UNREAD(number, generations, name, dDwords, aDwords, statement)                                            \
  {Format::Sop1, number, generations, #name, dDwords, {aDwords}, [](Wave &w, const Instruction &i) { statement; }},
#define SOP1_BITWISE(number, generations, name, dwords, result, sccValue)                                              \
  {Format::Sop1, number, generations, #name, dwords, {dwords}, [](Wave &w, const Instruction &i) {                     \
     auto a = readBits<dwords>(w, i, 0);                                                                               \
     Bits<dwords> d = result;                                                                                          \
     SCC_OF_BITS_##sccValue writeBits<dwords>(w, i.dst, d);                                                            \
   }},
#define SOP1_EXEC(number, generations, name, function, result)                                                         \
  {Format::Sop1, number, generations, #name, 2, {2}, [](Wave &w, const Instruction &i) {                               \
     auto a = readBits<2>(w, i, 0);                                                                                    \
     Bits<2> exec = {w.exec(), ~uint64_t(0)};                                                                          \
     function(w, i, result);                                                                                           \
   }},
#define SOP1_MOVED(number, generations, name, dDwords, aDwords, result)                                                \
  {Format::Sop1, number, generations, #name, dDwords, {aDwords}, [](Wave &w, const Instruction &i) {                   \
     const Bits<aDwords> source = readBits<aDwords>(w, i, 0);                                                          \
     const auto moved = [](Word<aDwords> a) { return Word<dDwords>(result); };                                         \
     writeBits<dDwords>(w, i.dst, {moved(source.value), Word<dDwords>(~moved(~source.defined))});                      \
   }},
#include "tools/proof/emulator/isa/opcodes/sop1.def"
#undef SOP1
#undef SOP1_STATEMENT
#undef SOP1_BITWISE
#undef SOP1_MOVED
#undef SOP1_EXEC
#undef SOP1_UNREAD

#define SOPC(number, generations, name, aDwords, bDwords, condition)                                                   \
  {Format::Sopc,                                                                                                       \
   number,                                                                                                             \
   generations,                                                                                                        \
   #name,                                                                                                              \
   0,                                                                                                                  \
   {aDwords, bDwords},                                                                                                 \
   [](Wave &w, [[maybe_unused]] const Instruction &i) {                                                                \
     const Bits<aDwords> first = readBits<aDwords>(w, i, 0);                                                           \
     const Bits<bDwords> second = readBits<bDwords>(w, i, 1);                                                          \
     if (!isDefined(first) || !isDefined(second))                                                                      \
       return w.setSccUndefined();                                                                                     \
     auto a = first.value;                                                                                             \
     auto b = second.value;                                                                                            \
     w.setScc(condition);                                                                                              \
   }},
#define SOPC_STATEMENT(number, generations, name, aDwords, statement)                                                  \
  {Format::Sopc, number, generations, #name, 0, {aDwords}, [](Wave &w, [[maybe_unused]] const Instruction &i) {        \
     auto a = read<aDwords>(w, i, 0);                                                                                  \
     statement;                                                                                                        \
   }},
#define SOPC_UNREAD(number, generations, name, aDwords, statement)                                                     \
  {Format::Sopc, number, generations, #name, 0, {aDwords, 1}, [](Wave &w, const Instruction &i) { statement; }},
#include "tools/proof/emulator/isa/opcodes/sopc.def"
#undef SOPC
#undef SOPC_STATEMENT
#undef SOPC_UNREAD

#define SOPK(number, generations, name, statement)                                                                     \
  {Format::Sopk, number, generations, #name, 0, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) {               \
     [[maybe_unused]] int32_t k = int16_t(i.simm16);                                                                   \
     [[maybe_unused]] auto d = [&] { return w.readSgpr(i.dst); };                                                      \
     statement;                                                                                                        \
   }},
#define SOPK_COMPARED(number, generations, name, condition)                                                            \
  {Format::Sopk, number, generations, #name, 0, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) {               \
     [[maybe_unused]] const int32_t k = int16_t(i.simm16);                                                             \
     const Wave::DefinedBits old = w.readSgprBits(i.dst);                                                              \
     const uint32_t d = old.value;                                                                                     \
     old.defined == ~0u ? w.setScc(condition) : w.setSccUndefined();                                                   \
   }},
#define SOPK_COMPUTED(number, generations, name, result, sccValue)                                                     \
  {Format::Sopk, number, generations, #name, 0, {}, [](Wave &w, const Instruction &i) {                                \
     const uint32_t k = uint32_t(int16_t(i.simm16));                                                                   \
     const Wave::DefinedBits old = w.readSgprBits(i.dst);                                                              \
     const uint32_t d = old.value;                                                                                     \
     finish<1>(w, i, result, sccValue, uint32_t(~old.defined), carriesUp(#name));                                      \
   }},
#include "tools/proof/emulator/isa/opcodes/sopk.def"
#undef SOPK
#undef SOPK_COMPARED
#undef SOPK_COMPUTED

#define SOPP(number, generations, name, statement)                                                                     \
  {Format::Sopp, number, generations, #name, 0, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) { \
     statement; }},
#include "tools/proof/emulator/isa/opcodes/sopp.def"
#undef SOPP

#define SMEM(number, generations, name, dwords, statement)                                                             \
  {Format::Smem, number, generations, #name, dwords, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) {          \
     statement;                                                                                                        \
   }},
#include "tools/proof/emulator/isa/opcodes/smem.def"
#undef SMEM

#define EXPORT(number, generations, name, statement)                                                                   \
  {Format::Exp, number, generations, #name, 0, {}, [](Wave &w, [[maybe_unused]] const Instruction &i) { \
     statement; }},
#include "tools/proof/emulator/isa/opcodes/exp.def"
#undef EXPORT
};

} // namespace

void refuseOpcode(Wave &wave, const Instruction &instruction) {
  wave.trap(TrapKind::Unsupported, "the emulator does not execute {}", instruction.opcode->name);
}

std::span<const Opcode> scalarOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
