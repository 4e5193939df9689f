// SPDX-License-Identifier: MIT
//
// The reducer, with planted defects: a compiler that takes one operation for another.
#include "tests/random-programs/small_shaders.h"
#include "tools/programs/random-programs/generate/generate.h"
#include "tools/programs/random-programs/write_find.h"
#include <csignal>
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

Shader replaceOps(Shader shader, Op from, Op to) {
  for (SmallProgram &program : shader.programs)
    visitExpressions(program.body, [&](Expression &expression) {
      if (expression.op == from)
        expression.op = to;
    });
  return shader;
}

// Acts as if the compiler made `to` of `from`.
Finding checkPlanted(const Shader &shader, Op from, Op to) {
  const Interpretation expected = interpret(shader), found = interpret(replaceOps(shader, from, to));
  Finding finding;
  if (expected.undefined || found.undefined || expected.output == found.output)
    return finding;
  finding.kind = FindingKind::WrongWord;
  for (size_t i = 0; i < expected.output.size() && !finding.program; ++i)
    if (expected.output[i] != found.output[i])
      finding.program = uint32_t(i / OutputWords / shader.lanes);
  return finding;
}

size_t countStatements(Shader shader) {
  size_t count = 0;
  for (SmallProgram &program : shader.programs)
    visitStatements(program.body, [&](Statement &) { ++count; });
  return count;
}

} // namespace

TEST_CASE("a planted defect is found, named and reduced to a few statements") {
  for (auto [from, to] :
       {std::pair(Op::MaximumSigned, Op::Maximum), std::pair(Op::BitFieldExtractSigned, Op::BitFieldExtract),
        std::pair(Op::CarryOfAdd, Op::AddWithCarry)}) {
    CAPTURE(std::string(toString(from)));
    Shader shader;
    Finding finding;
    for (uint64_t seed = 1; seed < 60 && finding.kind == FindingKind::None; ++seed) {
      GeneratorOptions generating;
      generating.seed = seed;
      generating.programs = 16;
      shader = generate(generating);
      finding = checkPlanted(shader, from, to);
    }
    REQUIRE((finding.kind == FindingKind::WrongWord));
    ReduceOptions options;
    options.check = [from = from, to = to](const Shader &candidate) { return checkPlanted(candidate, from, to); };
    Find find;
    find.reduction = reduce(shader, finding, options);
    CHECK(find.reduction.shader.programs.size() == 1);
    CHECK(countStatements(find.reduction.shader) <= 3);
    CHECK(kindOf(find).find(toString(from)) != std::string::npos);
    CHECK_FALSE(interpret(find.reduction.shader).undefined);
  }
}

TEST_CASE("a compiler that crashes is reduced, too") {
  GeneratorOptions generating;
  generating.seed = 3;
  generating.programs = 6;
  generating.profile = "expressions";
  const Shader shader = generate(generating);
  // Crashes for any shader with a division.
  auto crash = [](const Shader &candidate) {
    Shader copy = candidate;
    for (SmallProgram &program : copy.programs)
      visitExpressions(program.body, [&](Expression &expression) {
        if (expression.op == Op::DivideSigned)
          raise(SIGKILL);
      });
    return Finding();
  };
  ReduceOptions options;
  options.check = crash;
  Finding finding;
  finding.kind = FindingKind::Crash;
  const Reduction reduction = reduce(shader, finding, options);
  CHECK(countStatements(reduction.shader) == 1);
  CHECK(print(reduction.shader).find("DivideSigned") != std::string::npos);
}

TEST_CASE("a shader that does not fail stays as it is") {
  GeneratorOptions generating;
  generating.programs = 2;
  const Shader shader = generate(generating);
  ReduceOptions options;
  options.check = [](const Shader &) { return Finding(); };
  Finding finding;
  finding.kind = FindingKind::WrongWord;
  CHECK(print(reduce(shader, finding, options).shader) == print(shader));
}

} // namespace dovetail::random_programs
