// SPDX-License-Identifier: MIT
#include "tools/inspect/inspect_list.h"
#include "merge/check_image.h"
#include "tools/command/output.h"
#include "tools/command/worker_pool.h"
#include "tools/command/write_file.h"
#include "tools/corpus/corpus_options.h"
#include "tools/dovetail/report.h"
#include "tools/dovetail/subject.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const InspectedPipeline &pipeline) {
  Json json = {{"name", pipeline.name}, {"failure", pipeline.failure}, {"programs", Json::array()}};
  for (const ProgramRow &row : pipeline.programs)
    json["programs"].push_back({{"stage", row.stage},
                                {"instructions", row.instructions},
                                {"bytes", row.bytes},
                                {"sgprs", row.sgprs},
                                {"vgprs", row.vgprs},
                                {"scratchBytes", row.scratchBytes},
                                {"ldsBytes", row.ldsBytes},
                                {"waves", row.waves},
                                {"limit", row.limit},
                                {"cycles", row.cycles},
                                {"spilledSgprs", row.spilledSgprs},
                                {"spilledVgprs", row.spilledVgprs}});
  return json;
}

// Throws what nlohmann::json does.
InspectedPipeline fromJson(const Json &json) {
  InspectedPipeline pipeline = {json.at("name"), {}, json.at("failure")};
  for (const Json &row : json.at("programs"))
    pipeline.programs.push_back({row.at("stage"), row.at("instructions"), row.at("bytes"), row.at("sgprs"),
                                 row.at("vgprs"), row.at("scratchBytes"), row.at("ldsBytes"), row.at("waves"),
                                 row.at("limit"), row.value("cycles", 0u), row.value("spilledSgprs", 0u),
                                 row.value("spilledVgprs", 0u)});
  return pipeline;
}

std::string print(const Json &json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Result<std::vector<ProgramRow>> compileRows(Device &device, const CorpusUnit &unit, const ReadOptions &read) {
  const Subject subject = DOVETAIL_TRY(readSubject(unit.files, read));
  const VariantRef variant = DOVETAIL_TRY(device.bind(subject.shaders, subject.state));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return programRows(*variant->image, device.target(), workgroupThreads(subject.shaders));
}

const ProgramRow &worstOf(const InspectedPipeline &pipeline) {
  return *std::ranges::min_element(pipeline.programs, isWorse);
}

std::string stagesOf(const InspectedPipeline &pipeline) {
  std::string text;
  for (const ProgramRow &row : pipeline.programs)
    text += (text.empty() ? "" : "+") + row.stage;
  return text;
}

} // namespace

std::string inspectUnit(const CorpusUnit &unit, const ListOptions &options) {
  static std::unique_ptr<Device> device; // each worker's own
  InspectedPipeline pipeline = {unit.name, {}, {}};
  if (!device) {
    Result<std::unique_ptr<Device>> created = Device::create(options.gpu);
    if (!created) {
      pipeline.failure = created.error().text;
      return print(toJson(pipeline));
    }
    device = std::move(*created);
  }
  if (Result<std::vector<ProgramRow>> rows = compileRows(*device, unit, options.read))
    pipeline.programs = std::move(*rows);
  else
    pipeline.failure = fmt::format("{}: {}", toString(rows.error().code), rows.error().text);
  return print(toJson(pipeline));
}

Result<InspectedPipeline> parseInspected(const std::string &text) {
  try {
    return fromJson(Json::parse(text));
  } catch (const Json::exception &exception) {
    return makeError(ErrorCode::Internal, "a worker's reply is not understood: {}", exception.what());
  }
}

Result<InspectedList> readInspected(const std::string &path) {
  const std::string text = DOVETAIL_TRY(readWholeFile(path));
  try {
    const Json root = Json::parse(text);
    InspectedList list = {root.at("gpu"), {}};
    for (const Json &pipeline : root.at("pipelines"))
      list.pipelines.push_back(fromJson(pipeline));
    return list;
  } catch (const Json::exception &exception) {
    return makeError(ErrorCode::InvalidInput, "{}: not written by dovetail inspect --json: {}", path, exception.what());
  }
}

void sortByWorst(std::vector<InspectedPipeline> &pipelines) {
  std::ranges::stable_sort(pipelines, [](const InspectedPipeline &first, const InspectedPipeline &second) {
    if (first.programs.empty() || second.programs.empty())
      return !first.programs.empty() && second.programs.empty();
    return isWorse(worstOf(first), worstOf(second));
  });
}

std::string printList(const std::vector<InspectedPipeline> &pipelines, size_t limit) {
  std::vector<std::vector<std::string>> rows = {
      {"pipeline", "programs", "worst", "waves", "scratch", "instructions", "sgprs", "vgprs", "lds", "limited by"}};
  size_t good = 0, failed = 0;
  std::string failures;
  for (const InspectedPipeline &pipeline : pipelines) {
    if (pipeline.programs.empty()) {
      failures += fmt::format("not compiled: {}: {}\n", pipeline.name, pipeline.failure);
      ++failed;
      continue;
    }
    if (++good > limit && limit > 0)
      continue;
    const ProgramRow &worst = worstOf(pipeline);
    rows.push_back({pipeline.name, stagesOf(pipeline), worst.stage, std::to_string(worst.waves),
                    std::to_string(worst.scratchBytes), std::to_string(worst.instructions), std::to_string(worst.sgprs),
                    std::to_string(worst.vgprs), std::to_string(worst.ldsBytes), worst.limit});
  }
  std::string text = printTable(rows) + failures;
  if (limit > 0 && good > limit)
    text += fmt::format("{} more are not shown (--limit 0 shows all)\n", good - limit);
  return text + fmt::format("{} pipelines, {} not compiled\n", pipelines.size(), failed);
}

Result<int> listPipelines(const std::vector<CorpusUnit> &units, const ListOptions &options) {
  DOVETAIL_CHECK(reserveOutput(options.jsonFile));
  DOVETAIL_TRY(Device::create(options.gpu)); // an unknown GPU is one Error, not one for each pipeline
  std::vector<InspectedPipeline> pipelines;
  auto work = [&](size_t index) { return inspectUnit(units[index], options); };
  auto done = [&](size_t index, const WorkerReply &reply) {
    Result<InspectedPipeline> pipeline =
        reply.status == WorkerReply::Status::Finished
            ? parseInspected(reply.text)
            : Result<InspectedPipeline>(InspectedPipeline{units[index].name, {}, reply.text});
    if (pipeline)
      pipelines.push_back(std::move(*pipeline));
    else
      pipelines.push_back({units[index].name, {}, pipeline.error().text});
    if ((index + 1) % 100 == 0)
      std::fprintf(stderr, "%zu of %zu pipelines\n", index + 1, units.size());
    return true;
  };
  const int signal =
      runInWorkers(units.size(), {options.jobs, std::chrono::seconds(options.timeoutSeconds)}, work, done);
  sortByWorst(pipelines);
  if (!options.jsonFile.empty()) {
    Json list = Json::array();
    for (const InspectedPipeline &pipeline : pipelines)
      list.push_back(toJson(pipeline));
    const Json root = {{"gpu", options.gpu}, {"pipelines", std::move(list)}};
    DOVETAIL_CHECK(writeOutput(options.jsonFile, root.dump(1, ' ', true, Json::error_handler_t::replace) + "\n"));
  }
  dovetail::print(printList(pipelines, options.limit));
  return corpusStatus(signal, std::ranges::any_of(pipelines, [](const InspectedPipeline &pipeline) {
                        return pipeline.programs.empty();
                      }));
}

} // namespace dovetail
