// SPDX-License-Identifier: MIT
//
// radv-times: how long the main parts of shaders take here, beside whole pipelines in RADV with its LLVM back end and
// with ACO, on the same SPIR-V. Medians of CPU time in one run. RADV has no caches on and compiles for a Vega 10 that
// is not there; its pipelines contain the vertex fetch and the colour export, our main parts do not.
#include "parts/compile/compiler_pool.h"
#include "parts/kinds/main_part.h"
#include "tools/corpus/corpus_units.h"
#include "tools/dovetail/report.h"
#include "tools/inputs/lone_fragment.h"
#include "tools/inputs/shader_file.h"
#include "tools/radv/radv_pipelines.h"
#include "variants/build/build_variant.h"
#include "variants/build/default_state.h"
#include "variants/build/get_parts.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail {

namespace {

struct TimedUnit {
  std::string name;
  ShaderSet shaders;
  PipelineState state;
};

// Stands for a median CPU time in microseconds.
constexpr double Failed = -1;

double median(std::vector<double> values) {
  if (values.empty())
    return Failed;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double threadCpuMicroseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

Result<TimedUnit> readUnit(const CorpusUnit &unit) {
  std::vector<ShaderRef> shaders;
  for (const std::string &file : unit.files)
    for (ShaderBinary &binary : DOVETAIL_TRY(readShaderFile(file)))
      shaders.push_back(
          DOVETAIL_TRY(createShader({binary.name, std::move(binary.words), binary.entryPoint, binary.stage, {}})));
  DOVETAIL_CHECK(accompanyLoneFragmentShader(shaders));
  TimedUnit timed;
  timed.name = unit.name;
  timed.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  timed.state = defaultState(timed.shaders);
  return timed;
}

// All main parts of a set, from SPIR-V to a part.
Result<void> makeMainParts(const ShaderSet &shaders, CompilerPool &compilers) {
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader)
      continue;
    CompilerPool::Lease compiler = DOVETAIL_TRY(compilers.lease());
    ShaderSource source = sourceOf(shaders, shader->description.stage, compilers.target().gpuName);
    DOVETAIL_CHECK(makeMainPart(source.key, source.words, *compiler));
  }
  return {};
}

double timeMainParts(const ShaderSet &shaders, CompilerPool &compilers, unsigned runs) {
  std::vector<double> times;
  for (unsigned run = 0; run <= runs; ++run) {
    double start = threadCpuMicroseconds();
    Result<void> made = makeMainParts(shaders, compilers);
    if (!made) {
      std::fprintf(stderr, "%s\n", made.error().text.c_str());
      return Failed;
    }
    if (run > 0) // the first one warms the caches up
      times.push_back(threadCpuMicroseconds() - start);
  }
  return median(times);
}

// RADV reads its environment once, and some shaders stop its process, so each pipeline is made in a process of its own,
// which sends its time through a pipe.
double timeRadv(RadvBackend backend, const TimedUnit &unit, unsigned runs) {
  int ends[2];
  if (pipe(ends) != 0)
    return Failed;
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    selectRadv(backend);
    Result<std::unique_ptr<RadvDevice>> device = RadvDevice::create();
    if (!device) {
      std::fprintf(stderr, "%s\n", device.error().text.c_str());
      _exit(1);
    }
    Result<std::vector<double>> times = (*device)->timePipeline(unit.shaders, unit.state, runs + 1);
    if (!times)
      _exit(1);
    times->erase(times->begin()); // the first one warms up, as ours does
    double time = median(*times);
    _exit(write(ends[1], &time, sizeof(time)) == sizeof(time) ? 0 : 1);
  }
  close(ends[1]);
  double time = Failed;
  if (read(ends[0], &time, sizeof(time)) != sizeof(time))
    time = Failed;
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return time;
}

std::string cell(double microseconds) {
  return microseconds < 0 ? "failed" : fmt::format("{:.2f}", microseconds / 1000);
}

std::string ratio(double ours, double theirs) {
  return ours < 0 || theirs < 0 ? "-" : fmt::format("{:.2f}", ours / theirs);
}

Result<int> run(const std::vector<std::string> &paths, const std::string &gpu, unsigned runs) {
  std::vector<TimedUnit> units;
  for (const CorpusUnit &unit : DOVETAIL_TRY(findCorpusUnits(paths))) {
    Result<TimedUnit> timed = readUnit(unit);
    if (timed)
      units.push_back(std::move(*timed));
    else
      std::fprintf(stderr, "%s: %s\n", unit.name.c_str(), timed.error().text.c_str());
  }
  std::unique_ptr<CompilerPool> compilers = DOVETAIL_TRY(CompilerPool::create(gpu));
  std::vector<std::vector<std::string>> rows = {
      {"shaders", "main parts ms", "RADV LLVM ms", "RADV ACO ms", "ours/LLVM", "ours/ACO"}};
  std::vector<double> llvmRatios, acoRatios;
  for (const TimedUnit &unit : units) {
    double ours = timeMainParts(unit.shaders, *compilers, runs);
    double llvm = timeRadv(RadvBackend::Llvm, unit, runs);
    double aco = timeRadv(RadvBackend::Aco, unit, runs);
    rows.push_back({unit.name, cell(ours), cell(llvm), cell(aco), ratio(ours, llvm), ratio(ours, aco)});
    if (ours > 0 && llvm > 0)
      llvmRatios.push_back(ours / llvm);
    if (ours > 0 && aco > 0)
      acoRatios.push_back(ours / aco);
  }
  rows.push_back(
      {"median", "", "", "", fmt::format("{:.2f}", median(llvmRatios)), fmt::format("{:.2f}", median(acoRatios))});
  fmt::print("{}", printTable(rows));
  return 0;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  CLI::App app("Times main parts beside RADV's pipelines (medians of CPU time)");
  std::vector<std::string> paths;
  std::string gpu = "gfx900";
  unsigned runs = 5;
  app.add_option("PATH", paths, "shader files, or folders of them")->required();
  app.add_option("--gpu", gpu, "LLVM's name of the GPU")->capture_default_str();
  app.add_option("--runs", runs, "counted runs of each")->capture_default_str()->check(CLI::Range(1u, 1000u));
  CLI11_PARSE(app, argc, argv);
  dovetail::Result<int> status = dovetail::run(paths, gpu, runs);
  if (!status) {
    std::fprintf(stderr, "radv-times: %s\n", status.error().text.c_str());
    return 1;
  }
  return *status;
}
