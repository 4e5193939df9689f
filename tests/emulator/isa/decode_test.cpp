// SPDX-License-Identifier: MIT
//
// The decoder must agree with LLVM about every instruction of every image of tests/shaders, and about a list of rarer
// forms.
#include "src/mc/disassembler.h"
#include "tests/driver/own_shaders.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/isa/decode.h"
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// LLVM's text in our printer's form. The address of an image instruction becomes its first register. A literal, which
// LLVM 22 marks, looks like an inline constant of its value.
std::string comparable(std::string text) {
  for (size_t begin; (begin = text.find("lit(")) != std::string::npos;) {
    const size_t end = text.find(')', begin);
    const auto value = static_cast<int32_t>(std::stoul(text.substr(begin + 4, end - begin - 4), nullptr, 0));
    text.replace(begin, end + 1 - begin, std::to_string(value));
  }
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  std::replace(text.begin(), text.end(), '\t', ' ');
  text.erase(0, text.find_first_not_of(' '));
  if (text.rfind("image_", 0) != 0)
    return text;
  if (const size_t twice = text.find("  "); twice != std::string::npos) // in front of a list of registers
    text.erase(twice, 1);
  size_t address = text.find(", ") + 2;
  size_t end = text.find(',', address);
  if (text[address] == '[') {
    end = text.find(']', address) + 1;
    return text.substr(0, address) + text.substr(address + 1, text.find(',', address) - address - 1) + text.substr(end);
  }
  if (text[address + 1] != '[')
    return text;
  std::string first = text.substr(address + 2, text.find(':', address) - address - 2);
  return text.substr(0, address) + "v" + first + text.substr(end);
}

// The number of instructions in [begin, end) of the code.
size_t checkCode(std::span<const uint8_t> code, uint32_t begin, uint32_t end, mc::Disassembler &disassembler,
                 emulator::InstructionSet set = emulator::InstructionSet::Gfx9) {
  size_t count = 0;
  for (uint32_t offset = begin; offset < end; ++count) {
    emulator::Instruction ours = emulator::decode(set, offset, code.subspan(offset));
    Result<isa::Instruction> theirs = disassembler.decode(code, offset);
    Result<std::string> text = disassembler.print(code, offset);
    REQUIRE(theirs.has_value());
    REQUIRE(text.has_value());
    std::string expected = comparable(*text);
    INFO(expected);
    REQUIRE(ours.opcode != nullptr);
    CHECK(emulator::print(ours) == expected);
    REQUIRE(ours.size == theirs->size);
    offset += ours.size;
  }
  return count;
}

mc::Disassembler::Lease disassembler(std::string_view gpuName = "gfx900") {
  Result<mc::Disassembler::Lease> made = mc::Disassembler::forGpu(gpuName);
  REQUIRE(made.has_value());
  return std::move(*made);
}

// The number of lines of the text, each of which must decode to itself.
size_t checkLines(std::string_view text, std::string_view gpuName, emulator::InstructionSet set) {
  std::string remaining(text);
  size_t lines = 0;
  while (!remaining.empty()) {
    size_t end = remaining.find('\n');
    std::string line = remaining.substr(0, end);
    remaining.erase(0, end == std::string::npos ? end : end + 1);
    if (line.find_first_not_of(' ') == std::string::npos)
      continue;
    std::vector<uint8_t> code = test::assemble(line, gpuName);
    CHECK(checkCode(code, 0, uint32_t(code.size()), *disassembler(gpuName), set) == 1);
    ++lines;
  }
  return lines;
}

} // namespace

TEST_CASE("instructions decode to the mnemonics and operands that LLVM prints") {
  Result<std::unique_ptr<Device>> device = Device::create("gfx900");
  REQUIRE(device.has_value());
  size_t count = 0;
  for (const OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    Result<VariantRef> variant = (*device)->bind(program.shaders, randomState(program.shaders, 1));
    if (!variant)
      FAIL(variant.error().text);
    const Image &image = *(*variant)->image;
    for (const ImageStage &stage : image.stages)
      count += checkCode(image.code, stage.entry, stage.entry + stage.size, *disassembler());
  }
  CHECK(count > 10000);
}

TEST_CASE("rarer forms decode to the mnemonics and operands that LLVM prints") {
  constexpr std::string_view Text = R"(
    s_mov_b64 s[2:3], flat_scratch
    s_mov_b32 s2, xnack_mask_hi
    s_cselect_b64 vcc, 0.15915494309189532, -16
    s_mov_b32 m0, src_execz
    s_setpc_b64 s[4:5]
    s_movreld_b64 s[4:5], s[6:7]
    s_call_b64 s[4:5], 12
    s_getreg_b32 s3, hwreg(HW_REG_TRAPSTS)
    s_setreg_b32 hwreg(HW_REG_MODE, 2, 3), s9
    s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xabcd
    s_set_gpr_idx_on s0, gpr_idx(SRC0,SRC1,SRC2,DST)
    s_set_gpr_idx_mode gpr_idx(DST)
    s_set_gpr_idx_idx s3
    s_cmpk_lt_u32 s3, 0xffff
    s_waitcnt vmcnt(63) expcnt(6) lgkmcnt(0)
    s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 2)
    s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
    s_load_dword s5, s[2:3], s7 glc
    s_load_dword s5, s[2:3], -0x10
    s_load_dword s5, s[2:3], m0 offset:0x10
    s_buffer_store_dwordx4 s[4:7], s[8:11], 0xfffff
    s_memtime s[2:3]
    s_dcache_wb
    v_nop
    v_readfirstlane_b32 s3, v255
    v_readlane_b32 s3, v1, m0
    v_writelane_b32 v1, s3, 12
    v_swap_b32 v1, v2
    v_madmk_f32 v1, v2, 0x12345678, v3
    v_madak_f16 v1, v2, v3, 0x1234
    v_mac_f32_e64 v1, -v2, |s3| clamp div:2
    v_add_f32_e64 v1, -|v2|, neg(2.0) mul:4
    v_add_f32_e32 v1, 0x3f7fffff, v2
    v_mul_f64 v[1:2], v[3:4], 0.15915494309189532
    v_fma_f16 v1, v2, v3, v4 op_sel:[0,1,0,1] clamp
    v_pk_add_f16 v1, v2, s3 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0] neg_hi:[0,1] clamp
    v_mad_mixhi_f16 v1, -v2, |v3|, v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]
    v_addc_co_u32_sdwa v1, vcc, v2, v3, vcc dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3
    v_mul_f32_sdwa v1, -v2, |v3| clamp mul:2 dst_sel:DWORD dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:DWORD
    v_cmp_lt_i32_sdwa vcc, sext(v1), v2 src0_sel:WORD_0 src1_sel:DWORD
    v_cmpx_class_f32_e64 s[2:3], -v1, s5
    v_mov_b32_dpp v1, v2 wave_ror:1 row_mask:0x5 bank_mask:0xa
    v_subrev_f32_dpp v1, -v2, |v3| row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:0
    v_div_scale_f64 v[1:2], s[4:5], v[3:4], v[5:6], v[7:8]
    v_mad_i64_i32 v[1:2], vcc, v3, s4, v[5:6]
    v_interp_mov_f32_e32 v1, p20, attr31.w
    v_interp_p2_f32_e32 v1, v2, attr3.z
    ds_read2st64_b64 v[1:4], v5 offset0:3 offset1:255
    ds_wrxchg2_rtn_b32 v[1:2], v3, v4, v5 offset1:9
    ds_swizzle_b32 v1, v2 offset:swizzle(QUAD_PERM,3,2,1,0)
    ds_swizzle_b32 v1, v2 offset:swizzle(BROADCAST,8,3)
    ds_swizzle_b32 v1, v2 offset:swizzle(REVERSE,16)
    ds_swizzle_b32 v1, v2 offset:swizzle(BITMASK_PERM,"01pi0")
    ds_append v1 offset:8 gds
    ds_write_addtid_b32 v1 offset:65535
    flat_load_dwordx3 v[1:3], v[4:5] offset:4095 glc slc
    flat_atomic_cmpswap_x2 v[1:2], v[3:4], v[5:8] glc
    global_atomic_add v[1:2], v3, off offset:-4096
    global_load_sbyte_d16_hi v1, v2, s[4:5] offset:4095
    scratch_store_dword off, v1, s2 offset:16
    scratch_load_dword v1, v2, off
    buffer_load_dwordx2 v[1:3], v[4:5], s[8:11], s12 idxen offen offset:4095 glc slc tfe
    buffer_load_dword v2, s[8:11], -1 offen lds
    tbuffer_store_format_d16_xy v1, off, s[4:7], 1 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_SINT] slc
    tbuffer_load_format_x v1, off, s[4:7], s1
    tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_NUM_FORMAT_FLOAT]
    image_load v[0:2], v[4:7], s[8:15] dmask:0x3 unorm glc slc tfe lwe da
    image_sample_d v[0:1], v[4:7], s[8:15], s[16:19] dmask:0xf a16 d16
    image_gather4_b_cl v[0:3], v[4:7], s[8:15], s[16:19] dmask:0x4
    exp mrtz v1, off, off, off done vm
    exp mrt7 v1, v1, v2, v2 compr
    exp pos3 off, v2, off, v4 done
    exp param31 v1, v2, v3, v4
    exp null off, off, off, off done
  )";
  CHECK(checkLines(Text, "gfx900", emulator::InstructionSet::Gfx9) == 74);
}

TEST_CASE("forms of GFX10 decode to the mnemonics and operands that LLVM prints") {
  constexpr std::string_view Text = R"(
    s_mov_b64 s[104:105], s[102:103]
    s_mov_b32 null, s2
    s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xabcd
    s_waitcnt vmcnt(63) expcnt(6) lgkmcnt(62)
    s_waitcnt_vscnt null, 0x3
    s_waitcnt_depctr 0xfffe
    s_clause 0x4
    s_inst_prefetch 0x3
    s_round_mode 0x3
    s_denorm_mode 0xf
    s_call_b64 s[4:5], 12
    s_load_dword s5, s[2:3], 0x10 glc dlc
    s_load_dwordx2 s[4:5], s[2:3], s7 offset:0x10
    s_load_dword s5, s[2:3], -0x10
    s_buffer_load_dwordx4 s[4:7], s[8:11], null
    s_dcache_inv
    s_gl1_inv
    v_readfirstlane_b32 s3, v255
    v_readlane_b32 s3, v1, m0
    v_fmamk_f32 v1, v2, 0x12345678, v3
    v_fmaak_f16 v1, v2, v3, 0x1234
    v_fmac_f32_e64 v1, -v2, |s3| clamp div:2
    v_add_nc_u32_e32 v1, v2, v3
    v_add_nc_u16 v1, v2, v3 op_sel:[0,1,1]
    v_add_co_u32 v1, vcc, v2, v3
    v_sub_co_u32 v1, null, v2, s3
    v_add_co_ci_u32_e32 v1, vcc, v2, v3, vcc
    v_sub_co_ci_u32_e64 v1, s[4:5], v2, v3, s[6:7]
    v_add_f32_e64 v1, 0x3f7fffff, v2
    v_mad_u64_u32 v[0:1], null, v2, 0x12345, v[4:5]
    v_fma_f32 v1, 0x3f7fffff, v2, s3
    v_pk_fma_f16 v1, v2, v3, v4 op_sel:[1,0,0] neg_hi:[0,1,0]
    v_pk_add_f16 v1, 0x1234, v2
    v_fma_mix_f32 v1, -v2, |v3|, v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]
    v_dot4_i32_i8 v0, v1, v2, v3
    v_dot4c_i32_i8_e32 v0, v1, v2
    v_cmp_lt_f32_e64 s[2:3], -v1, s5
    v_cmpx_eq_u32_e32 v0, v1
    v_cmpx_eq_u32_e64 v0, s1
    v_cmp_lt_i32_sdwa vcc, sext(v1), v2 src0_sel:WORD_0 src1_sel:DWORD
    v_mul_f32_sdwa v1, -v2, |v3| clamp mul:2 dst_sel:DWORD dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:DWORD
    v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]
    v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1
    v_mov_b32_dpp v0, v1 row_share:3 row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1
    v_add_f32_dpp v0, v1, v2 row_xmask:5 row_mask:0x5 bank_mask:0xa
    v_permlane16_b32 v0, v1, s2, s3 op_sel:[1,1]
    v_permlanex16_b32 v0, v1, -1, 0
    v_xor3_b32 v0, v1, v2, v3
    v_lshlrev_b64 v[0:1], v2, v[4:5]
    v_interp_p1_f32_e32 v1, v2, attr3.z
    v_interp_mov_f32_e32 v1, p20, attr31.w
    ds_read_b32 v1, v2 offset:65535
    ds_read2st64_b64 v[1:4], v5 offset0:3 offset1:255
    ds_append v1 offset:8 gds
    ds_swizzle_b32 v1, v2 offset:swizzle(QUAD_PERM,3,2,1,0)
    global_load_dword v0, v1, s[0:1] offset:-2048 glc slc dlc
    global_atomic_add v[1:2], v3, off offset:2047
    flat_load_dwordx3 v[1:3], v[4:5] glc slc dlc
    buffer_load_dwordx2 v[1:2], v[4:5], s[8:11], s12 idxen offen offset:4095 glc slc dlc
    buffer_store_format_d16_xyzw v[0:1], v4, s[8:11], null idxen
    buffer_gl0_inv
    tbuffer_load_format_xyzw v[0:3], v4, s[0:3], 0 format:[BUF_FMT_32_FLOAT] idxen
    tbuffer_store_format_d16_xy v1, off, s[4:7], 1 format:[BUF_FMT_16_16_SINT] slc
    tbuffer_load_format_x v1, off, s[4:7], s1
    image_load v[0:3], v[4:6], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D unorm glc dlc
    image_sample v[0:3], [v4, v9], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
    image_sample_b_o v[0:3], [v4, v9, v1, v2], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
    image_store v0, v[4:5], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_2D_ARRAY unorm a16 d16
    image_gather4_lz v[0:3], v[4:5], s[8:15], s[16:19] dmask:0x4 dim:SQ_RSRC_IMG_2D
    exp mrt7 v1, v1, v2, v2 done compr vm
    exp pos3 off, v2, off, v4
  )";
  CHECK(checkLines(Text, "gfx1030", emulator::InstructionSet::Gfx103) == 71);
}

TEST_CASE("formats of GFX10's typed buffers are LLVM's") {
  size_t formats = 0;
  for (unsigned format = 2; format < 128; ++format) { // LLVM does not print format 1
    const uint64_t word = 0xe8000000 | uint64_t(format) << 19 | 0x80ull << 56;
    std::array<uint8_t, 8> bytes;
    std::memcpy(bytes.data(), &word, 8);
    const emulator::Instruction ours = emulator::decode(emulator::InstructionSet::Gfx103, 0, bytes);
    const Result<std::string> theirs = disassembler("gfx1030")->print(bytes, 0);
    REQUIRE(ours.opcode != nullptr);
    REQUIRE(theirs.has_value());
    const bool isKnown = theirs->find("BUF_FMT_") != std::string::npos && theirs->find("RESERVED") == std::string::npos;
    CHECK((ours.dataFormat != 0) == isKnown);
    if (isKnown)
      CHECK(emulator::print(ours) == comparable(*theirs));
    formats += isKnown;
  }
  CHECK(formats == 76);
}
