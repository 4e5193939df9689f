// SPDX-License-Identifier: MIT
//
// Program flow: branches, barriers, s_waitcnt, and how programs must end.
#include "tests/emulator/tests/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

TEST_CASE("a wave ends at s_endpgm") {
  AssemblyRun run;
  run.run("s_nop 0");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK((run.wave().status == WaveStatus::Ended));
  CHECK(run.wave().instructionCount == 2);
}

TEST_CASE("code without an end is left") {
  AssemblyRun run;
  run.run("s_nop 0", false);
  CHECK((run.trap() == TrapKind::RanOffCode));
}
