// SPDX-License-Identifier: MIT
//
// The library does not decode again what it encodes without a compiler, so this does. For every form and every GPU, the
// bytes must be those of LLVM's assembler, and their description must be what LLVM's disassembler finds.
#include "src/abi/target_info.h"
#include "src/isa/encoder.h"
#include "src/mc/disassembler.h"
#include "tests/merge/assembler.h"
#include "tests/parts/same_instruction.h"
#include <functional>

using namespace dovetail;
using namespace dovetail::test;
using isa::constant;
using isa::Encoder;
using isa::floatConstant;
using isa::Opcode;
using isa::sgpr;
using isa::vgpr;

namespace {

struct Form {
  Opcode opcode;
  std::function<void(Encoder &)> emit;
  const char *text;
  const char *gfx8Text = nullptr; // if it differs
};

template <typename... Operands> Form form(const char *text, Opcode opcode, Operands... operands) {
  return {opcode, [=](Encoder &encoder) { encoder.emit(opcode, operands...); }, text};
}
Form compare(const char *text, Opcode opcode, isa::Operand a, isa::Operand b) {
  return {opcode, [=](Encoder &encoder) { encoder.compare(opcode, a, b); }, text};
}
Form clamped(const char *text, Opcode opcode, isa::Operand to, isa::Operand a, isa::Operand b) {
  return {opcode, [=](Encoder &encoder) { encoder.emitClamped(opcode, to, a, b); }, text};
}
Form load(const char *text, Opcode opcode, isa::Operand to, isa::Operand base, uint32_t offset) {
  return {opcode, [=](Encoder &encoder) { encoder.load(opcode, to, base, offset); }, text};
}
Form load(const char *text, const isa::TypedLoad &typed) {
  return {Opcode(unsigned(Opcode::TbufferLoadFormatX) + typed.channels - 1),
          [=](Encoder &encoder) { encoder.load(typed); }, text};
}
Form access(const char *text, Opcode opcode, const isa::BufferAccess &what) {
  return {opcode, [=](Encoder &encoder) { encoder.access(opcode, what); }, text};
}
Form readLds(const char *text, isa::Operand to, isa::Operand address, std::vector<uint8_t> dwords) {
  return {dwords.size() == 2 ? Opcode::DsRead2B32 : Opcode::DsReadB32,
          [=](Encoder &encoder) { encoder.readLds(to, address, dwords); }, text};
}
Form interpolate(const char *text, Opcode opcode, const isa::Interpolation &what) {
  return {opcode, [=](Encoder &encoder) { encoder.interpolate(opcode, what); }, text};
}
Form exported(const char *text, const isa::Export &what) {
  return {Opcode::Exp, [=](Encoder &encoder) { encoder.exportTo(what); }, text};
}
Form wait(const char *text, isa::WaitCounts counts) {
  return {Opcode::SWaitcnt, [=](Encoder &encoder) { encoder.wait(counts); }, text};
}
Form modified(const char *text, Opcode opcode, std::vector<isa::Operand> sources, isa::Modifiers modifiers) {
  return {opcode, [=](Encoder &encoder) { encoder.valu(opcode, vgpr(1), sources, modifiers); }, text};
}
Form dpp(const char *text, Opcode opcode, std::optional<isa::Operand> source1, unsigned control) {
  return {opcode, [=](Encoder &encoder) { encoder.dpp(opcode, vgpr(1), vgpr(2), source1, control, 15, 3, true); },
          text};
}
Form image(const char *text, Opcode opcode, const isa::ImageOperation &what) {
  return {opcode, [=](Encoder &encoder) { encoder.image(opcode, what); }, text};
}
Form mixed(const char *text, uint8_t opSel, uint8_t opSelHi, uint8_t neg, uint8_t abs) {
  return {Opcode::VMadMixF32,
          [=](Encoder &encoder) {
            encoder.vop3p(Opcode::VMadMixF32, vgpr(1), std::array{vgpr(2), vgpr(3), sgpr(4)}, opSel, opSelHi, neg, abs,
                          false);
          },
          text};
}
Form onGfx8(Form form, const char *text) {
  form.gfx8Text = text;
  return form;
}

// encoder_rows_test.cpp has the others.
std::vector<Form> allForms() {
  return {
      form("s_add_u32 s1, s2, 0x12345", Opcode::SAddU32, sgpr(1), sgpr(2), isa::literal(0x12345)),
      form("s_cselect_b64 vcc, -1, 0", Opcode::SCselectB64, isa::VccLo, constant(-1), constant(0)),
      form("s_and_b32 s1, s2, 0x1234", Opcode::SAndB32, sgpr(1), sgpr(2), constant(0x1234)),
      form("s_and_b64 exec, exec, vcc", Opcode::SAndB64, isa::Exec, isa::Exec, isa::VccLo),
      form("s_lshl_b32 s101, s0, 6", Opcode::SLshlB32, sgpr(101), sgpr(0), constant(6)),
      form("s_bfm_b64 exec, vcc_lo, 0", Opcode::SBfmB64, isa::Exec, isa::VccLo, constant(0)),
      form("s_bfe_u32 vcc_lo, s3, 0x80008", Opcode::SBfeU32, isa::VccLo, sgpr(3), constant(0x80008)),
      form("s_mov_b32 s7, -16", Opcode::SMovB32, sgpr(7), constant(-16)),
      form("s_mov_b32 s7, 0xffffffef", Opcode::SMovB32, sgpr(7), constant(-17)),
      form("s_mov_b32 s7, 1.0", Opcode::SMovB32, sgpr(7), floatConstant(1.0f)),
      form("s_mov_b64 exec, -1", Opcode::SMovB64, isa::Exec, constant(-1)),
      form("s_cmov_b64 exec, -1", Opcode::SCmovB64, isa::Exec, constant(-1)),
      form("s_wqm_b64 exec, exec", Opcode::SWqmB64, isa::Exec, isa::Exec),
      form("s_mov_b32 m0, s9", Opcode::SMovB32, isa::M0, sgpr(9)),
      form("s_mov_b32 s9, 0x12345", Opcode::SMovB32, sgpr(9), isa::literal(0x12345)),
      form("s_getpc_b64 s[8:9]", Opcode::SGetpcB64, sgpr(8)),
      compare("s_bitcmp1_b32 vcc_lo, 6", Opcode::SBitcmp1B32, isa::VccLo, constant(6)),
      form("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0", Opcode::SSetregImm32B32,
           isa::hwregField(isa::HwregMode, 0, 8), 0xf0u),
      form("s_nop 3", Opcode::SNop, uint16_t(3)),
      form("s_endpgm", Opcode::SEndpgm),
      form("s_cbranch_scc0 1", Opcode::SCbranchScc0, uint16_t(1)),
      form("s_cbranch_scc1 2", Opcode::SCbranchScc1, uint16_t(2)),
      form("s_cbranch_execz 3", Opcode::SCbranchExecz, uint16_t(3)),
      form("s_barrier", Opcode::SBarrier),
      form("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", Opcode::SWaitcnt, uint16_t(0)),
      wait("s_waitcnt lgkmcnt(0)", {.lgkm = 0}),
      wait("s_waitcnt vmcnt(5)", {.vm = 5}),
      onGfx8(wait("s_waitcnt vmcnt(20)", {.vm = 20}), "s_waitcnt vmcnt(14)"),
      onGfx8(wait("s_waitcnt vmcnt(62)", {.vm = 63}), "s_waitcnt vmcnt(14)"),
      load("s_load_dwordx4 s[8:11], s[2:3], 0x10", Opcode::SLoadDwordx4, sgpr(8), sgpr(2), 0x10),
      load("s_load_dwordx8 s[84:91], s[100:101], 0x1f0", Opcode::SLoadDwordx8, sgpr(84), sgpr(100), 0x1f0),
      load("s_load_dwordx16 s[16:31], s[0:1], 0x0", Opcode::SLoadDwordx16, sgpr(16), sgpr(0), 0),
      form("v_mov_b32_e32 v255, v0", Opcode::VMovB32, vgpr(255), vgpr(0)),
      form("v_mov_b32_e32 v5, 0x3eaaaaab", Opcode::VMovB32, vgpr(5), constant(0x3eaaaaab)),
      form("v_cvt_f32_i32_e32 v1, v2", Opcode::VCvtF32I32, vgpr(1), vgpr(2)),
      form("v_cvt_f32_u32_e32 v1, v2", Opcode::VCvtF32U32, vgpr(1), vgpr(2)),
      form("v_cvt_u32_f32_e32 v1, v2", Opcode::VCvtU32F32, vgpr(1), vgpr(2)),
      form("v_cndmask_b32_e32 v1, v2, v3, vcc", Opcode::VCndmaskB32, vgpr(1), vgpr(2), vgpr(3)),
      form("v_mul_u32_u24_e32 v1, 24, v3", Opcode::VMulU32U24, vgpr(1), constant(24), vgpr(3)),
      form("v_max_f32_e32 v1, -1.0, v2", Opcode::VMaxF32, vgpr(1), floatConstant(-1.0f), vgpr(2)),
      clamped("v_max_f32_e64 v1, v2, v2 clamp", Opcode::VMaxF32, vgpr(1), vgpr(2), vgpr(2)),
      form("v_min_i32_e32 v1, 0x7f, v2", Opcode::VMinI32, vgpr(1), constant(0x7f), vgpr(2)),
      form("v_max_i32_e32 v1, 0xffffff80, v2", Opcode::VMaxI32, vgpr(1), constant(-128), vgpr(2)),
      form("v_min_u32_e32 v1, 0xff, v2", Opcode::VMinU32, vgpr(1), constant(255), vgpr(2)),
      form("v_bfi_b32 v1, 6, v2, v3", Opcode::VBfiB32, vgpr(1), constant(6), vgpr(2), vgpr(3)),
      form("v_lshrrev_b32_e32 v4, 16, v9", Opcode::VLshrrevB32, vgpr(4), constant(16), vgpr(9)),
      form("v_lshrrev_b32_e64 v4, v9, -1", Opcode::VLshrrevB32, vgpr(4), vgpr(9), constant(-1)),
      form("v_ashrrev_i32_e32 v4, 16, v9", Opcode::VAshrrevI32, vgpr(4), constant(16), vgpr(9)),
      form("v_lshlrev_b32_e32 v4, 16, v9", Opcode::VLshlrevB32, vgpr(4), constant(16), vgpr(9)),
      form("v_and_b32_e32 v4, 0xffff, v200", Opcode::VAndB32, vgpr(4), constant(0xffff), vgpr(200)),
      onGfx8(form("v_add_co_u32_e32 v4, vcc, s2, v0", Opcode::VAddCoU32, vgpr(4), sgpr(2), vgpr(0)),
             "v_add_u32_e32 v4, vcc, s2, v0"),
      onGfx8(form("v_sub_co_u32_e32 v4, vcc, s2, v0", Opcode::VSubCoU32, vgpr(4), sgpr(2), vgpr(0)),
             "v_sub_u32_e32 v4, vcc, s2, v0"),
      form("v_add_u32_e32 v4, s2, v0", Opcode::VAddU32, vgpr(4), sgpr(2), vgpr(0)),
      form("v_sub_u32_e32 v4, v1, v0", Opcode::VSubU32, vgpr(4), vgpr(1), vgpr(0)),
      compare("v_cmp_lt_f32_e32 vcc, s1, v3", Opcode::VCmpLtF32, sgpr(1), vgpr(3)),
      compare("v_cmp_eq_f32_e32 vcc, s1, v3", Opcode::VCmpEqF32, sgpr(1), vgpr(3)),
      compare("v_cmp_le_f32_e32 vcc, s1, v3", Opcode::VCmpLeF32, sgpr(1), vgpr(3)),
      compare("v_cmp_gt_f32_e32 vcc, s1, v3", Opcode::VCmpGtF32, sgpr(1), vgpr(3)),
      compare("v_cmp_lg_f32_e32 vcc, s1, v3", Opcode::VCmpLgF32, sgpr(1), vgpr(3)),
      compare("v_cmp_ge_f32_e32 vcc, 0x3eaaaaab, v3", Opcode::VCmpGeF32, constant(0x3eaaaaab), vgpr(3)),
      compare("v_cmp_eq_u32_e32 vcc, 0, v3", Opcode::VCmpEqU32, constant(0), vgpr(3)),
      compare("v_cmp_ne_u32_e32 vcc, 0, v3", Opcode::VCmpNeU32, constant(0), vgpr(3)),
      form("v_mad_f32 v3, v3, 4.0, 0.5", Opcode::VMadF32, vgpr(3), vgpr(3), floatConstant(4.0f), floatConstant(0.5f)),
      form("v_bfe_u32 v3, v4, 9, 10", Opcode::VBfeU32, vgpr(3), vgpr(4), constant(9), constant(10)),
      form("v_bfe_i32 v3, v4, 23, 2", Opcode::VBfeI32, vgpr(3), vgpr(4), constant(23), constant(2)),
      form("v_mul_hi_u32 v3, v4, s9", Opcode::VMulHiU32, vgpr(3), vgpr(4), sgpr(9)),
      form("v_ldexp_f32 v3, v4, v5", Opcode::VLdexpF32, vgpr(3), vgpr(4), vgpr(5)),
      form("v_bfm_b32 v3, v4, 0", Opcode::VBfmB32, vgpr(3), vgpr(4), constant(0)),
      form("v_cvt_pknorm_i16_f32 v3, v4, 1.0", Opcode::VCvtPknormI16F32, vgpr(3), vgpr(4), floatConstant(1.0f)),
      form("v_cvt_pknorm_u16_f32 v3, v4, v5", Opcode::VCvtPknormU16F32, vgpr(3), vgpr(4), vgpr(5)),
      form("v_cvt_pkrtz_f16_f32 v3, v4, v5", Opcode::VCvtPkrtzF16F32, vgpr(3), vgpr(4), vgpr(5)),
      form("v_cvt_pk_u16_u32 v3, v4, v5", Opcode::VCvtPkU16U32, vgpr(3), vgpr(4), vgpr(5)),
      form("v_cvt_pk_i16_i32 v3, v4, v5", Opcode::VCvtPkI16I32, vgpr(3), vgpr(4), vgpr(5)),
      form("v_pk_max_i16 v3, v4, s5", Opcode::VPkMaxI16, vgpr(3), vgpr(4), sgpr(5)),
      form("v_pk_min_i16 v3, v4, s5", Opcode::VPkMinI16, vgpr(3), vgpr(4), sgpr(5)),
      form("v_pk_min_u16 v3, v4, s5", Opcode::VPkMinU16, vgpr(3), vgpr(4), sgpr(5)),
      interpolate("v_interp_p1_f32_e32 v3, v2, attr31.x", Opcode::VInterpP1F32, {vgpr(3), vgpr(2), 31, 0}),
      interpolate("v_interp_p2_f32_e32 v3, v255, attr0.w", Opcode::VInterpP2F32, {vgpr(3), vgpr(255), 0, 3}),
      interpolate("v_interp_mov_f32_e32 v200, p0, attr5.z", Opcode::VInterpMovF32,
                  {.destination = vgpr(200), .attribute = 5, .channel = 2}),
      readLds("ds_read_b32 v3, v4 offset:16", vgpr(3), vgpr(4), {4}),
      readLds("ds_read2_b32 v[200:201], v4 offset0:2 offset1:255", vgpr(200), vgpr(4), {2, 255}),
      access("buffer_load_dword v1, v2, s[8:11], 0 offen", Opcode::BufferLoadDword,
             {.data = vgpr(1), .address = vgpr(2), .descriptor = sgpr(8)}),
      access("buffer_store_dword v1, off, s[8:11], s3 glc", Opcode::BufferStoreDword,
             {.data = vgpr(1), .address = {}, .descriptor = sgpr(8), .scalarOffset = sgpr(3), .isCoherent = true}),
      access("buffer_store_dwordx2 v[1:2], v3, s[8:11], s3 offen offset:20 glc", Opcode::BufferStoreDword,
             {2, vgpr(1), vgpr(3), sgpr(8), 20, sgpr(3), true}),
      access("buffer_store_dwordx3 v[1:3], v3, s[8:11], s3 offen glc", Opcode::BufferStoreDword,
             {3, vgpr(1), vgpr(3), sgpr(8), 0, sgpr(3), true}),
      access("buffer_store_dwordx4 v[252:255], v3, s[96:99], s3 offen offset:4095", Opcode::BufferStoreDword,
             {4, vgpr(252), vgpr(3), sgpr(96), 4095, sgpr(3)}),
      load("tbuffer_load_format_x v9, v1, s[8:11], 0 format:[BUF_DATA_FORMAT_8] idxen",
           {1, vgpr(9), vgpr(1), sgpr(8), 1, 0}),
      load("tbuffer_load_format_xy v[9:10], v1, s[8:11], s5 "
           "format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_UINT] idxen offset:16",
           {2, vgpr(9), vgpr(1), sgpr(8), 5, 4, 16, sgpr(5)}),
      load("tbuffer_load_format_xyz v[9:11], v1, s[8:11], 0 "
           "format:[BUF_DATA_FORMAT_32_32_32,BUF_NUM_FORMAT_FLOAT] idxen offset:4095",
           {3, vgpr(9), vgpr(1), sgpr(8), 13, 7, 4095}),
      load("tbuffer_load_format_xyzw v[4:7], v255, s[96:99], 0 "
           "format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_SINT] idxen",
           {4, vgpr(4), vgpr(255), sgpr(96), 14, 5}),
      modified("v_add_f32_e64 v1, -v2, |v3|", Opcode::VAddF32, {vgpr(2), vgpr(3)}, {.neg = 1, .abs = 2}),
      modified("v_mul_f32_e64 v1, s2, v3 mul:4", Opcode::VMulF32, {sgpr(2), vgpr(3)}, {.omod = 2}),
      modified("v_rcp_f32_e64 v1, -|v2| clamp", Opcode::VRcpF32, {vgpr(2)}, {.neg = 1, .abs = 1, .clamp = true}),
      modified("v_fma_f32 v1, v2, -v3, |v4| div:2", Opcode::VFmaF32, {vgpr(2), vgpr(3), vgpr(4)},
               {.neg = 2, .abs = 4, .omod = 3}),
      modified("v_max_f64 v[1:2], -v[2:3], |v[4:5]| mul:2", Opcode::VMaxF64, {vgpr(2), vgpr(4)},
               {.neg = 1, .abs = 2, .omod = 1}),
      modified("v_mac_f32_e64 v1, -v2, v3", Opcode::VMacF32, {vgpr(2), vgpr(3)}, {.neg = 1}),
      modified("v_add_u16_e64 v1, v2, v3 clamp", Opcode::VAddU16, {vgpr(2), vgpr(3)}, {.clamp = true}),
      mixed("v_mad_mix_f32 v1, -v2, v3, |s4| op_sel:[1,0,0] op_sel_hi:[1,0,1]", 1, 5, 1, 4),
      dpp("v_add_f32_dpp v1, v2, v3 row_shr:15 row_mask:0xf bank_mask:0x3 bound_ctrl:0", Opcode::VAddF32, vgpr(3),
          0x11f),
      dpp("v_mov_b32_dpp v1, v2 row_bcast:31 row_mask:0xf bank_mask:0x3 bound_ctrl:0", Opcode::VMovB32, {}, 0x143),
      image("image_load v[8:11], v200, s[16:23] dmask:0xf unorm", Opcode::ImageLoad,
            {.data = vgpr(8), .address = vgpr(200), .resource = sgpr(16), .dmask = 15, .unnormalized = true}),
      image("image_store v8, v200, s[16:23] dmask:0x1 unorm glc da", Opcode::ImageStore,
            {.data = vgpr(8),
             .address = vgpr(200),
             .resource = sgpr(16),
             .dmask = 1,
             .unnormalized = true,
             .glc = true,
             .array = true}),
      image(
          "image_sample_lz v[8:10], v200, s[16:23], s[96:99] dmask:0x7 slc", Opcode::ImageSampleLz,
          {.data = vgpr(8), .address = vgpr(200), .resource = sgpr(16), .sampler = sgpr(96), .dmask = 7, .slc = true}),
      image(
          "image_atomic_cmpswap v[8:9], v200, s[16:23] dmask:0x3 unorm glc", Opcode::ImageAtomicCmpswap,
          {.data = vgpr(8), .address = vgpr(200), .resource = sgpr(16), .dmask = 3, .unnormalized = true, .glc = true}),
      image("image_get_resinfo v[8:9], v200, s[16:23] dmask:0x5", Opcode::ImageGetResinfo,
            {.data = vgpr(8), .address = vgpr(200), .resource = sgpr(16), .dmask = 5}),
      exported("exp mrt0 v0, off, off, v3 done vm", {0, 9, {vgpr(0), vgpr(1), vgpr(2), vgpr(3)}, false, true, true}),
      exported("exp mrtz off, off, v3, v3 compr", {8, 0xc, {vgpr(0), vgpr(3)}, true}),
      exported("exp mrt7 v5, v5, v2, v2 compr", {7, 0xf, {vgpr(5), vgpr(2)}, true}),
      exported("exp null off, off, off, off done vm", {.target = 9, .done = true, .validMask = true}),
  };
}

} // namespace

TEST_CASE("the encoder agrees with LLVM's assembler and disassembler on every form and GPU") {
  for (const TargetInfo &target : allTargets()) {
    CAPTURE(std::string(target.gpuName));
    const bool isGfx9 = target.gfxIp.major == 9;
    auto disassembler = mc::Disassembler::forGpu(target.gpuName);
    REQUIRE(disassembler);
    for (const Form &form : allForms()) {
      if (!exists(form.opcode, isGfx9))
        continue;
      const bool hasFmaMix = target.gpuName == "gfx904" || target.gpuName == "gfx906";
      if (form.opcode == Opcode::VMadMixF32 && hasFmaMix)
        continue;
      const char *text = isGfx9 || !form.gfx8Text ? form.text : form.gfx8Text;
      CAPTURE(std::string(text));
      Encoder encoder(isGfx9);
      form.emit(encoder);
      CHECK(encoder.bytes() == assemble(text, target.gpuName));
      auto decoded = (*disassembler)->decodeAll(encoder.bytes());
      REQUIRE(decoded);
      checkSame(encoder.instructions(), *decoded);
    }
  }
}

TEST_CASE("an image instruction reads as many dwords of its address as the caller says") {
  Encoder encoder;
  encoder.image(Opcode::ImageSampleD, {.data = vgpr(8),
                                       .address = vgpr(20),
                                       .addressDwords = 6,
                                       .resource = sgpr(16),
                                       .sampler = sgpr(32),
                                       .dmask = 15});
  CHECK((encoder.instructions()[0].reads[0] == isa::RegisterRange{isa::RegisterFile::Vgpr, 20, 6}));
  CHECK(encoder.registerUse().vgprs == 26);
}

TEST_CASE("a jump whose distance the instructions in front of it add is a branch") {
  Encoder encoder;
  encoder.emit(Opcode::SGetpcB64, sgpr(8));
  encoder.emit(Opcode::SAddU32, sgpr(8), sgpr(8), isa::literal(24));
  encoder.emit(Opcode::SAddcU32, sgpr(9), sgpr(9), isa::literal(0));
  encoder.salu(Opcode::SSetpcB64, {}, std::array{sgpr(8)});
  encoder.emit(Opcode::SNop);
  encoder.salu(Opcode::SSetpcB64, {}, std::array{sgpr(8)});
  CHECK(encoder.instructions()[3].branchTarget == 28);
  CHECK(encoder.instructions()[5].is(isa::IndirectBranch));
  auto disassembler = mc::Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  auto decoded = (*disassembler)->decodeAll(encoder.bytes());
  REQUIRE(decoded);
  checkSame(encoder.instructions(), *decoded);
}

TEST_CASE("a branch that is patched goes where its new distance leads") {
  Encoder encoder;
  encoder.emit(Opcode::SBarrier);
  const uint32_t branch = encoder.offset();
  encoder.emit(Opcode::SCbranchScc0);
  encoder.emit(Opcode::SMovB32, sgpr(1), constant(1000));
  encoder.patch(branch, 2);
  encoder.emit(Opcode::SEndpgm);
  CHECK(encoder.instructions()[1].branchTarget == 16);
  auto disassembler = mc::Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  auto decoded = (*disassembler)->decodeAll(encoder.bytes());
  REQUIRE(decoded);
  checkSame(encoder.instructions(), *decoded);
}
