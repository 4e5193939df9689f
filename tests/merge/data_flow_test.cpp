// SPDX-License-Identifier: MIT
//
// The checker's data flow and its recogniser of moves, on programs of a few instructions.
#include "merge/check/data_flow.h"
#include "merge/check/register_numbers.h"
#include "tests/merge/parts_by_hand.h"
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using namespace dovetail::test;
using namespace dovetail::check;

namespace {

struct Code {
  explicit Code(std::string_view text) : part(makePart(PartKind::ComputeMain, text)) {
    image.gpuName = target().gpuName;
    image.code.assign(part.code.begin(), part.code.end());
    ImageStage stage{};
    stage.stage = HardwareStage::Cs;
    stage.size = uint32_t(part.code.size());
    image.stages = {stage};
    Defects defects;
    program.emplace(walkControlFlow(image, image.stages[0], defects));
    REQUIRE(defects.take().empty());
  }

  Part part;
  Image image;
  std::optional<Program> program;
};

// The mnemonics that may have run before each instruction.
FlowStates<std::set<std::string>> mnemonicsBefore(const Program &program, uint32_t from) {
  using State = std::set<std::string>;
  return flowForward(
      program, from, State(),
      [&](uint32_t node, const State &before, const auto &pass) {
        State after = before;
        after.insert(std::string(program.instructions[node].mnemonic));
        for (uint32_t successor : program.successors[node])
          pass(successor, after);
      },
      [](const State &a, const State &b) {
        State both = a;
        both.insert(b.begin(), b.end());
        return both;
      });
}

std::optional<PlainMove> moveOf(const Code &code) {
  return asPlainMove(code.program->instructions[0]);
}

} // namespace

TEST_CASE("where paths meet, the flow has what comes on any of them") {
  Code code("s_cbranch_execz 1\n s_barrier\n s_endpgm");
  auto states = mnemonicsBefore(*code.program, 0);
  CHECK((*states.before(1) == std::set<std::string>{"s_cbranch_execz"}));
  CHECK((*states.before(2) == std::set<std::string>{"s_cbranch_execz", "s_barrier"}));
}

TEST_CASE("the flow goes round a loop until nothing changes") {
  Code code("s_nop 0\n s_barrier\n s_cbranch_execz -3\n s_endpgm");
  auto states = mnemonicsBefore(*code.program, 0);
  CHECK((*states.before(0) == std::set<std::string>{"s_nop", "s_barrier", "s_cbranch_execz"}));
}

TEST_CASE("the flow knows nothing of what comes before its start") {
  Code code("s_nop 0\n s_barrier\n s_endpgm");
  auto states = mnemonicsBefore(*code.program, 4);
  CHECK(states.before(0) == nullptr);
  CHECK(states.before(1)->empty());
  CHECK((*states.before(2) == std::set<std::string>{"s_barrier"}));
  CHECK(mnemonicsBefore(*code.program, 2).before(0) == nullptr); // this is in the middle of an instruction
}

TEST_CASE("what happens on one of two paths has happened on some and not on some") {
  Code code("s_cbranch_execz 1\n s_barrier\n s_nop 0\n s_barrier\n s_endpgm");
  auto states = flowOf(*code.program, code.program->successors,
                       [](const isa::Instruction &inst) { return inst.mnemonic == "s_barrier"; });
  CHECK((*states.before(1) == Happened{false, true}));
  CHECK((*states.before(2) == Happened{true, true}));
  CHECK((*states.before(4) == Happened{true, false}));
}

TEST_CASE("moves of registers and of constants") {
  Code vector("v_mov_b32_e32 v3, s5\n s_endpgm");
  auto move = moveOf(vector);
  REQUIRE(move);
  CHECK(numberOf(*move->to, 0) == FirstVgprNumber + 3);
  REQUIRE(move->from);
  CHECK(numberOf(*move->from, 0) == 5);

  Code pair("s_mov_b64 s[6:7], vcc\n s_endpgm");
  move = moveOf(pair);
  REQUIRE(move);
  REQUIRE(move->from);
  CHECK(numberOf(*move->to, 1) == 7);
  CHECK(numberOf(*move->from, 1) == 107);

  Code constant("v_mov_b32_e32 v3, 1.0\n s_endpgm");
  move = moveOf(constant);
  REQUIRE(move);
  CHECK(move->from == nullptr);

  // EXEC always has a value.
  Code exec("s_mov_b64 s[6:7], exec\n s_endpgm");
  move = moveOf(exec);
  REQUIRE(move);
  CHECK(move->from == nullptr);
}

TEST_CASE("what changes lanes or does something else is no plain move") {
  CHECK_FALSE(moveOf(Code("v_mov_b32_dpp v3, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n s_endpgm")));
  CHECK_FALSE(moveOf(Code("v_mov_b32_sdwa v3, v4 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:DWORD\n s_endpgm")));
  CHECK_FALSE(moveOf(Code("s_cmov_b64 s[6:7], s[8:9]\n s_endpgm")));
}
