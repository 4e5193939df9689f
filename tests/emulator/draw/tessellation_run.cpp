// SPDX-License-Identifier: MIT
#include "tests/emulator/draw/tessellation_run.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <bit>
#include <cstring>

namespace dovetail::emulator::test {

namespace {

constexpr unsigned Corners = 3; // vertices that the control shader hands on

const char *const EvaluationShader = R"(
  v_mul_u32_u24 v4, 48, v2
  buffer_load_dwordx4 v[8:11], v4, s[0:3], s5 offen
  buffer_load_dwordx4 v[12:15], v4, s[0:3], s5 offen offset:16
  buffer_load_dwordx4 v[16:19], v4, s[0:3], s5 offen offset:32
  v_cvt_f32_u32 v2, v2
  v_cvt_f32_u32 v3, v3
  s_waitcnt vmcnt(0)
  v_sub_f32 v12, v12, v8
  v_sub_f32 v13, v13, v9
  v_sub_f32 v14, v14, v10
  v_sub_f32 v16, v16, v8
  v_sub_f32 v17, v17, v9
  v_sub_f32 v18, v18, v10
  v_mac_f32 v8, v0, v12
  v_mac_f32 v9, v0, v13
  v_mac_f32 v10, v0, v14
  v_mac_f32 v8, v1, v16
  v_mac_f32 v9, v1, v17
  v_mac_f32 v10, v1, v18
  exp pos0 v8, v9, v10, v11 done
  exp param0 v0, v1, v2, v3
  s_endpgm
)";

std::vector<uint8_t> unwritten(size_t bytes) {
  std::vector<uint8_t> memory(bytes);
  for (size_t i = 0; i < bytes; i += sizeof(UndefinedValue))
    std::memcpy(&memory[i], &UndefinedValue, sizeof(UndefinedValue));
  return memory;
}

void addRaw(std::vector<uint32_t> &userSgprs, uint64_t address, size_t bytes) {
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.numRecords = uint32_t(bytes);
  descriptor.numFormat = 7;  // FLOAT
  descriptor.dataFormat = 4; // 32
  const std::array<uint32_t, 4> words = encode(descriptor);
  userSgprs.insert(userSgprs.end(), words.begin(), words.end());
}

} // namespace

TessellationRun::TessellationRun(Generation whichGeneration) {
  using namespace field;
  generation = whichGeneration;
  const bool isGfx9 = generation == Generation::Gfx9;
  vs = EvaluationShader;
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  constexpr uint32_t Allocation =
      PGM_RSRC1::VGPRS(5) | PGM_RSRC1::SGPRS(3) | PGM_RSRC1::FLOAT_MODE(0xc0) | PGM_RSRC1::DX10_CLAMP(1);
  constexpr uint32_t LdsGranules = 64; // 32 KiB
  set(reg::SPI_SHADER_PGM_RSRC1_VS, Allocation | SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(3));
  set(reg::SPI_SHADER_PGM_RSRC2_VS, SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(4) | SPI_SHADER_PGM_RSRC2_VS::OC_LDS_EN(1));
  set(reg::VGT_SHADER_STAGES_EN,
      VGT_SHADER_STAGES_EN::LS_EN(1) | VGT_SHADER_STAGES_EN::HS_EN(1) | VGT_SHADER_STAGES_EN::VS_EN(1));
  set(reg::VGT_HOS_MAX_TESS_LEVEL, std::bit_cast<uint32_t>(64.0f));
  if (isGfx9) {
    set(reg::SPI_SHADER_PGM_RSRC1_HS, Allocation | SPI_SHADER_PGM_RSRC1_HS::LS_VGPR_COMP_CNT(1));
    set(reg::SPI_SHADER_PGM_RSRC2_HS,
        SPI_SHADER_PGM_RSRC2_HS::USER_SGPR(12) | SPI_SHADER_PGM_RSRC2_HS::LDS_SIZE(LdsGranules));
  } else {
    set(reg::SPI_SHADER_PGM_RSRC1_LS, Allocation | SPI_SHADER_PGM_RSRC1_LS::VGPR_COMP_CNT(1));
    set(reg::SPI_SHADER_PGM_RSRC2_LS,
        SPI_SHADER_PGM_RSRC2_LS::USER_SGPR(4) | SPI_SHADER_PGM_RSRC2_LS::LDS_SIZE(LdsGranules));
    set(reg::SPI_SHADER_PGM_RSRC1_HS, Allocation);
    set(reg::SPI_SHADER_PGM_RSRC2_HS, SPI_SHADER_PGM_RSRC2_HS::USER_SGPR(8) | SPI_SHADER_PGM_RSRC2_HS::OC_LDS_EN(1));
  }
  setDomain(1, 0, 2);
  setGroups(1, 3, 3, {1, 1, 1, 1});
  prepare = [this](Gpu &gpu, Draw &command) { addPrograms(gpu, command); };
}

void TessellationRun::setDomain(uint32_t type, uint32_t partitioning, uint32_t topology) {
  using namespace field::VGT_TF_PARAM;
  set(reg::VGT_TF_PARAM, TYPE(type) | PARTITIONING(partitioning) | TOPOLOGY(topology));
}

void TessellationRun::setGroups(uint32_t patches, uint32_t inputVertices, uint32_t outputVertices,
                                std::array<float, 6> factors) {
  using namespace field::VGT_LS_HS_CONFIG;
  scene.state.patchControlPoints = inputVertices;
  set(reg::VGT_LS_HS_CONFIG, NUM_PATCHES(patches) | HS_NUM_INPUT_CP(inputVertices) | HS_NUM_OUTPUT_CP(outputVertices));
  const std::string control = controlText(inputVertices, outputVertices, factors);

  merged.firstHalf = R"(
  s_mov_b64 exec, -1
  v_mbcnt_lo_u32_b32 v6, -1, 0
  v_mbcnt_hi_u32_b32 v6, -1, v6
  s_bfe_u32 s20, s3, 0x80000
  v_cmp_gt_u32 vcc, s20, v6
  s_mov_b64 exec, vcc
)";
  merged.vertex = R"(
  buffer_load_dwordx4 v[8:11], v2, s[16:19], 0 idxen
  v_lshlrev_b32 v7, 4, v3
  s_waitcnt vmcnt(0)
  ds_write_b128 v7, v[8:11]
  s_waitcnt lgkmcnt(0)
)";
  merged.barrier = R"(
  s_mov_b64 exec, -1
  s_barrier
)";
  merged.secondHalf = R"(
  s_bfe_u32 s20, s3, 0x80008
  v_cmp_gt_u32 vcc, s20, v6
  s_mov_b64 exec, vcc
)";
  merged.control = control;

  ls = R"(
  s_mov_b32 m0, -1
  buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen
  v_lshlrev_b32 v7, 4, v1
  s_waitcnt vmcnt(0)
  ds_write_b128 v7, v[8:11]
  s_endpgm
)";
  hs = "s_mov_b32 m0, -1\n" + control;
}

std::string TessellationRun::controlText(uint32_t inputVertices, uint32_t outputVertices,
                                         std::array<float, 6> factors) const {
  const bool isGfx9 = generation == Generation::Gfx9;
  const char *const offchip = isGfx9 ? "s[8:11], s2" : "s[0:3], s8";
  const char *const ring = isGfx9 ? "s[12:15], s4" : "s[4:7], s9";
  std::string text = fmt::format(R"(
  s_mov_b64 s[22:23], exec
  v_and_b32 v7, 0xff, v1
  v_bfe_u32 v12, v1, 8, 5
  v_mad_u32_u24 v14, v7, {}, v12
  v_mad_u32_u24 v15, v7, {}, v12
  v_lshlrev_b32 v14, 4, v14
  v_lshlrev_b32 v15, 4, v15
)",
                                 inputVertices, Corners);
  for (unsigned corner = 0; corner < Corners; corner += outputVertices)
    text += fmt::format(R"(
  v_cmp_gt_u32 vcc, {}, v12
  s_and_b64 exec, s[22:23], vcc
  ds_read_b128 v[8:11], v14 offset:{}
  s_waitcnt lgkmcnt(0)
  buffer_store_dwordx4 v[8:11], v15, {} offen offset:{}
  s_waitcnt vmcnt(0) & expcnt(0)
)",
                        Corners - corner, corner * 16, offchip, corner * 16);

  const uint32_t domain = field::VGT_TF_PARAM::TYPE.get(registers.at(reg::VGT_TF_PARAM));
  const unsigned factorCount = domain * 2 + 2, first = isGfx9 ? 0 : 4;
  text += fmt::format(R"(
  v_cmp_eq_u32 vcc, 0, v12
  s_and_b64 exec, s[22:23], vcc
  v_mul_u32_u24 v15, {}, v7
)",
                      factorCount * 4);
  for (unsigned i = 0; i < factorCount; ++i)
    text += fmt::format("v_mov_b32 v{}, {:#x}\n buffer_store_dword v{}, v15, {} offen offset:{}\n", 8 + i,
                        std::bit_cast<uint32_t>(factors[i]), 8 + i, ring, first + i * 4);
  if (!isGfx9)
    text += fmt::format(R"(
  v_cmp_eq_u32 vcc, 0, v7
  s_and_b64 exec, exec, vcc
  v_bfrev_b32 v16, 1
  buffer_store_dword v16, off, {}
)",
                        ring);
  return text + "s_endpgm\n";
}

void TessellationRun::addPrograms(Gpu &gpu, Draw &command) {
  constexpr size_t FactorBytes = 0x4000, BlockBytes = 0x8000;
  const std::vector<uint32_t> vertices = command.program(HardwareStage::Vs).userSgprs;
  const uint64_t factorBuffer = gpu.memory().map("factors", unwritten(FactorBytes));
  const uint64_t offchip = gpu.memory().map("off-chip", unwritten(BlockBytes * offchipBlocks));
  command.registers[reg::VGT_TF_MEMORY_BASE] = uint32_t(factorBuffer >> 8);
  command.registers[reg::VGT_TF_RING_SIZE] = FactorBytes / 4;
  command.registers[reg::VGT_HS_OFFCHIP_PARAM] = field::VGT_HS_OFFCHIP_PARAM::OFFCHIP_BUFFERING(offchipBlocks - 1);

  HardwareProgram &vsProgram = command.program(HardwareStage::Vs);
  vsProgram.userSgprs.clear();
  addRaw(vsProgram.userSgprs, offchip, BlockBytes * offchipBlocks);
  const bool isGfx9 = generation == Generation::Gfx9;
  HardwareProgram &hsProgram = command.program(HardwareStage::Hs);
  hsProgram = mapProgram(gpu, "hs", isGfx9 ? merged.text() : hs);
  addRaw(hsProgram.userSgprs, offchip, BlockBytes * offchipBlocks);
  addRaw(hsProgram.userSgprs, factorBuffer, FactorBytes);
  if (isGfx9) {
    hsProgram.userSgprs.insert(hsProgram.userSgprs.end(), vertices.begin(), vertices.end());
    for (const auto &[text, exec] : hsPartEnds)
      hsProgram.partEnds.push_back({hsProgram.address + dovetail::test::assemble(text).size(), exec});
  } else {
    HardwareProgram &lsProgram = command.program(HardwareStage::Ls);
    lsProgram = mapProgram(gpu, "ls", ls);
    lsProgram.userSgprs = vertices;
  }
}

} // namespace dovetail::emulator::test
