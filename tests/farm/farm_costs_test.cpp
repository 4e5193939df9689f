// SPDX-License-Identifier: MIT
//
// What a farm costs beside a process that compiles the same, with neither queue nor store. Other load on the machine
// changes processor times by several percent, so valgrind counts the instructions of the worker and its child process.
// It does not see the kernel and the server: their times are measured, and are so small that their scatter is, too.
// Other captures: DOVETAIL_FARM_CAPTURES.
#include "parts/compile/toolchain_version.h"
#include "src/base/hash.h"
#include "tests/farm/many_shaders.h"
#include "tests/farm/redis_server.h"
#include "tools/common/command/processor_time.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/dovetail/farm/work_queue.h"
#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

const std::vector<std::string> Gpus = {"gfx801", "gfx802", "gfx803", "gfx805", "gfx810", "gfx900",
                                       "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"};
constexpr unsigned FewShaders = 8, CountedShaders = 32, TimedShaders = 200;

// The reverse of Hash128::toHex().
Hash128 hashOf(const std::string &digits) {
  Hash128 hash;
  hash.high = std::stoull(digits.substr(0, 16), nullptr, 16);
  hash.low = std::stoull(digits.substr(16), nullptr, 16);
  return hash;
}

// Writes all pipelines of a queue as files into a new folder there. Returns its path.
std::string writePipelines(const RedisServer &server) {
  farm::RedisOptions options;
  options.url = server.url();
  const std::unique_ptr<farm::WorkQueue> queue = *farm::WorkQueue::open(options, "", toolchainVersion().toHex());
  std::vector<Hash128> hashes;
  const std::string prefix = "dovetail:pipeline:";
  CHECK(farm::forEachKey(queue->redis(), prefix, [&](const std::vector<std::string> &keys) -> Result<void> {
    for (const std::string &key : keys)
      hashes.push_back(hashOf(key.substr(prefix.size())));
    return {};
  }));
  CHECK(*queue->left() == hashes.size() * Gpus.size());
  const std::vector<std::optional<farm::QueuedPipeline>> pipelines = *queue->pipelines(hashes);
  for (const std::optional<farm::QueuedPipeline> &pipeline : pipelines)
    server.folder().write("alone/" + pipeline.value().hash.toHex(), pipeline->text);
  return server.folder() / "alone";
}

// A file that is built beside this test.
std::string built(const std::string &name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "farm" / name;
}

// Items of captures on a queue, and the same in files. Each command is for one run.
struct Farm {
  RedisServer server;
  std::string alone, worker; // commands

  explicit Farm(const std::string &captures) {
    CHECK(runTool("farm submit " + captures + " --queue " + server.url() + " --gpu " +
                  fmt::format("{}", fmt::join(Gpus, ",")))
              .status == 0);
    alone = fmt::format("'{}' '{}' {}", built("compile_alone"), writePipelines(server), fmt::join(Gpus, " "));
    worker = fmt::format("'{}' farm work --jobs 1 --until-empty --queue {} --store {}", DOVETAIL_TOOL, server.url(),
                         server.folder() / "store");
  }
};

// MALLOC_PERTURB_, which meson sets, would make allocations dearer.
void run(const std::string &command, const std::string &before = "") {
  const Run run = runCommand("/bin/sh", fmt::format("-c \"unset MALLOC_PERTURB_; {} {}\"", before, command));
  CHECK_MESSAGE(run.status == 0, run.output, run.errors);
}

// The instructions that so many processes execute, each from the start of the program.
double instructionsOf(const std::string &command, unsigned processes) {
  const TemporaryFolder folder;
  run(command, fmt::format("LD_PRELOAD='{}' valgrind --tool=cachegrind --cache-sim=no "
                           "--cachegrind-out-file=/dev/null --log-file='{}'",
                           built("libslow_clock.so"), folder / "log"));
  const std::string log = *readWholeFile(folder / "log"), label = "refs:";
  double sum = 0;
  unsigned found = 0;
  for (size_t at = log.find(label); at != std::string::npos; at = log.find(label, at + 1), ++found) {
    std::string number = log.substr(at + label.size(), log.find('\n', at) - at - label.size());
    std::erase(number, ',');
    sum += std::strtod(number.c_str(), nullptr);
  }
  CHECK_MESSAGE(found == processes, log);
  return sum;
}

double processorTimeOf(const RedisServer &server) {
  const std::string info = server.ask("info cpu");
  double sum = 0;
  for (const std::string name : {"used_cpu_sys:", "used_cpu_user:"})
    if (const size_t at = info.find(name); at != std::string::npos)
      sum += std::strtod(info.c_str() + at + name.size(), nullptr);
  return sum;
}

// Processor time in seconds.
struct Times {
  double compiles, aloneSystem, workerSystem, server;
};

// Other load makes times longer, and never shorter, so it is the least of several runs.
Times timesOf(const std::string &captures) {
  constexpr double Long = 1e9;
  Times least = {Long, Long, Long, Long};
  auto keepLeast = [](double &least, double time) { least = std::min(least, time); };
  for (unsigned round = 0; round < 4; ++round) {
    const Farm farm(captures);
    const auto start = processorTimeOfChildren(), startSystem = systemTimeOfChildren();
    run(farm.alone);
    keepLeast(least.compiles, toSeconds(processorTimeOfChildren() - start));
    const auto endSystem = systemTimeOfChildren();
    keepLeast(least.aloneSystem, toSeconds(endSystem - startSystem));
    const double serverBefore = processorTimeOf(farm.server);
    run(farm.worker);
    keepLeast(least.workerSystem, toSeconds(systemTimeOfChildren() - endSystem));
    keepLeast(least.server, processorTimeOf(farm.server) - serverBefore);
  }
  return least;
}

} // namespace

// Differences of two sizes, so that nobody counts what a start costs.
TEST_CASE("queue and store cost at most a twentieth of the compiles") {
  const TemporaryFolder few, counted, timed;
  const char *asked = std::getenv("DOVETAIL_FARM_CAPTURES");
  const std::string fewShaders = writeShaders(few, FewShaders);
  const Farm small(fewShaders), large(asked ? asked : writeShaders(counted, CountedShaders));
  const double alone = instructionsOf(large.alone, 1) - instructionsOf(small.alone, 1);
  const double worker = instructionsOf(large.worker, 2) - instructionsOf(small.worker, 2);
  const double instructions = worker / alone - 1;

  const Times start = timesOf(fewShaders), end = timesOf(asked ? asked : writeShaders(timed, TimedShaders));
  const double compiles = end.compiles - start.compiles, server = (end.server - start.server) / compiles;
  const double system = end.workerSystem - start.workerSystem - (end.aloneSystem - start.aloneSystem);
  const double kernel = std::max(system, 0.0) / compiles;
  MESSAGE("the farm takes ", 100 * (instructions + kernel + server), " % more than compiles of ", compiles,
          " s of processor time: ", 100 * instructions, " % in instructions, ", 100 * kernel, " % in the kernel, ",
          100 * server, " % in the server");
  CHECK(instructions + kernel + server <= 0.05);
}
