// SPDX-License-Identifier: MIT
//
// The events that count as undefined, and the results under a variation.
#include "tests/emulator/isa/run_assembly.h"
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <set>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr float Nan = std::numeric_limits<float>::quiet_NaN(), Inf = std::numeric_limits<float>::infinity();

// The number of times that an event happens in v8 = f(v0, v1, v2), and whether a variation changes lane 7 of v8.
struct Outcome {
  uint64_t times;
  bool isVaried;
};
Outcome outcomeOf(std::string_view text, UndefinedEvent event, std::vector<std::optional<Lanes>> sources) {
  std::set<uint32_t> results;
  uint64_t times = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    AssemblyRun run;
    run.gpu.variation.undefinedChoices = seed;
    run.setup.vgprs = sources;
    run.setup.vgprs.resize(9, allLanes(0u));
    run.run(text);
    CHECK(run.trapText() == "");
    results.insert(run.vgpr(8, 7));
    if (seed == 0)
      times = run.gpu.undefinedEvents[unsigned(event)];
  }
  return {times, results.size() > 1};
}

void checkUndefined(std::string_view text, UndefinedEvent event, std::vector<std::optional<Lanes>> sources) {
  CAPTURE(text);
  Outcome outcome = outcomeOf(text, event, std::move(sources));
  CHECK(outcome.times == WaveSize);
  CHECK(outcome.isVaried);
}

void checkDefined(std::string_view text, UndefinedEvent event, std::vector<std::optional<Lanes>> sources) {
  CAPTURE(text);
  Outcome outcome = outcomeOf(text, event, std::move(sources));
  CHECK(outcome.times == 0);
  CHECK_FALSE(outcome.isVaried);
}

} // namespace

TEST_CASE("conversions are undefined where the integer cannot hold the number") {
  using enum UndefinedEvent;
  checkUndefined("v_cvt_u32_f32 v8, v0", Conversion, {allLanes(-1.0f)});
  checkUndefined("v_cvt_i32_f32 v8, v0", Conversion, {allLanes(3e9f)});
  checkUndefined("v_cvt_i32_f32 v8, v0", Conversion, {allLanes(Nan)});
  checkDefined("v_cvt_u32_f32 v8, v0", Conversion, {allLanes(-0.5f)});
  checkDefined("v_cvt_i32_f32 v8, v0", Conversion, {allLanes(-2147483648.0f)});
}

TEST_CASE("a clamp is undefined where the minimum is above the maximum") {
  checkUndefined("v_med3_f32 v8, v0, v1, v2", UndefinedEvent::Clamp, {allLanes(1.0f), allLanes(4.0f), allLanes(3.0f)});
  checkDefined("v_med3_f32 v8, v0, v1, v2", UndefinedEvent::Clamp, {allLanes(1.0f), allLanes(3.0f), allLanes(3.0f)});
  checkUndefined("v_med3_i32 v8, v0, v1, v2", UndefinedEvent::Clamp, {allLanes(1u), allLanes(2u), allLanes(-3u)});
}

TEST_CASE("division by zero, and what is not a number, are undefined") {
  using enum UndefinedEvent;
  checkUndefined("v_rcp_f32 v8, v0", Division, {allLanes(0.0f)});
  checkUndefined("v_rsq_f32 v8, v0", Division, {allLanes(-0.0f)});
  checkDefined("v_rcp_f32 v8, v0", Division, {allLanes(1e-30f)});
  checkUndefined("v_sqrt_f32 v8, v0", NotANumber, {allLanes(-1.0f)});
  checkUndefined("v_add_f32 v8, v0, v1", NotANumber, {allLanes(Inf), allLanes(-Inf)});
  checkUndefined("v_mul_legacy_f32 v8, v0, v1", NotANumber, {allLanes(0.0f), allLanes(Inf)});
  checkDefined("v_mul_legacy_f32 v8, v0, v1", NotANumber, {allLanes(0.0f), allLanes(2.0f)});
  checkDefined("v_mov_b32 v8, v0", NotANumber, {allLanes(Nan)}); // moves bits only
}

TEST_CASE("a derivative is undefined where a lane of its quad went elsewhere") {
  const std::string_view derivative = "v_mov_b32_dpp v8, v0 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf";
  auto timesOf = [&](std::string_view before, uint64_t covered) {
    AssemblyRun run;
    run.setup.stage = WaveStage::Ps;
    run.setup.covered = covered;
    run.setup.vgprs = {eachLane([](unsigned lane) { return lane; })};
    run.setup.vgprs.resize(9, allLanes(0u));
    run.run(std::string(before) + "\ns_nop 4\n" + std::string(derivative) + "\nexp null off, off, off, off done vm");
    return run.gpu.undefinedEvents[unsigned(UndefinedEvent::QuadLanesOff)];
  };
  CHECK(timesOf("s_mov_b64 exec, -1", ~uint64_t(0)) == 0);
  CHECK(timesOf("s_mov_b64 exec, 0xd", ~uint64_t(0)) == 1); // lane 0 wants lane 1, and it is off
  // Lane 1 covers nothing, so the program may have forgotten it. It counts only if other helpers are on and lane 1 was
  // on.
  CHECK(timesOf("s_mov_b64 exec, 0xd", 0xd) == 0);
  CHECK(timesOf("s_mov_b64 exec, 0xff\ns_mov_b64 exec, 0xfd", 0xd) == 1);
}
