// SPDX-License-Identifier: MIT
//
// EXP: the exported values, and how pixel and vertex shaders must end.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// v0..v3 = 10 + lane, 20, 30, 40.
struct ExportRun : AssemblyRun {
  explicit ExportRun(WaveStage stage) {
    setup.stage = stage;
    setup.vgprs = {eachLane([](unsigned lane) { return 10 + lane; }), allLanes(20u), allLanes(30u), allLanes(40u)};
  }
};

std::optional<TrapKind> trapOf(WaveStage stage, std::string_view text) {
  ExportRun run(stage);
  run.run(text);
  return run.trap();
}

} // namespace

TEST_CASE("an export has the enabled registers of all lanes, and says which are on") {
  ExportRun run(WaveStage::Ps);
  run.setup.exec = run.setup.covered = 0xf0;
  run.run("exp mrt3 v0, off, v2, v1 done vm");
  INFO(run.trapText());
  CHECK(!run.trap());
  REQUIRE(run.wave().exports.size() == 1);
  const Export &exported = run.wave().exports[0];
  CHECK(exported.target == 3);
  CHECK(exported.enable == 0xd);
  CHECK(exported.done);
  CHECK(exported.validMask);
  CHECK(!exported.compressed);
  CHECK(exported.exec == 0xf0);
  CHECK(exported.data[0][5] == 15);
  CHECK(exported.data[2][0] == 30);
  CHECK(exported.data[3][63] == 20);
}

TEST_CASE("a compressed export has two registers") {
  ExportRun run(WaveStage::Ps);
  run.run("exp mrt0 v1, v1, v2, v2 done compr vm");
  INFO(run.trapText());
  CHECK(!run.trap());
  const Export &exported = run.wave().exports[0];
  CHECK(exported.compressed);
  CHECK(exported.data[0][0] == 20);
  CHECK(exported.data[1][0] == 30);
}

TEST_CASE("pixel shaders end with exactly one done export") {
  constexpr WaveStage Ps = WaveStage::Ps;
  CHECK((trapOf(Ps, "exp mrt0 v0, v1, v2, v3 vm\nexp mrt1 v0, v1, v2, v3 done vm") == std::nullopt));
  CHECK((trapOf(Ps, "exp null off, off, off, off done vm") == std::nullopt));
  CHECK((trapOf(Ps, "s_nop 0") == TrapKind::NoDoneExport));
  CHECK((trapOf(Ps, "exp mrt0 v0, v1, v2, v3 vm") == TrapKind::NoDoneExport));
  CHECK((trapOf(Ps, "exp mrt0 v0, v1, v2, v3 done vm\nexp mrt1 v0, v1, v2, v3 done vm") == TrapKind::SecondDoneExport));
  CHECK((trapOf(Ps, "exp mrt0 v0, v1, v2, v3 done vm\nexp mrtz v0, off, off, off vm") == TrapKind::SecondDoneExport));
}

TEST_CASE("vertex shaders end their positions with a done export; parameters may follow") {
  constexpr WaveStage Vs = WaveStage::Vs;
  CHECK(
      (trapOf(Vs, "exp pos0 v0, v1, v2, v3\nexp pos1 v0, v1, v2, v3 done\nexp param0 v0, v1, v2, v3") == std::nullopt));
  CHECK((trapOf(Vs, "exp param0 v0, v1, v2, v3") == TrapKind::NoDoneExport));
  CHECK((trapOf(Vs, "exp pos0 v0, v1, v2, v3") == TrapKind::NoDoneExport));
  CHECK((trapOf(Vs, "exp pos0 v0, v1, v2, v3 done\nexp pos1 v0, v1, v2, v3 done") == TrapKind::SecondDoneExport));
  CHECK((trapOf(Vs, "exp param0 v0, v1, v2, v3 done") == TrapKind::BadExport));
}

TEST_CASE("stages have the targets that the hardware has for them") {
  CHECK((trapOf(WaveStage::Ps, "exp pos0 v0, v1, v2, v3 done") == TrapKind::BadExport));
  CHECK((trapOf(WaveStage::Vs, "exp mrt0 v0, v1, v2, v3 done") == TrapKind::BadExport));
  CHECK((trapOf(WaveStage::Cs, "exp mrt0 v0, v1, v2, v3 done") == TrapKind::BadExport));
}

TEST_CASE("helper lanes must not be on at an export of colours") {
  ExportRun run(WaveStage::Ps);
  run.setup.exec = run.setup.covered = 0x7;
  run.run("s_wqm_b64 exec, exec\nexp mrt0 v0, v1, v2, v3 done vm");
  CHECK((run.trap() == TrapKind::WrongExec));

  ExportRun narrowed(WaveStage::Ps);
  narrowed.setup.exec = narrowed.setup.covered = 0x7;
  narrowed.run("s_mov_b64 s[0:1], exec\ns_wqm_b64 exec, exec\ns_and_b64 exec, exec, s[0:1]\n"
               "exp mrt0 v0, v1, v2, v3 done vm");
  CHECK(!narrowed.trap());
}

TEST_CASE("an exported register is read until expcnt says that it is not") {
  constexpr WaveStage Vs = WaveStage::Vs;
  CHECK((trapOf(Vs, "exp pos0 v0, v1, v2, v3 done\nv_mov_b32_e32 v0, 0") == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(Vs, "exp pos0 v0, v1, v2, v3 done\ns_waitcnt expcnt(0)\nv_mov_b32_e32 v0, 0") == std::nullopt));
  CHECK((trapOf(Vs, "exp pos0 v0, v1, v2, v3 done\nv_mov_b32_e32 v4, v0") == std::nullopt));
  CHECK((trapOf(Vs,
                "exp pos0 v0, v0, v0, off done\nexp param0 v1, v1, v1, v1\ns_waitcnt expcnt(1)\nv_mov_b32_e32 v0, 0") ==
         std::nullopt));
  CHECK((trapOf(Vs,
                "exp pos0 v0, v0, v0, off done\nexp param0 v1, v1, v1, v1\ns_waitcnt expcnt(1)\nv_mov_b32_e32 v1, 0") ==
         TrapKind::UseBeforeWaitcnt));
}

TEST_CASE("exports of registers that nothing wrote") {
  CHECK((trapOf(WaveStage::Vs, "exp pos0 v0, v1, v2, v4 done") == TrapKind::UninitialisedRegister));
  CHECK((trapOf(WaveStage::Vs, "exp pos0 v0, v1, v2, off done") == std::nullopt));
}
