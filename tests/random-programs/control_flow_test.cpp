// SPDX-License-Identifier: MIT
//
// Which invocations take part in which statements, in the interpreter.
#include "tests/random-programs/small_shaders.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

Expression variable(uint32_t index) {
  return {.op = Op::Variable, .type = I32, .index = index};
}

Statement add(uint32_t to, Expression value) {
  return assign(to, binary(Op::Add, variable(to), std::move(value)));
}

Statement loopOf(uint32_t counter, uint32_t limit, LoopForm form, Block body) {
  Statement loop;
  loop.kind = StatementKind::Loop;
  loop.variable = counter;
  loop.form = uint8_t(form);
  loop.values = {word(limit)};
  loop.blocks = {std::move(body)};
  return loop;
}

} // namespace

TEST_CASE("invocations leave a loop in different rounds") {
  SmallProgram program{.variables = words(2)};
  program.body = {loopOf(0, 5, LoopForm::TestAtHeader,
                         {when(binary(Op::Equal, variable(0), lane()), {jump(StatementKind::Break)}), add(1, word(1))}),
                  store(variable(1))};
  const std::vector<uint32_t> found = firstWords(shaderOf(program));
  CHECK(found[0] == 0);
  CHECK(found[3] == 3);
  CHECK(found[9] == 5);
}

TEST_CASE("continue goes to the counter, and only behind the body") {
  SmallProgram program{.variables = words(2)};
  program.body = {
      loopOf(0, 5, LoopForm::TestInside,
             {when(binary(Op::Less, variable(0), lane()), {jump(StatementKind::Continue)}), add(1, word(1))}),
      store(variable(1))};
  const std::vector<uint32_t> found = firstWords(shaderOf(program));
  CHECK(found[0] == 5);
  CHECK(found[3] == 2);
}

TEST_CASE("a loop that is tested at its end runs once") {
  SmallProgram program{.variables = words(2)};
  program.body = {loopOf(0, 0, LoopForm::TestAtEnd, {add(1, word(7))}), store(variable(1))};
  CHECK(firstWords(shaderOf(program))[5] == 7);
}

TEST_CASE("who has returned stores nothing") {
  SmallProgram program{.variables = words(1)};
  program.body = {when(binary(Op::Less, lane(), word(2)), {jump(StatementKind::Return)}), store(word(1))};
  const std::vector<uint32_t> found = firstWords(shaderOf(program));
  CHECK(found[1] == UnwrittenWord);
  CHECK(found[2] == 1);
}

TEST_CASE("a case falls through into the next one, and a break leaves the switch alone") {
  Statement choice;
  choice.kind = StatementKind::Switch;
  choice.values = {lane()};
  choice.blocks = {
      {add(1, word(1))}, {add(1, word(10)), jump(StatementKind::Break), add(1, word(1000))}, {add(1, word(100))}};
  choice.cases = {{{3}, true}, {{4, 5}}, {{}}};
  SmallProgram program{.variables = words(2)};
  program.body = {choice, store(variable(1))};
  const std::vector<uint32_t> found = firstWords(shaderOf(program));
  CHECK(found[3] == 11);
  CHECK(found[5] == 10);
  CHECK(found[6] == 100);
}

TEST_CASE("a loop is left out of a switch in it") {
  Statement choice;
  choice.kind = StatementKind::Switch;
  choice.values = {variable(0)};
  choice.blocks = {{jump(StatementKind::BreakLoop)}, {add(1, word(1))}};
  choice.cases = {{{2}}, {{}}};
  SmallProgram program{.variables = words(2)};
  program.body = {loopOf(0, 6, LoopForm::TestAtHeader, {choice}), store(variable(1))};
  CHECK(firstWords(shaderOf(program))[7] == 2);
}

TEST_CASE("subgroup operations see all 64 invocations") {
  Expression sum = make(Op::Subgroup, I32, {lane()});
  sum.words = {uint64_t(SubgroupForm::ExclusiveAdd)};
  SmallProgram program{.variables = words(1)};
  program.body = {store(sum)};
  CHECK(firstWords(shaderOf(program))[63] == 62 * 63 / 2);
}

TEST_CASE("subgroup operations see the invocations that are there") {
  auto operation = [](SubgroupForm form, Type type, Expression value) {
    Expression result = make(Op::Subgroup, type, {std::move(value)});
    result.words = {uint64_t(form), 0};
    return result;
  };
  Statement part;
  part.kind = StatementKind::If;
  part.values = {make(Op::Less, Bool, {word(60), lane()})}; // 61 to 63
  const auto found = [&](Expression result) {
    Statement assign;
    assign.values = {std::move(result)};
    part.blocks = {{assign}};
    SmallProgram program{.variables = words(1)};
    program.body = {part, store(variable(0))};
    const Shader shader = shaderOf(program);
    CHECK(interpret(shader).partsSubgroups);
    return firstWords(shader);
  };
  CHECK(found(operation(SubgroupForm::Add, I32, lane()))[61] == 61 + 62 + 63);
  CHECK(found(operation(SubgroupForm::ExclusiveAdd, I32, lane()))[63] == 61 + 62);
  CHECK(found(operation(SubgroupForm::BroadcastFirst, I32, lane()))[63] == 61);
  Expression ballot = operation(SubgroupForm::Ballot, I32, make(Op::Less, Bool, {word(61), lane()}));
  ballot.words[1] = 1;
  CHECK(found(ballot)[61] == 0xc0000000);
  CHECK(found(ballot)[60] == 0);
}

} // namespace dovetail::random_programs
