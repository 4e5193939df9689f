// SPDX-License-Identifier: MIT
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/tessellation_run.h"
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr unsigned Size = 8;

// A patch that covers everything; u is along x, v along y, and both are 1/4 per unit of clip space.
std::vector<DrawVertex> wholeScreen() {
  return {{{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}};
}

void checkCoordinates(const TessellationRun &run) {
  for (unsigned y = 0; y < Size; ++y)
    for (unsigned x = 0; x < Size; ++x) {
      CAPTURE(x);
      CAPTURE(y);
      const Color pixel = run.pixel(x, y);
      CHECK(pixel[0] == doctest::Approx((float(x) + 0.5f) / 16).epsilon(1e-4));
      CHECK(pixel[1] == doctest::Approx((float(y) + 0.5f) / 16).epsilon(1e-4));
    }
}

// Each pixel has a patch of its own, row by row, with `extra` more vertices that nobody uses.
void setPixelPatches(TessellationRun &run, unsigned extra = 0) {
  run.vertices.clear();
  for (unsigned i = 0; i < Size * Size; ++i) {
    const auto x = float(i % Size), y = float(i / Size);
    for (DrawVertex vertex : {at(x, y), at(x + 1, y), at(x, y + 1)})
      run.vertices.push_back(vertex);
    for (unsigned j = 0; j < extra; ++j)
      run.vertices.push_back({});
  }
  run.setDomain(2, 0, 2);
}

void checkPixelPatches(const TessellationRun &run, unsigned patchesPerGroup) {
  for (unsigned i = 0; i < Size * Size; ++i) {
    CAPTURE(i);
    const Color pixel = run.pixel(i % Size, i / Size);
    CHECK((pixel == Color{0.5f, 0.5f, float(i % patchesPerGroup), float(i)}));
  }
}

constexpr std::array<float, 6> Ones = {1, 1, 1, 1, 1, 1};
const Generation Generations[] = {Generation::Gfx8, Generation::Gfx9};

} // namespace

TEST_CASE("the points of a domain are where evaluation puts them, however finely it is divided") {
  for (Generation generation : Generations)
    for (uint32_t partitioning : {0, 2, 3})
      for (float factor : {1.0f, 2.5f, 7.0f}) {
        CAPTURE(int(generation));
        CAPTURE(partitioning);
        CAPTURE(factor);
        TessellationRun run(generation);
        run.vertices = wholeScreen();
        run.setDomain(1, partitioning, 2);
        run.setGroups(1, 3, 3, {factor, factor, factor, factor});
        run.draw();
        checkCoordinates(run);
      }
}

TEST_CASE("waves that begin and end within patches, several groups, a smaller last one") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    TessellationRun run(generation);
    setPixelPatches(run);
    run.setGroups(25, 3, 3, Ones); // 75 threads in 2 waves; groups of 25, 25 and 14 patches
    run.draw();
    checkPixelPatches(run, 25);
  }
}

TEST_CASE("many input vertices, one control thread: waves without a second half") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    TessellationRun run(generation);
    setPixelPatches(run, 13);
    run.setGroups(10, 16, 1, Ones); // 160 and 10 threads
    run.draw();
    checkPixelPatches(run, 10);
  }
}

TEST_CASE("few input vertices, many control threads: waves without a first half") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    TessellationRun run(generation);
    setPixelPatches(run);
    run.setGroups(10, 3, 32, Ones); // 30 and 320 threads
    run.draw();
    checkPixelPatches(run, 10);
  }
}

TEST_CASE("a wave without a second half may end in front of the barrier") {
  TessellationRun run;
  setPixelPatches(run, 13);
  run.setGroups(10, 16, 1, Ones);
  run.merged.barrier = R"(
  s_bfe_u32 s20, s3, 0x80008
  s_cmp_eq_u32 s20, 0
  s_cbranch_scc0 1
  s_endpgm
  s_mov_b64 exec, -1
  s_barrier
)";
  run.draw();
  checkPixelPatches(run, 10);
}

TEST_CASE("without the barrier a control thread misses vertices of other waves") {
  TessellationRun run;
  setPixelPatches(run, 13);
  run.setGroups(10, 16, 1, Ones);
  run.merged.barrier = "s_mov_b64 exec, -1\n";
  run.draw();
  unsigned missing = 0;
  for (unsigned i = 0; i < Size * Size; ++i)
    missing += run.pixel(i % Size, i / Size)[3] != float(i);
  CHECK(missing > 0);
}

TEST_CASE("what is written to LDS must be there when a wave comes to the barrier") {
  TessellationRun run;
  run.vertices = wholeScreen();
  const std::string wait = "s_waitcnt lgkmcnt(0)";
  run.merged.vertex.erase(run.merged.vertex.find(wait), wait.size());
  CHECK(run.drawError().find("writes to LDS are in flight") != std::string::npos);
}

TEST_CASE("a program may trust the order of LDS instead") {
  TessellationRun run;
  run.vertices = wholeScreen();
  const std::string wait = "s_waitcnt lgkmcnt(0)";
  run.merged.vertex.erase(run.merged.vertex.find(wait), wait.size());
  std::function<void(Gpu & gpu, Draw & command)> addPrograms = run.prepare;
  run.prepare = [&](Gpu &gpu, Draw &command) {
    addPrograms(gpu, command);
    command.program(HardwareStage::Hs).trustsLdsOrder = true;
  };
  run.draw();
  checkCoordinates(run);
}

TEST_CASE("merged programs find in s[0:1] what the driver has put into registers") {
  TessellationRun run;
  run.vertices = wholeScreen();
  // The program draws nothing if the registers have other values.
  run.merged.firstHalf = "s_cmp_eq_u32 s0, 0x12340\ns_cbranch_scc0 wrong\ns_cmp_eq_u32 s1, 0x80\n"
                         "s_cbranch_scc1 right\nwrong: s_endpgm\nright:\n" +
                         run.merged.firstHalf;
  run.set(reg::SPI_SHADER_USER_DATA_ADDR_LO_HS, 0x12340);
  run.set(reg::SPI_SHADER_USER_DATA_ADDR_LO_HS + 1, 0x80);
  run.draw();
  checkCoordinates(run);
}

TEST_CASE("the LS VGPRs of a wave without HS threads are at v0 on GPUs with the bug") {
  TessellationRun run;
  setPixelPatches(run, 13);
  run.setGroups(10, 16, 1, Ones);
  run.hasLsVgprInitBug = true;
  CHECK(run.drawError().find("v2 was never written") != std::string::npos);

  run.merged.firstHalf += R"(
  s_bfe_u32 s20, s3, 0x80008
  s_cmp_eq_u32 s20, 0
  s_cbranch_scc0 2
  v_mov_b32 v2, v0
  v_mov_b32 v3, v1
)";
  run.draw();
  checkPixelPatches(run, 10);
  run.hasLsVgprInitBug = false; // without the bug, the program must not move them
  Result<SceneResult> drawn = run.tryDraw();
  CHECK((!drawn || drawn->colors[0].bytes != run.result.colors[0].bytes));
}

TEST_CASE("nothing is promised about EXEC at the start of a merged program") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.merged.firstHalf = "v_mov_b32 v6, 0\n" + run.merged.firstHalf;
  CHECK(run.drawError().find("nothing has set EXEC yet") != std::string::npos);
}

TEST_CASE("parts of a merged program end with the lanes of their half") {
  TessellationRun run;
  setPixelPatches(run);
  run.setGroups(10, 3, 32, Ones);
  const std::string second = run.merged.firstHalf + run.merged.vertex + run.merged.barrier + run.merged.secondHalf;
  run.hsPartEnds = {{run.merged.firstHalf, PartEnd::Exec::FirstHalf}, {second, PartEnd::Exec::SecondHalf}};
  run.draw();
  run.hsPartEnds = {{second, PartEnd::Exec::FirstHalf}};
  CHECK(run.drawError().find("a part of the first half") != std::string::npos);
  run.hsPartEnds = {{run.merged.firstHalf, PartEnd::Exec::SecondHalf}};
  CHECK(run.drawError().find("a part of the second half") != std::string::npos);
}

TEST_CASE("registers of a merged program that the hardware does not load") {
  const auto isLoaded = [](const std::string &use) {
    CAPTURE(use);
    TessellationRun run;
    run.vertices = wholeScreen();
    run.merged.firstHalf += use;
    return run.tryDraw().has_value();
  };
  for (const auto &[sgpr, expected] : {std::pair(0, false), std::pair(2, true), std::pair(4, true), std::pair(5, false),
                                       std::pair(6, false), std::pair(8, true)})
    CHECK(isLoaded(fmt::format("s_bitcmp1_b32 s{}, 0\ns_cbranch_scc1 0\n", sgpr)) == expected);
  CHECK_FALSE(isLoaded("v_add_f32 v4, v4, v4\n")); // InstanceId: LS_VGPR_COMP_CNT is 1
}

TEST_CASE("instances: their number in the fourth LS VGPR, patches counted from 0") {
  for (Generation generation : Generations) {
    CAPTURE(int(generation));
    const bool isGfx9 = generation == Generation::Gfx9;
    TessellationRun run(generation);
    setPixelPatches(run);
    run.vertices.resize(3); // one patch, at the first pixel
    run.scene.instanceCount = 2;
    run.setGroups(2, 3, 3, Ones); // both in one group
    const uint32_t address = isGfx9 ? reg::SPI_SHADER_PGM_RSRC1_HS : reg::SPI_SHADER_PGM_RSRC1_LS;
    const RegisterField count =
        isGfx9 ? field::SPI_SHADER_PGM_RSRC1_HS::LS_VGPR_COMP_CNT : field::SPI_SHADER_PGM_RSRC1_LS::VGPR_COMP_CNT;
    run.registers[address] |= count(3);
    // Moves the second instance one pixel to the right.
    const std::string move = fmt::format("v_cvt_f32_u32 v{0}, v{0}\n v_mac_f32 v8, 0.25, v{0}\n", isGfx9 ? 5 : 3);
    std::string &vertex = isGfx9 ? run.merged.vertex : run.ls;
    const std::string wait = "s_waitcnt vmcnt(0)\n";
    vertex.insert(vertex.find(wait) + wait.size(), move);
    run.draw();
    CHECK((run.pixel(0, 0) == Color{0.5f, 0.5f, 0, 0}));
    CHECK((run.pixel(1, 0) == Color{0.5f, 0.5f, 1, 0}));
    CHECK((run.pixel(2, 0) == Color{0, 0, 0, 0}));
  }
}

TEST_CASE("patches take their vertices through the indices") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.scene.indices = {0, 2, 1};
  run.scene.vertexCount = 3;
  run.draw();
  CHECK(run.pixel(7, 0)[1] == doctest::Approx(7.5 / 16));
  CHECK(run.pixel(7, 0)[0] == doctest::Approx(0.5 / 16));
}

TEST_CASE("vertices that make no whole patch are left out") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.vertices.resize(5);
  run.draw();
  checkCoordinates(run);
}

TEST_CASE("a patch with a factor of 0 is not drawn") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.setGroups(1, 3, 3, {1, 0, 1, 1});
  run.draw();
  CHECK(run.sum(0) == 0);
}

TEST_CASE("factors are limited to VGT_HOS_MAX_TESS_LEVEL and MIN_TESS_LEVEL") {
  // Points: as many as the domain has. With factors of 1, 4; with factors of 2, 9.
  auto countPoints = [](float factor, float lowest, float highest) {
    TessellationRun run;
    run.vertices = {at(0.5, 0.5), at(7.5, 0.5), at(0.5, 7.5)};
    run.setDomain(2, 0, 0);
    run.setGroups(1, 3, 3, {factor, factor, factor, factor, factor, factor});
    run.set(reg::VGT_HOS_MIN_TESS_LEVEL, std::bit_cast<uint32_t>(lowest));
    run.set(reg::VGT_HOS_MAX_TESS_LEVEL, std::bit_cast<uint32_t>(highest));
    run.set(reg::SPI_SHADER_COL_FORMAT, 9);
    run.ps =
        std::string("v_mov_b32 v8, 1.0\n v_mov_b32 v9, 1.0\n v_mov_b32 v10, 1.0\n v_mov_b32 v11, 1.0\n") + ExportAll;
    run.draw();
    return run.sum(0);
  };
  CHECK(countPoints(1, 0, 64) == 4);
  CHECK(countPoints(2, 0, 64) == 9);
  CHECK(countPoints(2, 0, 1) == 4);
  CHECK(countPoints(1, 2, 64) == 9);
}

TEST_CASE("isolines: the number of segments is the first factor in memory") {
  TessellationRun run;
  // v = 0, 1/4, 1/2, 3/4 are rows of pixels.
  run.vertices = {at(0, 0.5), at(8, 0.5), at(0, 8.5)};
  run.setDomain(0, 0, 1);
  run.setGroups(1, 3, 3, {1, 4});
  run.ps = std::string("v_mov_b32 v8, 1.0\n v_mov_b32 v9, 1.0\n v_mov_b32 v10, 1.0\n v_mov_b32 v11, 1.0\n") + ExportAll;
  run.draw();
  CHECK(run.picture() == "########\n"
                         "........\n"
                         "########\n"
                         "........\n"
                         "########\n"
                         "........\n"
                         "########\n"
                         "........\n");
}

TEST_CASE("the topology's orientation decides which side is seen") {
  for (uint32_t topology : {2, 3}) {
    TessellationRun run;
    run.vertices = wholeScreen();
    run.setDomain(1, 0, topology);
    // u to the right and v down: clockwise triangles are clockwise on the screen.
    run.scene.frontFace = VK_FRONT_FACE_CLOCKWISE;
    run.scene.cullMode = VK_CULL_MODE_BACK_BIT;
    run.draw();
    CHECK((run.sum(0) > 0) == (topology == 2));
  }
}

TEST_CASE("the provoking corner is the first or the last of each triangle") {
  for (bool last : {false, true}) {
    TessellationRun run;
    run.vertices = wholeScreen();
    run.scene.state.flatProvokingVertexLast = last;
    run.set(reg::SPI_PS_INPUT_CNTL_0, field::SPI_PS_INPUT_CNTL_0::FLAT_SHADE(1));
    run.ps = std::string(MoveAll) + ExportAll;
    run.draw();
    // The only triangle is (0 1), (0 0), (1 0).
    CHECK(run.pixel(3, 3)[0] == (last ? 1 : 0));
    CHECK(run.pixel(3, 3)[1] == (last ? 0 : 1));
  }
}

TEST_CASE("factors that are not written are an error") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.merged.control = "s_endpgm\n";
  CHECK(run.drawError() == "patch 0: tessellation factor 0 was not written");
}

TEST_CASE("GFX8 wants a control word in front of a group's factors") {
  TessellationRun run(Generation::Gfx8);
  run.vertices = wholeScreen();
  const size_t word = run.hs.find("v_bfrev_b32 v16, 1");
  run.hs.replace(word, 18, "v_mov_b32 v16, 0  ");
  CHECK(run.drawError() == "the control word in front of a group's factors is 0x0");
}

TEST_CASE("registers must agree with the draw and with each other") {
  TessellationRun run;
  run.vertices = wholeScreen();
  run.scene.state.patchControlPoints = 4;
  CHECK(run.drawError() == "VGT_LS_HS_CONFIG has patches of 3 vertices, the draw of 4");
  run.scene.state.patchControlPoints = 3;
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  CHECK(run.drawError() == "tessellation is on, but topology 3 has no patches");
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  run.setDomain(1, 0, 1);
  CHECK(run.drawError().find("no such domain, partitioning or topology") != std::string::npos);
  run.setDomain(1, 0, 2);
  run.set(reg::VGT_LS_HS_CONFIG, 0);
  CHECK(run.drawError() == "VGT_LS_HS_CONFIG 0x0 makes empty groups");
}

TEST_CASE("groups have blocks of their own in the off-chip buffer") {
  TessellationRun run;
  setPixelPatches(run);
  run.setGroups(25, 3, 3, Ones);
  run.offchipBlocks = 2;
  CHECK(run.drawError() == "3 groups of patches do not fit into 2 off-chip blocks");
}

TEST_CASE("LDS is as large as the registers say") {
  for (Generation generation : Generations) {
    TessellationRun run(generation);
    setPixelPatches(run);
    run.setGroups(25, 3, 3, Ones); // 1200 bytes
    const bool isGfx9 = generation == Generation::Gfx9;
    const uint32_t address = isGfx9 ? reg::SPI_SHADER_PGM_RSRC2_HS : reg::SPI_SHADER_PGM_RSRC2_LS;
    const RegisterField size =
        isGfx9 ? field::SPI_SHADER_PGM_RSRC2_HS::LDS_SIZE : field::SPI_SHADER_PGM_RSRC2_LS::LDS_SIZE;
    const uint32_t others = run.registers[address] & ~size.mask();
    run.registers[address] = others | size(3);
    run.draw();
    checkPixelPatches(run, 25);
    // A read beyond the end gives 0, and a write there is lost.
    run.registers[address] = others | size(2);
    Result<SceneResult> drawn = run.tryDraw();
    CHECK((!drawn || drawn->colors[0].bytes != run.result.colors[0].bytes));
  }
}

TEST_CASE("an evaluation shader is started with three VGPRs at least") {
  TessellationRun run;
  run.vertices = wholeScreen();
  const uint32_t rsrc1 =
      run.registers[reg::SPI_SHADER_PGM_RSRC1_VS] & ~field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.mask();
  run.registers[reg::SPI_SHADER_PGM_RSRC1_VS] = rsrc1 | field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(1);
  CHECK(run.drawError().find("VGPR_COMP_CNT of an evaluation shader is 1") != std::string::npos);
}
