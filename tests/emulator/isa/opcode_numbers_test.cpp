// SPDX-License-Identifier: MIT
//
// Compares the opcode tables with LLVM. The tests make an instruction from each row's format and number alone; LLVM's
// disassembler must call it by the row's name. In the other direction, each opcode that LLVM has for a GPU of the
// project must have a row, or a reason why it has none.
#include "src/abi/target_info.h"
#include "src/mc/disassembler.h"
#include "tools/proof/emulator/isa/decode.h"
#include "tools/proof/emulator/isa/opcode.h"
#include "tools/proof/emulator/wave/chip.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/ranges.h>
#include <set>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

constexpr uint64_t V0 = 256, V2 = 258, V4 = 260; // as 9-bit sources
// The second dwords of SDWA and DPP: v1, whole registers, all rows and banks.
constexpr uint64_t SdwaFields = uint64_t(0x06060601) << 32, DppFields = uint64_t(0xff00e401) << 32;

// Possible encodings of an instruction with this format and number. LLVM refuses operands that an instruction does not
// have, and VGPRs where it wants SGPRs, so there are several.
std::vector<uint64_t> encodingsOfGcn(Format format, uint64_t number) {
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
    return {0x7e000000 | number << 9 | V0, 0x7e000000 | number << 9, 0x7e000000 | number << 9 | Sdwa | SdwaFields,
            0x7e000000 | number << 9 | Dpp | DppFields};
  case Format::Vop2:
    return {number << 25 | V0, number << 25 | V0 | uint64_t(0x42280000) << 32, number << 25 | Sdwa | SdwaFields,
            number << 25 | Dpp | DppFields};
  case Format::Vopc:
    return {0x7c000000 | number << 17 | V0, 0x7c000000 | number << 17 | Sdwa | SdwaFields};
  case Format::Vop3:
    return {0xd0000000 | third | V4 << 50,
            0xd0000000 | third,
            0xd0000000 | number << 16 | V0 << 32,
            0xd0000000 | number << 16 | V0 << 32 | 4ull << 41,
            0xd0000000 | number << 16 | 4ull << 32 | 4ull << 41,
            0xd0000000 | number << 16 | 1ull << 32 | V2 << 41 | V4 << 50,
            0xd0000000 | number << 16 | 1ull << 32 | V2 << 41};
  case Format::Vop3p:
    return {0xd3804000 | third | V4 << 50 | 3ull << 59, 0xd3804000 | third | 3ull << 59};
  case Format::Vintrp:
    return {0xd4000000 | number << 16 | 1};
  case Format::Ds:
    return {0xd8000000 | number << 17 | 40ull << 40 | 80ull << 48 | 120ull << 56, 0xd8000000 | number << 17,
            0xd8000000 | number << 17 | 1 << 16};
  case Format::Flat: {
    const uint64_t segment = number >> 7, none = segment != 0 ? 0x7full << 48 : 0;
    const uint64_t word = 0xdc000000 | (number & 0x7f) << 18 | segment << 14 | none;
    return {word | 40ull << 40 | 120ull << 56, word | 1 << 16 | 40ull << 40 | 120ull << 56, word};
  }
  case Format::Mubuf:
    return {0xe0000000 | number << 18 | 40ull << 40 | 0x80ull << 56,
            0xe0000000 | number << 18 | 1 << 16 | 0x80ull << 56, 0xe0000000 | number << 18};
  case Format::Mtbuf:
    return {0xe8000000 | number << 15 | 4 << 19 | 40ull << 40 | 0x80ull << 56};
  case Format::Mimg: // atomics write as much as they read
    return {0xf0000000 | number << 18 | 0xf << 8 | 40ull << 40, 0xf0000000 | number << 18 | 1 << 8 | 40ull << 40,
            0xf0000000 | number << 18 | 3 << 8 | 40ull << 40};
  case Format::Exp:
    return {0xc400000f};
  }
  return {};
}

// The same for the formats that GFX10 has in other places.
std::vector<uint64_t> encodingsOfGfx10(Format format, uint64_t number) {
  constexpr uint64_t Null = 125;
  const uint64_t third = 0xd4000000 | number << 16 | V0 << 32 | V2 << 41, scalar = 0xd4000000 | number << 16;
  const uint64_t highNumber = number >> 7;
  switch (format) {
  case Format::Sopk:
    return {0xb0000000 | number << 23 | 4 << 16 | 1, 0xb0000000 | number << 23 | Null << 16 | 1,
            0xb0000000 | number << 23 | 1};
  case Format::Smem:
    return {0xf4000000 | number << 18 | 4 << 6 | 4 | Null << 57, 0xf4000000 | number << 18 | Null << 57,
            0xf4000000 | number << 18};
  case Format::Vop3:
    return {third | V4 << 50,
            third,
            scalar | V0 << 32,
            scalar | V0 << 32 | 4ull << 41,
            scalar | 4ull << 32 | 4ull << 41,
            scalar | 1ull << 32 | V2 << 41 | V4 << 50,
            scalar | 1ull << 32 | V2 << 41,
            scalar | V0 << 32 | 4ull << 41 | 4ull << 50};
  case Format::Vop3p:
    return {0xcc004000 | number << 16 | V0 << 32 | V2 << 41 | V4 << 50 | 3ull << 59,
            0xcc004000 | number << 16 | V0 << 32 | V2 << 41 | 3ull << 59};
  case Format::Vintrp:
    return {0xc8000000 | number << 16 | 1};
  case Format::Ds:
    return {0xd8000000 | number << 18 | 40ull << 40 | 80ull << 48 | 120ull << 56, 0xd8000000 | number << 18,
            0xd8000000 | number << 18 | 1 << 17};
  case Format::Flat: {
    const uint64_t word = 0xdc000000 | (number & 0x7f) << 18 | (number >> 7) << 14 | Null << 48;
    return {word | 40ull << 40 | 120ull << 56, word | 1 << 16 | 40ull << 40 | 120ull << 56, word};
  }
  case Format::Mubuf: {
    const uint64_t word = 0xe0000000 | (number & 0x7f) << 18 | highNumber << 25;
    return {word | 40ull << 40 | 0x80ull << 56, word | 1 << 16 | 0x80ull << 56, word};
  }
  case Format::Mtbuf:
    return {0xe8000000 | (number & 7) << 16 | 22 << 19 | 40ull << 40 | (number >> 3) << 53 | 0x80ull << 56};
  case Format::Mimg: {
    constexpr uint64_t Dim2D = 1 << 3;
    const uint64_t word = 0xf0000000 | (number & 0x7f) << 18 | highNumber | Dim2D;
    return {word | 0xf << 8 | 40ull << 40, word | 1 << 8 | 40ull << 40, word | 3 << 8 | 40ull << 40};
  }
  case Format::Exp:
    return {0xf800000f};
  default:
    return encodingsOfGcn(format, number);
  }
}

std::vector<uint64_t> encodings(Generation generation, Format format, uint64_t number) {
  return generation == Generation::Gfx10 ? encodingsOfGfx10(format, number) : encodingsOfGcn(format, number);
}

// The GPUs of the project, and those that so far only the emulator knows.
std::vector<std::string_view> gpuNames() {
  std::vector<std::string_view> names;
  for (const TargetInfo &target : allTargets())
    names.push_back(target.gpuName);
  names.insert(names.end(), {"gfx1030", "gfx1033", "gfx1036"});
  return names;
}

std::string withoutSuffix(std::string name) {
  for (const char *suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    size_t length = std::strlen(suffix);
    if (name.size() > length && name.compare(name.size() - length, length, suffix) == 0)
      name.resize(name.size() - length);
  }
  return name;
}

// LLVM's names for the format and number. More than one name means that an encoding is not of the format.
std::set<std::string> namesByLlvm(mc::Disassembler &disassembler, Generation generation, Format format,
                                  unsigned number) {
  std::set<std::string> names;
  for (uint64_t encoding : encodings(generation, format, number)) {
    std::array<uint8_t, 8> bytes;
    std::memcpy(bytes.data(), &encoding, 8);
    Result<std::string> text = disassembler.print(bytes, 0);
    if (text)
      names.insert(withoutSuffix(text->substr(0, text->find(' '))));
  }
  return names;
}

// LLVM's disassembler has no row for these, or names them otherwise. The numbers are the ISA manual's.
bool isUnknownToLlvm(std::string_view name) {
  return name == "s_cbranch_g_fork" || name == "s_cbranch_i_fork" || name == "s_cbranch_join";
}

constexpr unsigned NumberCount = 1024;

} // namespace

TEST_CASE("each row's number is LLVM's number of the instruction with that name") {
  for (std::string_view gpuName : gpuNames()) {
    CAPTURE(gpuName);
    mc::Disassembler::Lease disassembler = std::move(*mc::Disassembler::forGpu(gpuName));
    const InstructionSet set = chipOf(gpuName).instructionSet;
    for (Format format :
         {Format::Sop1, Format::Sop2, Format::Sopk, Format::Sopc, Format::Sopp, Format::Smem, Format::Vop1,
          Format::Vop2, Format::Vopc, Format::Vop3, Format::Vop3p, Format::Vintrp, Format::Exp}) {
      for (unsigned number = 0; number < NumberCount; ++number) {
        const Opcode *row = findOpcode(format, number, set);
        if (row == nullptr || isUnknownToLlvm(row->name))
          continue;
        CAPTURE(row->name);
        std::set<std::string> names = namesByLlvm(*disassembler, generationOf(set), format, number);
        REQUIRE(!names.empty());
        CHECK(fmt::format("{}", fmt::join(names, " or ")) == row->name);
      }
    }
  }
}

namespace {

// Instructions of LLVM's tables that the emulator does not execute, because no program that it runs has them: all whose
// names begin so.
struct Unreachable {
  std::string_view names, reason;
};
constexpr Unreachable UnreachableOpcodes[] = {
    {"s_rfe_", "trap handlers"},
    {"s_trap", "trap handlers"},
    {"s_endpgm_saved", "trap handlers"},
    {"s_cbranch_cdbg", "debuggers"},
    {"s_sethalt", "debuggers"},
    {"s_setkill", "debuggers"},
    {"s_setvskip", "LLVM selects it nowhere"},
    {"s_cbranch_join", "forks: LLVM selects them nowhere"},
    {"s_cbranch_i_fork", "forks: LLVM selects them nowhere"},
    {"s_cbranch_g_fork", "forks: LLVM selects them nowhere"},
    {"s_atc_probe", "prefetches address translations: LLVM selects it nowhere"},
    {"s_atomic_", "scalar atomics: LLVM selects them nowhere"},
    {"s_buffer_atomic_", "scalar atomics: LLVM selects them nowhere"},
    {"s_scratch_", "scalar scratch memory: LLVM selects it nowhere"},
    {"s_dcache_discard", "LLVM selects it nowhere"},
    {"s_endpgm_ordered_ps_done", "sections are left by a message here"},
    {"s_wakeup", "wakes sleeping waves of the group: no sleep here waits for it"},
    {"ds_gws_", "global wave sync: APIs of graphics have none"},
    {"ds_ordered_count", "GDS, which nothing here allocates"},
    {"image_gather4h", "LLVM selects it nowhere"},
    {"v_screen_partition_4se_b32",
     "a look-up table for screen partitioning between shader engines: no compiler emits it"},
};

// The name of the table's row that covers an instruction; "": none.
std::string_view unreachableNames(std::string_view name) {
  if (name.starts_with("ds_") && name.find("_src2_") != name.npos)
    return "ds_*_src2_*"; // memory to memory: LLVM selects them nowhere
  const auto *row = std::ranges::find_if(
      UnreachableOpcodes, [&](const Unreachable &unreachable) { return name.starts_with(unreachable.names); });
  return row == std::end(UnreachableOpcodes) ? std::string_view() : row->names;
}

// The numbers that a format has.
struct Family {
  Format format;
  unsigned count;
};
constexpr Family Families[] = {
    {Format::Sop1, 256},  {Format::Sop2, 96},  {Format::Sopk, 29}, {Format::Sopc, 128}, {Format::Sopp, 128},
    {Format::Smem, 256},  {Format::Vop1, 256}, {Format::Vop2, 62}, {Format::Vopc, 256}, {Format::Vop3, 1024},
    {Format::Vop3p, 128}, {Format::Vintrp, 4}, {Format::Ds, 256},  {Format::Flat, 512}, {Format::Mubuf, 256},
    {Format::Mtbuf, 16},  {Format::Mimg, 256}, {Format::Exp, 1},
};

} // namespace

TEST_CASE("each opcode that LLVM has for a GPU decodes to a row of its name, or is named as unreachable") {
  std::set<std::string_view> seen;
  for (std::string_view gpuName : gpuNames()) {
    CAPTURE(gpuName);
    mc::Disassembler::Lease disassembler = std::move(*mc::Disassembler::forGpu(gpuName));
    const InstructionSet set = chipOf(gpuName).instructionSet;
    std::set<std::string> found;
    for (const Family &family : Families)
      for (unsigned number = 0; number < family.count; ++number)
        for (uint64_t encoding : encodings(generationOf(set), family.format, number)) {
          std::array<uint8_t, 8> bytes;
          std::memcpy(bytes.data(), &encoding, 8);
          const Result<std::string> text = disassembler->print(bytes, 0);
          if (!text)
            continue;
          const std::string name = withoutSuffix(text->substr(0, text->find_first_of(" \n")));
          const std::string_view unreachable = unreachableNames(name);
          if (!unreachable.empty() && decode(set, 0, bytes).opcode == nullptr) {
            seen.insert(unreachable);
            continue;
          }
          found.insert(name);
          const Instruction instruction = decode(set, 0, bytes);
          CAPTURE(*text);
          CHECK(std::string(instruction.opcode != nullptr ? instruction.opcode->name : "no row") == name);
        }
    CHECK(found.size() > (generationOf(set) == Generation::Gfx8 ? 880 : 1050));
  }
  CHECK(seen.size() == std::size(UnreachableOpcodes) + 1);
}
