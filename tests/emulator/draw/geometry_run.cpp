// SPDX-License-Identifier: MIT
#include "tests/emulator/draw/geometry_run.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/draw/waves/geometry_waves.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

namespace dovetail::emulator::test {

namespace {

constexpr unsigned Size = 8, EsDwords = 3, RecordDwords = 8, MaxRecords = 1024;

// Entries of the table of descriptors that all programs have a pointer to.
enum Entry : unsigned {
  Records,
  Ring0,
  Ring1,
  Ring2,
  Ring3,
  EsgsIn,
  EsgsOut,
  CopyIn,
  Captured0,
  Vertices = 12,
  Entries
};

constexpr uint32_t Allocation = field::PGM_RSRC1::VGPRS(15) | field::PGM_RSRC1::SGPRS(12) |
                                field::PGM_RSRC1::FLOAT_MODE(0xc0) | field::PGM_RSRC1::DX10_CLAMP(1);

std::string load(unsigned sgpr, unsigned pointer, unsigned entry) {
  return fmt::format("s_load_dwordx4 s[{}:{}], s[{}:{}], {:#x}\n", sgpr, sgpr + 3, pointer, pointer + 1, entry * 16);
}

std::string loadGsDescriptors(unsigned pointer) {
  return load(20, pointer, Records) + load(24, pointer, Ring0) + load(28, pointer, Ring1) + load(32, pointer, Ring2) +
         load(36, pointer, Ring3);
}

const char *const Lane = R"(
  v_mbcnt_lo_u32_b32 v20, -1, 0
  v_mbcnt_hi_u32_b32 v20, -1, v20
)";

unsigned cornersOf(VkPrimitiveTopology topology) {
  switch (topology) {
  case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    return 1;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return 2;
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    return 4;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
    return 6;
  default:
    return 3;
  }
}

BufferDescriptor rawBuffer(uint64_t address, size_t bytes) {
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.numRecords = uint32_t(bytes);
  descriptor.numFormat = 7;  // FLOAT
  descriptor.dataFormat = 4; // 32
  return descriptor;
}

BufferDescriptor swizzledRing(uint64_t address, uint32_t stride, uint8_t indexStride) {
  BufferDescriptor descriptor = rawBuffer(address, 64);
  descriptor.dataFormat = 0;
  descriptor.stride = stride;
  descriptor.swizzleEnable = descriptor.addTidEnable = true;
  descriptor.elementSize = 1;
  descriptor.indexStride = indexStride;
  return descriptor;
}

} // namespace

const char *const GeometryRun::StoreRecord = R"(
  v_lshlrev_b32_e32 v21, 5, v21
  buffer_store_dwordx4 v[22:25], v21, s[20:23], 0 offen
  buffer_store_dwordx4 v[26:29], v21, s[20:23], 0 offen offset:16
)";

GeometryRun::GeometryRun(Generation generation, VkPrimitiveTopology topology, unsigned output)
    : generation(generation), output(output) {
  scene.state.topology = topology;
  scene.width = scene.height = Size;
  scene.state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  scene.state.depthStencilFormat = VK_FORMAT_UNDEFINED;
}

std::string GeometryRun::emit(unsigned number, unsigned stream, const char *operation) const {
  std::string text;
  for (unsigned i = 0; i < vertexDwords[stream]; ++i)
    text += fmt::format("buffer_store_dword v{}, off, s[{}:{}], s40 offset:{}\n", 30 + i, 24 + 4 * stream,
                        27 + 4 * stream, (i * maxVertices + number) * 4);
  return text + fmt::format("s_sendmsg sendmsg(MSG_GS, {}, {})\n", operation, stream);
}

std::string GeometryRun::cut(unsigned stream) {
  return fmt::format("s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, {})\n", stream);
}

// Both halves begin with EXEC = -1 and narrow it down to their lanes.
std::string GeometryRun::mergedProgram() const {
  std::string text = "s_mov_b64 exec, -1\n" + std::string(Lane) + loadGsDescriptors(8) + R"(
    s_and_b32 s50, s3, 0xff
    s_bfe_u32 s51, s3, 0x80008
    s_bfe_u32 s41, s3, 0x80010
    s_bfe_u32 s52, s3, 0x40018
    v_cmp_gt_u32_e32 vcc, s50, v20
    s_mov_b64 exec, vcc
    s_lshl_b32 s52, s52, 6
    v_add_u32_e32 v21, s52, v20
    v_mul_u32_u24_e32 v21, 12, v21
    ds_write_b32 v21, v5
    ds_write_b32 v21, v6 offset:4
    s_mov_b64 exec, -1
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_cmp_gt_u32_e32 vcc, s51, v20
    s_mov_b64 exec, vcc
    s_cbranch_execz end
    v_mov_b32_e32 v17, v3
    v_mov_b32_e32 v16, v2
    s_mov_b32 s40, s2
    s_mov_b32 m0, s41
  )";
  if (tessellated)
    text.insert(text.find("ds_write_b32 v21, v6"), "v_mov_b32_e32 v6, s4\n");
  const unsigned pairs[] = {0, 1, 4};
  const unsigned corners = cornersOf(scene.state.topology);
  for (unsigned corner = 0; corner < corners; ++corner)
    text += fmt::format("{0} v{1}, {2}, v{3}\nv_lshlrev_b32_e32 v{1}, 2, v{1}\n",
                        corner % 2 == 0 ? "v_and_b32_e32" : "v_lshrrev_b32_e32", 10 + corner,
                        corner % 2 == 0 ? "0xffff" : "16", pairs[corner / 2]);
  text += "ds_read_b32 v18, v10 offset:4\n";
  for (unsigned corner = 0; corner < corners; ++corner)
    text += fmt::format("ds_read_b32 v{0}, v{0}\n", 10 + corner);
  return text + "s_waitcnt lgkmcnt(0)\n" + body +
         (isDone ? "s_waitcnt vmcnt(0)\ns_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n" : "") + "end:\ns_endpgm\n";
}

std::string GeometryRun::esProgram() const {
  if (tessellated)
    return load(8, 0, EsgsOut) + R"(
      v_mov_b32_e32 v1, s2
      s_waitcnt lgkmcnt(0)
      buffer_store_dword v0, off, s[8:11], s4
      buffer_store_dword v1, off, s[8:11], s4 offset:4
      s_endpgm
    )";
  return load(4, 0, EsgsOut) + R"(
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v0, off, s[4:7], s2
    buffer_store_dword v1, off, s[4:7], s2 offset:4
    s_endpgm
  )";
}

std::string GeometryRun::gsProgram() const {
  std::string text = loadGsDescriptors(0) + load(44, 0, EsgsIn) + Lane + R"(
    s_mov_b32 s40, s2
    s_mov_b32 m0, s3
    s_movk_i32 s50, 0x100
    v_mov_b32_e32 v16, v2
    v_mov_b32_e32 v17, v7
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v18, 2, v0
    buffer_load_dword v18, v18, s[44:47], s50 offen
  )";
  const unsigned offsets[] = {0, 1, 3, 4, 5, 6};
  for (unsigned corner = 0; corner < cornersOf(scene.state.topology); ++corner)
    text += fmt::format("v_lshlrev_b32_e32 v{0}, 2, v{1}\nbuffer_load_dword v{0}, v{0}, s[44:47], 0 offen\n",
                        10 + corner, offsets[corner]);
  return text + "s_waitcnt vmcnt(0)\n" + body +
         (isDone ? "s_waitcnt vmcnt(0)\ns_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n" : "") + "s_endpgm\n";
}

// Captures all dwords of the stream's vertices; stream 0 is rasterised, too.
std::string GeometryRun::copyProgram() const {
  const bool captures = std::ranges::any_of(capturedBytes, [](uint32_t bytes) { return bytes != 0; });
  std::string text = std::string(Lane) + load(20, 0, CopyIn) + load(24, 0, Vertices) +
                     "v_lshlrev_b32_e32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n";
  text += "s_mov_b64 s[60:61], exec\n";
  if (captures)
    text += R"(
      s_bfe_u32 s50, s2, 0x70010
      s_bfe_u32 s51, s2, 0x20018
      v_cmp_gt_u32_e64 s[62:63], s50, v20
      v_mov_b32_e32 v2, s3
      v_mad_u32_u24 v2, v20, 1, v2
    )";
  unsigned offsetSgpr = 4;
  for (unsigned stream = 0; stream < 4; ++stream) {
    if (captures)
      text += fmt::format("s_cmp_lg_u32 s51, {0}\ns_cbranch_scc1 stream{0}\n", stream);
    else if (stream != 0)
      break;
    for (unsigned i = 0; i < vertexDwords[stream]; ++i)
      text += fmt::format("s_mov_b32 s52, {}\nbuffer_load_dword v{}, v1, s[20:23], s52 offen\n", i * maxVertices * 64,
                          30 + i);
    if (capturedBytes[stream] != 0) {
      text += load(28, 0, Captured0 + stream) + "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b64 exec, s[62:63]\n";
      text +=
          fmt::format("v_mul_u32_u24_e32 v3, {}, v2\ns_lshl_b32 s52, s{}, 2\n", vertexDwords[stream] * 4, offsetSgpr++);
      for (unsigned i = 0; i < vertexDwords[stream]; ++i)
        text += fmt::format("buffer_store_dword v{}, v3, s[28:31], s52 offen offset:{}\n", 30 + i, i * 4);
      text += "s_mov_b64 exec, s[60:61]\n";
    }
    if (stream == 0)
      text += R"(
        s_waitcnt vmcnt(0)
        buffer_load_dwordx4 v[4:7], v30, s[24:27], 0 idxen
        buffer_load_dwordx4 v[8:11], v30, s[24:27], 0 idxen offset:16
        s_waitcnt vmcnt(0)
        exp pos0 v4, v5, v6, v7 done
        exp param0 v8, v9, v10, v11
      )";
    text += fmt::format("s_endpgm\nstream{}:\n", stream);
  }
  return text + "s_endpgm\n";
}

void GeometryRun::setRegisters(HardwareRegisters &all) const {
  using namespace field;
  const bool isMerged = generation == Generation::Gfx9;
  all[reg::VGT_SHADER_STAGES_EN] =
      VGT_SHADER_STAGES_EN::ES_EN(2) | VGT_SHADER_STAGES_EN::GS_EN(1) | VGT_SHADER_STAGES_EN::VS_EN(2);
  all[reg::VGT_GS_MODE] = VGT_GS_MODE::MODE(3) | VGT_GS_MODE::CUT_MODE(3) | VGT_GS_MODE::ONCHIP(isMerged);
  all[reg::VGT_GS_OUT_PRIM_TYPE] = output;
  all[reg::VGT_INSTANCE_STEP_RATE_0] = 1;
  const uint32_t esVgprs = tessellated ? 2 : 1;
  all[reg::VGT_GS_MAX_VERT_OUT] = maxVertices;
  all[reg::VGT_GS_INSTANCE_CNT] = VGT_GS_INSTANCE_CNT::ENABLE(1) | VGT_GS_INSTANCE_CNT::CNT(invocations);
  all[reg::VGT_ESGS_RING_ITEMSIZE] = EsDwords;
  uint32_t laneDwords = 0;
  for (unsigned stream = 0; stream < 4; ++stream) {
    all[reg::VGT_GS_VERT_ITEMSIZE + stream] = vertexDwords[stream];
    if (stream != 0)
      all[reg::VGT_GSVS_RING_OFFSET_1 + stream - 1] = laneDwords;
    laneDwords += vertexDwords[stream] * maxVertices;
  }
  all[reg::VGT_GSVS_RING_ITEMSIZE] = laneDwords;
  all[reg::VGT_GSVS_RING_SIZE] = laneDwords * ringWaves; // 64 lanes of 4 bytes are 256 bytes
  if (isMerged) {
    all[reg::VGT_GS_ONCHIP_CNTL] = VGT_GS_ONCHIP_CNTL::ES_VERTS_PER_SUBGRP(groupVertices) |
                                   VGT_GS_ONCHIP_CNTL::GS_PRIMS_PER_SUBGRP(groupPrimitives) |
                                   VGT_GS_ONCHIP_CNTL::GS_INST_PRIMS_IN_SUBGRP(groupPrimitives * invocations);
    all[reg::VGT_GS_MAX_PRIMS_PER_SUBGROUP] = groupPrimitives * invocations * maxVertices;
    all[reg::SPI_SHADER_PGM_RSRC1_GS] = Allocation | SPI_SHADER_PGM_RSRC1_GS::GS_VGPR_COMP_CNT(3);
    all[reg::SPI_SHADER_PGM_RSRC2_GS] =
        SPI_SHADER_PGM_RSRC2_GS::USER_SGPR(2) | SPI_SHADER_PGM_RSRC2_GS::ES_VGPR_COMP_CNT(esVgprs) |
        SPI_SHADER_PGM_RSRC2_GS::OC_LDS_EN(tessellated.has_value()) |
        SPI_SHADER_PGM_RSRC2_GS::LDS_SIZE(((groupVertices + 5) * EsDwords * 4 + 511) / 512);
  } else {
    all[reg::VGT_ESGS_RING_SIZE] = EsDwords * ringWaves;
    all[reg::SPI_SHADER_PGM_RSRC1_GS] = Allocation;
    all[reg::SPI_SHADER_PGM_RSRC2_GS] = SPI_SHADER_PGM_RSRC2_GS::USER_SGPR(2);
    all[reg::SPI_SHADER_PGM_RSRC1_ES] = Allocation | SPI_SHADER_PGM_RSRC1_ES::VGPR_COMP_CNT(esVgprs);
    all[reg::SPI_SHADER_PGM_RSRC2_ES] =
        SPI_SHADER_PGM_RSRC2_ES::USER_SGPR(2) | SPI_SHADER_PGM_RSRC2_ES::OC_LDS_EN(tessellated.has_value());
  }

  uint32_t streams = 0, buffers = 0;
  for (unsigned stream = 0; stream < 4; ++stream) {
    if (capturedBytes[stream] == 0)
      continue;
    streams |= 1u << stream;
    buffers |= 1u << (5 * stream);
    all[reg::VGT_STRMOUT_VTX_STRIDE_0 + 4 * stream] = vertexDwords[stream];
    all[reg::VGT_STRMOUT_BUFFER_SIZE_0 + 4 * stream] = capturedBytes[stream] / 4;
    all[reg::VGT_STRMOUT_BUFFER_OFFSET_0 + 4 * stream] = capturedOffset[stream];
  }
  all[reg::VGT_STRMOUT_CONFIG] = VGT_STRMOUT_CONFIG::STREAMOUT_EN(streams);
  all[reg::VGT_STRMOUT_BUFFER_CONFIG] = buffers;
  all[reg::SPI_SHADER_PGM_RSRC1_VS] = Allocation;
  all[reg::SPI_SHADER_PGM_RSRC2_VS] = SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(2) |
                                      SPI_SHADER_PGM_RSRC2_VS::SO_EN(streams != 0) |
                                      SPI_SHADER_PGM_RSRC2_VS::SO_BASE_EN(streams);

  all[reg::SPI_SHADER_PGM_RSRC1_PS] = Allocation;
  all[reg::SPI_SHADER_POS_FORMAT] = 4;
  all[reg::SPI_PS_IN_CONTROL] = SPI_PS_IN_CONTROL::NUM_INTERP(1);
  all[reg::SPI_BARYC_CNTL] = SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS(1);
  all[reg::SPI_SHADER_COL_FORMAT] = 9;
  all[reg::CB_SHADER_MASK] = 0xf;
  all[reg::DB_SHADER_CONTROL] = DB_SHADER_CONTROL::Z_ORDER(1) | DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1);
  all[reg::SPI_PS_INPUT_ENA] = all[reg::SPI_PS_INPUT_ADDR] = PerspCenterEna;
  for (const auto &[address, value] : registers)
    all[address] = value;
}

Result<SceneResult> GeometryRun::tryDraw() {
  Gpu gpu(generation);
  Draw command{scene, {}};
  setRegisters(command.registers);
  const uint32_t laneDwords = command.registers[reg::VGT_GSVS_RING_ITEMSIZE];

  std::array<std::array<uint32_t, 4>, Entries> table = {};
  const auto map = [&](const char *name, size_t bytes, uint8_t fill) {
    return gpu.memory().map(name, std::vector<uint8_t>(std::max<size_t>(bytes, 4), fill));
  };
  const uint64_t recordsAt = map("records", MaxRecords * RecordDwords * 4, 0);
  table[Records] = encode(rawBuffer(recordsAt, MaxRecords * RecordDwords * 4));
  const uint64_t gsvs = map("GSVS ring", size_t(laneDwords) * 256 * ringWaves, 0xcd);
  uint32_t before = 0;
  for (unsigned stream = 0; stream < 4; ++stream) {
    const uint32_t dwords = vertexDwords[stream] * maxVertices;
    table[Ring0 + stream] = encode(swizzledRing(gsvs + before * 256, dwords * 4, 1));
    before += dwords;
  }
  table[CopyIn] = encode(rawBuffer(gsvs, size_t(laneDwords) * 256 * ringWaves));
  const uint64_t esgs = map("ESGS ring", EsDwords * 256 * ringWaves, 0xcd);
  table[EsgsIn] = encode(rawBuffer(esgs, EsDwords * 256 * ringWaves));
  table[EsgsOut] = encode(swizzledRing(esgs, EsDwords * 4, 3));
  std::array<uint64_t, 4> capturedAt = {};
  for (unsigned buffer = 0; buffer < 4; ++buffer) {
    capturedAt[buffer] = map("captured", capturedBytes[buffer], uint8_t(Untouched));
    table[Captured0 + buffer] = encode(rawBuffer(capturedAt[buffer], capturedBytes[buffer]));
  }
  std::vector<uint8_t> bytes(std::max<size_t>(vertices.size() * sizeof(DrawVertex), sizeof(DrawVertex)));
  if (!vertices.empty())
    std::memcpy(bytes.data(), vertices.data(), vertices.size() * sizeof(DrawVertex));
  const size_t vertexBytes = bytes.size();
  BufferDescriptor vertexBuffer = rawBuffer(gpu.memory().map("vertices", std::move(bytes)), vertexBytes);
  vertexBuffer.stride = sizeof(DrawVertex);
  if (generation == Generation::Gfx9) // counts records
    vertexBuffer.numRecords /= sizeof(DrawVertex);
  table[Vertices] = encode(vertexBuffer);
  std::vector<uint8_t> tableBytes(sizeof(table));
  std::memcpy(tableBytes.data(), table.data(), sizeof(table));
  const uint64_t tableAt = gpu.memory().map("table", std::move(tableBytes), 256, false);

  const std::string gpuName = generation == Generation::Gfx9 ? "gfx900" : "gfx803";
  const auto setProgram = [&](HardwareStage stage, const std::string &text, bool hasTable) {
    HardwareProgram &program = command.program(stage);
    program.address = gpu.memory().map("program", dovetail::test::assemble(text, gpuName), 256, false);
    if (hasTable)
      program.userSgprs = {uint32_t(tableAt), uint32_t(tableAt >> 32)};
  };
  if (generation == Generation::Gfx9) {
    setProgram(HardwareStage::Gs, mergedProgram(), true);
  } else {
    setProgram(HardwareStage::Es, esProgram(), true);
    setProgram(HardwareStage::Gs, gsProgram(), true);
  }
  setProgram(HardwareStage::Vs, copyProgram(), true);
  setProgram(HardwareStage::Ps, std::string(InterpolateAll) + ExportAll, false);

  Result<SceneResult> drawn = SceneResult{};
  if (tessellated) {
    if (Result<ShadedDraw> shaded = shadeGeometry(gpu, command, *tessellated); !shaded)
      drawn = tl::unexpected(shaded.error());
  } else {
    drawn = emulator::draw(gpu, command);
  }
  wavesRun = gpu.wavesRun;
  const auto read = [&](uint64_t address, void *to, size_t size) {
    std::memcpy(to, gpu.memory().at(address, size).data(), size);
  };
  records.assign(MaxRecords, {});
  read(recordsAt, records.data(), MaxRecords * RecordDwords * 4);
  for (unsigned buffer = 0; buffer < 4; ++buffer) {
    m_captured[buffer].assign(capturedBytes[buffer] / 4, 0);
    if (capturedBytes[buffer] != 0)
      read(capturedAt[buffer], m_captured[buffer].data(), capturedBytes[buffer]);
  }
  return drawn;
}

void GeometryRun::draw() {
  Result<SceneResult> drawn = tryDraw();
  REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
  result = std::move(*drawn);
}

std::string GeometryRun::drawError() {
  Result<SceneResult> drawn = tryDraw();
  REQUIRE(!drawn.has_value());
  return drawn.error().text;
}

std::vector<uint32_t> GeometryRun::captured(unsigned buffer) const {
  return m_captured[buffer];
}

} // namespace dovetail::emulator::test
