// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/print_execution.h"
#include "tools/programs/layer/report/report.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dovetail::layer {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Histogram &histogram) {
  return {{"count", histogram.count()},
          {"p50", histogram.percentile(0.5)},
          {"p99", histogram.percentile(0.99)},
          {"max", histogram.most()},
          {"sum", histogram.sum()}};
}

Json toJson(const std::array<Histogram, BindKindCount> &kinds) {
  Json json = Json::object();
  Histogram all;
  for (size_t kind = 0; kind < BindKindCount; ++kind) {
    if (kinds[kind].count() == 0)
      continue;
    json[std::string(nameOfBind(kind))] = toJson(kinds[kind]);
    all.add(kinds[kind]);
  }
  json["all"] = toJson(all);
  return json;
}

Json toJson(const Stall &stall) {
  return {{"nanoseconds", stall.time.nanoseconds},
          {"cpuNanoseconds", stall.time.cpuNanoseconds},
          {"seconds", stall.seconds},
          {"at", stall.isDraw ? "draw" : "pipeline"},
          {"kind", nameOfBind(stall.bind.kind)},
          {"partsCompiled", stall.bind.parts_compiled},
          {"partsEncoded", stall.bind.parts_encoded},
          {"partsStored", stall.bind.parts_stored},
          {"waited", stall.bind.waited != 0},
          {"cause", describeCause(stall)},
          {"pipeline", stall.pipeline->shaders},
          {"name", stall.pipeline->describe()}};
}

Json toJson(const CompileSum &sum) {
  return {{"count", sum.count}, {"nanoseconds", sum.nanoseconds}};
}

Json toJson(const Compile &compile) {
  return {{"part", nameOfPart(compile.kind)},
          {"shaders", compile.shaders},
          {"tier", compile.tier == DOVETAIL_TIER_FIRST_CODE ? "first code" : "LLVM"},
          {"nanoseconds", compile.nanoseconds}};
}

Json toJson(const TierTimes &times) {
  return {{"parts", times.parts}, {"firstCodeNanoseconds", times.firstCode}, {"llvmNanoseconds", times.llvm}};
}

Json toJson(const Advice &advice, const std::vector<std::string> &sentences) {
  return {{"compiles", toJson(advice.own)},
          {"waitedNanoseconds", advice.waited},
          {"storeWouldSaveNanoseconds", advice.store},
          {"backgroundWouldSaveNanoseconds", advice.background},
          {"firstCodeInsteadOfLlvm", toJson(advice.firstCode)},
          {"llvmInsteadOfFirstCode", toJson(advice.llvm)},
          {"firstCodeRefusals", advice.refusals},
          {"sentences", sentences}};
}

Json toJson(const FrameStory &frame) {
  Json pipelines = Json::array();
  for (const PipelineInFrame &pipeline : frame.pipelines) {
    Json compiles = Json::array();
    for (const Compile &compile : pipeline.compiles)
      compiles.push_back(toJson(compile));
    pipelines.push_back({{"pipeline", pipeline.pipeline->shaders},
                         {"name", pipeline.pipeline->describe()},
                         {"nanoseconds", pipeline.nanoseconds},
                         {"asideNanoseconds", pipeline.asideNanoseconds},
                         {"made", pipeline.isMade},
                         {"binds", pipeline.binds},
                         {"waited", pipeline.hasWaited},
                         {"compiles", compiles}});
  }
  return {{"number", frame.number},
          {"seconds", frame.seconds},
          {"nanoseconds", frame.nanoseconds},
          {"dovetailNanoseconds", frame.dovetailNanoseconds},
          {"longByDovetail", frame.isByDovetail},
          {"pipelines", pipelines},
          {"leftOut", frame.leftOut},
          {"help", toJson(frame.advice, frame.sentences)}};
}

Json toJson(const Stutter &stutter) {
  Json frames = Json::array();
  for (const FrameStory &frame : stutter.frames)
    frames.push_back(toJson(frame));
  return {{"end", stutter.isPresented ? "presentation" : "submission"},
          {"count", stutter.count},
          {"p50", stutter.median},
          {"p99", stutter.p99},
          {"max", stutter.longest},
          {"longFrom", stutter.longAt},
          {"longFrames", stutter.longFrames},
          {"longFramesAreAll", stutter.areAll},
          {"start", toJson(stutter.start)},
          {"long", frames},
          {"help", toJson(stutter.advice, stutter.sentences)}};
}

Json toJson(const dovetail_device_statistics &device) {
  return {{"joinedVariants", device.joined_variants},
          {"monolithicVariants", device.monolithic_variants},
          {"optimizedVariants", device.optimized_variants},
          {"rejectedOptimizations", device.rejected_optimizations},
          {"published", device.generation},
          {"firstCodeParts", device.first_code_parts},
          {"firstCodeRefused", device.first_code_refused},
          {"changedOverVariants", device.changed_over_variants},
          {"failedChangeOvers", device.failed_change_overs},
          {"failedBuilds", device.failed_builds},
          {"variants", device.variants},
          {"variantBytes", device.variant_bytes},
          {"evictedVariants", device.evicted_variants},
          {"partsMade", device.parts_made},
          {"partsFound", device.parts_found},
          {"partBytes", device.part_memory_bytes},
          {"storeHits", device.store_hits},
          {"storeMisses", device.store_misses},
          {"storeWritten", device.store_written}};
}

Json toJson(const Problem &problem) {
  return {{"status", problem.status},
          {"text", problem.text},
          {"shaders", problem.shaders},
          {"draws", problem.draws.load(std::memory_order_relaxed)}};
}

} // namespace

std::string printJson(const Report &report) {
  const Session::Totals &totals = report.totals;
  const WorkCounts &work = totals.work;
  Json captured = Json::array();
  for (const CapturedVariant &variant : report.captured)
    captured.push_back(
        {{"pipeline", variant.pipeline}, {"key", fmt::format("{:016x}{:016x}", variant.key[0], variant.key[1])}});
  Json stalls = Json::array(), problems = Json::array(), pipelines = Json::array(), samples = Json::array();
  for (const Stall &stall : totals.stalls)
    stalls.push_back(toJson(stall));
  for (const Problem *problem : report.problems)
    problems.push_back(toJson(*problem));
  for (const PipelineSummary &pipeline : totals.pipelinesByDraws)
    pipelines.push_back({{"shaders", pipeline.shaders},
                         {"name", pipeline.name},
                         {"entryPoints", pipeline.entryPoints},
                         {"label", pipeline.label},
                         {"draws", pipeline.draws}});
  for (const Sample &sample : totals.samples)
    samples.push_back({sample.seconds, sample.draws, sample.frames, sample.variants, sample.published, sample.bytes,
                       sample.longestFrame});
  Json pipelineBinds = Json::object();
  for (size_t kind = 0; kind < BindKindCount; ++kind)
    if (totals.pipelineBinds[kind] > 0)
      pipelineBinds[std::string(nameOfBind(kind))] = totals.pipelineBinds[kind];
  Json json = {
      {"program", report.program},
      {"application", report.application.name},
      {"engine", report.application.engine},
      {"process", report.process},
      {"isFinal", report.time == ReportTime::End},
      {"written", describeTime(report)},
      {"gpu", report.options.gpu},
      {"seconds", totals.seconds},
      {"reportsImageIndexing", report.options.reportsImageIndexing},
      {"warnings", report.warnings},
      {"frames", totals.frames},
      {"frameTimes", toJson(report.stutter)},
      {"draws", work.draws.get()},
      {"dispatches", work.dispatches.get()},
      {"pipelineBinds", work.pipelineBinds.get()},
      {"stateChanges", work.stateChanges.get()},
      {"pushConstantBytes", work.pushConstantBytes.get()},
      {"pipelines", totals.pipelines},
      {"libraries", totals.libraries},
      {"shaders", totals.shaders},
      {"states", totals.states},
      {"pipelineNanoseconds", toJson(totals.pipelineTimes)},
      {"bindsOfPipelines", pipelineBinds},
      {"partReadNanoseconds", totals.measured.readNanoseconds ? Json(*totals.measured.readNanoseconds) : Json()},
      {"compiles",
       {{"atPipelines", toJson(totals.pipelineCompiles)},
        {"atDraws", toJson(totals.drawCompiles)},
        {"inBackground", toJson(totals.compiles[DOVETAIL_COMPILE_FOR_BACKGROUND])},
        {"ofOptimized", toJson(totals.compiles[DOVETAIL_COMPILE_FOR_OPTIMIZED])}}},
      {"bindNanoseconds", toJson(work.costs.allKinds())},
      {"steadyBindNanoseconds", toJson(work.costs.steadyKinds)},
      {"ownNanosecondsPerDraw", work.ownTimes.count() > 0 ? Json(work.ownTimes.percentile(0.5)) : Json()},
      {"knownBindCpuNanoseconds", toJson(work.knownBindCpuTimes)},
      {"emptyIntervalCpuNanoseconds", toJson(work.emptyCpuTimes)},
      {"device", toJson(totals.statistics)},
      {"errors", problems},
      {"notFollowed", report.unfollowed},
      {"captured", captured},
      {"stalls", stalls},
      {"drawsByPipeline", pipelines},
      {"sampleColumns", {"seconds", "draws", "frames", "variants", "published", "bytes", "longestFrame"}},
      {"samples", samples},
  };
  if (totals.execution.isOn)
    json["execution"] = executionJson(totals.execution);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace dovetail::layer
