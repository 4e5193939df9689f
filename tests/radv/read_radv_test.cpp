// SPDX-License-Identifier: MIT
//
// The readers of RADV's texts and registers, on short examples made up here.
#include "src/abi/registers/registers.h"
#include "tools/proof/radv-reference/nir_text.h"
#include "tools/proof/radv/commands/own_commands.h"
#include "tools/proof/radv/commands/pm4.h"
#include "tools/proof/radv/own_code.h"
#include "tools/proof/radv/radv_user_data.h"
#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;

namespace {

using Kind = RadvUserSgpr::Kind;

// A program by LLVM. Its second instruction adds the distance to the constants.
const char *const Linked = "BB0_0:\n"
                           "\ts_getpc_b64 s[0:1]                        ; BE801C00\n"
                           "\ts_add_u32 s0, s0, const_data@rel32@lo+4   ; 8000FF00 00000000\n"
                           "\ts_cbranch_scc0 BB0_0                      ; BF840000\n"
                           "\ts_endpgm                                  ; BF810000\n";

std::vector<Kind> kindsOf(const RadvProgramFacts &program, std::vector<uint32_t> userData) {
  RegisterValues registers;
  const RadvProgramRegisters of = registersOf(program.stage, program.isMerged);
  const uint32_t ringTable = program.isMerged ? 0 : 2;
  registers[of.rsrc2] = field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(uint32_t(userData.size()) + ringTable);
  for (size_t i = 0; i < userData.size(); ++i)
    registers[of.userData + ringTable + uint32_t(i)] = userData[i];
  Result<std::vector<RadvUserSgpr>> sgprs = readUserSgprs(program, registers);
  REQUIRE_MESSAGE(sgprs.has_value(), sgprs.error().text);
  std::vector<Kind> kinds;
  for (const RadvUserSgpr &sgpr : *sgprs)
    kinds.push_back(sgpr.kind);
  return kinds;
}

} // namespace

TEST_CASE("a listing has the words of its instructions, repeated ones as often as it says") {
  Result<RadvListing> listing = readRadvListing("BB0:\n\tv_mov_b32_e32 v0, 1 ; 7e000281\n\tv_nop ; 7e000000\n"
                                                "\t(then repeated 2 times)\n\texp null v128, off ; c4000891 80800000\n"
                                                "/* constants */\n[000000] 00000001 00000002\n");
  REQUIRE(listing.has_value());
  CHECK(listing->words.size() == 6);
  CHECK(listing->instructions == 5);
  CHECK(listing->constants == 2);
  CHECK(listing->exportsUndefined);
  CHECK(listing->mnemonics == std::set<std::string>{"exp", "v_mov_b32", "v_nop"});
}

TEST_CASE("an instruction without its encoding is an Error") {
  CHECK_FALSE(readRadvListing("\tv_nop\n").has_value());
}

TEST_CASE("code is found where its distances lead to constants, wherever its branches go") {
  Result<RadvListing> listing = readRadvListing(Linked);
  REQUIRE(listing.has_value());
  // From the literal at 8 to the constant at 20, and 4 more.
  std::vector<uint32_t> linked = {0xbe801c00, 0x8000ff00, 16, 0xbf84fffb, 0xbf810000, 0x12345678};
  CHECK(listing->describes(linked));
  CHECK(listing->size(linked) == linked.size());
  std::vector<uint32_t> unlinked = linked, other = linked;
  unlinked[2] = 4;
  CHECK_FALSE(listing->describes(unlinked));
  other[3] = 0xbf85fffb; // s_cbranch_scc1
  CHECK_FALSE(listing->describes(other));
}

TEST_CASE("code is looked for in this process's memory") {
  Result<RadvListing> listing = readRadvListing(Linked);
  REQUIRE(listing.has_value());
  std::vector<OwnProgram> programs = {{0, *listing}, {64, *listing}};
  std::vector<uint32_t> memory(40, 0xdddddddd);
  for (size_t at : {0u, 16u})
    for (size_t i = 0; i < 6; ++i)
      memory[at + i] =
          std::array<uint32_t, 6>{0xbe801c00, 0x8000ff00, 16, 0xbf840001, 0xbf810000, 0x77 + uint32_t(at)}[i];
  Result<std::vector<std::vector<uint8_t>>> code = findOwnCode(programs);
  REQUIRE_MESSAGE(code.has_value(), code.error().text);
  CHECK((*code)[0][20] == 0x77);
  CHECK((*code)[1][20] == 0x87);
  programs[1].offset = 32; // no program is there
  CHECK_FALSE(findOwnCode(programs).has_value());
}

// malloc may leave this behind a preamble: two dwords of an old packet's beginning, and the bytes behind that chunk.
TEST_CASE("a preamble ends where it is padded, although an old packet's beginning follows it") {
  constexpr size_t Size = 128;
  std::vector<uint32_t> memory; // the only one of this process
  memory.reserve(Size + 5);
  memory = {packetHeader(opcode::ContextControl, 2), 1u << 31, 1u << 31};
  while (memory.size() + 1 < Size)
    memory.insert(memory.end(), {packetHeader(opcode::SetContextReg, 3), uint32_t(memory.size()), 1, 2});
  memory.push_back(0xffff1000); // padding
  memory.insert(memory.end(), {packetHeader(opcode::SetContextReg, 4), 0xbb5, 0x311, 0, 7});
  Result<std::vector<uint32_t>> found = findPreamble();
  REQUIRE_MESSAGE(found, found.error().text);
  CHECK(found->size() == Size);
  CHECK(std::equal(found->begin(), found->end(), memory.begin()));
}

TEST_CASE("a packet that writes behind the context registers is an Error") {
  const std::vector<uint32_t> commands = {packetHeader(opcode::SetContextReg, 3), 0x1fff, 1, 2};
  Result<RegisterValues> registers = readRegisterWrites(commands);
  REQUIRE(!registers);
  CHECK((registers.error().code == ErrorCode::CheckFailed));
  CHECK(registers.error().text.find("0xbfff") != std::string::npos);
}

TEST_CASE("a matrix takes a vertex location for each column") {
  CHECK(vertexLocations("decl_var shader_in INTERP_MODE_NONE mat3 m (VERT_ATTRIB_GENERIC2.xyz, 17, 0)\n"
                        "decl_var shader_in INTERP_MODE_NONE vec4 v (VERT_ATTRIB_GENERIC7.xyzw, 22, 0)\n"
                        "decl_var shader_out INTERP_MODE_NONE vec4 w (VARYING_SLOT_VAR0.xyzw, 32, 0)\n") ==
        std::set<unsigned>{2, 3, 4, 7});
}

TEST_CASE("a user SGPR is what its value says, and a pointer what its place says") {
  using namespace marked;
  const uint32_t set1 = 2 * DescriptorSetPart + 0x40, pointer = 0x120;
  CHECK(kindsOf({.stage = HardwareStage::Vs, .usesSets = true, .writesXfb = true},
                {pointer, FirstVertex, LastDraw, FirstInstance, set1, pointer, FirstPushConstant + 3, pointer}) ==
        std::vector<Kind>{Kind::RingTableLow, Kind::RingTableHigh, Kind::VertexBuffers, Kind::BaseVertex, Kind::DrawId,
                          Kind::BaseInstance, Kind::DescriptorSet, Kind::PushConstantTable, Kind::PushConstant,
                          Kind::StreamoutTable});
  // Without transform feedback the last pointer is something else. If there is no room for all sets, there is a table
  // of sets.
  CHECK(kindsOf({.stage = HardwareStage::Gs, .isMerged = true, .usesSets = true},
                {FirstVertex, pointer, FirstPushConstant, pointer}) ==
        std::vector<Kind>{Kind::BaseVertex, Kind::DescriptorSetTable, Kind::PushConstant, Kind::PushConstantTable});
  CHECK(kindsOf({.stage = HardwareStage::Cs}, {GridSizeAddress, 0}) ==
        std::vector<Kind>{Kind::RingTableLow, Kind::RingTableHigh, Kind::GridSizeLow, Kind::GridSizeHigh});
}

TEST_CASE("a user SGPR that nothing was written into is an Error") {
  RegisterValues registers = {{reg::SPI_SHADER_PGM_RSRC2_PS, field::SPI_SHADER_PGM_RSRC2_PS::USER_SGPR(3)}};
  CHECK_FALSE(readUserSgprs({.stage = HardwareStage::Ps}, registers).has_value());
}
