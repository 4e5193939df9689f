// SPDX-License-Identifier: MIT
//
// Which pixels and samples a draw covers: rules of rasterisation, culling, scissors, points, lines, multisampling.
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/draw_run.h"
#include <bit>
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

const Color White = {1, 1, 1, 1};

// Draws add up, so that a pixel's value is the number of times that it was drawn.
void addUp(DrawRun &run) {
  ColorTarget &target = run.scene.state.colorTargets[0];
  target.blendEnable = true;
  target.srcColorBlendFactor = target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
  target.srcAlphaBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
}

// Vertices are points of this size.
void drawPoints(DrawRun &run, float size) {
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  run.vs = fmt::format(R"(
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
    buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen offset:16
    v_mov_b32 v12, {:#x}
    s_waitcnt vmcnt(0)
    exp pos0 v4, v5, v6, v7
    exp pos1 v12, off, off, off done
    exp param0 v8, v9, v10, v11
    s_endpgm
  )",
                       std::bit_cast<uint32_t>(size));
  run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
  run.set(reg::PA_CL_VS_OUT_CNTL,
          field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1) | field::PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE(1));
}

void setSamples(DrawRun &run, unsigned samples, unsigned log2) {
  run.scene.state.rasterizationSamples = samples;
  run.set(reg::PA_SC_AA_CONFIG, field::PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(log2));
}

} // namespace

TEST_CASE("a triangle over everything covers each pixel once") {
  DrawRun run;
  addUp(run);
  run.vertices = fullScreen(White);
  run.draw();
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x)
      CHECK(run.pixel(x, y) == White);
}

TEST_CASE("pixel centres on left and top edges are inside, those on right and bottom edges are not") {
  DrawRun run;
  run.vertices = {at(2.5f, 1.5f), at(5.5f, 1.5f), at(5.5f, 4.5f), at(2.5f, 1.5f), at(5.5f, 4.5f), at(2.5f, 4.5f)};
  run.draw();
  CHECK(run.picture() == "........\n"
                         "..###...\n"
                         "..###...\n"
                         "..###...\n"
                         "........\n"
                         "........\n"
                         "........\n"
                         "........\n");
}

TEST_CASE("triangles around a common corner leave no pixel out and draw none twice") {
  // The corners of the framebuffer and points between, in either direction of turning.
  const float around[][2] = {{0, 0}, {3, 0}, {8, 0}, {8, 2}, {8, 8}, {5, 8}, {0, 8}, {0, 5}};
  const float hubs[][2] = {{4.5f, 3.5f}, {4.2f, 3.7f}, {1.5f, 6.5f}, {2, 2}};
  for (const auto &hub : hubs)
    for (bool reversed : {false, true}) {
      DrawRun run;
      addUp(run);
      for (unsigned i = 0; i < 8; ++i) {
        const auto &a = around[i], &b = around[(i + 1) % 8];
        run.vertices.push_back(at(hub[0], hub[1]));
        run.vertices.push_back(reversed ? at(b[0], b[1]) : at(a[0], a[1]));
        run.vertices.push_back(reversed ? at(a[0], a[1]) : at(b[0], b[1]));
      }
      run.draw();
      for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 8; ++x)
          CHECK(run.pixel(x, y)[0] == 1);
    }
}

TEST_CASE("vertices are snapped to 1/256 of a pixel") {
  // The right edge moves over the centre of column 3 only if it moves by more than half a step.
  for (auto [offset, isCovered] : {std::pair{0.25f / 256, false}, {0.75f / 256, true}}) {
    DrawRun run;
    const float edge = 3.5f + offset;
    run.vertices = {at(1, 0), at(edge, 0), at(edge, 8), at(1, 0), at(edge, 8), at(1, 8)};
    run.draw();
    CHECK((run.pixel(3, 4)[0] == 1) == isCovered);
    CHECK(run.pixel(2, 4)[0] == 1);
  }
}

TEST_CASE("culling goes by the direction of turning on the screen") {
  DrawRun run;
  run.vertices = {at(0, 0), at(8, 0), at(0, 8)}; // y points down: clockwise, so the back by default
  run.scene.cullMode = VK_CULL_MODE_BACK_BIT;
  run.draw();
  CHECK(run.sum(0) == 0);
  run.scene.frontFace = VK_FRONT_FACE_CLOCKWISE;
  run.draw();
  CHECK(run.sum(0) > 0);
  run.scene.cullMode = VK_CULL_MODE_FRONT_BIT;
  run.draw();
  CHECK(run.sum(0) == 0);
}

TEST_CASE("the second triangle of a strip turns like the first") {
  DrawRun run;
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  run.scene.cullMode = VK_CULL_MODE_BACK_BIT;
  run.scene.frontFace = VK_FRONT_FACE_CLOCKWISE;
  run.vertices = {at(0, 0), at(8, 0), at(0, 8), at(8, 8)};
  run.draw();
  CHECK(run.sum(0) == 64);
}

TEST_CASE("the scissor cuts") {
  DrawRun run;
  run.vertices = fullScreen(White);
  run.scene.scissors = {{{1, 2}, {3, 1}}};
  run.draw();
  CHECK(run.sum(0) == 3);
  CHECK(run.pixel(1, 2)[0] == 1);
  CHECK(run.pixel(3, 2)[0] == 1);
}

TEST_CASE("a viewport with a negative height turns the picture over") {
  DrawRun run;
  run.vertices = {at(0, 0), at(8, 0), at(8, 1), at(0, 0), at(8, 1), at(0, 1)};
  run.scene.viewports = {{0, 8, 8, -8, 0, 1}};
  run.draw();
  CHECK(run.pixel(3, 0)[0] == 0);
  CHECK(run.pixel(3, 7)[0] == 1);
}

TEST_CASE("a point is a square of its size") {
  DrawRun run;
  drawPoints(run, 3);
  run.vertices = {at(4.5f, 2.5f)};
  run.draw();
  CHECK(run.picture() == "........\n"
                         "...###..\n"
                         "...###..\n"
                         "...###..\n"
                         "........\n"
                         "........\n"
                         "........\n"
                         "........\n");
}

TEST_CASE("a line is a rectangle of width 1") {
  DrawRun run;
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  run.vertices = {at(1, 2.5f), at(6, 2.5f)};
  run.draw();
  CHECK(run.picture() == "........\n"
                         "........\n"
                         ".#####..\n"
                         "........\n"
                         "........\n"
                         "........\n"
                         "........\n"
                         "........\n");
}

TEST_CASE("half a step of the grid is rounded to even in triangles, away from zero in lines and points") {
  constexpr float HalfStep = 1 / 512.0f;
  SUBCASE("a left edge at the 512.5th step covers the pixel whose centre is the 512th") {
    DrawRun run;
    const float left = 2.5f + HalfStep;
    run.vertices = {at(left, 0), at(8, 0), at(8, 8), at(left, 0), at(8, 8), at(left, 8)};
    run.draw();
    CHECK(run.pixel(2, 3)[0] == 1);
  }
  SUBCASE("a line around the 640.5th step covers the pixels below, not those above") {
    DrawRun run;
    run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    run.vertices = {at(1, 3 + HalfStep), at(6, 3 + HalfStep)};
    run.draw();
    CHECK(run.pixel(3, 2)[0] == 0);
    CHECK(run.pixel(3, 3)[0] == 1);
  }
  SUBCASE("a point from the 512th step, 512.5 wide, covers the pixel whose centre is the 1024th") {
    DrawRun run;
    drawPoints(run, 2 + HalfStep);
    run.vertices = {at(3.5f, 3.5f)};
    run.draw();
    CHECK(run.pixel(2, 3)[0] == 1);
    CHECK(run.pixel(4, 3)[0] == 1);
    CHECK(run.pixel(5, 3)[0] == 0);
  }
}

TEST_CASE("an edge through a pixel covers the samples on its side") {
  // Everything left of x = 4.5. Of the four samples of column 4 (0.375, 0.875, 0.125, 0.625), two are there.
  DrawRun run;
  setSamples(run, 4, 2);
  run.vertices = {at(0, 0), at(4.5f, 0), at(4.5f, 8), at(0, 0), at(4.5f, 8), at(0, 8)};
  run.draw();
  CHECK(run.pixel(3, 3)[0] == 1);
  CHECK(run.pixel(4, 3)[0] == 0.5f);
  CHECK(run.pixel(5, 3)[0] == 0);
}

TEST_CASE("eight and two samples lie at the standard places") {
  // Left of x = 4.25. Of eight samples, those at 3/16 and 1/16 are covered. Of two samples none is: the one at 4/16
  // lies on the edge itself.
  for (auto [samples, log2, expected] : {std::tuple{8u, 3u, 0.25f}, {2u, 1u, 0.0f}}) {
    DrawRun run;
    setSamples(run, samples, log2);
    run.vertices = {at(0, 0), at(4.25f, 0), at(4.25f, 8), at(0, 0), at(4.25f, 8), at(0, 8)};
    run.draw();
    CHECK(run.pixel(4, 3)[0] == expected);
    CHECK(run.pixel(3, 3)[0] == 1);
  }
}

TEST_CASE("the sample mask takes samples away") {
  DrawRun run;
  setSamples(run, 4, 2);
  run.scene.sampleMask = 0x7;
  run.vertices = fullScreen(White);
  run.draw();
  CHECK(run.pixel(2, 2)[0] == 0.75f);
}

TEST_CASE("registers and targets must agree in the number of samples") {
  DrawRun run;
  run.scene.state.rasterizationSamples = 4;
  run.vertices = fullScreen(White);
  CHECK(run.drawError().find("PA_SC_AA_CONFIG announces 1 samples") != std::string::npos);
}

TEST_CASE("layers and viewports are chosen by the provoking vertex") {
  // The misc vector's z has the layer in [10:0] and the viewport in [19:16]; here it is the attribute's x.
  DrawRun run;
  run.vs = R"(
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
    buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen offset:16
    s_waitcnt vmcnt(0)
    exp pos0 v4, v5, v6, v7
    exp pos1 off, off, v8, off done
    v_mov_b32 v12, 1.0
    exp param0 v12, v12, v12, v12
    s_endpgm
  )";
  run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
  run.set(reg::PA_CL_VS_OUT_CNTL, field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1) |
                                      field::PA_CL_VS_OUT_CNTL::USE_VTX_RENDER_TARGET_INDX(1) |
                                      field::PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX(1));
  run.scene.layers = 2;
  run.scene.viewports = {{0, 0, 8, 8, 0, 1}, {4, 4, 4, 4, 0, 1}};
  run.scene.scissors = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
  run.vertices = fullScreen({0, 0, 0, 0});
  run.vertices[0].attribute[0] = std::bit_cast<float>(0x10001u);
  run.draw();
  CHECK(run.pixel(5, 5, 0, 0)[0] == 0);
  CHECK(run.pixel(5, 5, 0, 1)[0] == 1);
  CHECK(run.pixel(3, 3, 0, 1)[0] == 0);
  run.scene.state.flatProvokingVertexLast = true;
  run.draw();
  CHECK(run.pixel(3, 3, 0, 0)[0] == 1);
  CHECK(run.pixel(5, 5, 0, 1)[0] == 0);
}

TEST_CASE("a vertex shader's vertices are transformed with a fused multiply-add, unless it chooses a viewport") {
  // Rounded twice, -0.166 * 3 + 3 is the centre of a pixel plus half a step of the grid, which is rounded down to the
  // centre. With one rounding less it is a little more, which is rounded up.
  constexpr float Left = -0x1.53fffap-3f;
  DrawRun run;
  run.scene.viewports = {{0, 0, 6, 8, 0, 1}};
  run.vertices = {{{Left, -1, 0, 1}}, {{1, -1, 0, 1}}, {{1, 1, 0, 1}},
                  {{Left, -1, 0, 1}}, {{1, 1, 0, 1}},  {{Left, 1, 0, 1}}};
  for (DrawVertex &vertex : run.vertices)
    vertex.attribute = White;
  run.draw();
  CHECK(run.pixel(2, 3)[0] == 0);
  CHECK(run.pixel(3, 3)[0] == 1);

  run.vs = R"(
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
    v_mov_b32 v8, 0
    v_mov_b32 v12, 1.0
    s_waitcnt vmcnt(0)
    exp pos0 v4, v5, v6, v7
    exp pos1 off, off, v8, off done
    exp param0 v12, v12, v12, v12
    s_endpgm
  )";
  run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
  run.set(reg::PA_CL_VS_OUT_CNTL,
          field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1) | field::PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX(1));
  run.draw();
  CHECK(run.pixel(2, 3)[0] == 1);
}

TEST_CASE(
    "of pixels that lie partly in a viewport the first one draws those whose centres do, others draw their samples") {
  // The viewport ends at 5.25 and 5.5. Of the next pixel's samples, the third is left of that, and the first two are
  // above.
  for (const uint32_t index : {0u, 1u}) {
    CAPTURE(index);
    DrawRun run;
    setSamples(run, 4, 2);
    run.vs = R"(
      buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
      buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen offset:16
      s_waitcnt vmcnt(0)
      exp pos0 v4, v5, v6, v7
      exp pos1 off, off, v8, off done
      v_mov_b32 v12, 1.0
      exp param0 v12, v12, v12, v12
      s_endpgm
    )";
    run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
    run.set(reg::PA_CL_VS_OUT_CNTL,
            field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1) | field::PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX(1));
    run.scene.viewports = {{1.25f, 1.5f, 4, 4, 0, 1}, {1.25f, 1.5f, 4, 4, 0, 1}};
    run.scene.scissors = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
    run.vertices = fullScreen({0, 0, 0, 0});
    run.vertices[0].attribute[0] = std::bit_cast<float>(index << 16);
    run.draw();
    CHECK(run.pixel(3, 3)[0] == 1);
    CHECK(run.pixel(5, 3)[0] == (index == 0 ? 0 : 0.25f));
    CHECK(run.pixel(3, 5)[0] == (index == 0 ? 0 : 0.5f));
  }
}
