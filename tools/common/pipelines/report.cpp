// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/report.h"
#include "src/base/compile_phases.h"
#include "variants/inspect/code_cost.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace dovetail {

namespace {

std::string wavesOf(const TargetInfo &target, const Usage &usage) {
  return std::to_string(wavesPerSimd(target, usage.sgprs, usage.vgprs));
}

} // namespace

std::string tierOf(const Part &part) {
  return roleOf(part.key.kind) == PartRole::Main ? std::string(toString(part.tier)) : "";
}

std::string printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column)
      line += column == 0 ? fmt::format("{:<{}}", row[column], widths[column])
                          : fmt::format("  {:>{}}", row[column], widths[column]);
    while (line.ends_with(' '))
      line.pop_back();
    text += line + "\n";
  }
  return text;
}

Result<std::string> printStatisticsJson(const Variant &variant, const TargetInfo &target) {
  const Image &image = *variant.image;
  const std::vector<CodeCost> partCosts = DOVETAIL_TRY(costsOfParts(image)),
                              programCosts = DOVETAIL_TRY(costsOfPrograms(image));
  auto usageOf = [&](const Usage &usage) {
    return nlohmann::ordered_json{{"sgprs", usage.sgprs},
                                  {"vgprs", usage.vgprs},
                                  {"waves", wavesPerSimd(target, usage.sgprs, usage.vgprs)},
                                  {"scratchBytes", usage.scratchBytes},
                                  {"ldsBytes", usage.ldsBytes},
                                  {"spilledSgprs", usage.spilledSgprs},
                                  {"spilledVgprs", usage.spilledVgprs}};
  };
  nlohmann::ordered_json root = {{"gpu", image.gpuName}, {"parts", nlohmann::json::array()}};
  const std::vector<PartUse> uses = variant.partUses();
  for (size_t index = 0; index < uses.size(); ++index) {
    const PartUse &use = uses[index];
    nlohmann::ordered_json row = {{"name", partSymbol(image, image.parts[index])},
                                  {"bytes", use.part->code.size()},
                                  {"instructions", use.part->instructionCount},
                                  {"cycles", partCosts[index].cycles}};
    row.update(usageOf(use.part->usage));
    row.update(
        {{"from", use.made ? "made" : "found"}, {"tier", tierOf(*use.part)}, {"microseconds", use.microseconds}});
    root["parts"].push_back(std::move(row));
  }
  for (size_t index = 0; index < image.stages.size(); ++index) {
    const ImageStage &stage = image.stages[index];
    nlohmann::ordered_json row = {{"name", std::string(toString(stage.stage))},
                                  {"bytes", stage.size},
                                  {"instructions", programCosts[index].instructions},
                                  {"cycles", programCosts[index].cycles}};
    row.update(usageOf(stage.usage));
    root["programs"].push_back(std::move(row));
  }
  const PhaseTimes times = compilePhaseTimes();
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    root["phases"][std::string(toString(CompilePhase(phase)))] = times[phase];
  root["image"] = {{"bytes", image.code.size()}, {"joinMicroseconds", variant.joinMicroseconds}};
  return root.dump(1) + "\n";
}

std::string printPhases() {
  const PhaseTimes times = compilePhaseTimes();
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  std::vector<std::vector<std::string>> rows = {{"phase", "us", "%"}};
  auto add = [&](std::string_view name, double time) {
    rows.push_back({std::string(name), fmt::format("{:.1f}", time), fmt::format("{:.1f}", sum ? time / sum * 100 : 0)});
  };
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    add(toString(CompilePhase(phase)), times[phase]);
  add("all", sum);
  return printTable(rows);
}

Result<std::string> printStatistics(const Variant &variant, const TargetInfo &target) {
  const Image &image = *variant.image;
  const std::vector<CodeCost> partCosts = DOVETAIL_TRY(costsOfParts(image)),
                              programCosts = DOVETAIL_TRY(costsOfPrograms(image));
  std::vector<std::vector<std::string>> rows = {
      {"part", "bytes", "instructions", "cycles", "sgprs", "vgprs", "waves", "scratch", "lds", "from", "tier", "us"}};
  const std::vector<PartUse> uses = variant.partUses();
  for (size_t index = 0; index < uses.size(); ++index) {
    const PartUse &use = uses[index];
    const Part &part = *use.part;
    rows.push_back({partSymbol(image, image.parts[index]), std::to_string(part.code.size()),
                    std::to_string(part.instructionCount), std::to_string(partCosts[index].cycles),
                    std::to_string(part.usage.sgprs), std::to_string(part.usage.vgprs), wavesOf(target, part.usage),
                    std::to_string(part.usage.scratchBytes), std::to_string(part.usage.ldsBytes),
                    use.made ? "made" : "found", tierOf(part), fmt::format("{:.1f}", use.microseconds)});
  }
  for (size_t index = 0; index < image.stages.size(); ++index) {
    const ImageStage &stage = image.stages[index];
    rows.push_back({fmt::format("{} joined", toString(stage.stage)), std::to_string(stage.size),
                    std::to_string(programCosts[index].instructions), std::to_string(programCosts[index].cycles),
                    std::to_string(stage.usage.sgprs), std::to_string(stage.usage.vgprs), wavesOf(target, stage.usage),
                    std::to_string(stage.usage.scratchBytes), std::to_string(stage.usage.ldsBytes), "", "", ""});
  }
  rows.push_back({"image", std::to_string(image.code.size()), "", "", "", "", "", "", "", "joined", "",
                  fmt::format("{:.1f}", variant.joinMicroseconds)});
  return printTable(rows) + "\n" + printPhases();
}

} // namespace dovetail
