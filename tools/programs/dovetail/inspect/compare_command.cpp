// SPDX-License-Identifier: MIT
//
// `dovetail compare` compares two runs of `dovetail inspect --json` or `dovetail corpus --json`, like shader-db's
// report: sums, the programs that became better or worse, and by how much.
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/pipelines/report.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/inspect/inspected_json.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>

namespace dovetail {

namespace {

struct CompareOptions {
  std::string before, after;
  size_t limit = 5;
};

// A program that both runs have.
struct Pair {
  std::string name; // of the pipeline and the stage
  const ProgramRow *before, *after;
};

std::string percent(double before, double after) {
  return before == 0 ? (after == 0 ? "" : "new") : fmt::format("{:+.2f} %", (after / before - 1) * 100);
}

class ListComparison {
public:
  ListComparison(const InspectedList &before, const InspectedList &after) {
    std::map<std::string_view, const InspectedPipeline *> old;
    for (const InspectedPipeline &pipeline : before.pipelines)
      old[pipeline.name] = &pipeline;
    for (const InspectedPipeline &pipeline : after.pipelines) {
      const auto known = old.find(pipeline.name);
      if (known == old.end()) {
        ++m_onlyAfter;
        continue;
      }
      add(*known->second, pipeline);
      old.erase(known);
    }
    m_onlyBefore = old.size();
  }

  std::string print(size_t limit) const {
    std::vector<std::vector<std::string>> rows = {{"", "before", "after", "", "better", "worse", "equal"}};
    std::string extremes;
    for (const ProgramFigure &figure : ProgramFigures) {
      if (isMissingSomewhere(figure))
        continue;
      uint64_t before = 0, after = 0;
      std::vector<const Pair *> better, worse;
      for (const Pair &pair : m_pairs) {
        before += pair.before->*figure.value;
        after += pair.after->*figure.value;
        if (gain(figure, pair) != 0)
          (gain(figure, pair) > 0 ? better : worse).push_back(&pair);
      }
      rows.push_back({figure.title, std::to_string(before), std::to_string(after),
                      percent(double(before), double(after)), std::to_string(better.size()),
                      std::to_string(worse.size()), std::to_string(m_pairs.size() - better.size() - worse.size())});
      extremes += printExtremes(figure, "better", better, limit) + printExtremes(figure, "worse", worse, limit);
    }
    std::string unmatched;
    if (m_programsOnlyBefore + m_programsOnlyAfter != 0)
      unmatched = fmt::format("of pipelines in both: {} programs only before, {} only after\n", m_programsOnlyBefore,
                              m_programsOnlyAfter);
    return printTable(rows) + extremes + m_lost + m_gained + unmatched +
           fmt::format("{} programs, {} pipelines only before, {} only after\n", m_pairs.size(), m_onlyBefore,
                       m_onlyAfter);
  }

private:
  bool isMissingSomewhere(const ProgramFigure &figure) const {
    return std::ranges::any_of(
        m_pairs, [&](const Pair &pair) { return isMissing(*pair.before, figure) || isMissing(*pair.after, figure); });
  }

  void add(const InspectedPipeline &before, const InspectedPipeline &after) {
    if (!before.programs.empty() && after.programs.empty())
      m_lost += fmt::format("lost: {}: {}\n", after.name, after.failure);
    if (before.programs.empty() && !after.programs.empty())
      m_gained += fmt::format("gained: {}\n", after.name);
    if (before.programs.empty() || after.programs.empty())
      return;
    size_t matched = 0;
    for (const ProgramRow &row : after.programs)
      if (const auto known = std::ranges::find(before.programs, row.stage, &ProgramRow::stage);
          known != before.programs.end()) {
        m_pairs.push_back({fmt::format("{} {}", after.name, row.stage), &*known, &row});
        ++matched;
      }
    m_programsOnlyBefore += before.programs.size() - matched;
    m_programsOnlyAfter += after.programs.size() - matched;
  }

  // Greater than 0: better.
  static double gain(const ProgramFigure &figure, const Pair &pair) {
    const double change = double(pair.before->*figure.value) - double(pair.after->*figure.value);
    return figure.moreIsBetter ? -change : change;
  }

  static std::string printExtremes(const ProgramFigure &figure, std::string_view word, std::vector<const Pair *> pairs,
                                   size_t limit) {
    if (pairs.empty() || limit == 0)
      return "";
    std::ranges::stable_sort(pairs, std::greater(), [&](const Pair *pair) { return std::abs(gain(figure, *pair)); });
    std::string text = fmt::format("{}, {}:\n", figure.title, word);
    for (const Pair *pair : std::span(pairs).first(std::min(limit, pairs.size())))
      text += fmt::format("  {}: {} to {} ({})\n", pair->name, pair->before->*figure.value, pair->after->*figure.value,
                          percent(pair->before->*figure.value, pair->after->*figure.value));
    if (pairs.size() > limit)
      text += fmt::format("  and {} more\n", pairs.size() - limit);
    return text;
  }

  std::vector<Pair> m_pairs;
  std::string m_lost, m_gained;                             // pipelines that only compiled before, or only compile now
  size_t m_onlyBefore = 0, m_onlyAfter = 0;                 // pipelines
  size_t m_programsOnlyBefore = 0, m_programsOnlyAfter = 0; // of pipelines in both runs
};

Result<int> runCompare(const CompareOptions &options) {
  const InspectedList before = DOVETAIL_TRY(readInspected(options.before)),
                      after = DOVETAIL_TRY(readInspected(options.after));
  if (before.gpu != after.gpu)
    return makeError(ErrorCode::InvalidInput, "{} is of {}, and {} of {}", options.before, before.gpu, options.after,
                     after.gpu);
  print(ListComparison(before, after).print(options.limit));
  return 0;
}

} // namespace

void addCompareCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App *command = app.add_subcommand(
      "compare", "List what became better and worse from one inspect --json or corpus --json to another");
  command
      ->add_option("BEFORE", options->before,
                   "what dovetail inspect --json or corpus --json has written; -: the standard input")
      ->required()
      ->check(notEmpty());
  command->add_option("AFTER", options->after, "the same of another build, or with other options")
      ->required()
      ->check(notEmpty());
  command->add_option("--limit", options->limit, "programs of each kind that are named")
      ->check(CLI::Range(0u, 1000000u))
      ->capture_default_str();
  command->callback([&chosen, options] { chosen = [options] { return runCompare(*options); }; });
}

} // namespace dovetail
