// SPDX-License-Identifier: MIT
#include "src/mc/disassembler.h"
#include "tests/merge/assembler.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::isa;
using dovetail::test::assemble;
using mc::Disassembler;

namespace {

Instruction decodeOne(const char *text, const char *gpu = "gfx900") {
  INFO(std::string(text));
  std::vector<uint8_t> code = assemble(text, gpu);
  auto disassembler = Disassembler::forGpu(gpu);
  REQUIRE(disassembler);
  auto inst = (*disassembler)->decode(code, 0);
  REQUIRE(inst);
  CHECK(inst->size == code.size());
  return *inst;
}

bool reads(const Instruction &inst, RegisterFile file, unsigned first, unsigned count) {
  return std::any_of(inst.reads.begin(), inst.reads.end(), [&](const RegisterRange &range) {
    return range.file == file && range.first == first && range.count == count;
  });
}

bool writes(const Instruction &inst, RegisterFile file, unsigned first, unsigned count) {
  return std::any_of(inst.writes.begin(), inst.writes.end(), [&](const RegisterRange &range) {
    return range.file == file && range.first == first && range.count == count;
  });
}

} // namespace

TEST_CASE("the class of an instruction comes from its encoding") {
  const struct {
    const char *text;
    Encoding encoding;
    uint32_t flags;
  } cases[] = {
      {"s_mov_b32 s0, s1", Encoding::Sop1, Salu},
      {"s_add_u32 s0, s1, s2", Encoding::Sop2, Salu},
      {"s_cmp_eq_u32 s0, s1", Encoding::Sopc, Salu},
      {"s_movk_i32 s0, 0x12", Encoding::Sopk, Salu},
      {"s_nop 3", Encoding::Sopp, Nop},
      {"s_endpgm", Encoding::Sopp, EndsProgram},
      {"s_waitcnt vmcnt(0)", Encoding::Sopp, Waitcnt},
      {"s_branch 4", Encoding::Sopp, Branch},
      {"s_cbranch_execz 4", Encoding::Sopp, Branch | Conditional},
      {"s_setpc_b64 s[0:1]", Encoding::Sop1, Salu | IndirectBranch},
      {"s_load_dwordx4 s[0:3], s[4:5], 0x0", Encoding::Smem, Smem | Load},
      {"v_mov_b32_e32 v0, v1", Encoding::Vop1, Valu},
      {"v_add_f32_e32 v0, v1, v2", Encoding::Vop2, Valu},
      {"v_cmp_eq_f32_e32 vcc, v0, v1", Encoding::Vopc, Valu},
      {"v_fma_f32 v0, v1, v2, v3", Encoding::Vop3, Valu},
      {"v_pk_add_f16 v0, v1, v2", Encoding::Vop3p, Valu},
      {"v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", Encoding::Vop1, Valu | Dpp},
      {"v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0", Encoding::Vop1, Valu | Sdwa},
      {"v_interp_p1_f32_e32 v0, v1, attr2.y", Encoding::Vintrp, Vintrp},
      {"v_interp_p1ll_f16 v0, v1, attr2.y high", Encoding::Vop3, Valu | Vintrp},
      {"ds_write_b32 v0, v1", Encoding::Ds, Ds | Store},
      {"ds_add_u32 v0, v1 gds", Encoding::Ds, Ds | Gds | Load | Store},
      {"global_load_dword v0, v[0:1], off", Encoding::Flat, Vmem | Load},
      {"buffer_store_dword v0, off, s[0:3], 0", Encoding::Mubuf, Vmem | Store},
      {"tbuffer_load_format_x v0, v1, s[0:3], 0 format:14 idxen", Encoding::Mtbuf, Vmem | Load},
      {"image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf", Encoding::Mimg, Vmem | Mimg | Load},
      {"exp mrt0 v0, v1, v2, v3 done vm", Encoding::Exp, Exp},
  };
  for (const auto &test : cases) {
    INFO(std::string(test.text));
    Instruction inst = decodeOne(test.text);
    CHECK((inst.encoding == test.encoding));
    CHECK(inst.flags == test.flags);
  }
}

TEST_CASE("registers that are read and written") {
  Instruction load = decodeOne("s_load_dwordx4 s[8:11], s[4:5], 0x0");
  CHECK(writes(load, RegisterFile::Sgpr, 8, 4));
  CHECK(reads(load, RegisterFile::Sgpr, 4, 2));
  Instruction store = decodeOne("buffer_store_dwordx4 v[4:7], v9, s[12:15], s3 idxen");
  CHECK(reads(store, RegisterFile::Vgpr, 4, 4));
  CHECK(reads(store, RegisterFile::Vgpr, 9, 1));
  CHECK(reads(store, RegisterFile::Sgpr, 12, 4));
  CHECK(reads(store, RegisterFile::Sgpr, 3, 1));
  CHECK(writes(decodeOne("v_cmp_eq_f32_e32 vcc, v0, v1"), RegisterFile::Vcc, 0, 2));
  CHECK(writes(decodeOne("v_cmpx_eq_f32_e32 vcc, v0, v1"), RegisterFile::Exec, 0, 2));
  CHECK(reads(decodeOne("v_cndmask_b32_e32 v0, v1, v2, vcc"), RegisterFile::Vcc, 0, 2));
  CHECK(reads(decodeOne("v_mov_b32_e32 v0, src_execz"), RegisterFile::Execz, 0, 1));
  CHECK(writes(decodeOne("s_mov_b32 m0, s3"), RegisterFile::M0, 0, 1));
  CHECK(reads(decodeOne("v_interp_p1_f32_e32 v0, v1, attr0.x"), RegisterFile::M0, 0, 1));
}

TEST_CASE("the old value of the destination is a read that is marked") {
  Instruction mac = decodeOne("v_mac_f32_e32 v5, v1, v2");
  auto tied = std::find_if(mac.reads.begin(), mac.reads.end(), [](const RegisterRange &range) { return range.tied; });
  REQUIRE(tied != mac.reads.end());
  CHECK(tied->first == 5);
  Instruction add = decodeOne("v_add_f32_e32 v5, v1, v2");
  CHECK(std::none_of(add.reads.begin(), add.reads.end(), [](const RegisterRange &range) { return range.tied; }));
}

TEST_CASE("instructions with the most operands have room for them") {
  for (const char *text : {
           "v_div_fmas_f32 v0, v1, v2, v3",
           "v_div_scale_f32 v0, vcc, v1, v2, v3",
           "v_addc_co_u32_sdwa v0, vcc, v1, v2, vcc dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1",
           "v_add_f32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1",
           "v_mac_f32_dpp v0, v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
           "v_interp_p2_f16 v0, v1, attr0.x, v2",
           "v_swap_b32 v0, v1",
           "v_cmpx_eq_f32_e64 s[0:1], v0, v1",
           "buffer_atomic_cmpswap_x2 v[0:3], v[4:5], s[0:3], s4 idxen offen glc",
           "buffer_load_dword v[0:1], s[0:3], s4 idxen offen lds",
           "ds_cmpst_rtn_b64 v[0:1], v2, v[4:5], v[6:7]",
           "flat_atomic_cmpswap_x2 v[0:1], v[2:3], v[4:7] glc",
           "global_atomic_cmpswap v0, v1, v[2:3], s[0:1] glc",
           "image_atomic_cmpswap v[0:1], v[2:5], s[0:7] dmask:0x3 glc",
           "image_sample_c_d_cl_o v[0:4], v[5:16], s[0:7], s[8:11] dmask:0xf tfe",
           "s_atomic_cmpswap s[0:1], s[2:3], s4 glc",
           "s_and_saveexec_b64 s[0:1], s[2:3]",
           "s_cbranch_g_fork s[0:1], s[2:3]",
       }) {
    const Instruction instruction = decodeOne(text);
    CHECK_MESSAGE(!instruction.reads.empty(), text);
  }
}

TEST_CASE("an instruction is decoded with the dword that its first one announces") {
  for (const char *text : {
           "s_mov_b32 s0, 0x12345678",
           "s_add_u32 s0, s1, 0x12345678",
           "s_add_u32 s0, 0x12345678, s1",
           "s_cmp_eq_u32 s0, 0x12345678",
           "s_cmp_eq_u32 0x12345678, s0",
           "s_setreg_imm32_b32 hwreg(1), 0x12345678",
           "v_mov_b32_e32 v0, 0x12345678",
           "v_add_f32_e32 v0, 0x12345678, v1",
           "v_cmp_eq_f32_e32 vcc, 0x12345678, v1",
           "v_madmk_f32 v0, v1, 0x12345678, v2",
           "v_madak_f32 v0, v1, v2, 0x12345678",
           "v_madmk_f16 v0, v1, 0x1234, v2",
           "v_madak_f16 v0, v1, v2, 0x1234",
           "v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
           "v_add_f32_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
       })
    for (const char *gpu : {"gfx900", "gfx803"})
      CHECK(decodeOne(text, gpu).size == 8);
}

TEST_CASE("exports read what is enabled") {
  Instruction inst = decodeOne("exp mrt2 v1, off, v3, off done vm");
  CHECK(inst.exportTarget == 2);
  CHECK(inst.exportEnable == 5);
  CHECK(inst.exportDone);
  CHECK(inst.exportValidMask);
  CHECK(reads(inst, RegisterFile::Vgpr, 1, 1));
  CHECK(reads(inst, RegisterFile::Vgpr, 3, 1));
  CHECK(!reads(inst, RegisterFile::Vgpr, 0, 1));
  Instruction packed = decodeOne("exp mrt0 v4, v4, v6, v6 compr");
  CHECK(packed.exportCompressed);
  CHECK(!packed.exportDone);
  CHECK(reads(packed, RegisterFile::Vgpr, 4, 1));
  CHECK(reads(packed, RegisterFile::Vgpr, 6, 1));
}

TEST_CASE("branch targets and wait states") {
  std::vector<uint8_t> code = assemble("s_nop 0\n s_branch 2\n s_cbranch_scc1 -3");
  auto disassembler = Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  auto all = (*disassembler)->decodeAll(code);
  REQUIRE(all);
  REQUIRE(all->size() == 3);
  CHECK((*all)[1].branchTarget == 16);
  CHECK((*all)[2].branchTarget == 0);
  CHECK(decodeOne("s_nop 4").waitStates() == 5);
  CHECK(decodeOne("v_mov_b32_e32 v0, v1").waitStates() == 1);
}

TEST_CASE("a far branch has the target that the instructions in front of it make") {
  auto last = [](std::vector<uint32_t> dwords) {
    std::vector<uint8_t> code(dwords.size() * 4);
    std::memcpy(code.data(), dwords.data(), code.size());
    auto disassembler = Disassembler::forGpu("gfx900");
    REQUIRE(disassembler);
    return (*disassembler)->decodeAll(code).value().back();
  };
  constexpr uint32_t Nop = 0xbf800000, Branch4 = 0xbe801d04; // s_setpc_b64 s[4:5]
  const std::vector<uint32_t> back = dovetail::test::farBranch(-8);
  REQUIRE(back.back() == Branch4);
  std::vector<uint32_t> code = {Nop, Nop};
  code.insert(code.end(), back.begin(), back.end());
  const Instruction branch = last(code);
  CHECK(branch.is(Branch));
  CHECK(!branch.is(Conditional | IndirectBranch));
  CHECK(branch.branchTarget == 4); // the PC behind s_getpc is 12

  CHECK(last(back).is(IndirectBranch)); // it leads to a place before the start
  for (unsigned i : {0, 1, 3, 5}) {
    CAPTURE(i);
    std::vector<uint32_t> other = code;
    other[2 + i] ^= i == 5 ? 2 : 2u << 16; // another pair of registers
    CHECK(last(other).is(IndirectBranch));
  }
  code.back() = Nop;
  code.push_back(Branch4);
  CHECK(last(code).is(IndirectBranch));
}

TEST_CASE("printing") {
  std::vector<uint8_t> code = assemble("v_mov_b32_e32 v0, s3");
  auto disassembler = Disassembler::forGpu("gfx906");
  REQUIRE(disassembler);
  CHECK((*disassembler)->print(code, 0).value() == "v_mov_b32_e32 v0, s3");
}

TEST_CASE("errors") {
  auto disassembler = Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  std::vector<uint8_t> code = assemble("s_mov_b32 s0, 0x12345678");
  code.resize(4); // the literal is cut off
  CHECK(!(*disassembler)->decode(code, 0));
  CHECK(!(*disassembler)->decode(code, 2));
  CHECK(!(*disassembler)->decode(code, 4));
  for (const char *name : {"gfx1010", "gfx10300", "gfx9zz", "", "hopper"}) {
    auto unknown = Disassembler::forGpu(name);
    REQUIRE(!unknown);
    CHECK((unknown.error().code == ErrorCode::UnknownGpu));
  }
}

TEST_CASE("the destination of a relative move is written, not read") {
  for (const char *text : {"v_movreld_b32_e32 v7, v2", "v_movrelsd_b32_e32 v7, v2"}) {
    const Instruction move = decodeOne(text, "gfx803");
    CHECK(writes(move, RegisterFile::Vgpr, 7, 1));
    CHECK_FALSE(reads(move, RegisterFile::Vgpr, 7, 1));
    CHECK(reads(move, RegisterFile::Vgpr, 2, 1));
    CHECK(reads(move, RegisterFile::M0, 0, 1));
  }
  const Instruction move = decodeOne("v_movrels_b32_e32 v7, v2", "gfx803");
  CHECK(writes(move, RegisterFile::Vgpr, 7, 1));
  CHECK(reads(move, RegisterFile::Vgpr, 2, 1));
}

TEST_CASE("words over which LLVM would end are no instructions") {
  // A literal as SOFFSET, as a source of VOP3, as the mask of a comparison, and as the destination of
  // v_readfirstlane_b32 and v_readlane_b32; SDWA with a part that does not exist.
  const uint32_t words[][2] = {{0xe0607e2f, 0xff255006}, {0xe84b05b6, 0xff7310f3}, {0xd11c9a56, 0x04d5fe6d},
                               {0xd0510bff, 0x265091d1}, {0x016476f9, 0x97051d38}, {0x41e3dcf9, 0x66875602},
                               {0x3f0d6ef9, 0xd1a73dae}, {0x7ffe05fe, 0x00000000}, {0xd28900ff, 0x00000101}};
  for (const char *gpu : {"gfx900", "gfx803"})
    for (const auto &pair : words) {
      CAPTURE(pair[0]);
      auto disassembler = Disassembler::forGpu(gpu);
      REQUIRE(disassembler);
      std::vector<uint8_t> code(16);
      std::memcpy(code.data(), pair, 8);
      auto inst = (*disassembler)->decode(code, 0);
      REQUIRE_FALSE(inst);
      CHECK((inst.error().code == ErrorCode::InvalidInput));
    }
  // GFX10, whose VOP3 may have literals.
  for (const auto &pair :
       {std::array{0xe0607e2fu, 0xff255006u}, {0x41e3dcf9u, 0x66875602u}, {0x7ffe05feu, 0u}, {0xd76000ffu, 0x101u}}) {
    CAPTURE(pair[0]);
    std::vector<uint8_t> code(16);
    std::memcpy(code.data(), pair.data(), 8);
    CHECK_FALSE((*Disassembler::forGpu("gfx1030"))->decode(code, 0));
  }
  decodeOne("v_add_f32_e64 v1, 0x3f7fffff, v2", "gfx1030");
  decodeOne("buffer_load_dword v1, v0, s[0:3], s4 idxen");
  decodeOne("v_mov_b32_sdwa v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3");
  decodeOne("v_cmp_lt_f32_e64 s[2:3], v0, v1");
}
