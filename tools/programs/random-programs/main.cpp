// SPDX-License-Identifier: MIT
//
// random-programs makes shaders at random, compiles and executes them, and compares the results word by word.
// docs/random-programs.md describes it, and how to read a find.
#include "src/abi/get_target.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/inputs/spirv/spirv_passes.h"
#include "tools/programs/random-programs/hunt.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include <CLI/CLI.hpp>
#include <cstdio>

namespace dovetail::random_programs {

namespace {

void say(const std::string &text) {
  dovetail::print(text);
  (void)finishOutput();
}

struct Options {
  HuntOptions hunt;
  unsigned seconds = 60, reduceSeconds = 120;
  std::string stage;
  bool keepsWhole = false, prints = false, asksOthers = false;
};

// Prints for each shader what lavapipe and RADV's code compute: this checks the interpreter, not the compiler.
int askAboutAll(const Options &options) {
  int status = 0;
  for (uint64_t i = 0; i < std::max<uint64_t>(options.hunt.count, 1); ++i) {
    GeneratorOptions generator = options.hunt.generator;
    generator.seed += i;
    const Shader shader = generate(generator);
    const Way way = waysOf(options.hunt, generator.seed)[0];
    const std::string others = askOthers(shader, way);
    status |= others.find("is not") != std::string::npos;
    say(fmt::format("seed {}, {}:\n{}", generator.seed, toString(way), others));
  }
  return status;
}

int run(const Options &options) {
  if (options.prints) {
    say(print(generate(options.hunt.generator)));
    return 0;
  }
  if (options.asksOthers)
    return askAboutAll(options);
  for (const std::string &gpu : options.hunt.gpus)
    if (const Result<const TargetInfo *> target = getTarget(gpu); !target) {
      std::fprintf(stderr, "random-programs: %s\n", target.error().text.c_str());
      return 1;
    }
  say(fmt::format("first seed {}\n", options.hunt.generator.seed));
  openDevices(options.hunt.gpus);
  const HuntResult result = hunt(options.hunt, [](const std::string &line) { say(line + "\n"); });
  for (const auto &[way, programs] : result.programsByWay)
    say(fmt::format("{}: {} programs\n", way, programs));
  for (const auto &[kind, count] : result.kinds)
    say(fmt::format("{} times: {}\n", count, kind));
  if (options.hunt.firstCode)
    say(printFirstCode(result.firstCode));
  if (result.slow)
    say(fmt::format("{} shaders were too slow once\n", result.slow));
  if (result.ofProducer)
    say(fmt::format("{} shaders failed by the fault of spirv-opt or glslang\n", result.ofProducer));
  say(fmt::format("{} shaders of {} programs in {:.0f} s ({:.0f} programs an hour), {} failed\n", result.shaders,
                  result.programs, result.seconds, double(result.programs) * 3600 / result.seconds, result.failures));
  return result.failures ? 1 : 0;
}

} // namespace

} // namespace dovetail::random_programs

int main(int argumentCount, char **arguments) {
  using namespace dovetail;
  using namespace dovetail::random_programs;
  CLI::App app("Random programs, compiled, executed and compared word by word", "random-programs");
  Options options;
  GeneratorOptions &generator = options.hunt.generator;
  app.add_option("--seed", generator.seed, "of the first shader")->capture_default_str();
  app.add_option("--seconds", options.seconds, "how long")->capture_default_str();
  app.add_option("--count", options.hunt.count, "how many shaders, however long it takes");
  app.add_option("--programs", generator.programs, "small programs in a shader")->capture_default_str();
  app.add_option("--profile", generator.profile, "what all of them are made of; otherwise a mixture")
      ->check(CLI::IsMember(profileNames()));
  app.add_option("--stage", options.stage, "compute, fragment, or a chain of vertex to fragment; otherwise all")
      ->check(CLI::IsMember({"compute", "fragment", "chain"}));
  addGpuOption(app, options.hunt.gpus, "GPUs: LLVM's names, or those of chips or products, with commas between them")
      ->capture_default_str();
  app.add_flag("--all-codes", options.hunt.allCodes,
               "joined, monolithic and optimised code of each shader, rather than in turns");
  app.add_flag("--first-code", options.hunt.firstCode, "first code of each shader, too, where it is not refused");
  app.add_option("--optimization-level", options.hunt.optimizationLevel,
                 "0 to 3; otherwise 2, and another one for three of eight shaders")
      ->check(CLI::Range(0, 3));
  app.add_option("--spirv-opt", options.hunt.spirvPasses, "passes that modules go through before");
  std::string source;
  app.add_option("--source", source, "spirv or glsl; otherwise both")->check(CLI::IsMember({"spirv", "glsl"}));
  app.add_option("--jobs", options.hunt.jobs, "processes at a time")->capture_default_str();
  app.add_option("--finds", options.hunt.finds, "the folder that finds are written to");
  app.add_option("--max-finds", options.hunt.maxFinds, "stop behind so many")->capture_default_str();
  app.add_option("--reduce-seconds", options.reduceSeconds, "for each find")->capture_default_str();
  app.add_flag("--whole", options.keepsWhole, "do not reduce");
  app.add_flag("--print", options.prints, "print the first shader's programs and end");
  app.add_flag("--ask-others", options.asksOthers, "draw --count shaders with lavapipe and RADV's code alone");
  CLI11_PARSE(app, argumentCount, arguments);
  options.hunt.seconds = std::chrono::seconds(options.seconds);
  options.hunt.reduceLimit = std::chrono::seconds(options.reduceSeconds);
  options.hunt.reduces = !options.keepsWhole;
  options.hunt.usesSpirv = source != "glsl";
  options.hunt.usesGlsl = source != "spirv";
  if (!options.stage.empty())
    generator.stage = options.stage == "compute"    ? Stage::Compute
                      : options.stage == "fragment" ? Stage::Fragment
                                                    : Stage::Vertex;
  return run(options);
}
