// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/bench.h"
#include "src/abi/target_info.h"
#include "tools/bench/variant-bench/first_draws.h"
#include "tools/bench/variant-bench/measure/bench_folder.h"
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/ways/cold_states.h"
#include "tools/bench/variant-bench/ways/own_figures.h"
#include "tools/bench/variant-bench/ways/radv_peer.h"
#include "tools/common/inputs/glsl.h"
#include "tools/proof/radv/radv_family.h"
#include <algorithm>
#include <fstream>

namespace dovetail {

namespace {

constexpr const char *ColdProgram = "gbuffer"; // four attributes, four targets

std::string machineName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(": ") + 2, line.size()));
  return "an unknown CPU";
}

std::string stagesOf(const ShaderSet &set) {
  std::string text;
  for (const ShaderRef &shader : set.shaders)
    if (shader)
      text += (text.empty() ? "" : ", ") + std::string(stageName(shader->description.stage));
  return text;
}

class Bench {
public:
  Bench(const BenchOptions &options, const Progress &progress) : m_progress(progress) { m_results.options = options; }

  Result<BenchResults> run() {
    DOVETAIL_CHECK(readPrograms());
    if (options().cpu && !mayRunOn(*options().cpu))
      return makeError(ErrorCode::InvalidInput, "this process may not run on CPU {}", *options().cpu);
    PinnedCpu pinned(options().cpu);
    DOVETAIL_CHECK(startRadv());

    // From here on, this process has threads.
    DOVETAIL_CHECK(measureCode());
    if (options().ways)
      DOVETAIL_CHECK(measureWays());
    DOVETAIL_CHECK(measureFigures());
    m_progress(fmt::format("binds among {} variants", options().knownVariants));
    m_results.knownBind = DOVETAIL_TRY(timeKnownBinds(options().knownVariants, KnownBinds, options().rounds));
    sortComparisons();
    return std::move(m_results);
  }

private:
  static constexpr unsigned KnownBinds = 500'000; // per round

  const BenchOptions &options() const { return m_results.options; }
  RadvPeer *peerOf(Way way) const {
    return way == Way::RadvLlvm ? m_llvm.get() : way == Way::RadvCached ? m_cached.get() : m_aco.get();
  }

  Result<void> readPrograms() {
    m_progress("reading shaders");
    if (options().paths.empty()) {
      m_programs = DOVETAIL_TRY(readOwnPrograms(options().grid));
    } else {
      ProgramList list = DOVETAIL_TRY(readBenchPrograms(options().paths, options().grid, options().limit));
      m_programs = std::move(list.programs);
      m_results.refused = std::move(list.refused);
    }
    for (const BenchProgram &program : m_programs)
      m_results.programs.push_back({program.name, stagesOf(program.set), program.grid.states.size(), {}, {}});
    m_cold = *findProgram(DOVETAIL_TRY(readOwnPrograms({1, 1, 1})), ColdProgram);
    return {};
  }

  Result<void> startRadv() {
    if (!options().radv) {
      m_results.noRadv = m_results.noRadvLlvm = "it was left out";
      return {};
    }
    const std::string family = DOVETAIL_TRY(radvFamilyOf(options().gpu));
    m_progress("starting RADV");
    m_aco = startPeer(RadvBackend::Aco, family, m_results.noRadv);
    m_llvm = startPeer(RadvBackend::Llvm, family, m_results.noRadvLlvm);
    if (!m_aco || !options().ways)
      return {};
    const std::filesystem::path cache = m_folder.path / "radv";
    std::error_code failure;
    std::filesystem::create_directories(cache, failure);
    if (failure)
      return makeError(ErrorCode::Io, "{}: {}", cache.string(), failure.message());
    std::string reason;
    m_cached = startPeer(RadvBackend::Aco, family, reason, cache);
    if (!m_cached)
      m_results.failures.push_back("RADV with a disk cache: " + reason);
    return {};
  }

  std::unique_ptr<RadvPeer> startPeer(RadvBackend backend, const std::string &family, std::string &reason,
                                      const std::string &cacheFolder = {}) const {
    Result<std::unique_ptr<RadvPeer>> peer = RadvPeer::start(backend, family, m_programs, m_cold, cacheFolder);
    if (peer)
      return std::move(*peer);
    reason = peer.error().text;
    return nullptr;
  }

  void note(const std::string &what, const Error &error) {
    m_results.failures.push_back(fmt::format("{}: {}", what, error.text));
  }

  Result<void> measureCode() {
    std::unique_ptr<Device> device = DOVETAIL_TRY(Device::create(options().gpu));
    DOVETAIL_CHECK(warmUp(*device));
    for (size_t number = 0; number < m_programs.size(); ++number) {
      const BenchProgram &program = m_programs[number];
      m_progress(fmt::format("code of {}", program.name));
      Result<FirstDraw> firstDraw = measureFirstDraw(*device, program);
      if (firstDraw)
        m_results.firstDraws.push_back(std::move(*firstDraw));
      Result<std::vector<ShaderCost>> own = measureOwnCode(*device, program);
      if (!own) {
        note(program.name, own.error());
        continue;
      }
      addRadvCode(m_aco.get(), CodeKind::RadvAco, number, *own);
      addRadvCode(m_llvm.get(), CodeKind::RadvLlvm, number, *own);
      m_results.code.insert(m_results.code.end(), own->begin(), own->end());
    }
    return {};
  }

  void addRadvCode(RadvPeer *peer, CodeKind kind, size_t program, std::vector<ShaderCost> &shaders) {
    if (!peer)
      return;
    Result<std::vector<double>> numbers = peer->ask(RadvQuestion::Costs, program);
    if (!numbers) {
      note(fmt::format("{}, {}", m_programs[program].name, toString(kind)), numbers.error());
      return;
    }
    const TargetInfo &target = *findTarget(options().gpu);
    for (size_t at = 0; at + 5 <= numbers->size(); at += 5) {
      const double *cost = &(*numbers)[at];
      for (ShaderCost &shader : shaders)
        if (shader.stage == HardwareStage(unsigned(cost[0])))
          shader.costs[unsigned(kind)] = {cost[1], cost[2],
                                          double(wavesPerSimd(target, unsigned(cost[3]), unsigned(cost[2]))), cost[4]};
    }
  }

  Result<void> measureWays() {
    const std::filesystem::path store = m_folder.path / "store", archive = m_folder.path / "archive";
    m_progress("filling a store");
    DOVETAIL_CHECK(OwnWays::fillStore(options().gpu, store, archive, m_programs));
    for (unsigned round = 0; round <= options().rounds; ++round) {
      OwnWays own = DOVETAIL_TRY(OwnWays::create(options().gpu, options().firstTier, store, archive));
      // With a new device, RADV's cache has only what is on disk. The first round, which does not count, fills it.
      for (RadvPeer *peer : {m_aco.get(), m_llvm.get(), m_cached.get()})
        if (peer)
          (void)peer->ask(RadvQuestion::Renew);
      for (size_t program = 0; program < m_programs.size(); ++program)
        for (unsigned turn = 0; turn < WayCount; ++turn) // another way begins in each round
          runWay(own, AllWays[(turn + round + program) % WayCount], program, round);
      m_results.sharing = own.sharing();
    }
    return {};
  }

  void runWay(OwnWays &own, Way way, size_t number, unsigned round) {
    ProgramResult &result = m_results.programs[number];
    RadvPeer *peer = isRadv(way) ? peerOf(way) : nullptr;
    if ((isRadv(way) && !peer) || !result.failures[unsigned(way)].empty())
      return;
    const BenchProgram &program = m_programs[number];
    if (way == Way::RadvLinked && program.set.shader(lgc::ShaderStage::Compute))
      return; // a compute shader has nothing to link
    m_progress(fmt::format("round {} of {}: {}, {}", round, options().rounds, program.name, toString(way)));
    Result<Pass> pass =
        peer ? askForPass(*peer, way, number, round == 0 && way != Way::RadvCached) : own.run(way, program);
    if (!pass) {
      result.failures[unsigned(way)] = pass.error().text;
      result.passes[unsigned(way)].clear();
      return;
    }
    double &codeBytes = m_codeBytes[{number, way}]; // RADV tells them only in the first round
    if (round == 0)
      codeBytes = pass->codeBytes;
    else if (isRadv(way))
      pass->codeBytes = codeBytes;
    if (round > 0)
      result.passes[unsigned(way)].push_back(std::move(*pass));
  }

  static Result<Pass> askForPass(RadvPeer &peer, Way way, size_t program, bool asksForCode) {
    const RadvQuestion question = way == Way::RadvLinked ? RadvQuestion::Linked : RadvQuestion::Whole;
    Pass pass;
    if (!fromNumbers(DOVETAIL_TRY(peer.ask(question, program, asksForCode)), pass))
      return makeError(ErrorCode::Io, "RADV's process answers something else");
    return pass;
  }

  Result<void> measureFigures() {
    OwnFigures own = DOVETAIL_TRY(OwnFigures::create(options().gpu));
    std::map<std::string, std::vector<std::vector<double>>> firstUses; // by program; a list for each round
    for (unsigned round = 0; round <= options().rounds; ++round) {
      if (m_aco)
        (void)m_aco->ask(RadvQuestion::Renew);
      m_progress(fmt::format("round {} of {}: single steps", round, options().rounds));
      compareColdParts(own, round);
      DOVETAIL_CHECK(timeTrivialPart(own, round));
      for (size_t program = 0; program < m_programs.size(); ++program) {
        comparePrograms(own, program, round);
        if (!m_programs[program].isPair())
          continue;
        Result<std::vector<double>> uses = own.firstUses(m_programs[program], options().firstUses);
        if (!uses && round == 0)
          note(m_programs[program].name, uses.error());
        if (uses && round > 0)
          firstUses[m_programs[program].name].push_back(std::move(*uses));
      }
    }
    for (const auto &[program, rounds] : firstUses) {
      const std::vector<double> medians = medianOfRounds(rounds);
      m_results.firstUses.insert(m_results.firstUses.end(), medians.begin(), medians.end());
    }
    return {};
  }

  // In the order of the script lines: kind by kind, with the programs in their order.
  void sortComparisons() {
    constexpr std::string_view Kinds[] = {"cold_", "new_variant_", "main_cpu_", "main_wall_"};
    std::ranges::stable_sort(m_results.comparisons, {}, [&](const StepComparison &known) {
      return std::ranges::find_if(Kinds, [&](std::string_view kind) { return known.name.starts_with(kind); });
    });
  }

  StepComparison &comparison(const std::string &name, const std::string &peer) {
    for (StepComparison &known : m_results.comparisons)
      if (known.name == name)
        return known;
    return m_results.comparisons.emplace_back(StepComparison{name, peer, {}, {}});
  }

  // Adds the medians of both sides' times; the first round does not count.
  void compare(unsigned round, const std::string &name, const std::string &peer,
               const Result<std::vector<double>> &ours, const Result<std::vector<double>> &theirs) {
    StepComparison &known = comparison(name, peer);
    if (!ours && round == 0)
      note(name, ours.error());
    if (!theirs && round == 0)
      note(fmt::format("{}, {}", name, peer), theirs.error());
    if (round == 0)
      return;
    if (ours && !ours->empty())
      known.ours.push_back(median(*ours));
    if (theirs && !theirs->empty())
      known.theirs.push_back(median(*theirs));
  }

  // Empty without a peer.
  static Result<std::vector<double>> askIf(RadvPeer *peer, RadvQuestion question, size_t program, uint32_t argument) {
    return peer ? peer->ask(question, program, argument) : std::vector<double>();
  }

  void compareColdParts(OwnFigures &own, unsigned round) {
    const PipelineState &base = m_cold.grid.states.front();
    const unsigned count = options().coldStates;
    compare(round, "cold_vertex_prolog", "RADV, dynamic vertex input",
            own.coldPrologs(m_cold, coldVertexInputs(base, count)),
            askIf(m_aco.get(), RadvQuestion::ColdPrologs, 0, count));
    compare(round, "cold_epilog_1", "RADV, fragment output library",
            own.coldEpilogs(m_cold, coldColors(base, 1, count)),
            askIf(m_aco.get(), RadvQuestion::ColdEpilogs1, 0, count));
    compare(round, "cold_epilog_4", "RADV, fragment output library",
            own.coldEpilogs(m_cold, coldColors(base, 4, count)),
            askIf(m_aco.get(), RadvQuestion::ColdEpilogs4, 0, count));
  }

  Result<void> timeTrivialPart(OwnFigures &own, unsigned round) {
    const std::vector<double> times = DOVETAIL_TRY(own.trivialParts(options().runs));
    if (round > 0)
      m_results.trivialPart.push_back(median(times));
    return {};
  }

  void comparePrograms(OwnFigures &own, size_t number, unsigned round) {
    const BenchProgram &program = m_programs[number];
    if (program.isPair())
      compare(round, "new_variant_" + program.name, "RADV, fast link", own.newVariants(program),
              askIf(m_aco.get(), RadvQuestion::NewVariants, number, 0));
    Result<MainTimes> ours = own.mainParts(program, options().runs);
    Result<std::vector<double>> both = askIf(m_llvm.get(), RadvQuestion::Mains, number, options().runs);
    // The first half is CPU times, the second half wall times.
    auto half = [&](bool isSecond) {
      return both.map([&](const std::vector<double> &times) {
        const auto middle = times.begin() + ptrdiff_t(times.size() / 2);
        return isSecond ? std::vector<double>(middle, times.end()) : std::vector<double>(times.begin(), middle);
      });
    };
    compare(round, "main_cpu_" + program.name, "RADV with LLVM, CPU time",
            ours.map([](const MainTimes &times) { return times.cpu; }), half(false));
    compare(round, "main_wall_" + program.name, "RADV with LLVM, wall time",
            ours.map([](const MainTimes &times) { return times.wall; }), half(true));
  }

  const Progress &m_progress;
  BenchResults m_results;
  std::vector<BenchProgram> m_programs;
  BenchProgram m_cold;
  std::map<std::pair<size_t, Way>, double> m_codeBytes;
  BenchFolder m_folder;
  std::unique_ptr<RadvPeer> m_aco, m_llvm, m_cached; // m_cached: with a disk cache
};

} // namespace

std::vector<double> StepComparison::ratios() const {
  std::vector<double> ratios;
  for (size_t round = 0; round < std::min(ours.size(), theirs.size()); ++round)
    ratios.push_back(ours[round] / theirs[round]);
  return ratios;
}

Result<BenchResults> runBench(const BenchOptions &options, const Progress &progress) {
  Bench bench(options, progress);
  Result<BenchResults> results = bench.run();
  if (results)
    results->machine = machineName();
  return results;
}

} // namespace dovetail
