// SPDX-License-Identifier: MIT
//
// The rows of opcodes.def as an array, for the encoder. Opcode is the index of a row.
#pragma once

#include "src/isa/encoder.h"
#include <array>

namespace dovetail::isa {

// What an instruction does beside writing its destination and reading its sources.
namespace traits {
enum Trait : uint32_t {
  None = 0,
  // Implicit registers, in the order in which LLVM lists them; ImplicitRegisters has them.
  ReadsScc = 1u << 0,
  ReadsMode = 1u << 1,
  ReadsM0 = 1u << 2,
  ReadsM0OnGfx8 = 1u << 3,
  ReadsVcc = 1u << 4,
  MaskIn = 1u << 5, // reads VCC; the VOP3 form reads any pair of SGPRs
  ReadsExec = 1u << 6,
  ReadsM0Last = 1u << 7, // LLVM lists M0 behind EXEC
  ReadsFlatScratch = 1u << 8,
  WritesExec = 1u << 9,
  WritesScc = 1u << 10,
  WritesMode = 1u << 11,
  MaskOut = 1u << 12, // writes VCC; the VOP3 form writes any pair of SGPRs
  Implicit = (1u << 13) - 1,
  ImplicitWrites = WritesExec | WritesScc | WritesMode | MaskOut,
  // Memory.
  Loads = 1u << 13,
  Stores = 1u << 14,       // an atomic does both
  PackedHalves = 1u << 15, // the data are halves; GFX9 and gfx810 pack two into a dword
  Samples = 1u << 16,      // has a sampler
  Gathers = 1u << 17,      // four texels, whatever DMASK says
  Global = 1u << 18,
  Scratch = 1u << 19,
  // Operands.
  Accumulates = 1u << 20,       // reads the old value of the destination
  ScalarDestination = 1u << 21, // of a vector instruction
  LiteralSecond = 1u << 22,     // source 1 is a literal
  LiteralThird = 1u << 23,
  Swaps = 1u << 24,      // writes source 0, too
  Jumps = 1u << 25,      // to its source
  WritesLane = 1u << 26, // may read M0 for the lane beside another scalar source

  Vector = ReadsExec,
  VectorFloat = ReadsExec | ReadsMode,
  MemoryLoad = ReadsExec | Loads,
  MemoryStore = ReadsExec | Stores,
  MemoryAtomic = ReadsExec | Loads | Stores,
  LdsLoad = MemoryLoad | ReadsM0,
  LdsStore = MemoryStore | ReadsM0,
  LdsAtomic = MemoryAtomic | ReadsM0,
  FlatLoad = MemoryLoad | ReadsFlatScratch,
  FlatStore = MemoryStore | ReadsFlatScratch,
  FlatAtomic = MemoryAtomic | ReadsFlatScratch,
};
} // namespace traits

// By the bits of traits::Implicit.
constexpr RegisterRange ImplicitRegisters[] = {
    {RegisterFile::Scc, 0, 1, true},  {RegisterFile::Mode, 0, 1, true}, {RegisterFile::M0, 0, 1, true},
    {RegisterFile::M0, 0, 1, true},   {RegisterFile::Vcc, 0, 2, true},  {RegisterFile::Vcc, 0, 2, true},
    {RegisterFile::Exec, 0, 2, true}, {RegisterFile::M0, 0, 1, true},   {RegisterFile::FlatScratch, 0, 2, true},
    {RegisterFile::Exec, 0, 2, true}, {RegisterFile::Scc, 0, 1, true},  {RegisterFile::Mode, 0, 1, true},
    {RegisterFile::Vcc, 0, 2, true},
};
static_assert((1u << std::size(ImplicitRegisters)) == traits::Implicit + 1u);

struct OpcodeRow {
  static constexpr uint16_t Same = 0xfffe, No = 0xffff;

  std::array<std::string_view, 2> mnemonics; // on GFX8, on GFX9; with "_e32" behind them, as in shortMnemonic()
  std::array<uint16_t, 2> numbers;           // on GFX8 (or No), on GFX9
  uint32_t traits;
  Encoding encoding;
  uint8_t destinationDwords;
  uint8_t sourceCount;
  std::array<uint8_t, 3> sourceDwords;

  bool is(uint32_t anyTrait) const { return (traits & anyTrait) != 0; }
  bool exists(bool isGfx9) const { return numbers[isGfx9] != No; }
  uint32_t numberOn(bool isGfx9) const { return numbers[isGfx9]; }
  std::string_view mnemonic(bool isGfx9) const { return mnemonics[isGfx9]; }
  // LLVM's name of the short form of a comparison.
  std::string_view shortMnemonic() const { return {mnemonics[0].data(), mnemonics[0].size() + ShortSuffix.size()}; }

  static constexpr std::string_view ShortSuffix = "_e32";
};

namespace detail {
// `name`: a mnemonic with ShortSuffix. `sources`: a decimal digit for each source.
constexpr OpcodeRow opcodeRow(std::string_view gfx8Name, std::string_view name, Encoding encoding, uint16_t number,
                              uint16_t gfx8Number, uint8_t destinationDwords, unsigned sources, uint32_t traits) {
  gfx8Name.remove_suffix(OpcodeRow::ShortSuffix.size());
  name.remove_suffix(OpcodeRow::ShortSuffix.size());
  OpcodeRow row = {.mnemonics = {gfx8Name, name},
                   .numbers = {gfx8Number == OpcodeRow::Same ? number : gfx8Number, number},
                   .traits = traits,
                   .encoding = encoding,
                   .destinationDwords = destinationDwords,
                   .sourceCount = 0,
                   .sourceDwords = {}};
  for (unsigned rest = sources; rest; rest /= 10)
    ++row.sourceCount;
  for (unsigned i = row.sourceCount; i-- > 0; sources /= 10)
    row.sourceDwords[i] = uint8_t(sources % 10);
  return row;
}

constexpr auto opcodeRows() {
  using enum Encoding;
  using namespace traits;
  constexpr uint16_t Same = OpcodeRow::Same, No = OpcodeRow::No;
  return std::array{
#define OPCODE(name, mnemonic, encoding, number, gfx8Number, destination, sources, traits)                             \
  opcodeRow(mnemonic "_e32", mnemonic "_e32", encoding, number, gfx8Number, destination, sources, traits),
#define OPCODE_RENAMED(name, mnemonic, gfx8Mnemonic, encoding, number, destination, sources, traits)                   \
  opcodeRow(gfx8Mnemonic "_e32", mnemonic "_e32", encoding, number, Same, destination, sources, traits),
#include "src/isa/opcodes.def"
#undef OPCODE
#undef OPCODE_RENAMED
  };
}
} // namespace detail

inline constexpr auto OpcodeRows = detail::opcodeRows();
static_assert(OpcodeRows.size() == OpcodeCount);

constexpr const OpcodeRow &rowOf(Opcode opcode) {
  return OpcodeRows[size_t(opcode)];
}

} // namespace dovetail::isa
