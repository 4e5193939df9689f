// SPDX-License-Identifier: MIT
//
// Bits that nobody wrote travel with a value, and are a defect where somebody depends on them.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// The trap's text of a wave with s0 = 7, s1 = 5 and v0 = 7. Nobody has written s2, s3 and the other VGPRs. s[4:7] is
// the descriptor of 64 KiB of scratch memory, s[12:15] that of a buffer.
std::string trapOf(std::string_view text, Generation generation = Generation::Gfx9) {
  AssemblyRun run(generation);
  const uint64_t scratch = run.gpu.memory().map("scratch", std::vector<uint8_t>(0x10000));
  const uint64_t buffer = run.gpu.memory().map("buffer", std::vector<uint8_t>(0x1000));
  // SWIZZLE_ENABLE; ADD_TID_ENABLE with 64 lanes side by side, elements of 4 bytes.
  const uint32_t swizzle = 1u << 31, addTid = 1u << 23 | 3u << 21 | 1u << 19;
  run.setup.sgprCount = 32;
  run.setup.vgprCount = 16;
  run.setup.sgprs = {7u,
                     5u,
                     std::nullopt,
                     std::nullopt,
                     uint32_t(scratch),
                     uint32_t(scratch >> 32) | swizzle,
                     0x10000u,
                     addTid,
                     0u,
                     0u,
                     0u,
                     0u,
                     uint32_t(buffer),
                     uint32_t(buffer >> 32),
                     0x1000u,
                     0x00024facu};
  run.setup.vgprs = {allLanes(7u)};
  run.run(text);
  CHECK((run.trap().has_value() || run.wave().status == WaveStatus::Ended));
  CHECK((!run.trap() || *run.trap() == TrapKind::UninitialisedRegister));
  return run.trapText();
}

#define CHECK_TRAP(text)                                                                                               \
  do {                                                                                                                 \
    INFO(std::string(text));                                                                                           \
    CHECK(trapOf(text) != "");                                                                                         \
  } while (false)
#define CHECK_NO_TRAP(text)                                                                                            \
  do {                                                                                                                 \
    INFO(std::string(text));                                                                                           \
    CHECK(trapOf(text) == "");                                                                                         \
  } while (false)

// s[16:17] = 7 and an undefined high half; s18 with 16 defined bits.
const std::string Setup = "s_mov_b32 s16, s0\ns_and_b32 s18, s2, 0xffff0000\ns_or_b32 s18, s18, 0xffff0000\n"
                          "s_lshr_b32 s18, s18, 16\ns_pack_ll_b32_b16 s18, s0, s2\n";

} // namespace

TEST_CASE("a scalar shift or bit field reads the bits that it needs") {
  CHECK_NO_TRAP(Setup + "s_bfe_i64 s[20:21], s[16:17], 0x100000\ns_cmp_lg_u32 s20, s21\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_bfe_i64 s[20:21], s[16:17], 0x210000\ns_cmp_lg_u32 s20, s21\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_lshl_b64 s[20:21], s[16:17], 32\ns_cmp_lg_u32 s20, s21\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_lshl_b64 s[20:21], s[16:17], 31\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_lshl_b64 s[20:21], s[16:17], 31\ns_cmp_lg_u32 s21, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_lshr_b64 s[20:21], s[16:17], 31\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_lshr_b64 s[20:21], s[16:17], 0\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  // The sign is the highest bit.
  CHECK_TRAP(Setup + "s_ashr_i64 s[20:21], s[16:17], 63\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_sext_i32_i16 s20, s18\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_cmp_lg_u32 s18, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_bfe_u32 s20, s18, 0x100000\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_bfe_u32 s20, s18, 0x110000\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_pack_ll_b32_b16 s20, s18, s18\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_pack_hh_b32_b16 s20, s0, s18\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_lshl_b32 s20, s0, s18\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP("s_lshl_b32 s20, s0, s2");
  CHECK_NO_TRAP(Setup + "s_bitset1_b32 s18, 31\ns_bitcmp1_b32 s18, 31\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_bitset1_b32 s18, 31\ns_bitcmp1_b32 s18, 30\ns_cbranch_scc1 0");
  // SCC depends on all bits of the result.
  CHECK_NO_TRAP(Setup + "s_lshl_b64 s[20:21], s[16:17], 32\ns_cbranch_scc1 0");
  CHECK_TRAP("s_mov_b32 s16, 0\ns_lshl_b64 s[20:21], s[16:17], 4\ns_cbranch_scc1 0");
}

TEST_CASE("a move hands on a register of which some bits were written") {
  CHECK_NO_TRAP(Setup + "s_mov_b32 s20, s18\nv_mov_b32_e32 v1, s20\nv_mov_b32_e32 v2, v1");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_mov_b32_e32 v2, v1\nv_cmp_ne_u32_e32 vcc, v2, v0");
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_and_b32_e32 v2, 0xffff, v1\nv_cmp_ne_u32_e32 vcc, v2, v0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_and_b32_e32 v2, 0x1ffff, v1\nv_cmp_ne_u32_e32 vcc, v2, v0");
  // A write defines a register, lane by lane.
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_mov_b32_e32 v1, v0\nv_cmp_ne_u32_e32 vcc, v1, v0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\ns_mov_b64 exec, 15\nv_mov_b32_e32 v1, v0\n"
                     "s_mov_b64 exec, -1\nv_cmp_ne_u32_e32 vcc, v1, v0");
  CHECK_NO_TRAP(Setup +
                "v_mov_b32_e32 v1, s18\ns_mov_b64 exec, 15\nv_mov_b32_e32 v1, v0\nv_cmp_ne_u32_e32 vcc, v1, v0");
  // The way back to an SGPR.
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_readfirstlane_b32 s20, v1\ns_sext_i32_i16 s21, s20\n"
                        "s_cmp_lg_u32 s21, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_readfirstlane_b32 s20, v1\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
}

TEST_CASE("a vector instruction reads the bits that it needs") {
  CHECK_NO_TRAP(Setup + "v_add_u16_e32 v1, s18, v0\nv_cmp_ne_u32_e32 vcc, v1, v0");
  CHECK_NO_TRAP(Setup + "v_cmp_eq_u16_e32 vcc, s18, v0\ns_cbranch_vccz 0");
  CHECK_TRAP(Setup + "v_cmp_eq_u32_e32 vcc, s18, v0\ns_cbranch_vccz 0");
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_cvt_f32_ubyte1_e32 v2, v1\nv_add_f32_e32 v3, v2, v2");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_cvt_f32_ubyte2_e32 v2, v1");
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_bfe_i32 v2, v1, 0, 16\nv_cmp_ne_u32_e32 vcc, v2, v2");
  CHECK_NO_TRAP(Setup +
                "v_mov_b32_e32 v1, s18\nv_add_u32_sdwa v2, v1, v0 dst_sel:DWORD src0_sel:WORD_0 src1_sel:DWORD");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_add_u32_sdwa v2, v1, v0 dst_sel:DWORD src0_sel:BYTE_2 src1_sel:DWORD");
  CHECK_NO_TRAP("v_mov_b32_e32 v4, v0\nv_lshlrev_b64 v[2:3], 32, v[4:5]\nv_cmp_ne_u32_e32 vcc, v2, v3");
  CHECK_TRAP("v_mov_b32_e32 v4, v0\nv_lshlrev_b64 v[2:3], 4, v[4:5]\nv_cmp_ne_u32_e32 vcc, v2, v3");
  CHECK_NO_TRAP("v_mov_b32_e32 v4, v0\nv_lshlrev_b64 v[2:3], 4, v[4:5]\nv_cmp_ne_u32_e32 vcc, v2, v2");
  // A store reads only the bits that it stores.
  CHECK_NO_TRAP(Setup + "v_mov_b32_e32 v1, s18\nbuffer_store_short v1, off, s[12:15], 0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nbuffer_store_dword v1, off, s[12:15], 0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nbuffer_store_short_d16_hi v1, off, s[12:15], 0");
}

TEST_CASE("what is spilled comes back as it was") {
  const std::string pair = "v_mov_b32_e32 v4, v0\nbuffer_store_dword v4, off, s[4:7], 0\n"
                           "buffer_store_dword v5, off, s[4:7], 0 offset:4\n"
                           "buffer_load_dword v8, off, s[4:7], 0\nbuffer_load_dword v9, off, s[4:7], 0 offset:4\n"
                           "s_waitcnt vmcnt(0)\n";
  CHECK_NO_TRAP(pair + "v_cmp_ne_u32_e32 vcc, v8, v0");
  CHECK_TRAP(pair + "v_cmp_ne_u32_e32 vcc, v9, v0");
  CHECK_NO_TRAP(pair + "v_lshlrev_b64 v[2:3], 32, v[8:9]\nv_cmp_ne_u32_e32 vcc, v2, v3");
  // Something else is spilled to the same place.
  CHECK_NO_TRAP(pair + "buffer_store_dword v0, off, s[4:7], 0 offset:4\nbuffer_load_dword v9, off, s[4:7], 0 offset:4\n"
                       "s_waitcnt vmcnt(0)\nv_cmp_ne_u32_e32 vcc, v9, v0");
  CHECK_NO_TRAP(pair + "buffer_store_byte v0, off, s[4:7], 0 offset:4\nbuffer_load_dword v9, off, s[4:7], 0 offset:4\n"
                       "s_waitcnt vmcnt(0)\nv_cmp_ne_u32_e32 vcc, v9, v0");
  // Elsewhere, the store of a value that nobody wrote is a defect.
  CHECK_TRAP("buffer_store_dword v5, off, s[12:15], 0");
}

TEST_CASE("what is undefined is compared, selected and masked without harm") {
  CHECK_NO_TRAP("s_cmp_eq_u32 s2, 1\ns_cselect_b64 s[20:21], -1, 0\ns_and_b64 s[20:21], s[20:21], 0\n"
                "s_cbranch_scc1 0\ns_cmp_lg_u32 s20, s21\ns_cbranch_scc1 0");
  CHECK_NO_TRAP("s_cmp_eq_u32 s2, 1\ns_cselect_b32 s20, 3, 3\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP("s_cmp_eq_u32 s2, 1\ns_cselect_b32 s20, 3, 2\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_TRAP("s_cmp_eq_u32 s2, 1\ns_cbranch_scc1 0");
  CHECK_TRAP("s_cmp_lg_u64 s[2:3], 0\ns_addc_u32 s20, s0, 1");
}

TEST_CASE("sums and products hand on what is undefined, and all above it") {
  const std::string low = "v_and_b32_e32 v2, 0xffff, v1\nv_cmp_ne_u32_e32 vcc, v2, v0\n",
                    next = "v_and_b32_e32 v2, 0x1ffff, v1\nv_cmp_ne_u32_e32 vcc, v2, v0\n",
                    high = "v_lshrrev_b32_e32 v2, 31, v1\nv_cmp_ne_u32_e32 vcc, v2, v0\n";
  for (const std::string sum :
       {"v_add_u32_e32 v1, s18, v0\n", "v_sub_u32_e32 v1, s18, v0\n", "v_mul_lo_u32 v1, s18, v0\n",
        "v_add3_u32 v1, v0, s18, v0\n", "v_mad_u32_u24 v1, v0, v0, s18\n", "v_add_co_u32_e32 v1, vcc, s18, v0\n",
        "v_mad_u64_u32 v[2:3], s[20:21], v0, v0, s[18:19]\nv_mov_b32_e32 v1, v2\n",
        "s_add_u32 s20, s18, s0\nv_mov_b32_e32 v1, s20\n", "s_mul_i32 s18, s18, s0\nv_mov_b32_e32 v1, s18\n",
        "s_mulk_i32 s18, 0x11\nv_mov_b32_e32 v1, s18\n"}) {
    CHECK_NO_TRAP(Setup + sum + low);
    CHECK_TRAP(Setup + sum + next);
    CHECK_TRAP(Setup + sum + high);
  }
  // Each half is a sum of its own.
  CHECK_NO_TRAP(Setup + "v_pk_add_u16 v1, s18, v0\n" + low);
  CHECK_TRAP(Setup + "v_pk_add_u16 v1, s18, v0\n" + next);
  CHECK_NO_TRAP(Setup + "v_add_u16_e32 v1, s18, v0\n" + high);
  // Carries.
  const std::string carry = Setup + "v_add_co_u32_e32 v1, vcc, s18, v0\n";
  CHECK_TRAP(carry + "s_cbranch_vccz 0");
  CHECK_TRAP(carry + "v_addc_co_u32_e32 v2, vcc, v0, v0, vcc");
  CHECK_TRAP(carry + "v_cndmask_b32_e32 v2, v0, v0, vcc");
  CHECK_NO_TRAP(carry + "v_add_co_u32_e32 v2, vcc, v0, v0\ns_cbranch_vccz 0");
  CHECK_TRAP(Setup + "s_add_u32 s20, s18, s0\ns_cbranch_scc1 0");
  CHECK_TRAP(Setup + "s_cmpk_lg_u32 s18, 0x11\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(Setup + "s_cmpk_lg_u32 s18, 0x11\ns_cselect_b64 s[20:21], -1, 0\ns_and_b64 exec, exec, 15\n"
                        "s_and_b64 s[20:21], s[20:21], 0\ns_cbranch_scc1 0");
  // The program wants only the lower half of the sum.
  const std::string wide = "v_mov_b32_e32 v4, v0\nv_mad_u64_u32 v[4:5], s[20:21], v0, v0, v[4:5]\n";
  CHECK_NO_TRAP(wide + "v_cmp_ne_u32_e32 vcc, v4, v0");
  CHECK_TRAP(wide + "v_cmp_ne_u32_e32 vcc, v5, v0");
  // The sum of floats needs all bits.
  CHECK_TRAP(Setup + "v_add_f32_e32 v1, s18, v0");
}

TEST_CASE("a lane of a register that nobody wrote is as undefined in an SGPR") {
  for (const std::string read : {"v_readlane_b32 s20, v5, 3\n", "v_readfirstlane_b32 s20, v5\n"}) {
    CHECK_NO_TRAP(read + "s_mov_b32 s21, s20");
    CHECK_TRAP(read + "s_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  }
}

TEST_CASE("lanes of a spilled mask keep their bits") {
  const std::string spill = Setup + "v_writelane_b32 v1, s18, 3\nv_readlane_b32 s20, v1, 3\n";
  CHECK_NO_TRAP(spill + "s_sext_i32_i16 s21, s20\ns_cmp_lg_u32 s21, 1\ns_cbranch_scc1 0");
  CHECK_TRAP(spill + "s_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(spill + "v_writelane_b32 v1, s0, 3\nv_readlane_b32 s20, v1, 3\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
  CHECK_NO_TRAP(spill + "v_writelane_b32 v1, s0, 4\nv_readlane_b32 s20, v1, 4\ns_cmp_lg_u32 s20, 1\ns_cbranch_scc1 0");
}

TEST_CASE("a part of a register that an instruction keeps is as undefined as before") {
  for (const std::string half :
       {"v_min3_f16 v1, v0, v0, v0\n", "buffer_load_short_d16 v1, off, s[12:15], 0\ns_waitcnt vmcnt(0)\n",
        "v_mov_b32_sdwa v1, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\n"}) {
    CHECK_TRAP(half + "v_cmp_ne_u32_e32 vcc, v1, v0");
    CHECK_NO_TRAP(half + "v_and_b32_e32 v1, 0xffff, v1\nv_cmp_ne_u32_e32 vcc, v1, v0");
    CHECK_NO_TRAP("v_mov_b32_e32 v1, v0\n" + half + "v_cmp_ne_u32_e32 vcc, v1, v0");
    CHECK_NO_TRAP(half +
                  "buffer_load_short_d16_hi v1, off, s[12:15], 0\ns_waitcnt vmcnt(0)\nv_cmp_ne_u32_e32 vcc, v1, v0");
  }
  // The instruction reads the other half of the same register.
  CHECK_NO_TRAP(
      Setup +
      "v_mov_b32_e32 v1, s18\nv_min3_f16 v1, v1, v0, v0\nv_and_b32_e32 v2, 0xffff, v1\nv_cmp_ne_u32_e32 vcc, v2, v0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_min3_f16 v1, v1, v0, v0\nv_cmp_ne_u32_e32 vcc, v1, v0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_min3_f16 v2, v1, v0, v0 op_sel:[1,0,0,0]");
  // A select hands on a value as it is.
  CHECK_NO_TRAP(Setup +
                "v_mov_b32_e32 v1, s18\nv_cmp_eq_u32_e64 s[20:21], 7, v0\n"
                "v_cndmask_b32_e64 v2, v0, v1, s[20:21]\nv_and_b32_e32 v2, 0xffff, v2\nv_cmp_ne_u32_e32 vcc, v2, v0");
  CHECK_TRAP(Setup + "v_mov_b32_e32 v1, s18\nv_cmp_eq_u32_e64 s[20:21], 7, v0\n"
                     "v_cndmask_b32_e64 v2, v0, v1, s[20:21]\nv_cmp_ne_u32_e32 vcc, v2, v0");
}

TEST_CASE("an instruction without lanes uses no descriptor, a sampler's or an image's neither") {
  const std::string off = "s_mov_b64 exec, 0\n", garbage = "s_mov_b32 s20, -1\ns_mov_b32 s21, -1\ns_mov_b32 s22, -1\n"
                                                           "s_mov_b32 s23, -1\n";
  for (const std::string access :
       {"buffer_load_dword v1, v0, s[20:23], 0 offen\n", "buffer_load_format_xy v[1:2], v0, s[20:23], 0 idxen\n",
        "buffer_store_short v0, off, s[20:23], 0\n", "buffer_atomic_add v0, off, s[20:23], 0\n",
        "image_load v1, v[0:1], s[20:27] dmask:0x1\n", "image_store v0, v[0:1], s[20:27] dmask:0x1\n",
        "image_sample_lz v1, v[0:1], s[20:27], s[20:23] dmask:0x1\n"}) {
    CHECK_NO_TRAP(off + access + "s_waitcnt vmcnt(0)");
    CHECK_NO_TRAP(off + garbage + access + "s_waitcnt vmcnt(0)");
    CHECK_TRAP("v_mov_b32_e32 v1, 0\n" + access + "s_waitcnt vmcnt(0)");
  }
}
