// SPDX-License-Identifier: MIT
//
// Rounding noise must not move the quotient of integers, which a compiler computes with floats. It must move other
// integers that come from floats. Reciprocals are off by some ulps.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr uint64_t Seeds = 40;

// The number of noise seeds that change v9 in some lane. v0 and v1 are integers, v2 and v3 floats.
unsigned movedBy(const std::string &text, uint8_t sources = AllNoise, const char *gpu = "gfx900") {
  auto run = [&](uint64_t seed) {
    AssemblyRun run(chipOf(gpu));
    run.gpu.variation = {.roundingNoise = seed, .noiseSources = sources};
    run.setup.vgprs.assign(16, allLanes(0u));
    run.setup.vgprs[0] = eachLane([](unsigned lane) { return 0xfffffe - lane * 4099; });
    run.setup.vgprs[1] = eachLane([](unsigned lane) { return 3 + lane * 7; });
    run.setup.vgprs[2] = allLanes(1234.567f);
    run.setup.vgprs[3] = allLanes(0.3333333f);
    run.run(text);
    CHECK(run.trapText() == "");
    return run.wave().peekVgpr(9);
  };
  unsigned moved = 0;
  const Lanes plain = run(0);
  for (uint64_t seed = 1; seed <= Seeds; ++seed)
    moved += run(seed) != plain;
  return moved;
}

// LLVM's division of 24-bit integers: v9 = v0 / v1.
const std::string Divide24 = "v_cvt_f32_u32_e32 v4, v1\n"
                             "v_cvt_f32_u32_e32 v5, v0\n"
                             "v_rcp_iflag_f32_e32 v6, v4\n"
                             "v_mul_f32_e32 v6, v5, v6\n"
                             "v_trunc_f32_e32 v6, v6\n"
                             "v_cvt_u32_f32_e32 v7, v6\n"
                             "v_mad_f32 v5, -v6, v4, v5\n"
                             "v_cmp_ge_f32_e64 vcc, |v5|, v4\n"
                             "v_addc_co_u32_e32 v9, vcc, 0, v7, vcc\n";

} // namespace

TEST_CASE("noise does not move the quotient of integers") {
  CHECK(movedBy(Divide24) == 0);
  // LLVM's division of 32-bit integers, up to the first estimate.
  CHECK(movedBy("v_cvt_f32_u32_e32 v4, v1\nv_rcp_iflag_f32_e32 v4, v4\nv_mul_f32_e32 v4, 0x4f7ffffe, v4\n"
                "v_cvt_u32_f32_e32 v9, v4\n") == 0);
  // The reciprocal of a 64-bit integer, which is made of halves.
  CHECK(movedBy("v_cvt_f32_u32_e32 v4, v1\nv_cvt_f32_u32_e32 v5, v0\nv_mac_f32_e32 v4, 0x4f800000, v5\n"
                "v_rcp_f32_e32 v4, v4\nv_mul_f32_e32 v4, 0x5f7ffffc, v4\nv_mul_f32_e32 v5, 0x2f800000, v4\n"
                "v_trunc_f32_e32 v5, v5\nv_mac_f32_e32 v4, 0xcf800000, v5\nv_cvt_u32_f32_e32 v9, v4\n") == 0);
  CHECK(movedBy("s_mov_b32 s0, 0x4f800000\nv_cvt_f32_u32_e32 v4, v1\nv_cvt_f32_u32_e32 v5, v0\n"
                "v_mad_f32 v4, v5, s0, v4\nv_rcp_f32_e32 v4, v4\nv_mul_f32_e32 v4, 0x5f7ffffc, v4\n"
                "v_cvt_u32_f32_e32 v9, v4\n") == 0);
}

TEST_CASE("noise moves an integer that a float of the program was made") {
  // The same instructions with another reciprocal.
  std::string program = Divide24;
  program.replace(program.find("v_rcp_iflag"), 11, "v_rcp");
  CHECK(movedBy(program) > Seeds / 2);
  CHECK(movedBy("v_mul_f32_e32 v4, v2, v3\nv_mul_f32_e32 v4, 0x47000000, v4\nv_cvt_u32_f32_e32 v9, v4") > Seeds / 2);
  // A quotient of converted integers that the program truncates.
  CHECK(movedBy("v_cvt_f32_u32_e32 v4, v1\nv_cvt_f32_u32_e32 v5, v0\nv_rcp_iflag_f32_e32 v6, v4\n"
                "v_mul_f32_e32 v6, v5, v6\nv_mul_f32_e32 v6, 0x43800000, v6\nv_trunc_f32_e32 v6, v6\n"
                "v_cvt_u32_f32_e32 v9, v6\n") > Seeds / 2);
  // Other values in the registers of a division that is over.
  CHECK(movedBy(Divide24 + "v_mul_f32_e32 v6, v2, v3\nv_mul_f32_e32 v5, v6, v6\nv_mov_b32_e32 v9, v5") > Seeds / 2);
  CHECK(movedBy(Divide24 + "v_cvt_f32_u32_e32 v6, v9\nv_mul_f32_e32 v9, v6, v3") > Seeds / 2);
  CHECK(movedBy(Divide24 + "ds_swizzle_b32 v6, v2 offset:swizzle(BROADCAST,8,3)\ns_waitcnt lgkmcnt(0)\n"
                           "v_mul_f32_e32 v9, v6, v3") > Seeds / 2);
  // Other values in other lanes than the division's.
  CHECK(movedBy("s_mov_b64 exec, 1\nv_cvt_f32_u32_e32 v4, v1\nv_rcp_iflag_f32_e32 v4, v4\n"
                "v_mul_f32_e32 v4, 0x4f7ffffe, v4\ns_mov_b64 exec, 2\nv_mul_f32_e32 v4, v2, v3\n"
                "s_mov_b64 exec, 3\nv_mul_f32_e32 v9, v4, v3") > Seeds / 2);
}

TEST_CASE("noise of one source moves what comes from it") {
  const std::string multiply = "v_mul_f32_e32 v9, v2, v3", exponential = "v_exp_f32_e32 v9, v3",
                    half = "v_mul_f16_e32 v9, v0, v0";
  auto only = [](NoiseSource source) { return uint8_t(1u << unsigned(source)); };
  CHECK(movedBy(multiply, only(NoiseSource::Arithmetic)) > Seeds / 2);
  CHECK(movedBy(multiply, uint8_t(AllNoise & ~only(NoiseSource::Arithmetic))) == 0);
  CHECK(movedBy(exponential, only(NoiseSource::Transcendental)) > Seeds / 2);
  CHECK(movedBy(exponential, only(NoiseSource::Arithmetic)) == 0);
  CHECK(movedBy(half, only(NoiseSource::Halves)) > Seeds / 2);
  CHECK(movedBy(half, only(NoiseSource::Arithmetic)) == 0);
}

TEST_CASE("reciprocals are off by as many ulps as a variation says, and nothing else is") {
  for (const char *mode : {"", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\n"})
    for (const int ulps : {-1, 0, 2}) {
      CAPTURE(ulps);
      AssemblyRun run(chipOf("gfx900"));
      run.gpu.variation = {.reciprocalUlps = ulps};
      run.setup.vgprs = {allLanes(3.0f), allLanes(0.0f)};
      run.run(mode + std::string("v_rcp_f32_e32 v2, v0\nv_rcp_iflag_f32_e32 v3, v0\nv_rcp_f32_e32 v4, v1\n"
                                 "v_rsq_f32_e32 v5, v0\nv_mul_f32_e32 v6, 4.0, v0\n"));
      CHECK(run.trapText() == "");
      const uint32_t third = *mode ? 0x3eaaaaaa : 0x3eaaaaab;
      CHECK(run.vgpr(2, 7) == third + uint32_t(ulps));
      CHECK(run.vgpr(3, 7) == third + uint32_t(ulps));
      CHECK(run.vgprFloat(4, 7) == INFINITY);
      CHECK(run.vgpr(5, 7) == 0x3f13cd3a); // both modes round it to the same value
      CHECK(run.vgprFloat(6, 7) == 12.0f);
    }
}
