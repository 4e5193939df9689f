// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/inspect/inspect_list.h"
#include "tools/common/command/output.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/report.h"
#include "tools/common/pipelines/subject.h"
#include "tools/programs/dovetail/inspect/inspect_variant.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json &json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Result<std::vector<ProgramRow>> compileRows(Device &device, const CorpusUnit &unit, const ReadOptions &read) {
  const Subject subject = DOVETAIL_TRY(readSubject(unit.files, read));
  const VariantRef variant = DOVETAIL_TRY(device.bind(subject.shaders, subject.state));
  return checkedRows(*variant, device, subject.shaders);
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
  if (!device) {
    Result<std::unique_ptr<Device>> created = Device::create(options.gpu);
    if (!created)
      return print(toJson(inspectedPipeline(unit.name, tl::unexpected(created.error()))));
    device = std::move(*created);
  }
  return print(toJson(inspectedPipeline(unit.name, compileRows(*device, unit, options.read))));
}

Result<InspectedPipeline> parseInspected(const std::string &text) {
  const Json json = Json::parse(text, nullptr, false);
  Result<InspectedPipeline> pipeline = inspectedFromJson(json, "a worker's reply");
  if (!pipeline)
    return makeError(ErrorCode::Internal, "{}", pipeline.error().text);
  return pipeline;
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
  DOVETAIL_TRY(Device::create(options.gpu)); // an unknown GPU becomes one Error here, not one for each pipeline
  std::fputs(describeOtherGpus(units, options.gpu).c_str(), stderr);
  std::vector<InspectedPipeline> pipelines;
  size_t failed = 0;
  Progress progress(units.size(), "pipelines");
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
    failed += pipelines.back().programs.empty();
    progress.add([&] { return fmt::format("{} not compiled", failed); });
    return true;
  };
  const int signal = runInWorkers(units.size(), options.pool, work, done);
  sortByWorst(pipelines);
  if (!options.jsonFile.empty()) {
    const Json root = {{"gpu", options.gpu}, {"pipelines", toJson(pipelines)}};
    DOVETAIL_CHECK(writeOutput(options.jsonFile, root.dump(1, ' ', true, Json::error_handler_t::replace) + "\n"));
  }
  dovetail::print(printList(pipelines, options.limit));
  return corpusStatus(signal, failed > 0);
}

} // namespace dovetail
