// SPDX-License-Identifier: MIT
#include "tests/emulator/isa/vector_evaluate.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

TEST_CASE("interpolation of attributes, each quad with its primitive") {
  FragmentParameters parameters;
  parameters.primMask = 0x12340000;
  parameters.quadPrimitive[1] = 1;
  auto channel = [](float p0, float p10, float p20) {
    return FragmentParameters::Channel{f32(p0), f32(p10), f32(p20)};
  };
  // Attribute 1 is an integer where it is flat.
  parameters.primitives.resize(2);
  parameters.primitives[0] = {{channel(1, 2, 4), channel(0, 1, 0), channel(0, 0, 1), channel(5, 0, 0)},
                              {FragmentParameters::Channel{0xdeadbeef, 0x11111111, 0x22222222}}};
  parameters.primitives[1] = {{channel(10, 20, 40), {}, {}, {}}, {FragmentParameters::Channel{7, 8, 9}}};

  AssemblyRun run;
  run.setup.parameters = &parameters;
  run.setup.vgprs.assign(10, allLanes(0u));
  run.setup.vgprs[0] = eachLane([](unsigned lane) { return f32(float(lane) / 8); }); // i
  run.setup.vgprs[1] = allLanes(0.25f);                                              // j
  run.setup.sgprs = {0x12340000u};
  run.run("s_mov_b32 m0, s0\ns_nop 0\n"
          "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\n"
          "v_interp_p1_f32 v3, v0, attr0.y\nv_interp_p2_f32 v3, v1, attr0.y\n"
          "v_interp_mov_f32 v4, p0, attr1.x\nv_interp_mov_f32 v5, p10, attr1.x\nv_interp_mov_f32 v6, p20, attr1.x\n"
          "v_interp_p1_f32_e64 v7, v0, attr0.w\nv_interp_p2_f32_e64 v7, v1, attr0.w\n");
  CHECK(run.trapText() == "");
  CHECK(run.vgprFloat(2, 2) == 1 + 2 * 0.25f + 4 * 0.25f);
  CHECK(run.vgprFloat(2, 6) == 10 + 20 * 0.75f + 40 * 0.25f);
  CHECK(run.vgprFloat(3, 3) == 0.375f);
  CHECK(run.vgpr(4, 0) == 0xdeadbeef);
  CHECK(run.vgpr(5, 0) == 0x11111111);
  CHECK(run.vgpr(6, 0) == 0x22222222);
  CHECK(run.vgpr(4, 4) == 7);
  CHECK(run.vgprFloat(7, 0) == 5);
}

TEST_CASE("interpolation with another value in M0 is trapped") {
  FragmentParameters parameters;
  parameters.primMask = 0x40000;
  parameters.primitives.resize(1);
  parameters.primitives[0].resize(1);
  AssemblyRun run;
  run.setup.parameters = &parameters;
  run.setup.vgprs = {allLanes(0.5f)};
  run.run("s_mov_b32 m0, 0x80000\ns_nop 0\nv_interp_p1_f32 v1, v0, attr0.x");
  CHECK((run.trap() == TrapKind::WrongM0));
  run.run("s_mov_b32 m0, 0x40000\ns_nop 0\nv_interp_p1_f32 v1, v0, attr0.x");
  CHECK(run.trapText() == "");
  run.run("s_mov_b32 m0, 0x40000\ns_nop 0\nv_interp_p1_f32 v1, v0, attr1.x");
  CHECK((run.trap() == TrapKind::Unsupported)); // the primitive has no such attribute
}

TEST_CASE("interpolation of halves") {
  FragmentParameters parameters;
  parameters.primitives.resize(1);
  // Low halves: 1, 2, 4; high halves: 3, 0.5, -1.
  parameters.primitives[0] = {{FragmentParameters::Channel{0x42003c00, 0x38004000, 0xbc004400}}};
  for (const Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    const bool isGfx9 = generation == Generation::Gfx9;
    AssemblyRun run(generation);
    run.setup.parameters = &parameters;
    run.setup.vgprs.assign(10, allLanes(0xaaaaaaaau));
    run.setup.vgprs[0] = allLanes(0.5f);
    run.setup.vgprs[1] = allLanes(0.25f);
    run.run(std::string("s_mov_b32 m0, 0\ns_nop 0\n"
                        "v_interp_p1ll_f16 v2, v0, attr0.x\nv_interp_p1ll_f16 v3, v0, attr0.x high\n"
                        "v_interp_mov_f32 v7, p0, attr0.x\nv_interp_p1lv_f16 v4, v0, attr0.x, v7 high\n") +
            (isGfx9 ? "v_interp_p2_legacy_f16" : "v_interp_p2_f16") +
            " v5, v1, attr0.x, v2\nv_interp_p2_f16 v6, v1, attr0.x, v3 high");
    CHECK(run.trapText() == "");
    CHECK(run.vgprFloat(2, 0) == 2.0f);
    CHECK(run.vgprFloat(3, 0) == 3.25f);
    CHECK(run.vgprFloat(4, 0) == 3.25f);
    CHECK(run.vgpr(5, 0) == 0x4200);                          // 2 + 1
    CHECK(run.vgpr(6, 0) == (isGfx9 ? 0xaaaa4200 : 0x4200u)); // 3.25 - 0.25
  }
}

TEST_CASE("with an LDS of 16 banks, interpolation may not overwrite its weight, and halves get P0 from a register") {
  FragmentParameters parameters;
  parameters.primitives.resize(1);
  parameters.primitives[0].resize(1);
  for (auto [gpu, mayOverlap] : {std::pair("gfx810", false), std::pair("gfx803", true)}) {
    CAPTURE(gpu);
    AssemblyRun run(chipOf(gpu));
    run.setup.parameters = &parameters;
    run.setup.vgprs = {allLanes(0.5f)};
    auto isTrapped = [&](const char *code) {
      run.run(std::string("s_mov_b32 m0, 0\ns_nop 0\n") + code);
      return run.trap() == TrapKind::Unsupported;
    };
    CHECK(isTrapped("v_interp_p1_f32 v0, v0, attr0.x") != mayOverlap);
    CHECK(isTrapped("v_interp_p1_f32_e64 v0, v0, attr0.x") != mayOverlap);
    CHECK(isTrapped("v_interp_p1ll_f16 v1, v0, attr0.x") != mayOverlap);
    CHECK_FALSE(isTrapped("v_interp_p1_f32 v1, v0, attr0.x"));
    CHECK_FALSE(isTrapped("v_interp_mov_f32 v1, p0, attr0.x\nv_interp_p1lv_f16 v2, v0, attr0.x, v1"));
  }
}
