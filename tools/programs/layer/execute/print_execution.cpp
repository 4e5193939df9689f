// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/print_execution.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace dovetail::layer {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const ExecutionCounts &counts) {
  return {{"executed", counts.executed()},  {"matched", counts.matched}, {"explained", counts.explained},
          {"differed", counts.differed},    {"trapped", counts.trapped}, {"notChosen", counts.notChosen},
          {"refused", counts.allRefused()}, {"refusals", counts.refused}};
}

// Reasons of refusals, the most frequent first.
std::vector<std::pair<std::string, uint64_t>> reasonsOf(const ExecutionCounts &counts) {
  std::vector<std::pair<std::string, uint64_t>> reasons(counts.refused.begin(), counts.refused.end());
  std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::string, uint64_t>::second);
  return reasons;
}

// Pipelines, those with the most misses first, then those with the most refusals.
std::vector<const std::pair<const std::string, ExecutionCounts> *> pipelinesOf(const ExecutionTotals &totals) {
  std::vector<const std::pair<const std::string, ExecutionCounts> *> pipelines;
  for (const auto &pipeline : totals.byPipeline)
    pipelines.push_back(&pipeline);
  std::ranges::stable_sort(pipelines, std::greater(), [](const auto *pipeline) {
    const ExecutionCounts &counts = pipeline->second;
    return std::tuple(counts.differed + counts.trapped, counts.allRefused(), counts.executed());
  });
  return pipelines;
}

double perSecond(const ExecutionTotals &totals) {
  return totals.seconds > 0 ? double(totals.instructions) / totals.seconds : 0;
}

} // namespace

void printExecution(const ExecutionTotals &totals, fmt::memory_buffer &text) {
  const auto line = [&]<typename... Args>(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text.push_back('\n');
  };
  const ExecutionCounts &all = totals.all;
  line("  executed: {} draws and dispatches: {} match, {} are explained, {} differ, {} trap; {} refused, {} not chosen",
       all.executed(), all.matched, all.explained, all.differed, all.trapped, all.allRefused(), all.notChosen);
  line("    {} waves, {} instructions of waves, {:.2f} million a second", totals.waves, totals.instructions,
       perSecond(totals) / 1e6);
  for (const auto &[reason, count] : reasonsOf(all))
    line("    refused: {} times {}", count, reason);
  for (const Miss &miss : totals.misses)
    line("    differs: {} [{}]", miss.scene.empty() ? "(not kept)" : miss.scene, miss.pipeline);
}

Json executionJson(const ExecutionTotals &totals) {
  Json json = toJson(totals.all);
  json["waves"] = totals.waves;
  json["instructions"] = totals.instructions;
  json["instructionsPerSecond"] = perSecond(totals);
  json["pipelines"] = Json::array();
  for (const auto *pipeline : pipelinesOf(totals)) {
    Json row = {{"shaders", pipeline->first}};
    row.update(toJson(pipeline->second));
    json["pipelines"].push_back(row);
  }
  json["misses"] = Json::array();
  for (const Miss &miss : totals.misses)
    json["misses"].push_back(
        {{"shaders", miss.pipeline}, {"text", miss.text}, {"scene", miss.scene}, {"picture", miss.picture}});
  return json;
}

void addExecution(const ExecutionTotals &totals, report::Page &page) {
  const auto count = [](uint64_t number) { return report::format(double(number), report::Unit::Plain); };
  const ExecutionCounts &all = totals.all;
  page.section("Executed draws");
  page.paragraph(
      fmt::format("The emulator executed {} draws and dispatches with the application's own data, and "
                  "compared each result with the driver's: {} match, {} are explained by rounding or "
                  "undefined values, {} differ, and {} stop at a defect of the code. {} were refused, and {} "
                  "were not chosen.",
                  count(all.executed()), count(all.matched), count(all.explained), count(all.differed),
                  count(all.trapped), count(all.allRefused()), count(all.notChosen)));
  std::vector<std::vector<std::string>> rows = {{"refused because of", "draws"}};
  for (const auto &[reason, number] : reasonsOf(all))
    rows.push_back({reason, count(number)});
  if (rows.size() > 1)
    page.table(rows);
  constexpr size_t Shown = 50;
  rows = {{"shaders", "executed", "match", "explained", "differ", "trap", "refused", "not chosen"}};
  for (const auto *pipeline : pipelinesOf(totals)) {
    const ExecutionCounts &counts = pipeline->second;
    if (rows.size() <= Shown)
      rows.push_back({pipeline->first, count(counts.executed()), count(counts.matched), count(counts.explained),
                      count(counts.differed), count(counts.trapped), count(counts.allRefused()),
                      count(counts.notChosen)});
  }
  page.table(rows);
  for (const Miss &miss : totals.misses)
    if (!miss.png.empty())
      page.image(miss.png, fmt::format("{}: the emulator's picture, the driver's, and their difference. {}",
                                       miss.pipeline, miss.scene));
}

} // namespace dovetail::layer
