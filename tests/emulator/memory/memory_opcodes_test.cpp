// SPDX-License-Identifier: MIT
//
// The rows of the memory families against LLVM's disassembler: the names of their numbers, and how many registers they
// write and read.
#include "src/mc/disassembler.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using dovetail::emulator::Format;
using dovetail::emulator::Opcode;

namespace {

constexpr unsigned Data = 40, Data1 = 80, Destination = 120;

// An instruction with this number and registers far from each other, in the fields that the row says it has.
std::array<uint32_t, 2> encodingOf(const Opcode &row) {
  unsigned data = row.srcDwords[1] != 0 ? Data << 8 : 0, destination = row.dstDwords != 0 ? Destination << 24 : 0;
  switch (row.format) {
  case Format::Ds:
    return {0xd8000000u | row.number << 17, data | (row.srcDwords[2] != 0 ? Data1 << 16 : 0) | destination};
  case Format::Flat: {
    // Atomics write registers only with GLC.
    bool isAtomic = row.name.find("_atomic_") != row.name.npos;
    unsigned segment = unsigned(row.number >> 7);
    return {0xdc000000u | (row.number & 0x7f) << 18 | segment << 14 | unsigned(isAtomic) << 16,
            data | (segment != 0 ? 0x7fu << 16 : 0) | destination};
  }
  case Format::Mtbuf:
    return {0xe8000000u | row.number << 15 | 4 << 19, Data << 8 | 0x80u << 24};
  default:
    return {0xe0000000u | row.number << 18, Data << 8 | 0x80u << 24};
  }
}

// Registers [first, first + 32) of a list.
unsigned countVgprs(const auto &ranges, unsigned first) {
  unsigned count = 0;
  for (const isa::RegisterRange &range : ranges)
    if (range.file == isa::RegisterFile::Vgpr && !range.tied && range.first >= first && range.first < first + 32)
      count += range.count;
  return count;
}

void check(const Opcode &row, emulator::Generation generation, const char *gpu) {
  CAPTURE(row.name);
  CAPTURE(gpu);
  if (!(row.generations & uint8_t(generation)))
    return;
  std::array<uint32_t, 2> words = encodingOf(row);
  // GWS and LDS DMA have bits of their own. Here only buffer_store_lds_dword needs one.
  if (row.name == "buffer_store_lds_dword")
    words[0] |= 1 << 16;
  std::array<uint8_t, 8> bytes;
  std::memcpy(bytes.data(), words.data(), 8);
  Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpu);
  REQUIRE(disassembler);
  Result<std::string> text = (*disassembler)->print(bytes, 0);
  REQUIRE(text);
  CHECK(text->substr(0, text->find_first_of(" \n")) == row.name);
  Result<isa::Instruction> instruction = (*disassembler)->decode(bytes, 0);
  REQUIRE(instruction);
  bool isBuffer = row.format == Format::Mubuf || row.format == Format::Mtbuf;
  bool isAtomic = row.name.find("_atomic_") != row.name.npos;
  // Buffer atomics without GLC write no register.
  if (row.format != Format::Mubuf || !isAtomic)
    CHECK(countVgprs(instruction->writes, isBuffer ? Data : Destination) == row.dstDwords);
  CHECK(countVgprs(instruction->reads, Data) == row.srcDwords[1]);
  if (row.format == Format::Ds)
    CHECK(countVgprs(instruction->reads, Data1) == row.srcDwords[2]);
}

void checkAll(std::span<const Opcode> rows) {
  for (const Opcode &row : rows) {
    check(row, emulator::Generation::Gfx9, "gfx900");
    check(row, emulator::Generation::Gfx8, "gfx803");
  }
}

TEST_CASE("numbers and names of DS rows are LLVM's") {
  checkAll(emulator::dsOpcodes());
}

TEST_CASE("numbers and names of MUBUF and MTBUF rows are LLVM's") {
  checkAll(emulator::bufferOpcodes());
}

TEST_CASE("numbers and names of FLAT, GLOBAL and SCRATCH rows are LLVM's") {
  checkAll(emulator::flatOpcodes());
}

} // namespace
