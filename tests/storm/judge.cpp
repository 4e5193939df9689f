// SPDX-License-Identifier: MIT
#include "tests/storm/judge.h"
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace dovetail::storm {

namespace {

constexpr size_t KeptFindings = 5;

// Counts the checks, and remembers the failures. Thread-safe.
class Tally {
public:
  void look() { ++m_looked; }
  void note(const std::string &finding) {
    std::lock_guard lock(m_mutex);
    if (m_found++ < KeptFindings)
      m_text += "\n    " + finding;
  }
  Verdict verdict(std::string what, std::string_view unit) const {
    return {std::move(what), m_found == 0 && m_looked > 0,
            fmt::format("{} {}, {} wrong{}", m_looked.load(), unit, m_found, m_text)};
  }

private:
  std::atomic<size_t> m_looked = 0;
  std::mutex m_mutex;
  size_t m_found = 0;
  std::string m_text;
};

struct Place {
  size_t program, state;
};

class Judge {
public:
  Judge(const std::vector<ProgramOfStates> &programs, const StormOptions &options, const StormReport &report,
        const JudgeOptions &judgeOptions, std::unique_ptr<Device> fresh)
      : m_programs(programs), m_options(options), m_report(report), m_judgeOptions(judgeOptions),
        m_fresh(std::move(fresh)) {}

  Result<std::vector<Verdict>> run();

private:
  Result<void> judgeJoined();
  Result<void> judgeOptimized();
  void checkAll();
  void draw(Place place, const VariantRef &optimized);
  void judgeCounts();
  void judgeMemory();

  std::string nameOf(Place place) const {
    return fmt::format("{}, state {}", m_programs[place.program].name, place.state);
  }
  const StateRecord &recordOf(Place place) const { return m_report.states[place.program][place.state]; }
  void hold(std::string what, bool holds, std::string details) {
    m_verdicts.push_back({std::move(what), holds, std::move(details)});
  }

  const std::vector<ProgramOfStates> &m_programs;
  const StormOptions &m_options;
  const StormReport &m_report;
  const JudgeOptions &m_judgeOptions;
  const std::unique_ptr<Device> m_fresh;
  std::vector<std::pair<Place, VariantRef>> m_joined;    // fresh ones
  std::vector<std::pair<Place, VariantRef>> m_optimized; // fresh ones, of a sample
  std::vector<Verdict> m_verdicts;
};

// Runs in this thread alone, with a device that has built nothing else.
Result<void> Judge::judgeJoined() {
  Tally bytes, repeated;
  for (size_t program = 0; program < m_programs.size(); ++program)
    for (size_t state = 0; state < m_programs[program].states.size(); ++state) {
      Place place = {program, state};
      VariantRef fresh = DOVETAIL_TRY(m_fresh->bind(m_programs[program].shaders, m_programs[program].states[state]));
      const StateRecord &record = recordOf(place);
      repeated.look();
      if (!record.joined && !record.optimized && record.firstCodeSightings == 0)
        repeated.note(nameOf(place) + " was never bound");
      if (record.differences > 0)
        repeated.note(fmt::format("{}: {} times other bytes", nameOf(place), record.differences));
      if (record.joined) {
        bytes.look();
        if (*record.joined != hashImage(*fresh->image))
          bytes.note(nameOf(place));
      }
      m_joined.emplace_back(place, std::move(fresh));
    }
  m_verdicts.push_back(repeated.verdict("each bind of a state gives the same bytes", "states"));
  m_verdicts.push_back(bytes.verdict("joined variants are those of a quiet device", "variants"));
  return {};
}

Result<void> Judge::judgeOptimized() {
  std::vector<size_t> candidates;
  for (size_t i = 0; i < m_joined.size(); ++i)
    if (recordOf(m_joined[i].first).optimized)
      candidates.push_back(i);
  Tally tally;
  // Chosen evenly over all programs.
  size_t count = std::min(candidates.size(), m_judgeOptions.optimizedBuilds);
  for (size_t i = 0; i < count; ++i) {
    const auto &[place, joined] = m_joined[candidates[i * candidates.size() / count]];
    const ShaderSet &shaders = m_programs[place.program].shaders;
    PipelineState canonical = canonicalize(m_programs[place.program].states[place.state], shaders);
    OptimizedBuild build =
        DOVETAIL_TRY(buildOptimizedVariant(m_fresh->partMaker(), makeOptimizedKey(shaders, canonical, nullptr), shaders,
                                           canonical, nullptr, *joined, [] { return false; }));
    tally.look();
    if (!build.variant)
      tally.note(fmt::format("{}: rejected when built anew: {}", nameOf(place), build.rejection));
    else if (*recordOf(place).optimized != hashImage(*build.variant->image))
      tally.note(nameOf(place));
    if (build.variant)
      m_optimized.emplace_back(place, std::move(build.variant));
  }
  m_verdicts.push_back(tally.verdict("optimised variants are those of a quiet device",
                                     fmt::format("of {} variants", candidates.size())));
  return {};
}

void Judge::checkAll() {
  Tally sound;
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < m_joined.size() + m_optimized.size(); i = next++) {
      const auto &[place, variant] = i < m_joined.size() ? m_joined[i] : m_optimized[i - m_joined.size()];
      sound.look();
      if (std::vector<Defect> defects = findImageDefects(*variant->image); !defects.empty())
        sound.note(nameOf(place) + ": " + toString(defects.front()));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < m_judgeOptions.threads; ++i)
      threads.emplace_back(work);
  }
  m_verdicts.push_back(sound.verdict("images pass the checker", "images"));
}

// Compares the picture of an optimised variant with that of the joined one. Returns the difference, or an empty text.
Result<std::string> compareDrawings(const ProgramOfStates &program, const PipelineState &state, const Variant &joined,
                                    const Variant &optimized) {
  constexpr uint32_t Size = 16;
  Scene scene = DOVETAIL_TRY(makeScene(program.shaders, state, {1, Size, Size}));
  SceneResult first = DOVETAIL_TRY(emulate(scene, program.shaders, *joined.image));
  SceneResult second = DOVETAIL_TRY(emulate(scene, program.shaders, *optimized.image));
  Comparison comparison = compare(scene, second, first, monolithicTolerance());
  if (comparison.matches)
    return std::string();
  // A difference is no defect if the shader is discontinuous there.
  constexpr unsigned VariationCount = 8;
  std::vector<SceneResult> variations;
  for (unsigned seed = 1; seed <= VariationCount; ++seed)
    variations.push_back(
        DOVETAIL_TRY(emulate(scene, program.shaders, *optimized.image, nullptr, {.roundingNoise = seed})));
  comparison = compare(scene, second, first, monolithicTolerance(), {.noise = variations});
  return comparison.matches ? std::string() : comparison.text;
}

void Judge::judgeCounts() {
  const DeviceStatistics &now = m_report.statistics;
  const OptimizationQueueStatistics &background = now.background;
  hold("binds succeed", m_report.errorCount == 0,
       fmt::format(
           "{} of {} failed{}{}", m_report.errorCount, now.binds,
           m_report.errors.empty() ? "" : ", for example: ", m_report.errors.empty() ? "" : m_report.errors.front()));
  hold("the background's numbers add up",
       background.waiting == 0 && background.running == 0 &&
           background.queued == background.finished + background.failed + background.cancelled,
       fmt::format("{} queued = {} finished + {} failed + {} cancelled; {} refused", background.queued,
                   background.finished, background.failed, background.cancelled, background.refused));
  hold("no build fails", background.failed == 0 && now.failedBuilds == 0 && m_report.warnings.empty(),
       fmt::format("{} warnings{}{}", m_report.warnings.size(), m_report.warnings.empty() ? "" : ": ",
                   m_report.warnings.empty() ? "" : m_report.warnings.front()));
  hold("publications are numbered from 1 on",
       m_report.publications > 0 && m_report.misnumbered == 0 && m_report.publications == now.generation,
       fmt::format("{} announced, generation {}", m_report.publications, now.generation));
  hold("first code is changed over", now.firstCode.made > 0 && now.changedOverVariants > 0,
       fmt::format("{} parts, {} refused; {} variants changed over", now.firstCode.made, now.firstCode.refused,
                   now.changedOverVariants));
}

// Each thread may hold the variant that it has just made and the one that it has bound.
void Judge::judgeMemory() {
  unsigned threads = m_options.threads + m_options.background.threads;
  uint64_t allowance = uint64_t(threads) * 2 * m_report.largestVariantBytes;
  hold("memory stays within its budget", m_report.peakBytes <= m_options.memoryBudget + allowance,
       fmt::format("peak {} KB of {} KB + {} KB for what {} threads hold; {} variants and {} parts evicted",
                   m_report.peakBytes >> 10, m_options.memoryBudget >> 10, allowance >> 10, threads,
                   m_report.statistics.evictedVariants, m_report.statistics.evictedParts));
  hold("memory was short", m_report.statistics.evictedVariants > 0, "otherwise the budget was not tried");
}

Result<std::vector<Verdict>> Judge::run() {
  judgeCounts();
  judgeMemory();
  DOVETAIL_CHECK(judgeJoined());
  DOVETAIL_CHECK(judgeOptimized());
  checkAll();

  Tally pictures;
  size_t count = std::min(m_optimized.size(), m_judgeOptions.drawings);
  for (size_t i = 0; i < count; ++i) {
    const auto &[place, optimized] = m_optimized[i * m_optimized.size() / count];
    const ProgramOfStates &program = m_programs[place.program];
    auto joined = std::ranges::find_if(m_joined, [&, program = place.program, state = place.state](const auto &entry) {
      return entry.first.program == program && entry.first.state == state;
    });
    std::string difference =
        DOVETAIL_TRY(compareDrawings(program, program.states[place.state], *joined->second, *optimized));
    pictures.look();
    if (!difference.empty())
      pictures.note(nameOf(place) + ": " + difference);
  }
  m_verdicts.push_back(pictures.verdict("optimised variants draw what joined ones draw", "pictures"));
  return std::move(m_verdicts);
}

} // namespace

Result<std::vector<Verdict>> judge(const std::vector<ProgramOfStates> &programs, const StormOptions &options,
                                   const StormReport &report, const JudgeOptions &judgeOptions) {
  std::unique_ptr<Device> fresh = DOVETAIL_TRY(Device::create(options.gpuName));
  return Judge(programs, options, report, judgeOptions, std::move(fresh)).run();
}

} // namespace dovetail::storm
