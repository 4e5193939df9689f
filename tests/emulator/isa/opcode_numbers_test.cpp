// SPDX-License-Identifier: MIT
//
// The opcode tables against LLVM: an instruction is put together from each row's format and number alone, and LLVM's
// disassembler must call it by the row's name. The other way round, each vector opcode that LLVM knows must have a row.
#include "src/mc/disassembler.h"
#include "tools/emulator/isa/opcode.h"
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/ranges.h>
#include <set>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

struct Gpu {
  Generation generation;
  const char *name;
};
constexpr Gpu Gpus[] = {{Generation::Gfx8, "gfx803"}, {Generation::Gfx9, "gfx900"}};

constexpr uint64_t V0 = 256, V2 = 258, V4 = 260; // as 9-bit sources

// What an instruction of the format with this number may look like: LLVM refuses operands that an instruction does not
// have, and VGPRs where it wants SGPRs, so there is more than one way.
std::vector<uint64_t> encodings(Format format, uint64_t number) {
  uint64_t third = number << 16 | V0 << 32 | V2 << 41;
  switch (format) {
  case Format::Sop1:
    return {0xbe800000 | number << 8 | 4 << 16 | 6, 0xbe800000 | number << 8, 0xbe800000 | number << 8 | 4 << 16};
  case Format::Sop2:
    return {0x80000000 | number << 23 | 4 << 16 | 8 << 8 | 6};
  case Format::Sopk:
    return {0xb0000000 | number << 23 | 4 << 16 | 1};
  case Format::Sopc:
    return {0xbf000000 | number << 16 | 8 << 8 | 6};
  case Format::Sopp:
    return {0xbf800000 | number << 16};
  case Format::Smem:
    return {0xc0020000 | number << 18 | 4 << 6 | 4, 0xc0000000 | number << 18};
  case Format::Vop1:
    return {0x7e000000 | number << 9 | V0, 0x7e000000 | number << 9};
  case Format::Vop2:
    return {number << 25 | V0, number << 25 | V0 | uint64_t(0x42280000) << 32};
  case Format::Vopc:
    return {0x7c000000 | number << 17 | V0};
  case Format::Vop3:
    return {0xd0000000 | third | V4 << 50,
            0xd0000000 | third,
            0xd0000000 | number << 16 | V0 << 32 | 4ull << 41,
            0xd0000000 | number << 16 | 4ull << 32 | 4ull << 41,
            0xd0000000 | number << 16 | 1ull << 32 | V2 << 41 | V4 << 50,
            0xd0000000 | number << 16 | 1ull << 32 | V2 << 41};
  case Format::Vop3p:
    return {0xd3804000 | third | V4 << 50 | 3ull << 59, 0xd3804000 | third | 3ull << 59};
  case Format::Vintrp:
    return {0xd4000000 | number << 16 | 1};
  case Format::Exp:
    return {0xc400000f};
  default:
    return {}; // memory instructions have tests of their own
  }
}

std::string withoutSuffix(std::string name) {
  for (const char *suffix : {"_e32", "_e64"}) {
    size_t length = std::strlen(suffix);
    if (name.size() > length && name.compare(name.size() - length, length, suffix) == 0)
      name.resize(name.size() - length);
  }
  return name;
}

// LLVM's names for the format and number; more than one would mean that an encoding is not of the format.
std::set<std::string> namesByLlvm(mc::Disassembler &disassembler, Format format, unsigned number) {
  std::set<std::string> names;
  for (uint64_t encoding : encodings(format, number)) {
    std::array<uint8_t, 8> bytes;
    std::memcpy(bytes.data(), &encoding, 8);
    Result<std::string> text = disassembler.print(bytes, 0);
    if (text)
      names.insert(withoutSuffix(text->substr(0, text->find(' '))));
  }
  return names;
}

// LLVM's disassembler has no row for these, or names them otherwise; the numbers are the ISA manual's.
bool isUnknownToLlvm(std::string_view name) {
  return name == "s_cbranch_g_fork" || name == "s_cbranch_i_fork" || name == "s_cbranch_join";
}

constexpr unsigned NumberCount = 1024;

} // namespace

TEST_CASE("each row's number is LLVM's number of the instruction with that name") {
  for (const Gpu &gpu : Gpus) {
    mc::Disassembler::Lease disassembler = std::move(*mc::Disassembler::forGpu(gpu.name));
    for (Format format :
         {Format::Sop1, Format::Sop2, Format::Sopk, Format::Sopc, Format::Sopp, Format::Smem, Format::Vop1,
          Format::Vop2, Format::Vopc, Format::Vop3, Format::Vop3p, Format::Vintrp, Format::Exp}) {
      for (unsigned number = 0; number < NumberCount; ++number) {
        const Opcode *row = findOpcode(format, number, gpu.generation);
        if (row == nullptr || isUnknownToLlvm(row->name))
          continue;
        CAPTURE(row->name);
        std::set<std::string> names = namesByLlvm(*disassembler, format, number);
        REQUIRE(!names.empty());
        CHECK(fmt::format("{}", fmt::join(names, " or ")) == row->name);
      }
    }
  }
}

TEST_CASE("each vector ALU opcode of GFX9 that LLVM knows has a row") {
  // A look-up table for screen partitioning between shader engines: no compiler emits it.
  const std::set<std::string> notThere = {"v_screen_partition_4se_b32"};
  mc::Disassembler::Lease disassembler = std::move(*mc::Disassembler::forGpu("gfx900"));
  struct Family {
    Format format;
    unsigned first, count;
  };
  constexpr Family Families[] = {{Format::Vop1, 0, 256},   {Format::Vop2, 0, 62},   {Format::Vopc, 0, 256},
                                 {Format::Vop3, 448, 448}, {Format::Vop3p, 0, 128}, {Format::Vintrp, 0, 4}};
  unsigned found = 0;
  for (const Family &family : Families) {
    for (unsigned number = family.first; number < family.first + family.count; ++number) {
      CAPTURE(number);
      std::set<std::string> names = namesByLlvm(*disassembler, family.format, number);
      for (const std::string &name : names) {
        CAPTURE(name);
        bool hasRow = findOpcode(family.format, number, Generation::Gfx9) != nullptr;
        CHECK(hasRow != notThere.contains(name));
        ++found;
      }
    }
  }
  CHECK(found > 400);
}
