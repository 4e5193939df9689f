// SPDX-License-Identifier: MIT
//
// Random programs, compiled and executed: a fixed set, and fresh ones, whose first seed is printed.
#include "tools/programs/random-programs/hunt.h"
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

namespace dovetail::random_programs {

namespace {

void report(const std::string &line) {
  MESSAGE(line);
}

HuntResult huntFor(HuntOptions options) {
  setenv("DOVETAIL_REFERENCE", DOVETAIL_REFERENCE_PROGRAM, 0);
  setenv("DOVETAIL_RADV_REFERENCE", DOVETAIL_RADV_REFERENCE_PROGRAM, 0);
  options.reduceLimit = std::chrono::seconds(60);
  options.maxFinds = 3;
  const HuntResult result = hunt(options, report);
  MESSAGE(result.programs << " programs in " << result.seconds << " s");
  return result;
}

// A new seed for each commit, so that two runs of one commit give the same. Without a repository, the seed is random.
uint64_t freshSeed() {
  if (const char *given = std::getenv("DOVETAIL_SEED"))
    return std::strtoull(given, nullptr, 10);
  char commit[9] = {};
  if (FILE *git = popen("git -C '" DOVETAIL_SOURCE_FOLDER "' rev-parse HEAD 2>/dev/null", "r")) {
    const size_t count = fread(commit, 1, sizeof commit - 1, git);
    if (pclose(git) == 0 && count == sizeof commit - 1)
      return std::strtoull(commit, nullptr, 16);
  }
  return std::random_device()();
}

} // namespace

TEST_CASE("programs of a fixed set of seeds give what the interpreter has") {
  for (const std::string &profile : profileNames()) {
    CAPTURE(profile);
    HuntOptions options;
    options.generator.seed = 1;
    options.generator.profile = profile;
    options.generator.programs = 12;
    options.allCodes = true;
    options.count = 3;
    const HuntResult result = huntFor(options);
    CHECK(result.failures == 0);
    CHECK(result.programs >= 6);
  }
}

TEST_CASE("programs of a fixed set of seeds run in every stage, and by way of GLSL") {
  for (Stage stage : {Stage::Compute, Stage::Fragment, Stage::Vertex}) {
    CAPTURE(size_t(stage));
    HuntOptions options;
    options.generator.seed = 100;
    options.generator.stage = stage;
    options.generator.programs = 10;
    options.count = 6; // GLSL makes the fifth module
    const HuntResult result = huntFor(options);
    CHECK(result.failures == 0);
    CHECK(result.programs >= 40);
  }
}

TEST_CASE("what spirv-opt makes wrong is no failure") {
  HuntOptions options;
  options.generator.seed = 1;
  options.generator.stage = Stage::Compute;
  options.generator.programs = 12;
  options.gpus = {"gfx900"};
  options.spirvPasses = "-O";
  options.count = 10; // the last one's module is valid, and its words are wrong
  const HuntResult result = huntFor(options);
  CHECK(result.failures == 0);
  CHECK(result.ofProducer > 0);
}

TEST_CASE("what glslang makes no valid SPIR-V of is no failure") {
  HuntOptions options;
  options.generator.seed = 249788939; // an array of three 16-bit integers, loaded as a whole
  options.usesGlsl = true;
  options.usesSpirv = false;
  options.gpus = {"gfx900"};
  options.count = 1;
  const HuntResult result = huntFor(options);
  CHECK(result.failures == 0);
  CHECK(result.ofProducer == 1);
}

TEST_CASE("programs of a fixed set of seeds run at each level of optimisation") {
  for (unsigned level = 0; level <= 3; ++level) {
    CAPTURE(level);
    HuntOptions options;
    options.generator.seed = 200;
    options.generator.programs = 8;
    options.optimizationLevel = level;
    options.count = 6;
    const HuntResult result = huntFor(options);
    CHECK(result.failures == 0);
    CHECK(result.programs >= 20);
  }
}

// The seeds of these programs. A change of the generator makes other programs of them.
TEST_CASE("programs that have shown a defect give what the interpreter has") {
  for (const uint64_t seed : {500000186, 502000068, 600000142, 103629211, 102629261, 777001132, 613300778, 614200030,
                              615500428, 616000072, 618000687, 619101263, 620500277}) {
    CAPTURE(seed);
    HuntOptions options;
    options.generator.seed = seed;
    options.allCodes = true;
    options.count = 1;
    CHECK(huntFor(options).failures == 0);
  }
}

TEST_CASE("fresh programs give what the interpreter has") {
  HuntOptions options;
  options.generator.seed = freshSeed();
  MESSAGE("DOVETAIL_SEED=" << options.generator.seed);
  options.count = 60; // a minute on two cores
  const HuntResult result = huntFor(options);
  CHECK(result.failures == 0);
  CHECK(result.programs > 0);
}

TEST_CASE("a defect that is planted in the compiled code is found, and the small program named") {
  GeneratorOptions generating;
  generating.seed = 7;
  generating.programs = 4;
  generating.profile = "expressions";
  generating.stage = Stage::Compute;
  const Shader shader = generate(generating);
  Shader written = shader;
  Statement &last = written.programs[2].body.back();
  REQUIRE((last.kind == StatementKind::Store));
  last.values[0] = make(Op::Not, I32, {last.values[0]});
  Finding finding;
  runInWorkers(
      1, {}, [&](size_t) { return encode(check(shader, {}, &written)); },
      [&](size_t, const WorkerReply &reply) {
        finding = decode(reply, {});
        return true;
      });
  CHECK((finding.kind == FindingKind::WrongWord));
  CHECK(finding.program == 2);
}

} // namespace dovetail::random_programs
