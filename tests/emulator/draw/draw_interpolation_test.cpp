// SPDX-License-Identifier: MIT
//
// The inputs of the pixel shader: interpolated parameters, positions, system values.
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/emulator/draw/draw_run.h"
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

doctest::Approx near(double value) {
  return doctest::Approx(value).epsilon(1e-6);
}

// Exports v0..v3.
const char *const ExportInputs = "exp mrt0 v0, v1, v2, v3 done vm\n s_endpgm";
const char *const ExportFirst = "exp mrt0 v0, v0, v0, v0 done vm\n s_endpgm";

} // namespace

TEST_CASE("an attribute that is its vertex's position comes out as the pixel's centre") {
  DrawRun run;
  run.vertices = {at(-4, -3, {-4, -3, 0, 1}), at(20, -3, {20, -3, 0, 1}), at(-4, 22, {-4, 22, 0, 1})};
  run.draw();
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x) {
      CHECK(run.pixel(x, y)[0] == near(x + 0.5));
      CHECK(run.pixel(x, y)[1] == near(y + 0.5));
      CHECK(run.pixel(x, y)[3] == near(1));
    }
}

TEST_CASE("with perspective an attribute is the quotient of two linear ones") {
  // From the left to the right edge w goes from 1 to 4 and the attribute from 0 to 1. At a fraction t of the way,
  // a/w = t / 4 and 1/w = (1 - t) + t / 4, so a = t / (4 - 3 t).
  DrawRun run;
  auto left = [](float y) { return at(0, y, {0, 0, 0, 1}, 0, 1); };
  auto right = [](float y) { return at(8, y, {1, 0, 0, 1}, 0, 4); };
  run.vertices = {left(0), right(0), right(8), left(0), right(8), left(8)};
  run.draw();
  for (unsigned x = 0; x < 8; ++x) {
    const double t = (x + 0.5) / 8;
    CHECK(run.pixel(x, 5)[0] == near(t / (4 - 3 * t)));
  }
}

TEST_CASE("without perspective it is linear in the window") {
  DrawRun run;
  run.enable(LinearCenterEna);
  auto left = [](float y) { return at(0, y, {0, 0, 0, 1}, 0, 1); };
  auto right = [](float y) { return at(8, y, {1, 0, 0, 1}, 0, 4); };
  run.vertices = {left(0), right(0), right(8), left(0), right(8), left(8)};
  run.draw();
  for (unsigned x = 0; x < 8; ++x)
    CHECK(run.pixel(x, 5)[0] == near((x + 0.5) / 8));
}

TEST_CASE("clipping changes no pixel that is left") {
  // The same plane in space as above, but it goes on to the left, behind the eye: w = 1 + 3 x / 8 is negative for
  // x < -8/3. In clip space x_clip = (x - 4) / 4 * w and attribute = t / (4 - 3 t) stay as they are where w > 0.
  // Points of the plane are q * L + (1 - q) * R with L = (x -1, w 1, a 0) and R = (x 4, w 4, a 1); q = 2 is behind.
  DrawRun run;
  auto vertex = [](float q, float yOverW) {
    const float w = q * 1 + (1 - q) * 4, x = q * -1 + (1 - q) * 4;
    return DrawVertex{{x, yOverW, 0, w}, {1 - q, 0, 0, 1}};
  };
  for (bool clips : {false, true}) {
    const float begin = clips ? 2.0f : 1.0f;
    run.vertices = {vertex(begin, -9), vertex(0, -9), vertex(0, 9), vertex(begin, -9), vertex(0, 9), vertex(begin, 9)};
    run.draw();
    for (unsigned x = 0; x < 8; ++x) {
      const double t = (x + 0.5) / 8;
      CHECK(run.pixel(x, 4)[0] == near(t / (4 - 3 * t)));
    }
  }
}

TEST_CASE("what is nearer than the near plane or behind the far plane is cut away") {
  // Depth goes from -1 at the left to 2 at the right: columns with 0 <= z <= 1 stay. z = -1 + 3 x / 8.
  DrawRun run;
  auto left = [](float y) { return at(0, y, {1, 0, 0, 1}, -1); };
  auto right = [](float y) { return at(8, y, {1, 0, 0, 1}, 2); };
  run.vertices = {left(0), right(0), right(8), left(0), right(8), left(8)};
  run.draw();
  for (unsigned x = 0; x < 8; ++x) {
    const double z = -1 + 3 * (x + 0.5) / 8;
    CHECK(run.pixel(x, 3)[0] == (z >= 0 && z <= 1 ? 1 : 0));
  }
  SUBCASE("but not with depth clamp") {
    run.set(reg::PA_CL_CLIP_CNTL,
            field::PA_CL_CLIP_CNTL::ZCLIP_NEAR_DISABLE(1) | field::PA_CL_CLIP_CNTL::ZCLIP_FAR_DISABLE(1));
    run.draw();
    CHECK(run.sum(0) == 64);
  }
}

namespace {

// The second position vector has the clip or cull distances: the attribute's w.
void useDistance(DrawRun &run, uint32_t outputs) {
  run.vs = R"(
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
    buffer_load_dwordx4 v[8:11], v0, s[0:3], 0 idxen offset:16
    s_waitcnt vmcnt(0)
    exp pos0 v4, v5, v6, v7
    exp pos1 v11, v11, v11, v11 done
    exp param0 v8, v9, v10, v11
    s_endpgm
  )";
  run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
  run.set(reg::PA_CL_VS_OUT_CNTL, outputs | field::PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST0_VEC_ENA(1));
}

} // namespace

TEST_CASE("a clip distance cuts where it is 0") {
  DrawRun run;
  useDistance(run, field::PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA(1));
  auto left = [](float y) { return at(0, y, {1, 0, 0, -3}); };
  auto right = [](float y) { return at(8, y, {1, 0, 0, 5}); };
  run.vertices = {left(0), right(0), right(8), left(0), right(8), left(8)};
  run.draw();
  for (unsigned x = 0; x < 8; ++x)
    CHECK(run.pixel(x, 3)[0] == (x >= 3 ? 1 : 0));
}

TEST_CASE("a cull distance drops a primitive only if all corners are outside") {
  DrawRun run;
  useDistance(run, field::PA_CL_VS_OUT_CNTL::CULL_DIST_ENA(2));
  run.vertices = fullScreen({1, 0, 0, -1});
  run.draw();
  CHECK(run.sum(0) == 0);
  run.vertices[1].attribute[3] = 0;
  run.draw();
  CHECK(run.sum(0) == 64);
}

TEST_CASE("a flat attribute is the provoking vertex's") {
  DrawRun run;
  run.ps = std::string(MoveAll) + ExportAll;
  run.set(reg::SPI_PS_INPUT_CNTL_0, field::SPI_PS_INPUT_CNTL_0::FLAT_SHADE(1));
  run.vertices = fullScreen({});
  for (unsigned i = 0; i < 3; ++i)
    run.vertices[i].attribute[0] = float(i + 1);
  run.draw();
  CHECK(run.pixel(4, 4)[0] == 1);
  run.scene.state.flatProvokingVertexLast = true;
  run.draw();
  CHECK(run.pixel(4, 4)[0] == 3);
  SUBCASE("also for v_interp") {
    run.ps = std::string(InterpolateAll) + ExportAll;
    run.draw();
    CHECK(run.pixel(4, 4)[0] == 3);
  }
}

TEST_CASE("an attribute of halves is interpolated as halves") {
  DrawRun run;
  // x holds 1.0 in its low half and 2.0, 4.0, 8.0 in its high half; P10 is a difference of halves, 0.0 and 2.0.
  run.ps = R"(
    s_mov_b32 m0, s0
    s_nop 0
    v_interp_mov_f32 v8, p0, attr0.x
    v_interp_mov_f32 v9, p10, attr0.x
    v_interp_mov_f32 v10, p20, attr0.x
    v_mov_b32 v11, 0
  )" + std::string(ExportAll);
  using namespace field::SPI_PS_INPUT_CNTL_0;
  run.set(reg::SPI_PS_INPUT_CNTL_0, FP16_INTERP_MODE(1) | ATTR0_VALID(1) | ATTR1_VALID(1));
  run.vertices = fullScreen({});
  const uint32_t corners[] = {0x40003c00, 0x44003c00, 0x48003c00};
  for (unsigned i = 0; i < 3; ++i)
    run.vertices[i].attribute[0] = std::bit_cast<float>(corners[i]);
  run.draw();
  CHECK(std::bit_cast<uint32_t>(run.pixel(4, 4)[0]) == 0x40003c00);
  CHECK(std::bit_cast<uint32_t>(run.pixel(4, 4)[1]) == 0x40000000); // 2.0
  CHECK(std::bit_cast<uint32_t>(run.pixel(4, 4)[2]) == 0x46000000); // 6.0
  SUBCASE("a half that is not valid is no number") {
    run.set(reg::SPI_PS_INPUT_CNTL_0, FP16_INTERP_MODE(1) | ATTR0_VALID(1));
    run.draw();
    CHECK(std::bit_cast<uint32_t>(run.pixel(4, 4)[0]) == 0x7e003c00);
    run.set(reg::SPI_PS_INPUT_CNTL_0, FP16_INTERP_MODE(1) | ATTR1_VALID(1));
    run.draw();
    CHECK(std::bit_cast<uint32_t>(run.pixel(4, 4)[0]) == 0x40007e00);
  }
}

TEST_CASE("an attribute without a parameter has its default") {
  DrawRun run;
  const Color expected[] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}};
  for (unsigned value = 0; value < 4; ++value) {
    run.set(reg::SPI_PS_INPUT_CNTL_0,
            field::SPI_PS_INPUT_CNTL_0::OFFSET(0x20) | field::SPI_PS_INPUT_CNTL_0::DEFAULT_VAL(value));
    run.vertices = fullScreen({5, 5, 5, 5});
    run.draw();
    CHECK(run.pixel(4, 4) == expected[value]);
  }
}

TEST_CASE("an attribute must not read a parameter that was not exported") {
  DrawRun run;
  run.set(reg::SPI_VS_OUT_CONFIG, field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT(1));
  run.set(reg::SPI_PS_INPUT_CNTL_0, field::SPI_PS_INPUT_CNTL_0::OFFSET(1));
  run.vertices = fullScreen({1, 1, 1, 1});
  CHECK(run.drawError().find("attribute 0 is param1, which was not exported") != std::string::npos);
}

TEST_CASE("the position inputs are window coordinates and w") {
  // 1/w goes from 1 at the left edge to 1/4 at the right one; depth from 0.25 to 0.75.
  DrawRun run;
  run.enable(PosXEna | PosYEna | PosZEna | PosWEna);
  run.ps = ExportInputs;
  auto left = [](float y) { return at(0, y, {}, 0.25f, 1); };
  auto right = [](float y) { return at(8, y, {}, 0.75f, 4); };
  run.vertices = {left(0), right(0), right(8), left(0), right(8), left(8)};
  run.draw();
  const double t = 2.5 / 8;
  CHECK(run.pixel(2, 6)[0] == 2.5f);
  CHECK(run.pixel(2, 6)[1] == 6.5f);
  CHECK(run.pixel(2, 6)[2] == near(0.25 + 0.5 * t));
  CHECK(run.pixel(2, 6)[3] == near(1 / ((1 - t) + t / 4)));
  SUBCASE("integer positions") {
    run.registers[reg::SPI_BARYC_CNTL] |= field::SPI_BARYC_CNTL::POS_FLOAT_ULC(1);
    run.draw();
    CHECK(run.pixel(2, 6)[0] == 2);
    CHECK(run.pixel(2, 6)[1] == 6);
  }
}

TEST_CASE("the pull model has i/w, j/w and 1/w") {
  DrawRun run;
  run.enable(PerspPullModelEna);
  run.ps = "v_mov_b32 v3, 1.0\n exp mrt0 v0, v1, v2, v3 done vm\n s_endpgm";
  run.vertices = {at(0, 0, {}, 0, 1), at(16, 0, {}, 0, 4), at(0, 16, {}, 0, 2)};
  run.draw();
  // Linear weights of the second and third corner at (4.5, 6.5).
  const double i = 4.5 / 16, j = 6.5 / 16;
  CHECK(run.pixel(4, 6)[0] == near(i / 4));
  CHECK(run.pixel(4, 6)[1] == near(j / 2));
  CHECK(run.pixel(4, 6)[2] == near((1 - i - j) + i / 4 + j / 2));
}

TEST_CASE("the front face is all bits or none") {
  DrawRun run;
  run.enable(FrontFaceEna);
  run.ps = "v_cvt_f32_i32 v0, v0\n exp mrt0 v0, v0, v0, v0 done vm\n s_endpgm";
  run.vertices = {at(0, 0), at(8, 0), at(0, 8)}; // clockwise: the back
  run.scene.clearColors[0].float32[0] = 7;
  run.draw();
  CHECK(run.pixel(1, 1)[0] == 0);
  run.scene.frontFace = VK_FRONT_FACE_CLOCKWISE;
  run.draw();
  CHECK(run.pixel(1, 1)[0] == -1);
}

TEST_CASE("registers that ADDR reserves without ENA have no value") {
  DrawRun run;
  run.set(reg::SPI_PS_INPUT_ENA, PosXEna);
  run.set(reg::SPI_PS_INPUT_ADDR, PerspCenterEna | PosXEna);
  run.vertices = fullScreen({});
  run.ps = "exp mrt0 v2, v2, v2, v2 done vm\n s_endpgm";
  run.draw();
  CHECK(run.pixel(6, 1)[0] == 6.5f);
  run.ps = ExportFirst;
  CHECK(run.drawError().find("v0 was never written") != std::string::npos);
}

TEST_CASE("a point has its sprite coordinates") {
  DrawRun run;
  run.scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  run.vs = R"(
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 idxen
    v_mov_b32 v12, 4.0
    s_waitcnt vmcnt(0)
    exp pos0 v4, v5, v6, v7
    exp pos1 v12, off, off, off done
    s_endpgm
  )";
  using namespace field;
  run.set(reg::SPI_SHADER_POS_FORMAT, 0x44);
  run.set(reg::PA_CL_VS_OUT_CNTL, PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(1) | PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE(1));
  run.set(reg::SPI_PS_INPUT_CNTL_0, SPI_PS_INPUT_CNTL_0::OFFSET(0x20) | SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX(1));
  run.vertices = {at(4, 4, {}, 0.5f, 2)};
  for (bool isFromBelow : {false, true}) {
    run.set(reg::SPI_INTERP_CONTROL_0,
            SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA(1) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X(2) |
                SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y(3) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W(1) |
                SPI_INTERP_CONTROL_0::PNT_SPRITE_TOP_1(isFromBelow));
    run.draw();
    for (unsigned y = 2; y < 6; ++y)
      for (unsigned x = 2; x < 6; ++x) {
        const double t = (y - 2 + 0.5) / 4;
        CHECK(run.pixel(x, y)[0] == near((x - 2 + 0.5) / 4));
        CHECK(run.pixel(x, y)[1] == near(isFromBelow ? 1 - t : t));
        CHECK(run.pixel(x, y)[2] == 0);
        CHECK(run.pixel(x, y)[3] == 1);
      }
  }
}

TEST_CASE("derivatives see the helper pixels of a quad") {
  // One pixel only; its neighbours in the quad are helpers with i and j beyond the edges.
  DrawRun run;
  run.ps = std::string("s_mov_b64 s[2:3], exec\n s_wqm_b64 exec, exec\n") + InterpolateAll + R"(
    s_nop 4
    v_mov_b32_dpp v13, v8 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf
    v_mov_b32_dpp v14, v8 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf
    v_sub_f32 v8, v13, v14
    s_mov_b64 exec, s[2:3]
  )" + ExportAll;
  run.vertices = {at(2, 2, {2, 0, 0, 1}), at(3.25f, 2, {3.25f, 0, 0, 1}), at(2, 3.25f, {2, 0, 0, 1})};
  run.draw();
  CHECK(run.sum(3) == near(1));
  CHECK(run.pixel(2, 2)[0] == near(1));
}

namespace {

void useFourSamples(DrawRun &run) {
  run.scene.state.rasterizationSamples = 4;
  run.set(reg::PA_SC_AA_CONFIG, field::PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(2));
}

// Left of x = 4.5, with x as the attribute.
void drawRamp(DrawRun &run) {
  auto corner = [](float x, float y) { return at(x, y, {x, 0, 0, 1}); };
  run.vertices = {corner(0, 0), corner(4.5f, 0), corner(4.5f, 8), corner(0, 0), corner(4.5f, 8), corner(0, 8)};
  run.draw();
}

} // namespace

TEST_CASE("at the centroid, a pixel that is not covered completely takes its first covered sample") {
  DrawRun run;
  useFourSamples(run);
  run.enable(PerspCentroidEna);
  drawRamp(run);
  CHECK(run.pixel(2, 2)[0] == near(2.5));
  CHECK(run.pixel(4, 2)[0] == near(4.375 / 2)); // two of four samples, at sample 0
  SUBCASE("which need not be sample 0") {
    auto corner = [](float x, float y) { return at(x, y, {x, 0, 0, 1}); };
    run.vertices = {corner(4.5f, 0), corner(8, 0), corner(8, 8), corner(4.5f, 0), corner(8, 8), corner(4.5f, 8)};
    run.draw();
    CHECK(run.pixel(4, 2)[0] == near(4.875 / 2)); // samples 1 and 3 are covered
  }
  SUBCASE("the centre lies outside of the edge") {
    run.enable(PerspCenterEna);
    drawRamp(run);
    CHECK(run.pixel(4, 2)[0] == near(4.5 / 2));
  }
}

TEST_CASE("with sample shading there is an invocation for each sample") {
  DrawRun run;
  useFourSamples(run);
  run.set(reg::PA_SC_MODE_CNTL_1, field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE(1));
  run.enable(PerspSampleEna);
  drawRamp(run);
  CHECK(run.pixel(2, 2)[0] == near(2.5)); // the mean of 2.375, 2.875, 2.125, 2.625
  CHECK(run.pixel(4, 2)[0] == near((4.375 + 4.125) / 4));
  SUBCASE("it knows its number") {
    run.enable(AncillaryEna);
    run.ps = "v_bfe_u32 v0, v0, 8, 4\n v_cvt_f32_u32 v0, v0\n exp mrt0 v0, v0, v0, v0 done vm\n s_endpgm";
    drawRamp(run);
    CHECK(run.pixel(2, 2)[0] == 1.5f); // (0 + 1 + 2 + 3) / 4
    CHECK(run.pixel(4, 2)[0] == 0.5f); // samples 0 and 2
  }
}

TEST_CASE("the coverage input has the samples of the pixel") {
  DrawRun run;
  useFourSamples(run);
  run.enable(SampleCoverageEna);
  run.ps = "v_cvt_f32_u32 v0, v0\n exp mrt0 v0, v0, v0, v0 done vm\n s_endpgm";
  drawRamp(run);
  CHECK(run.pixel(2, 2)[0] == 15);
  CHECK(run.pixel(4, 2)[0] == 5.0f / 2); // samples 0 and 2, so two of four have 5
}
