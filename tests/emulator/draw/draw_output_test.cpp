// SPDX-License-Identifier: MIT
//
// From a pixel shader's exports to the targets: formats, masks, killed pixels, depth, stencil, coverage, and exports
// that contradict the registers.
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/draw_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

const Color Red = {1, 0, 0, 1}, Green = {0, 1, 0, 1};

void append(std::vector<DrawVertex> &vertices, const std::vector<DrawVertex> &more) {
  vertices.insert(vertices.end(), more.begin(), more.end());
}

void useDepth(DrawRun &run) {
  run.scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT;
  run.scene.depthTestEnable = run.scene.depthWriteEnable = true;
  run.scene.depthCompareOp = VK_COMPARE_OP_LESS;
}

void useFourSamples(DrawRun &run) {
  run.scene.state.rasterizationSamples = 4;
  run.set(reg::PA_SC_AA_CONFIG, field::PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(2));
}

bool contains(const std::string &text, const char *part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

} // namespace

TEST_CASE("the last primitive wins") {
  DrawRun run;
  append(run.vertices, fullScreen(Red));
  append(run.vertices, fullScreen(Green));
  run.draw();
  CHECK(run.pixel(3, 3) == Green);
}

TEST_CASE("the nearer primitive wins with a depth test") {
  DrawRun run;
  useDepth(run);
  append(run.vertices, fullScreen(Red, 0.25f));
  append(run.vertices, fullScreen(Green, 0.5f));
  run.draw();
  CHECK(run.pixel(3, 3) == Red);
  CHECK(run.depth(3, 3) == 0.25f);
  SUBCASE("depth is not written if that is off") {
    run.scene.depthWriteEnable = false;
    run.draw();
    CHECK(run.pixel(3, 3) == Green);
    CHECK(run.depth(3, 3) == 1);
  }
  SUBCASE("each comparison") {
    // The first primitive is drawn if `0.25 op 1`, the second if `0.5 op` the value that is there then.
    const struct {
      VkCompareOp op;
      Color expected;
    } rows[] = {{VK_COMPARE_OP_NEVER, {}},     {VK_COMPARE_OP_LESS, Red},
                {VK_COMPARE_OP_EQUAL, {}},     {VK_COMPARE_OP_LESS_OR_EQUAL, Red},
                {VK_COMPARE_OP_GREATER, {}},   {VK_COMPARE_OP_NOT_EQUAL, Green},
                {VK_COMPARE_OP_ALWAYS, Green}, {VK_COMPARE_OP_GREATER_OR_EQUAL, {}}};
    for (const auto &row : rows) {
      run.scene.depthCompareOp = row.op;
      run.draw();
      CHECK(run.pixel(3, 3) == row.expected);
    }
  }
}

namespace {

// Kills the pixels whose x is less than 4, exports the others.
const char *const KillLeft = R"(
  v_cmp_le_f32 vcc, 4.0, v2
  s_and_b64 exec, exec, vcc
)";

void killLeft(DrawRun &run) {
  run.enable(PerspCenterEna | PosXEna);
  run.ps = std::string(InterpolateAll) + KillLeft + ExportAll;
}

} // namespace

TEST_CASE("a draw goes on where the one before left the targets") {
  DrawRun run;
  useDepth(run);
  run.vertices = {at(0, 0, Red, 0.25f), at(4, 0, Red, 0.25f), at(0, 8, Red, 0.25f)};
  run.draw();
  const SceneResult first = run.result;
  run.prepare = [&](Gpu &, Draw &command) { command.before = &first; };
  run.vertices = fullScreen(Green, 0.5f);
  run.scene.clearColors[0] = {}; // the draw ignores it
  run.draw();
  CHECK(run.pixel(0, 0) == Red);
  CHECK(run.depth(0, 0) == 0.25f);
  CHECK(run.pixel(7, 7) == Green);
  CHECK(run.depth(7, 7) == 0.5f);
}

TEST_CASE("a draw goes on only in targets that are those of the one before") {
  DrawRun run;
  run.vertices = fullScreen(Red);
  run.draw();
  const SceneResult first = run.result;
  run.prepare = [&](Gpu &, Draw &command) { command.before = &first; };
  SUBCASE("another size") {
    run.scene.width = 4;
    contains(run.drawError(), "color 0: the draw has 4 x 8 x 1");
  }
  SUBCASE("another format") {
    run.scene.state.colorTargets[0].format = VK_FORMAT_R16G16B16A16_SFLOAT;
    contains(run.drawError(), "color 0: the draw has 8 x 8 x 1 of format 97");
  }
  SUBCASE("a depth that was not there") {
    useDepth(run);
    contains(run.drawError(), "depth: the draw has");
  }
  SUBCASE("samples, which pictures do not hold") {
    useFourSamples(run);
    contains(run.drawError(), "targets of 4 samples");
  }
}

TEST_CASE("killed pixels reach neither colour nor depth") {
  DrawRun run;
  useDepth(run);
  killLeft(run);
  run.registers[reg::DB_SHADER_CONTROL] |= field::DB_SHADER_CONTROL::KILL_ENABLE(1);
  run.vertices = fullScreen(Red, 0.5f);
  run.draw();
  CHECK(run.pixel(3, 3) == Color{});
  CHECK(run.depth(3, 3) == 1);
  CHECK(run.pixel(4, 3) == Red);
  CHECK(run.depth(4, 3) == 0.5f);
  SUBCASE("depth is written nevertheless, if the shader asks for early tests") {
    run.registers[reg::DB_SHADER_CONTROL] |= field::DB_SHADER_CONTROL::DEPTH_BEFORE_SHADER(1);
    run.draw();
    CHECK(run.pixel(3, 3) == Color{});
    CHECK(run.depth(3, 3) == 0.5f);
  }
}

TEST_CASE("a shader that kills must say so in DB_SHADER_CONTROL") {
  DrawRun run;
  killLeft(run);
  run.vertices = fullScreen(Red);
  contains(run.drawError(), "KILL_ENABLE");
}

TEST_CASE("the shader's depth, stencil and sample mask") {
  DrawRun run;
  useDepth(run);
  run.scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  run.scene.stencilTestEnable = true;
  run.scene.setStencilReference(9);
  run.vertices = fullScreen(Red, 0.5f);
  using namespace field;
  run.set(reg::SPI_SHADER_Z_FORMAT, 9);
  run.set(reg::DB_SHADER_CONTROL, DB_SHADER_CONTROL::Z_ORDER(1) | DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE(1) |
                                      DB_SHADER_CONTROL::Z_EXPORT_ENABLE(1) |
                                      DB_SHADER_CONTROL::STENCIL_TEST_VAL_EXPORT_ENABLE(1) |
                                      DB_SHADER_CONTROL::MASK_EXPORT_ENABLE(1));
  auto shader = [&](const char *mask) {
    return std::string(InterpolateAll) + "v_mov_b32 v12, 0x3e000000\n v_mov_b32 v13, 5\n v_mov_b32 v14, " + mask +
           "\n exp mrtz v12, v13, v14, off\n" + ExportAll;
  };
  run.ps = shader("1");
  run.draw();
  CHECK(run.pixel(3, 3) == Red);
  CHECK(run.depth(3, 3) == 0.125f);
  CHECK(run.stencil(3, 3) == 5);
  run.ps = shader("2");
  run.draw();
  CHECK(run.pixel(3, 3) == Color{});
  CHECK(run.depth(3, 3) == 1);
  CHECK(run.stencil(3, 3) == 0);
}

TEST_CASE("the stencil reference is written where the depth test passes") {
  DrawRun run;
  useDepth(run);
  run.scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  run.scene.stencilTestEnable = true;
  run.scene.setStencilReference(9);
  run.scene.clearStencil = 2;
  run.vertices = {at(0, 0, Red, 0.5f), at(8, 0, Red, 0.5f), at(0, 8, Red, 0.5f)};
  run.draw();
  CHECK(run.stencil(1, 1) == 9);
  CHECK(run.stencil(7, 7) == 2);
  run.scene.clearDepth = 0.25f;
  run.draw();
  CHECK(run.stencil(1, 1) == 2);
}

TEST_CASE("components that are masked off keep what is in the target") {
  DrawRun run;
  run.scene.clearColors[0] = {{5, 6, 7, 8}};
  run.vertices = fullScreen({1, 2, 3, 4});
  run.scene.state.colorTargets[0].writeMask = 0x5;
  run.draw();
  CHECK(run.pixel(3, 3) == Color{1, 6, 3, 8});
  SUBCASE("also by the shader's mask") {
    run.set(reg::CB_SHADER_MASK, 0x9);
    run.draw();
    CHECK(run.pixel(3, 3) == Color{1, 6, 7, 8});
  }
}

TEST_CASE("32-bit exports with gaps") {
  const struct {
    unsigned format;
    const char *exported;
    Color expected;
  } rows[] = {{1, "exp mrt0 v8, off, off, off done vm", {1, 0, 0, 0}},
              {2, "exp mrt0 v8, v9, off, off done vm", {1, 2, 0, 0}},
              {3, "exp mrt0 v8, off, off, v11 done vm", {1, 0, 0, 4}}};
  for (const auto &row : rows) {
    DrawRun run;
    run.vertices = fullScreen({1, 2, 3, 4});
    run.set(reg::SPI_SHADER_COL_FORMAT, row.format);
    run.ps = std::string(InterpolateAll) + row.exported + "\n s_endpgm";
    run.draw();
    CHECK(run.pixel(3, 3) == row.expected);
  }
}

TEST_CASE("16-bit exports are widened as their format says") {
  const struct {
    unsigned format;
    uint32_t low, high;
    VkFormat target;
    Color expected;
  } rows[] = {
      {4, 0x40003c00, 0x0001fbff, VK_FORMAT_R32G32B32A32_SFLOAT, {1, 2, -65504, 0x1p-24f}},
      {5, 0x8000ffff, 0x00000001, VK_FORMAT_R32G32B32A32_SFLOAT, {1, 32768.0f / 65535, 1.0f / 65535, 0}},
      {6, 0x80017fff, 0x80000001, VK_FORMAT_R32G32B32A32_SFLOAT, {1, -1, 1.0f / 32767, -1}},
  };
  for (const auto &row : rows) {
    DrawRun run;
    run.scene.state.colorTargets[0].format = row.target;
    run.vertices = fullScreen({});
    run.set(reg::SPI_SHADER_COL_FORMAT, row.format);
    run.ps = fmt::format("v_mov_b32 v8, {:#x}\n v_mov_b32 v9, {:#x}\n exp mrt0 v8, v8, v9, v9 done compr vm\n s_endpgm",
                         row.low, row.high);
    run.draw();
    for (unsigned i = 0; i < 4; ++i)
      CHECK(run.pixel(3, 3)[i] == doctest::Approx(row.expected[i]).epsilon(1e-6));
  }
}

TEST_CASE("integer exports reach integer targets") {
  const struct {
    unsigned format;
    VkFormat target;
    std::array<uint32_t, 4> expected;
  } rows[] = {{7, VK_FORMAT_R32G32B32A32_UINT, {0xfffe, 1, 0xfffe, 1}},
              {8, VK_FORMAT_R32G32B32A32_SINT, {0xfffffffe, 1, 0xfffffffe, 1}}};
  for (const auto &row : rows) {
    DrawRun run;
    run.scene.state.colorTargets[0].format = row.target;
    run.vertices = fullScreen({});
    run.set(reg::SPI_SHADER_COL_FORMAT, row.format);
    run.ps = "v_mov_b32 v8, 0x1fffe\n exp mrt0 v8, v8, v8, v8 done compr vm\n s_endpgm";
    run.draw();
    const Color pixel = run.pixel(3, 3);
    for (unsigned i = 0; i < 4; ++i)
      CHECK(std::bit_cast<uint32_t>(pixel[i]) == row.expected[i]);
  }
}

TEST_CASE("exported colours are numbered without gaps, targets are not") {
  DrawRun run;
  run.scene.state.colorTargets[0].format = VK_FORMAT_UNDEFINED;
  run.scene.state.colorTargets[1].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  run.scene.state.colorTargets[3].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  run.set(reg::SPI_SHADER_COL_FORMAT, 0x99);
  run.set(reg::CB_SHADER_MASK, 0xf0f0);
  run.ps = std::string(InterpolateAll) + "exp mrt0 v8, v9, v10, v11\n exp mrt1 v11, v10, v9, v8 done vm\n s_endpgm";
  run.vertices = fullScreen({1, 2, 3, 4});
  run.draw();
  CHECK(run.pixel(3, 3, 1) == Color{1, 2, 3, 4});
  CHECK(run.pixel(3, 3, 3) == Color{4, 3, 2, 1});
  CHECK((run.result.colors[0].format == VK_FORMAT_UNDEFINED));
}

TEST_CASE("dual-source blending takes the second export as a factor") {
  DrawRun run;
  ColorTarget &target = run.scene.state.colorTargets[0];
  target.blendEnable = true;
  target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
  target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  run.scene.clearColors[0] = {{10, 10, 10, 10}};
  run.set(reg::SPI_SHADER_COL_FORMAT, 0x99);
  run.set(reg::CB_SHADER_MASK, 0xff);
  run.ps = std::string(InterpolateAll) + R"(
    v_mov_b32 v12, 0.5
    exp mrt0 v8, v9, v10, v11
    exp mrt1 v12, v12, v12, v12 done vm
    s_endpgm
  )";
  run.vertices = fullScreen({1, 2, 3, 4});
  run.draw();
  CHECK(run.pixel(3, 3) == Color{5.5f, 6, 6.5f, 4});
}

TEST_CASE("a normalised target is blended in its own range") {
  // 0.25 + 0.5 of clear; the exported 7 counts as 1.
  DrawRun run;
  ColorTarget &target = run.scene.state.colorTargets[0];
  target.format = VK_FORMAT_R8G8B8A8_UNORM;
  target.blendEnable = true;
  target.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA;
  target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
  run.scene.blendConstants = {0, 0, 0, 0.25f};
  run.scene.clearColors[0] = {{0.2f, 0.2f, 0.2f, 0.2f}};
  run.vertices = fullScreen({7, 1, 0, 1});
  run.draw();
  const std::vector<uint8_t> &bytes = run.result.colors[0].bytes;
  CHECK(bytes[0] == 115); // 0.2 * 255 = 51, 0.25 * 255 = 63.75
  CHECK(bytes[1] == 115);
  CHECK(bytes[2] == 51);
  CHECK(bytes[3] == 255);
}

TEST_CASE("alpha becomes coverage") {
  // Sample s of 4 is on if alpha > s / 4.
  DrawRun run;
  useFourSamples(run);
  run.scene.state.alphaToCoverageEnable = true;
  run.registers[reg::DB_SHADER_CONTROL] &= ~field::DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE.mask();
  for (auto [alpha, expected] : {std::pair{0.0f, 0.0f}, {0.3f, 0.5f}, {0.5f, 0.5f}, {1.0f, 1.0f}}) {
    run.vertices = fullScreen({1, 1, 1, alpha});
    run.draw();
    CHECK(run.pixel(3, 3)[0] == expected);
  }
}

TEST_CASE("each sample has its own depth") {
  // Depth is x / 8 at sample positions, and the clear depth that of the centre of column 4.
  DrawRun run;
  useDepth(run);
  useFourSamples(run);
  run.scene.clearDepth = 4.5f / 8;
  auto corner = [](float x, float y) { return at(x, y, {1, 1, 1, 1}, x / 8); };
  run.vertices = {corner(0, 0), corner(8, 0), corner(8, 8), corner(0, 0), corner(8, 8), corner(0, 8)};
  run.draw();
  CHECK(run.pixel(3, 3)[0] == 1);
  CHECK(run.pixel(4, 3)[0] == 0.5f); // 4.375 and 4.125 are nearer, 4.875 and 4.625 are not
  CHECK(run.pixel(5, 3)[0] == 0);
}

TEST_CASE("exports must be those that the registers announce") {
  DrawRun run;
  run.vertices = fullScreen(Red);
  SUBCASE("a colour without a format") {
    run.set(reg::SPI_SHADER_COL_FORMAT, 0);
    contains(run.drawError(), "MRT 0 is exported, but SPI_SHADER_COL_FORMAT has no format for it");
  }
  SUBCASE("a 32-bit colour that should have 16") {
    run.set(reg::SPI_SHADER_COL_FORMAT, 4);
    contains(run.drawError(), "MRT 0 is exported uncompressed, but its format is FP16_ABGR");
  }
  SUBCASE("a colour that is missing") {
    run.set(reg::SPI_SHADER_COL_FORMAT, 0x99);
    run.set(reg::CB_SHADER_MASK, 0xff);
    contains(run.drawError(), "announce MRT 1, which not every living pixel exports");
  }
  SUBCASE("a depth that is missing") {
    run.set(reg::SPI_SHADER_Z_FORMAT, 1);
    contains(run.drawError(), "SPI_SHADER_Z_FORMAT announces MRTZ");
  }
  SUBCASE("a depth without a format") {
    run.ps = std::string(InterpolateAll) + "exp mrtz v8, off, off, off\n" + ExportAll;
    contains(run.drawError(), "MRTZ is exported, but SPI_SHADER_Z_FORMAT has no format");
  }
  SUBCASE("a position that is missing") {
    run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
    contains(run.drawError(), "announces pos1, which not every vertex exports");
  }
  SUBCASE("a parameter too many") {
    run.vs = R"(
      v_mov_b32 v4, 1.0
      exp pos0 v4, v4, v4, v4 done
      exp param1 v4, v4, v4, v4
      s_endpgm
    )";
    contains(run.drawError(), "param1 is exported, but SPI_VS_OUT_CONFIG announces 1");
  }
  SUBCASE("a vector that PA_CL_VS_OUT_CNTL reads") {
    run.set(reg::PA_CL_VS_OUT_CNTL, field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1));
    contains(run.drawError(), "PA_CL_VS_OUT_CNTL reads 2 positions");
  }
}

TEST_CASE("a null export draws nothing") {
  DrawRun run;
  run.set(reg::SPI_SHADER_COL_FORMAT, 1); // announced, for the hardware's sake
  run.set(reg::CB_SHADER_MASK, 0);
  run.ps = "exp null off, off, off, off done vm\n s_endpgm";
  run.vertices = fullScreen(Red);
  run.draw();
  CHECK(run.sum(0) == 0);
}

TEST_CASE("traps are reported") {
  DrawRun run;
  run.vertices = fullScreen(Red);
  SUBCASE("of vertex shaders") {
    run.vs = "v_add_f32 v4, v9, v9\n s_endpgm";
    contains(run.drawError(), "v9 was never written");
  }
  SUBCASE("of pixel shaders: interpolation without the primitive mask") {
    run.ps = std::string("s_mov_b32 m0, 0\n s_nop 0\n v_interp_p1_f32 v8, v0, attr0.x\n") + ExportAll;
    contains(run.drawError(), "v_interp_p1_f32");
  }
  SUBCASE("of programs with other user SGPRs than RSRC2 says") {
    run.set(reg::SPI_SHADER_PGM_RSRC2_VS, field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(5));
    contains(run.drawError(), "RSRC2 announces 5 user SGPRs, but 4 are given");
  }
}

TEST_CASE("the last SGPRs that are allocated are the hardware's: VCC, and where accesses are replayed XNACK_MASK") {
  const struct {
    unsigned reserved, sgpr;
    bool isFree;
  } rows[] = {{2, 29, true}, {2, 30, false}, {4, 27, true}, {4, 28, false}, {4, 31, false}};
  for (const auto &row : rows) {
    CAPTURE(row.reserved);
    CAPTURE(row.sgpr);
    DrawRun run; // its waves have 32 SGPRs
    run.vertices = {at(0, 0), at(8, 0), at(0, 8)};
    run.ps = fmt::format("s_mov_b32 s{}, 0\n", row.sgpr) + run.ps;
    run.prepare = [&](Gpu &gpu, Draw &) { gpu.reservedSgprs = row.reserved; };
    const Result<SceneResult> drawn = run.tryDraw();
    CHECK(drawn.has_value() == row.isFree);
    if (!drawn)
      CHECK(drawn.error().text.find("is not among") != std::string::npos);
  }
}
