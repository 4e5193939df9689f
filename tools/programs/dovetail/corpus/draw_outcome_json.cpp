// SPDX-License-Identifier: MIT
//
// Turns outcomes into the text that a worker process sends, and back.
#include "tools/programs/dovetail/corpus/corpus_draw.h"
#include "tools/programs/dovetail/corpus/first_code_json.h"
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

nlohmann::json toJson(const std::vector<ProgramCost> &costs) {
  nlohmann::json list = nlohmann::json::array();
  for (const ProgramCost &cost : costs)
    list.push_back({static_cast<int>(cost.stage), cost.instructions, cost.vgprs, cost.scratchBytes, cost.parameters});
  return list;
}

std::vector<ProgramCost> costsFromJson(const nlohmann::json &list) {
  std::vector<ProgramCost> costs;
  for (const nlohmann::json &entry : list)
    costs.push_back(
        {static_cast<HardwareStage>(entry.at(0).get<int>()), entry.at(1), entry.at(2), entry.at(3), entry.at(4)});
  return costs;
}

nlohmann::json toJson(const CodeGain &gain) {
  return {{"name", gain.name},
          {"rejection", gain.rejection},
          {"joined", toJson(gain.joined)},
          {"optimized", toJson(gain.optimized)},
          {"leastParameters", gain.leastParameters}};
}

nlohmann::json toJson(const ModeOutcome &mode) {
  return {static_cast<int>(mode.mode), mode.refusal, mode.isSameFile, mode.isSameDraw};
}

DrawOutcome outcomeFromJson(const nlohmann::json &entry) {
  DrawOutcome outcome;
  outcome.name = entry.at("name");
  outcome.status = static_cast<DrawOutcome::Status>(entry.at("status").get<int>());
  outcome.notDrawn = static_cast<NotDrawnClass>(entry.at("notDrawn").get<int>());
  outcome.reason = entry.at("reason");
  outcome.replay = entry.at("replay");
  outcome.isSameAsMonolithic = entry.at("isSameAsMonolithic");
  outcome.showsNothing = entry.at("showsNothing");
  outcome.instructions = entry.at("instructions");
  outcome.unstable = entry.at("unstable");
  outcome.undefined = entry.at("undefined");
  outcome.unstableFrom = entry.at("unstableFrom");
  outcome.isTwin = entry.at("isTwin");
  outcome.isSameAsOptimized = entry.at("isSameAsOptimized");
  outcome.isOptimizedLikeReference = entry.at("isOptimizedLikeReference");
  if (auto gain = entry.find("gain"); gain != entry.end())
    outcome.gain = CodeGain{gain->at("name"), gain->at("rejection"), costsFromJson(gain->at("joined")),
                            costsFromJson(gain->at("optimized")), gain->at("leastParameters")};
  outcome.radv = static_cast<RadvVerdict>(entry.at("radv").get<int>());
  outcome.radvReason = entry.at("radvReason");
  if (auto counts = entry.find("firstCode"); counts != entry.end())
    outcome.firstCode = firstCodeFromJson(*counts);
  outcome.isSameAsFirstCode = entry.at("isSameAsFirstCode");
  outcome.firstCodeDifference = entry.at("firstCodeDifference");
  for (const nlohmann::json &mode : entry.at("modes"))
    outcome.modes.push_back({static_cast<PipelineMode>(mode.at(0).get<int>()), mode.at(1), mode.at(2), mode.at(3)});
  return outcome;
}

} // namespace

std::string printDrawOutcomes(const std::vector<DrawOutcome> &outcomes) {
  nlohmann::json list = nlohmann::json::array();
  for (const DrawOutcome &outcome : outcomes) {
    list.push_back({{"name", outcome.name},
                    {"status", static_cast<int>(outcome.status)},
                    {"notDrawn", static_cast<int>(outcome.notDrawn)},
                    {"reason", outcome.reason},
                    {"replay", outcome.replay},
                    {"isSameAsMonolithic", outcome.isSameAsMonolithic},
                    {"showsNothing", outcome.showsNothing},
                    {"instructions", outcome.instructions},
                    {"unstable", outcome.unstable},
                    {"undefined", outcome.undefined},
                    {"unstableFrom", outcome.unstableFrom},
                    {"isTwin", outcome.isTwin},
                    {"isSameAsOptimized", outcome.isSameAsOptimized},
                    {"isOptimizedLikeReference", outcome.isOptimizedLikeReference},
                    {"radv", static_cast<int>(outcome.radv)},
                    {"radvReason", outcome.radvReason},
                    {"isSameAsFirstCode", outcome.isSameAsFirstCode},
                    {"firstCodeDifference", outcome.firstCodeDifference}});
    if (outcome.firstCode)
      list.back()["firstCode"] = firstCodeToJson<nlohmann::json>(*outcome.firstCode);
    list.back()["modes"] = nlohmann::json::array();
    for (const ModeOutcome &mode : outcome.modes)
      list.back()["modes"].push_back(toJson(mode));
    if (outcome.gain)
      list.back()["gain"] = toJson(*outcome.gain);
  }
  return list.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<DrawOutcome>> parseDrawOutcomes(const std::string &text) {
  std::vector<DrawOutcome> outcomes;
  try {
    for (const nlohmann::json &entry : nlohmann::json::parse(text))
      outcomes.push_back(outcomeFromJson(entry));
  } catch (const nlohmann::json::exception &exception) {
    return makeError(ErrorCode::Internal, "a worker's reply is not understood: {}", exception.what());
  }
  return outcomes;
}

} // namespace dovetail
