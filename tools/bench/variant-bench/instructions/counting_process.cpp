// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/counting_process.h"
#include "src/spirv/validate/valid_modules.h"
#include "tools/bench/variant-bench/instructions/program_counts.h"
#include "tools/bench/variant-bench/ways/radv_ways.h"
#include "tools/common/command/output.h"
#include "tools/proof/radv/radv_family.h"
#include "variants/assemble/get_parts.h"
#include "variants/state/state_table.h"
#include <csignal>
#include <cstdio>
#include <fmt/ranges.h>
#include <functional>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail {

namespace {

constexpr GridSize OneState = {1, 1, 1};

// Compiles with all stages, loops, branches, buffers and textures; they are none of the benchmark's own programs.
Result<std::vector<BenchProgram>> readWarmUp() {
  const std::string folder = DOVETAIL_OWN_SHADERS;
  std::vector<std::string> paths;
  for (const char *name : {"/tess_geom_triangles.vert", "/tess_geom_triangles.tesc", "/tess_geom_triangles.tese",
                           "/tess_geom_triangles.geom", "/tess_geom_triangles.frag", "/water.vert", "/water.frag"})
    paths.push_back(folder + name);
  return std::move(DOVETAIL_TRY(readBenchPrograms(paths, OneState)).programs);
}

// What markPhase() makes marks of: an observer of phases has no other argument.
struct Marked {
  Counter *counter = nullptr;
  std::string program;
  std::string tier;         // in front of the words
  std::string_view outside; // the word for what is in no phase
} marked;

void markPhase(std::optional<CompilePhase> ended) {
  marked.counter->mark(labelOf(marked.program, marked.tier + std::string(ended ? toString(*ended) : marked.outside)));
}

// Compiles the shaders one after the other on this thread, the last one first, as compileStages() does. Then makes
// prologs, epilogs, glue and copy shader for the first state.
Result<void> makeParts(PartMaker &maker, const BenchProgram &program, CodeTier tier) {
  const ShaderSet &set = program.set;
  const PipelineState &state = program.grid.states.front();
  const MainPartStates states = mainPartStates(state, set);
  CompiledStages stages;
  for (size_t index = lgc::ShaderStageCount; index-- > 0;) {
    if (!set.shaders[index])
      continue;
    CompiledStage &stage = stages[index];
    stage.source = sourceOf(set, lgc::ShaderStage(index), maker.gpuName());
    stage.source.key.tier = tier;
    stage.source.key.mainPartState = states[index];
    stage.source.key.exportPrimitiveId = exportsPrimitiveId(stage.source.key, stages);
    DOVETAIL_CHECK(compileStage({maker, state}, stage));
  }
  const StageMap map = DOVETAIL_TRY(mapStages(set.stageMask(), maker.target().hasMergedStages));
  DOVETAIL_TRY(getJoinableParts(maker, map, set, state, tier));
  return {};
}

Result<void> makeShaders(const ShaderSet &set) {
  for (const ShaderRef &shader : set.shaders)
    if (shader)
      DOVETAIL_TRY(createShader(shader->description));
  return {};
}

Result<void> countParts(PartMaker &maker, const BenchProgram &program, CodeTier tier) {
  DOVETAIL_CHECK(makeParts(maker, program, tier));
  markPhase({});
  return marked.counter->finish();
}

// Phases in which shaders are made are not counted: they are the same in both tiers.
Result<void> countFirst(PartMaker &maker, const BenchProgram &program, Counter &counter) {
  marked = {&counter, program.name, std::string(WithFirstCode), Other};
  DOVETAIL_CHECK(makeShaders(program.set));
  counter.begin();
  setPhaseObserver(markPhase);
  return countParts(maker, program, CodeTier::FirstCode);
}

Result<void> countOwn(PartMaker &maker, const BenchProgram &program, Counter &counter) {
  marked = {&counter, program.name, "", Reflecting};
  spirv::forgetValidModules(); // the program was read in this process
  counter.begin();
  setPhaseObserver(markPhase);
  DOVETAIL_CHECK(makeShaders(program.set));
  markPhase({});
  marked.outside = Other;
  return countParts(maker, program, CodeTier::Llvm);
}

Result<void> countAco(RadvWays &radv, const BenchProgram &program, Counter &counter) {
  DOVETAIL_CHECK(radv.makeFirst(
      program, [&] { counter.begin(); }, [&] { counter.mark(labelOf(program.name, AcoPipeline)); }));
  return counter.finish();
}

using CountProgram = std::function<Result<void>(const BenchProgram &)>;

Result<void> readAndCount(const CountedProgram &counted, const CountProgram &count) {
  ProgramList list = DOVETAIL_TRY(readBenchPrograms(counted.files, OneState));
  BenchProgram &program = list.programs.front();
  program.name = counted.name;
  return count(program);
}

// Counts in a copy of this process.
void countInFork(const CountedProgram &program, const CountProgram &count) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const Result<void> done = readAndCount(program, count);
    if (!done)
      print(fmt::format("{}: {}\n", program.name, done.error().text));
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
    print(fmt::format("{}: its process crashed\n", program.name));
}

} // namespace

std::string_view toString(CountedSide side) {
  return side == CountedSide::Own ? "own" : side == CountedSide::First ? "first" : "aco";
}

// Programs whose paths have line breaks cannot be counted.
std::string toArgument(const CountedProgram &program) {
  return fmt::format("{}\n{}", program.name, fmt::join(program.files, "\n"));
}

CountedProgram fromArgument(const std::string &argument) {
  std::istringstream lines(argument);
  CountedProgram program;
  std::getline(lines, program.name);
  for (std::string file; std::getline(lines, file);)
    program.files.push_back(file);
  return program;
}

Result<void> countPrograms(const CountingOptions &options, const std::vector<CountedProgram> &programs) {
  const std::unique_ptr<Counter> counter = DOVETAIL_TRY(Counter::open(options.counter, options.folder));
  const std::vector<BenchProgram> warmUp = DOVETAIL_TRY(readWarmUp());
  if (options.side != CountedSide::Aco) {
    const bool isFirst = options.side == CountedSide::First;
    const std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(options.gpu));
    for (const BenchProgram &program : warmUp) {
      DOVETAIL_CHECK(makeShaders(program.set));
      if (isFirst)
        DOVETAIL_CHECK(makeParts(*maker, program, CodeTier::FirstCode));
      DOVETAIL_CHECK(makeParts(*maker, program, CodeTier::Llvm)); // makes what first code refuses, too
    }
    for (const CountedProgram &program : programs)
      countInFork(program, [&](const BenchProgram &read) {
        return isFirst ? countFirst(*maker, read, *counter) : countOwn(*maker, read, *counter);
      });
    return {};
  }
  selectRadv(RadvBackend::Aco, DOVETAIL_TRY(radvFamilyOf(options.gpu)));
  const std::unique_ptr<RadvWays> radv = DOVETAIL_TRY(RadvWays::create());
  for (const BenchProgram &program : warmUp)
    DOVETAIL_CHECK(radv->makeFirst(
        program, [] {}, [] {}));
  for (const CountedProgram &program : programs)
    countInFork(program, [&](const BenchProgram &read) { return countAco(*radv, read, *counter); });
  return {};
}

} // namespace dovetail
