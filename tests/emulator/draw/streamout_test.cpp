// SPDX-License-Identifier: MIT
//
// Transform feedback of vertex and evaluation shaders: which vertices a wave may write, and where.
#include "src/abi/registers/registers.h"
#include "tests/merge/assembler.h"
#include "tools/proof/emulator/draw/primitives/input_assembly.h"
#include "tools/proof/emulator/draw/waves/vertex_waves.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/ranges.h>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

constexpr Generation Generations[] = {Generation::Gfx8, Generation::Gfx9};
constexpr uint32_t Untouched = 0xabababab;

// s[0:3] is the buffer. Then come s4 StreamoutConfig, s5 StreamoutWriteIndex, s6 StreamoutOffset[0]. Lanes that may
// write store v0 and `second`, 8 bytes a vertex.
std::string captureProgram(const char *second) {
  return std::string(R"(
    v_mbcnt_lo_u32_b32 v4, -1, 0
    v_mbcnt_hi_u32_b32 v4, -1, v4
    v_mov_b32_e32 v6, 0
    v_mov_b32_e32 v7, 1.0
    exp pos0 v6, v6, v6, v7 done
    s_bfe_u32 s20, s4, 0x70010
    v_cmp_gt_u32_e32 vcc, s20, v4
    s_and_b64 exec, exec, vcc
    s_lshl_b32 s21, s6, 2
    v_mov_b32_e32 v5, s5
    v_mad_u32_u24 v5, v4, 1, v5
    v_lshlrev_b32_e32 v5, 3, v5
    buffer_store_dword v0, v5, s[0:3], s21 offen
    v_mov_b32_e32 v8, )") +
         second + "\nbuffer_store_dword v8, v5, s[0:3], s21 offen offset:4\ns_endpgm\n";
}

class Capture {
public:
  explicit Capture(Generation generation) : m_generation(generation) {
    using namespace field;
    scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    registers[reg::SPI_SHADER_PGM_RSRC1_VS] = PGM_RSRC1::VGPRS(3) | PGM_RSRC1::SGPRS(5) | PGM_RSRC1::FLOAT_MODE(0xc0);
    registers[reg::SPI_SHADER_PGM_RSRC2_VS] = SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(4) |
                                              SPI_SHADER_PGM_RSRC2_VS::SO_EN(1) |
                                              SPI_SHADER_PGM_RSRC2_VS::SO_BASE_EN(1);
    registers[reg::SPI_SHADER_POS_FORMAT] = 4;
    registers[reg::VGT_STRMOUT_CONFIG] = VGT_STRMOUT_CONFIG::STREAMOUT_EN(1);
    registers[reg::VGT_STRMOUT_BUFFER_CONFIG] = VGT_STRMOUT_BUFFER_CONFIG::STREAM_0_BUFFER_EN(1);
    registers[reg::VGT_STRMOUT_VTX_STRIDE_0] = 2;
    registers[reg::VGT_STRMOUT_BUFFER_SIZE_0] = 1024;
  }

  Scene scene;
  HardwareRegisters registers;
  const char *second = "7";
  std::vector<uint32_t> first; // captured dwords of v0, up to the last captured one
  std::vector<uint32_t> seconds;
  uint64_t waves = 0;

  Result<ShadedDraw> tryRun(const FrontDraw &front) {
    Gpu gpu(m_generation);
    const size_t size = registers[reg::VGT_STRMOUT_BUFFER_SIZE_0] * 4;
    const uint64_t buffer = gpu.memory().map("captured", std::vector<uint8_t>(size, uint8_t(Untouched)));
    BufferDescriptor descriptor;
    descriptor.base = buffer;
    descriptor.numRecords = uint32_t(size);
    descriptor.dataFormat = 4;
    Draw command{scene, registers};
    HardwareProgram &program = command.program(HardwareStage::Vs);
    program.address = gpu.memory().map(
        "program",
        dovetail::test::assemble(captureProgram(second), m_generation == Generation::Gfx9 ? "gfx900" : "gfx803"), 256,
        false);
    for (uint32_t word : encode(descriptor))
      program.userSgprs.push_back(word);
    Result<ShadedDraw> shaded = shadeVertices(gpu, command, front);
    waves = gpu.wavesRun;
    std::vector<uint32_t> dwords(size / 4);
    if (size > 0)
      std::memcpy(dwords.data(), gpu.memory().region(buffer).data(), size);
    first.clear();
    seconds.clear();
    for (size_t i = registers[reg::VGT_STRMOUT_BUFFER_OFFSET_0]; i + 1 < dwords.size() && dwords[i] != Untouched;
         i += 2) {
      first.push_back(dwords[i]);
      seconds.push_back(dwords[i + 1]);
    }
    const size_t touched = size_t(std::ranges::count_if(dwords, [](uint32_t dword) { return dword != Untouched; }));
    CHECK(touched == first.size() * 2);
    return shaded;
  }

  ShadedDraw run(const FrontDraw &front) {
    Result<ShadedDraw> shaded = tryRun(front);
    REQUIRE_MESSAGE(shaded.has_value(), shaded.error().text);
    return *shaded;
  }
  ShadedDraw run() { return run(makeFrontDraw(assembleInput(scene, false).value(), {})); }

private:
  Generation m_generation;
};

std::string text(const std::vector<uint32_t> &values) {
  return fmt::format("{}", fmt::join(values, " "));
}

} // namespace

TEST_CASE("strips and fans are captured as lists") {
  const struct {
    VkPrimitiveTopology topology;
    const char *firstProvokes, *lastProvokes; // of vertices 0 to 4
  } rows[] = {
      {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, "0 1 2 3 4", "0 1 2 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, "0 1 2 3", "0 1 2 3"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, "0 1 1 2 2 3 3 4", "0 1 1 2 2 3 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, "0 1 2", "0 1 2"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, "0 1 2 1 3 2 2 3 4", "0 1 2 2 1 3 2 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, "1 2 0 2 3 0 3 4 0", "0 1 2 0 2 3 0 3 4"},
      {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, "1 2 2 3", "1 2 2 3"},
  };
  for (Generation generation : Generations)
    for (const auto &row : rows) {
      CAPTURE(int(generation));
      CAPTURE(int(row.topology));
      Capture capture(generation);
      capture.scene.state.topology = row.topology;
      capture.scene.vertexCount = 5;
      capture.run();
      CHECK(text(capture.first) == row.firstProvokes);
      capture.scene.state.flatProvokingVertexLast = true;
      const ShadedDraw shaded = capture.run();
      CHECK(text(capture.first) == row.lastProvokes);
      // The rasteriser's provoking vertex is the last vertex, too.
      for (const AssembledPrimitive &primitive : shaded.primitives)
        CHECK(primitive.provoking == primitive.corners - 1);
    }
}

TEST_CASE("what is captured is drawn all the same") {
  Capture capture(Generation::Gfx9);
  capture.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  capture.scene.vertexCount = 5;
  const ShadedDraw listed = capture.run();
  CHECK(listed.vertices.size() == 9);
  REQUIRE(listed.primitives.size() == 3);
  CHECK(listed.primitives[1].vertex == std::array<uint32_t, 3>{3, 4, 5});
  // Without transform feedback nothing is captured, and vertices are shared.
  capture.registers[reg::VGT_STRMOUT_CONFIG] = 0;
  const ShadedDraw shared = capture.run();
  CHECK(capture.first.empty());
  CHECK(shared.vertices.size() == 5);
  CHECK(shared.primitives.size() == 3);
}

TEST_CASE("waves hold whole primitives, and write behind each other") {
  Capture capture(Generation::Gfx9);
  capture.scene.vertexCount = 50 * 3; // 21, 21 and 8 triangles
  capture.second = "s5";
  capture.run();
  CHECK(capture.waves == 3);
  REQUIRE(capture.first.size() == 150);
  for (uint32_t i = 0; i < 150; ++i) {
    CHECK(capture.first[i] == i);
    CHECK(capture.seconds[i] == i / 63 * 63);
  }
}

TEST_CASE("primitives that do not fit are not written, nor are their waves' later lanes") {
  for (uint32_t room : {0u, 2u, 3u, 62u, 63u, 64u, 66u, 149u}) {
    CAPTURE(room);
    Capture capture(Generation::Gfx9);
    capture.scene.vertexCount = 50 * 3;
    capture.registers[reg::VGT_STRMOUT_BUFFER_OFFSET_0] = 5;
    capture.registers[reg::VGT_STRMOUT_BUFFER_SIZE_0] = 5 + room * 2;
    const ShadedDraw shaded = capture.run();
    CHECK(capture.first.size() == room / 3 * 3);
    CHECK(shaded.primitives.size() == 50); // the draw shows all of them
  }
}

TEST_CASE("without a buffer nothing is written") {
  Capture capture(Generation::Gfx9);
  capture.scene.vertexCount = 3;
  SUBCASE("of no size") {
    capture.registers[reg::VGT_STRMOUT_BUFFER_SIZE_0] = 0;
  }
  SUBCASE("not enabled") {
    capture.registers[reg::VGT_STRMOUT_BUFFER_CONFIG] = 0;
  }
  CHECK(capture.run().primitives.size() == 1);
  CHECK(capture.first.empty());
}

TEST_CASE("an evaluation shader's off-chip offset comes behind what transform feedback needs") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    Capture capture(generation);
    capture.registers[reg::SPI_SHADER_PGM_RSRC1_VS] |= field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(2);
    capture.registers[reg::SPI_SHADER_PGM_RSRC2_VS] |= field::SPI_SHADER_PGM_RSRC2_VS::OC_LDS_EN(1);
    capture.second = "s7";
    FrontDraw front;
    front.isTessellated = true;
    for (uint32_t group = 0; group < 2; ++group) {
      for (uint32_t i = 0; i < 4; ++i)
        front.vertices.push_back({.vgprs = {group * 10 + i}, .offchipOffset = 0x400 * (group + 1)});
      front.primitives.push_back({.corners = 3, .vertex = {group * 4, group * 4 + 1, group * 4 + 2}});
      front.primitives.push_back({.corners = 3, .vertex = {group * 4 + 1, group * 4 + 3, group * 4 + 2}});
    }
    capture.run(front);
    CHECK(capture.waves == 2);
    CHECK(text(capture.first) == "0 1 2 1 3 2 10 11 12 11 13 12");
    for (uint32_t i = 0; i < 12; ++i)
      CHECK(capture.seconds[i] == (i < 6 ? 0x400 : 0x800));
  }
}

TEST_CASE("a stream other than 0 is nothing for draws without geometry") {
  Capture capture(Generation::Gfx9);
  capture.scene.vertexCount = 3;
  capture.registers[reg::VGT_STRMOUT_CONFIG] |= field::VGT_STRMOUT_CONFIG::RAST_STREAM(1);
  const Result<ShadedDraw> shaded = capture.tryRun(makeFrontDraw(assembleInput(capture.scene, false).value(), {}));
  REQUIRE(!shaded.has_value());
  CHECK((shaded.error().code == ErrorCode::Unsupported));
}
