// SPDX-License-Identifier: MIT
//
// `dovetail corpus --draw` makes every draw of a corpus's shaders, in worker processes that have a lavapipe each.
#include "tools/common/command/output.h"
#include "tools/common/command/part_way.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/vulkan_names.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include "tools/proof/reference/kept_pictures.h"
#include "tools/proof/reference/reference.h"
#include <map>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

// One kept draw of 32x32 pixels takes 10 to 20 KB.
constexpr uint64_t MostBytesOfPictures = 1ull << 30;

class DrawSummary {
public:
  void add(const std::vector<DrawOutcome> &outcomes) {
    m_outcomes.insert(m_outcomes.end(), outcomes.begin(), outcomes.end());
  }

  // Replaces an outcome that addLost() has added.
  void replaceLost(size_t number, DrawOutcome outcome) { m_outcomes[m_lost[number]] = std::move(outcome); }
  // Adds the outcome of a unit whose worker was lost.
  void addLost(DrawOutcome outcome) {
    m_lost.push_back(m_outcomes.size());
    m_outcomes.push_back(std::move(outcome));
  }

  size_t count(DrawOutcome::Status status) const {
    return std::ranges::count(m_outcomes, status, &DrawOutcome::status);
  }
  // The draws that lavapipe drew.
  size_t drawnCount() const { return count(DrawOutcome::Status::Match) + count(DrawOutcome::Status::Differ); }

  std::string closingLine() const {
    return fmt::format("{} match, {} differ, {} not drawn", count(DrawOutcome::Status::Match),
                       count(DrawOutcome::Status::Differ), count(DrawOutcome::Status::NotDrawn));
  }

  std::string print(DrawOutcome::Status status) const {
    std::string text;
    for (const DrawOutcome &outcome : m_outcomes)
      if (outcome.status == status)
        text += fmt::format("{}: {}: {}\n    {}\n{}", toString(status), outcome.name, outcome.reason, outcome.replay,
                            printOpinion(outcome));
    return text;
  }

  // Says how much the matches prove.
  std::string printWorth() const {
    size_t same = std::ranges::count_if(m_outcomes, &DrawOutcome::isSameAsMonolithic);
    std::string text = fmt::format("{} are the same bit for bit, joined and monolithic\n", same);
    if (std::ranges::any_of(m_outcomes, [](const DrawOutcome &outcome) { return outcome.gain.has_value(); }))
      text += printOptimized();
    text += printFirstCode() + printModes() + printLeaning() + printOpinions() + printNotDrawn();
    for (const DrawOutcome &outcome : m_outcomes)
      if (outcome.status == DrawOutcome::Status::Match && outcome.isTwin)
        text += fmt::format("match as a softened twin: {}\n    {}\n", outcome.name, outcome.replay);
    for (const DrawOutcome &outcome : m_outcomes)
      if (outcome.showsNothing)
        text += fmt::format("shows nothing: {}\n    {}\n", outcome.name, outcome.replay);
    return text;
  }

  std::string printJson(const CorpusOptions &options) const {
    nlohmann::ordered_json root = {{"gpu", options.gpu},
                                   {"seed", options.seed},
                                   {"match", count(DrawOutcome::Status::Match)},
                                   {"differ", count(DrawOutcome::Status::Differ)},
                                   {"notDrawn", count(DrawOutcome::Status::NotDrawn)},
                                   {"draws", nlohmann::json::array()}};
    for (const DrawOutcome &outcome : m_outcomes)
      root["draws"].push_back(
          {{"name", outcome.name},
           {"status", std::string(toString(outcome.status))},
           {"class", outcome.status == DrawOutcome::Status::NotDrawn ? toString(outcome.notDrawn) : ""},
           {"reason", outcome.reason},
           {"replay", outcome.replay},
           {"isSameAsMonolithic", outcome.isSameAsMonolithic},
           {"showsNothing", outcome.showsNothing},
           {"instructions", outcome.instructions},
           {"unstable", outcome.unstable},
           {"undefined", outcome.undefined},
           {"unstableFrom", outcome.unstableFrom},
           {"isTwin", outcome.isTwin},
           {"isSameAsFirstCode", outcome.isSameAsFirstCode},
           {"firstCodeMainParts", outcome.firstCode ? outcome.firstCode->made : 0},
           {"radv", toString(outcome.radv)}});
    return root.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  }

private:
  // Counts the matches in which texels are excused.
  std::string printLeaning() const {
    constexpr double Much = 0.1;
    size_t leaning = 0, leaningMuch = 0;
    std::map<std::string, size_t> kinds;
    for (const DrawOutcome &outcome : m_outcomes) {
      const double excused = outcome.unstable + outcome.undefined;
      leaning += outcome.status == DrawOutcome::Status::Match && excused > 0;
      leaningMuch += outcome.status == DrawOutcome::Status::Match && excused > Much;
      if (outcome.status == DrawOutcome::Status::Match)
        for (const std::string &kind : outcome.unstableFrom)
          ++kinds[kind];
    }
    std::string text =
        fmt::format("{} matches lean on unstable or undefined texels, {} of them on more than a tenth of a picture\n",
                    leaning, leaningMuch);
    for (const auto &[kind, matches] : kinds)
      text += fmt::format("  unstable, {}: {} matches\n", kind, matches);
    return text;
  }

  static std::string printOpinion(const DrawOutcome &outcome) {
    if (outcome.radv == RadvVerdict::NotAsked)
      return "";
    return fmt::format("    RADV {}{}{}\n", toString(outcome.radv), outcome.radvReason.empty() ? "" : ": ",
                       outcome.radvReason);
  }

  // RADV's verdicts on draws that differ, on matches with excused texels, and on draws that lavapipe refuses.
  std::string printOpinions() const {
    std::string text;
    for (DrawOutcome::Status status :
         {DrawOutcome::Status::Differ, DrawOutcome::Status::Match, DrawOutcome::Status::NotDrawn}) {
      std::array<size_t, RadvVerdictCount> counts = {};
      size_t asked = 0;
      for (const DrawOutcome &outcome : m_outcomes)
        if (outcome.status == status && outcome.radv != RadvVerdict::NotAsked) {
          ++counts[unsigned(outcome.radv)];
          ++asked;
        }
      if (asked == 0)
        continue;
      text += fmt::format("RADV about {} ({}):", asked, toString(status));
      for (unsigned verdict = 1; verdict < RadvVerdictCount; ++verdict)
        text += fmt::format("{} {} {}", verdict == 1 ? "" : ",", toString(RadvVerdict(verdict)), counts[verdict]);
      text += "\n";
    }
    return text;
  }

  std::string printNotDrawn() const {
    std::array<size_t, NotDrawnClassCount> counts = {};
    for (const DrawOutcome &outcome : m_outcomes)
      if (outcome.status == DrawOutcome::Status::NotDrawn)
        ++counts[unsigned(outcome.notDrawn)];
    std::string text;
    for (unsigned each = 0; each < NotDrawnClassCount; ++each)
      if (counts[each] > 0)
        text += fmt::format("not drawn, {}: {}\n", toString(NotDrawnClass(each)), counts[each]);
    return text;
  }

  std::string printOptimized() const {
    std::vector<CodeGain> gains;
    size_t same = 0, within = 0;
    std::string like;
    for (const DrawOutcome &outcome : m_outcomes) {
      if (!outcome.gain)
        continue;
      gains.push_back(*outcome.gain);
      if (outcome.isSameAsOptimized)
        ++same;
      else if (outcome.isOptimizedLikeReference)
        like += fmt::format("as lavapipe only: {}\n    {}\n", outcome.name, outcome.replay);
      else
        ++within;
    }
    return fmt::format("{}{}{} are the same bit for bit, joined and optimised, {} more as far as rounding goes\n",
                       printGains(gains), like, same, within);
  }

  std::string printFirstCode() const {
    FirstCodeCounts sum;
    size_t drawn = 0, same = 0;
    std::string text;
    for (const DrawOutcome &outcome : m_outcomes) {
      if (!outcome.firstCode)
        continue;
      ++drawn;
      sum += *outcome.firstCode;
      same += outcome.isSameAsFirstCode;
      if (!outcome.firstCodeDifference.empty())
        text += fmt::format("first code as far as rounding goes: {}: {}\n    {}\n", outcome.name,
                            outcome.firstCodeDifference, outcome.replay);
    }
    if (drawn == 0)
      return "";
    return fmt::format("{}{}{} of {} draws are the same bit for bit, joined of LLVM's code and of first code\n", text,
                       dovetail::printFirstCode(sum), same, drawn);
  }

  std::string printModes() const {
    std::string text;
    for (unsigned each = 0; each < PipelineModeCount; ++each) {
      const auto mode = PipelineMode(each);
      size_t count = 0, sameFile = 0, sameDraw = 0, refused = 0;
      std::string refusals;
      for (const DrawOutcome &outcome : m_outcomes) {
        auto found = std::ranges::find(outcome.modes, mode, &ModeOutcome::mode);
        if (found == outcome.modes.end())
          continue;
        ++count;
        sameFile += found->isSameFile;
        sameDraw += found->isSameDraw;
        if (!found->refusal.empty()) {
          ++refused;
          refusals += fmt::format("{} not linked: {}: {}\n", toString(mode), outcome.name, found->refusal);
        }
      }
      if (count > 0)
        text += fmt::format("{}{}: {} drawn from files, {} the same bit for bit as joined, {} of the same file; {} not "
                            "linked but compiled as a whole\n",
                            refusals, toString(mode), count, sameDraw, sameFile, refused);
    }
    return text;
  }

  std::vector<DrawOutcome> m_outcomes;
  std::vector<size_t> m_lost; // indices in m_outcomes
};

Result<DrawCorpusOptions> readOptions(const CorpusOptions &options) {
  DrawCorpusOptions read = {options.gpu,          options.seed,      options.size, VK_FORMAT_UNDEFINED,
                            options.defaultState, options.optimized, options.read, options.parts};
  read.modes = modesOf(options.modes);
  read.firstCode = options.firstCode;
  read.radv = options.radv;
  if (options.colorFormat.empty())
    return read;
  std::optional<VkFormat> format = parseVulkanName<VkFormat>(options.colorFormat);
  if (!format)
    return makeError(ErrorCode::InvalidInput, "unknown format \"{}\"", options.colorFormat);
  read.floatColorFormat = *format;
  return read;
}

} // namespace

Result<int> drawCorpus(const CorpusOptions &options, const std::vector<CorpusUnit> &units) {
  DrawCorpusOptions drawOptions = DOVETAIL_TRY(readOptions(options));
  DOVETAIL_CHECK(checkReference());
  reference::keepPicturesInUsersCache(MostBytesOfPictures);
  std::unique_ptr<Device> device; // each worker's own
  auto work = [&](size_t index) {
    if (!device) {
      Result<std::unique_ptr<Device>> created = Device::create(options.gpu);
      if (!created)
        return printDrawOutcomes({lostUnit(units[index], created.error().text, drawOptions)});
      device = std::move(*created);
      usePartWay(*device, options.parts);
    }
    return printDrawOutcomes(drawUnit(*device, units[index], drawOptions));
  };

  DrawSummary summary;
  std::vector<size_t> lost;
  Progress progress(units.size(), "units");
  auto done = [&](size_t index, const WorkerReply &reply) {
    Result<std::vector<DrawOutcome>> outcomes =
        reply.status == WorkerReply::Status::Finished ? parseDrawOutcomes(reply.text) : std::vector<DrawOutcome>();
    if (outcomes && reply.status == WorkerReply::Status::Finished) {
      summary.add(*outcomes);
    } else {
      summary.addLost(lostUnit(units[index], reply.text, drawOptions));
      lost.push_back(index);
    }
    progress.add([&] { return summary.closingLine(); },
                 unitsUntilLimit(units.size(), progress.done() + 1, options.limit,
                                 options.limit == 0 ? 0 : summary.drawnCount()));
    return options.limit == 0 || summary.drawnCount() < options.limit;
  };
  const int signal = runInWorkers(units.size(), options.pool, work, done);

  // A unit that was lost during reading was never drawn.
  auto read = [&](size_t number) { return std::string(canBeRead(units[lost[number]], drawOptions) ? "yes" : "no"); };
  auto wasRead = [&](size_t number, const WorkerReply &reply) {
    if (reply.status != WorkerReply::Status::Finished)
      summary.replaceLost(number, unreadUnit(units[lost[number]], reply.text, drawOptions));
    return true;
  };
  const int readerSignal = signal == 0 ? runInWorkers(lost.size(), options.pool, read, wasRead) : 0;

  if (!options.jsonFile.empty())
    DOVETAIL_CHECK(writeOutput(options.jsonFile, summary.printJson(options)));
  print(summary.print(DrawOutcome::Status::NotDrawn) + summary.print(DrawOutcome::Status::Differ) +
        summary.printWorth() + summary.closingLine() + "\n");
  return corpusStatus(signal != 0 ? signal : readerSignal, summary.count(DrawOutcome::Status::Differ) > 0);
}

} // namespace dovetail
