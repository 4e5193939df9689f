// SPDX-License-Identifier: MIT
//
// The messages that a geometry wave may send to the fixed function. Each rule has a program that breaks it, and a
// program that just keeps it.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr uint32_t WaveId = 0x17;

// The trap's text of a geometry wave of `threads` lanes that may emit two vertices each; s0 is its id.
std::string trapOf(std::string_view text, unsigned threads = 3, Generation generation = Generation::Gfx9) {
  AssemblyRun run(generation);
  run.setup.stage = WaveStage::Gs;
  const uint64_t ring = run.gpu.memory().map("ring", std::vector<uint8_t>(256));
  run.setup.sgprs = {WaveId, 0u, 0u, 0u, uint32_t(ring), uint32_t(ring >> 32), 256u, 0x00024facu};
  run.setup.vgprs = {allLanes(0u)};
  run.setup.gsMessages = GsMessageRules{WaveId, threads, 2};
  run.setup.exec = (uint64_t(1) << threads) - 1;
  run.run("s_mov_b32 m0, s0\ns_nop 0\n" + std::string(text));
  if (run.trap() && *run.trap() != TrapKind::BadMessage)
    return "not BadMessage: " + run.trapText();
  return run.trapText();
}

bool contains(const std::string &text, const char *part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

const std::string Emit = "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)\n",
                  Cut = "s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 0)\n",
                  EmitToTwo = "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 2)\n",
                  Done = "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)\n";

} // namespace

TEST_CASE("a wave emits, cuts and is done") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9})
    CHECK(trapOf(Emit + Emit + Cut + Done, 3, generation) == "");
}

TEST_CASE("a wave that does not say it is done must not end") {
  contains(trapOf(Emit), "without GS_DONE");
  // A wave without geometry threads sends no message.
  CHECK(trapOf("", 0) == "");
  contains(trapOf(Done, 0), "no geometry threads");
}

TEST_CASE("nothing is said after GS_DONE") {
  contains(trapOf(Done + Done), "already said");
  contains(trapOf(Done + Emit), "already said");
  contains(trapOf(Done + Cut), "already said");
}

TEST_CASE("M0 is the wave's id in every message") {
  contains(trapOf("s_mov_b32 m0, 0x18\ns_nop 0\n" + Emit), "M0 is 0x18");
  contains(trapOf("s_mov_b32 m0, 0x18\ns_nop 0\n" + Done), "M0 is 0x18");
}

TEST_CASE("a lane emits no more vertices than announced, to each stream") {
  contains(trapOf(Emit + Emit + Emit + Done), "more than 2 vertices to stream 0");
  CHECK(trapOf(Emit + Emit + EmitToTwo + EmitToTwo + Done) == "");
  // Lane 0 emits two vertices, lanes 1 and 2 three.
  contains(trapOf(Emit + Emit + "s_mov_b64 exec, 6\n" + Emit + Done), "lane 1 emits more");
  CHECK(trapOf(Emit + "s_mov_b64 exec, 6\n" + Emit + "s_mov_b64 exec, 1\n" + Emit + Done) == "");
}

TEST_CASE("only lanes that run geometry emit") {
  contains(trapOf("s_mov_b64 exec, 15\n" + Emit + Done), "lanes 0x8 run no geometry");
  contains(trapOf("s_mov_b64 exec, 15\n" + Cut + Done), "lanes 0x8 run no geometry");
  CHECK(trapOf(Emit + "s_mov_b64 exec, -1\n" + Done) == "");
  CHECK(trapOf("s_mov_b64 exec, 0\n" + Emit + Done) == "");
}

TEST_CASE("stores have arrived when the wave is done") {
  const std::string store = "buffer_store_dword v0, off, s[4:7], 0\n";
  contains(trapOf(store + Emit + Done), "1 vector memory operations are still in flight");
  CHECK(trapOf(store + Emit + "s_waitcnt vmcnt(0)\n" + Done) == "");
  contains(trapOf(store + Emit + "s_waitcnt vmcnt(1)\n" + Done), "in flight");
}

TEST_CASE("a GS message must say something, GS_DONE need not") {
  contains(trapOf("s_sendmsg 2\n" + Done), "says nothing");
  CHECK(trapOf("s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_EMIT_CUT, 1)\n") == "");
}

TEST_CASE("a message has the lanes that sent it") {
  AssemblyRun run;
  run.setup.stage = WaveStage::Gs;
  run.setup.gsMessages = GsMessageRules{0, 64, 4};
  run.run("s_mov_b32 m0, 0\ns_mov_b64 exec, 5\n" + EmitToTwo + Done);
  REQUIRE_MESSAGE(!run.trap(), run.trapText());
  REQUIRE(run.wave().messages.size() == 2);
  const Message &message = run.wave().messages[0];
  CHECK(message.exec == 5);
  CHECK(messageId(message) == GsMessage);
  CHECK(gsOperation(message).emits);
  CHECK(gsOperation(message).cuts);
  CHECK(gsOperation(message).stream == 2);
  CHECK(messageId(run.wave().messages[1]) == GsDoneMessage);
  CHECK(run.wave().gsMessages.emitted[2][2] == 1);
  CHECK(run.wave().gsMessages.emitted[2][1] == 0);
}

TEST_CASE("waves of other stages send no GS messages, but others") {
  for (WaveStage stage : {WaveStage::Cs, WaveStage::Es}) {
    AssemblyRun run;
    run.setup.stage = stage;
    run.run("s_mov_b32 m0, 0\ns_nop 0\n" + Done);
    CHECK((run.trap() == TrapKind::BadMessage));
    run.run("s_mov_b32 m0, 0\ns_nop 0\ns_sendmsg sendmsg(MSG_INTERRUPT)\n");
    CHECK(!run.trap());
  }
}

TEST_CASE("what is not rasterised is not exported, and need not be") {
  AssemblyRun run;
  run.setup.stage = WaveStage::Vs;
  run.setup.isRasterised = false;
  run.run("");
  CHECK(!run.trap());
  run.run("v_mov_b32_e32 v0, 0\nexp pos0 v0, v0, v0, v0 done");
  CHECK((run.trap() == TrapKind::BadExport));
  run.setup.isRasterised = true;
  run.run("v_mov_b32_e32 v0, 0\nexp pos0 v0, v0, v0, v0 done");
  CHECK(!run.trap());
  run.run("");
  CHECK((run.trap() == TrapKind::NoDoneExport));
}
