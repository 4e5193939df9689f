// SPDX-License-Identifier: MIT
//
// Transform feedback of a chain's last stage before the rasteriser.
#include "tests/random-programs/small_shaders.h"
#include "tools/programs/random-programs/check.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

Shader chainOf(Block vertex) {
  SmallProgram program{.body = std::move(vertex), .stage = Stage::Vertex};
  Shader shader = shaderOf(std::move(program));
  shader.stage = Stage::Fragment;
  shader.isChain = shader.capturesVertices = true;
  return shader;
}

Statement hand(Expression value, uint32_t index) {
  Statement statement = store(std::move(value), index);
  statement.space = Space::Varying;
  return statement;
}

} // namespace

TEST_CASE("what is handed on is captured where its offset is, once for each point") {
  Shader shader = chainOf({hand(binary(Op::Add, lane(), word(7)), 1)});
  const std::vector<uint32_t> words = interpret(shader).captured[0];
  CHECK(words.size() == 64 * 3);
  CHECK(words[3 * 9 + 0] == 0);             // nobody has stored to it
  CHECK(words[3 * 9 + 1] == UnwrittenWord); // between the two
  CHECK(words[3 * 9 + 2] == 9 + 7);
  shader.hasTessellation = true;
  CHECK(interpret(shader).captured[0][3 * 28 + 2] == 9 + 7); // one of the patch's three points
}

TEST_CASE("what a fragment shader stores is not captured") {
  Shader shader = chainOf({hand(lane(), 0)});
  shader.programs.push_back({.number = 1, .body = {hand(word(5), 0)}, .stage = Stage::Fragment});
  shader.programCount = 2;
  CHECK(interpret(shader).captured[0][3 * 6] == 6);
}

TEST_CASE("each last stage captures what the interpreter has") {
  for (unsigned stages = 0; stages < 4; ++stages) {
    CAPTURE(stages);
    Shader shader = chainOf({hand(lane(), 0), hand(binary(Op::Multiply, lane(), word(3)), 3), store(lane())});
    shader.hasTessellation = stages & 1;
    shader.hasGeometry = stages & 2;
    Finding finding;
    runInWorkers(
        1, {}, [&](size_t) { return encode(check(shader, {})); },
        [&](size_t, const WorkerReply &reply) {
          finding = decode(reply, {});
          return true;
        });
    CAPTURE(finding.text);
    CHECK((finding.kind == FindingKind::None));
  }
}

} // namespace dovetail::random_programs
