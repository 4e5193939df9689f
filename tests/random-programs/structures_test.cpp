// SPDX-License-Identifier: MIT
//
// Structures and functions, in the interpreter, in memory, and in the code made of them.
#include "tests/random-programs/small_shaders.h"
#include "tools/programs/random-programs/check.h"
#include "tools/programs/random-programs/program/structures.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

// { i32; f32 }, { { i32; f32 }; i32[4] }
constexpr Type Pair = {.structure = 1}, Nested = {.structure = 4};

Expression along(Op op, Type type, Path path, std::vector<Expression> arguments) {
  Expression result = make(op, type, std::move(arguments));
  result.words = std::move(path);
  return result;
}

Statement storeNested(Expression value, Path path, std::vector<Expression> indices) {
  Statement statement = store(std::move(value));
  statement.space = Space::Scratch;
  statement.structure = Nested.structure;
  statement.path = std::move(path);
  statement.values.insert(statement.values.end(), indices.begin(), indices.end());
  return statement;
}

Expression loadNested(Space space, Type type, Path path, std::vector<Expression> indices) {
  indices.insert(indices.begin(), word(0));
  Expression load = along(Op::Load, type, std::move(path), std::move(indices));
  load.space = space;
  load.index = Nested.structure;
  return load;
}

// The result of checking a shader's code, in a process of its own.
FindingKind kindOfFinding(const Shader &shader) {
  FindingKind kind = FindingKind::Crash;
  runInWorkers(
      1, {}, [&](size_t) { return encode(check(shader, {})); },
      [&](size_t, const WorkerReply &reply) {
        kind = decode(reply, {}).kind;
        return true;
      });
  return kind;
}

} // namespace

TEST_CASE("structures lie in buffers as std430 has it") {
  // { i16[3]; { i8; i16; i64; f16 }; f32x2 }
  CHECK(offsetOfMember(5, 1) == 8);
  CHECK(offsetOfMember(5, 2) == 32);
  CHECK(offsetOfComponent({.structure = 5}, 5) == 16); // the i64
  CHECK(sizeOf({.structure = 5}) == 40);
  // { f64; f32 3x3; i32 }: columns of three take the room of four.
  CHECK(offsetOfComponent({.structure = 7}, 4) == 32);
  CHECK_FALSE(hasLayout(8)); // booleans
}

TEST_CASE("an insertion leaves all other components, and an extraction finds it") {
  const Expression whole = constant(Nested, {1, 0x3f800000, 2, 3, 4, 5});
  const Expression changed = along(Op::Insert, Nested, {1, 2}, {whole, lane()});
  SmallProgram program;
  program.body = {
      store(binary(Op::Add, along(Op::Extract, I32, {1, 2}, {changed}), along(Op::Extract, I32, {1, 3}, {changed})))};
  CHECK(firstWords(shaderOf(program))[7] == 7 + 5);
}

TEST_CASE("members of variables are stored to and read by index") {
  SmallProgram program{.variables = {{.type = Nested, .isMemory = true, .initial = {9, 0, 10, 11, 12, 13}}}};
  Statement assignment = assign(0, lane());
  assignment.kind = StatementKind::AssignElement;
  assignment.path = {1, AtIndex};
  assignment.values.push_back(binary(Op::And, lane(), word(3)));
  Expression element = along(Op::Element, I32, {1, AtIndex}, {word(1)});
  program.body = {assignment, store(element)};
  const std::vector<uint32_t> found = firstWords(shaderOf(program));
  CHECK(found[5] == 5);
  CHECK(found[6] == 11);
  program.body[1].values[0].arguments = {word(4)};
  CHECK(interpret(shaderOf(program)).undefined);
}

TEST_CASE("structures are copied from buffer to buffer, as values and in memory") {
  for (uint8_t form : {0, 1}) {
    CAPTURE(int(form));
    SmallProgram program;
    Statement copy = storeNested(loadNested(Space::Input, Nested, {}, {}), {}, {});
    copy.form = form;
    program.body = {copy, storeNested(lane(), {1, AtIndex}, {word(2)}),
                    store(binary(Op::Add, loadNested(Space::Scratch, I32, {1, 1}, {}),
                                 loadNested(Space::Scratch, I32, {1, 2}, {})))};
    const Shader shader = shaderOf(program);
    CHECK(firstWords(shader)[9] == 3 + 9); // inputs are 0, 1, 2, …
    CHECK((kindOfFinding(shader) == FindingKind::None));
  }
}

TEST_CASE("a function takes structures, by pointer too, and sees no variable") {
  Expression parameter = {.op = Op::Parameter, .type = Pair};
  Expression pair = make(Op::Construct, Pair, {lane(), constant(F32, 0x3f800000)});
  for (uint64_t pointers : {0, 1}) {
    CAPTURE(pointers);
    SmallProgram program{.variables = words(1)};
    program.body = {store(along(Op::Call, I32, {pointers},
                                {pair, binary(Op::Add, along(Op::Extract, I32, {0}, {parameter}), word(100))}))};
    const Shader shader = shaderOf(program);
    CHECK(firstWords(shader)[3] == 103);
    CHECK((kindOfFinding(shader) == FindingKind::None));
    program.body[0].values[0].arguments[1] = readVariable(program, 0);
    CHECK(interpret(shaderOf(program)).undefined);
  }
}

TEST_CASE("a parameter outside of a function is undefined") {
  SmallProgram program;
  program.body = {store(Expression{.op = Op::Parameter, .type = I32})};
  CHECK(interpret(shaderOf(program)).undefined);
}

} // namespace dovetail::random_programs
