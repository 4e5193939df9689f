// SPDX-License-Identifier: MIT
//
// Program flow: branches, calls, barriers, messages, and how programs must end.
#include "tests/emulator/isa/run_assembly.h"
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

TEST_CASE("an instruction that the end of the code cuts in two is not run") {
  AssemblyRun run;
  run.run("s_branch 0x7fff");
  CHECK((run.trap() == TrapKind::RanOffCode));
}

TEST_CASE("an encoding that no instruction has is named") {
  AssemblyRun run;
  run.run(".long 0xbf9f0000");
  CHECK((run.trap() == TrapKind::UnknownOpcode));
  CHECK(run.trapText().find("opcode 0x1f in SOPP") != std::string::npos);
  AssemblyRun none;
  none.run(".long 0xfc000000\ns_nop 0");
  CHECK((none.trap() == TrapKind::UnknownOpcode));
}

TEST_CASE("branches go where their condition says") {
  // A branch that goes wrong loses or adds a bit of s0.
  AssemblyRun run;
  run.run("s_mov_b32 s0, 0\n"
          "s_mov_b64 vcc, 0\n"
          "s_cmp_eq_u32 0, 0\n"
          "s_cbranch_scc0 end\n"
          "s_bitset1_b32 s0, 0\n"
          "s_cbranch_scc1 a\n"
          "s_endpgm\n"
          "a: s_bitset1_b32 s0, 1\n"
          "s_cbranch_vccnz end\n"
          "s_bitset1_b32 s0, 2\n"
          "s_cbranch_vccz b\n"
          "s_endpgm\n"
          "b: s_bitset1_b32 s0, 3\n"
          "s_cbranch_execz end\n"
          "s_bitset1_b32 s0, 4\n"
          "s_cbranch_execnz c\n"
          "s_endpgm\n"
          "c: s_bitset1_b32 s0, 5\n"
          "s_branch end\n"
          "s_bitset1_b32 s0, 6\n"
          "end: s_endpgm\n");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.sgpr(0) == 0x3f);
}

TEST_CASE("loops branch backwards") {
  AssemblyRun run;
  run.run("s_mov_b32 s0, 0\n"
          "again: s_add_u32 s0, s0, 3\n"
          "s_cmp_lt_u32 s0, 10\n"
          "s_cbranch_scc1 again");
  CHECK(run.sgpr(0) == 12);
}

TEST_CASE("a loop without an end is stopped") {
  AssemblyRun run;
  run.gpu.instructionLimit = 1000;
  run.run("again: s_branch again");
  CHECK((run.trap() == TrapKind::TooManyInstructions));
}

TEST_CASE("a called function returns behind the call") {
  AssemblyRun run;
  run.run("s_mov_b32 s0, 1\n"
          "s_call_b64 s[2:3], function\n"
          "s_add_u32 s0, s0, 1\n"
          "s_endpgm\n"
          "function: s_lshl_b32 s0, s0, 4\n"
          "s_setpc_b64 s[2:3]\n");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.sgpr(0) == 17);
}

TEST_CASE("s_getpc and s_swappc leave the address of the next instruction") {
  // s_getpc leaves 4; 16 behind that is s_sub; s_swappc leaves 12.
  AssemblyRun run;
  run.run("s_getpc_b64 s[0:1]\n"
          "s_add_u32 s0, s0, 16\n"
          "s_swappc_b64 s[2:3], s[0:1]\n"
          "s_mov_b32 s6, 5\n"
          "s_endpgm\n"
          "s_sub_u32 s4, s2, s0\n");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.wave().peekSgpr(4) == uint32_t(12 - 20));
}

TEST_CASE("all waves go on behind a barrier, also when there are several") {
  AssemblyRun run;
  WaveSetup first, second;
  first.sgprs = {1u};
  second.sgprs = {0u};
  run.runGroup("s_cmp_eq_u32 s0, 1\n"
               "s_cbranch_scc1 behind\n"
               "s_nop 7\n"
               "behind: s_barrier\n"
               "s_mov_b32 s1, 1\n"
               "s_barrier\n"
               "s_mov_b32 s1, 2",
               {first, second});
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.waves()[0].peekSgpr(1) == 2);
  CHECK(run.waves()[1].peekSgpr(1) == 2);
}

TEST_CASE("waves wait at a barrier while others are on their way") {
  // The reader runs first, and would load 0 if the barrier did not hold it until the writer has stored.
  AssemblyRun run;
  uint64_t address = run.gpu.memory().map("flag", std::vector<uint8_t>(4));
  WaveSetup reader, writer;
  reader.sgprs = {uint32_t(address), uint32_t(address >> 32), 1u};
  writer.sgprs = {uint32_t(address), uint32_t(address >> 32), 0u};
  run.runGroup("s_cmp_eq_u32 s2, 1\n"
               "s_cbranch_scc1 skip\n"
               "s_mov_b32 s3, 7\n"
               "s_store_dword s3, s[0:1], 0x0\n"
               "skip: s_barrier\n"
               "s_load_dword s4, s[0:1], 0x0\n"
               "s_waitcnt lgkmcnt(0)",
               {reader, writer});
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.waves()[0].peekSgpr(4) == 7);
}

TEST_CASE("a barrier that not all waves reach traps") {
  AssemblyRun run;
  WaveSetup first, second;
  first.sgprs = {1u};
  second.sgprs = {0u};
  run.runGroup("s_cmp_eq_u32 s0, 1\ns_cbranch_scc1 end\ns_barrier\nend:", {first, second});
  CHECK((run.trap() == TrapKind::Barrier));
}

TEST_CASE("messages carry M0") {
  AssemblyRun run;
  run.run("s_mov_b32 m0, 0x1234\ns_nop 0\ns_sendmsg sendmsg(MSG_INTERRUPT)");
  INFO(run.trapText());
  CHECK(!run.trap());
  REQUIRE(run.wave().messages.size() == 1);
  CHECK(run.wave().messages[0].simm16 == 1);
  CHECK(run.wave().messages[0].m0 == 0x1234);
}
