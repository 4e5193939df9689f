// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/print_bench.h"
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const std::vector<Pass> &passes) {
  Json rounds = Json::array();
  for (const Pass &pass : passes)
    rounds.push_back({{"wallUs", pass.wall},
                      {"cpuUs", pass.cpu},
                      {"variants", pass.variants},
                      {"compiles", pass.compiles},
                      {"codeBytes", pass.codeBytes},
                      {"heapBytes", pass.heapBytes},
                      {"readyUs", pass.ready}});
  return rounds;
}

Json toJson(const ProgramResult &program) {
  Json ways = Json::object(), failures = Json::object();
  for (Way way : AllWays) {
    if (!program.passes[unsigned(way)].empty())
      ways[std::string(toWord(way))] = toJson(program.passes[unsigned(way)]);
    if (!program.failures[unsigned(way)].empty())
      failures[std::string(toWord(way))] = program.failures[unsigned(way)];
  }
  return {{"name", program.name},
          {"stages", program.stages},
          {"states", program.states},
          {"rounds", std::move(ways)},
          {"failures", std::move(failures)}};
}

Json toJson(const ShaderCost &shader) {
  Json json = {{"program", shader.program}, {"shader", std::string(toString(shader.stage))}};
  for (unsigned kind = 0; kind < CodeKindCount; ++kind)
    if (const std::optional<StageCost> &cost = shader.costs[kind])
      json[std::string(toWord(CodeKind(kind)))] = {
          {"instructions", cost->instructions}, {"vgprs", cost->vgprs}, {"waves", cost->waves}, {"bytes", cost->bytes}};
  return json;
}

Json toJson(const StepComparison &comparison) {
  const std::vector<double> ratios = comparison.ratios();
  return {{"name", comparison.name},
          {"peer", comparison.peer},
          {"oursUs", comparison.ours},
          {"radvUs", comparison.theirs},
          {"ratio", ratios.empty() ? Json() : Json(median(ratios))}};
}

} // namespace

std::string printBenchJson(const BenchResults &results) {
  Json json = {{"machine", results.machine},
               {"gpu", results.options.gpu},
               {"rounds", results.options.rounds},
               {"noRadv", results.noRadv},
               {"noRadvLlvm", results.noRadvLlvm},
               {"refused", results.refused},
               {"failures", results.failures},
               {"programs", Json::array()},
               {"code", Json::array()},
               {"parts", Json::array()},
               {"firstDraws", Json::array()},
               {"steps", Json::array()},
               {"firstUsesUs", results.firstUses},
               {"trivialPartUs", results.trivialPart},
               {"knownVariants", results.options.knownVariants},
               {"knownBindNs", results.knownBind}};
  for (const ProgramResult &program : results.programs)
    json["programs"].push_back(toJson(program));
  for (const ShaderCost &shader : results.code)
    json["code"].push_back(toJson(shader));
  for (const auto &[kind, sharing] : results.sharing)
    json["parts"].push_back({{"kind", std::string(toString(kind))},
                             {"parts", sharing.parts},
                             {"uses", sharing.uses},
                             {"codeBytes", sharing.codeBytes}});
  for (const FirstDraw &draw : results.firstDraws) {
    Json phases = Json::object();
    for (const auto &[phase, time] : draw.phases)
      phases[phase] = time;
    json["firstDraws"].push_back({{"program", draw.program}, {"phasesUs", std::move(phases)}});
  }
  for (const StepComparison &comparison : results.comparisons)
    json["steps"].push_back(toJson(comparison));
  return json.dump(1) + "\n";
}

} // namespace dovetail
