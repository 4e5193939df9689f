// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/warmed.h"
#include "parts/cache/part_maker.h"
#include "src/base/asking_thread.h"
#include "tools/common/command/processor_time.h"
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

nlohmann::json toJson(const Warmed &warmed) {
  return {{"made", warmed.made},
          {"known", warmed.known},
          {"lost", warmed.lost},
          {"microseconds", warmed.microseconds},
          {"reason", warmed.reason}};
}

Warmed fromJson(const nlohmann::json &entry) {
  if (!entry.is_object())
    return {.reason = "a worker's reply is not understood"};
  return {entry.value("made", uint64_t(0)), entry.value("known", uint64_t(0)), entry.value("lost", uint64_t(0)),
          entry.value("microseconds", 0.0), entry.value("reason", std::string())};
}

// A store walks all of its entries for its statistics.
uint64_t lostBy(const Device &device) {
  const PartStoreStatistics store = device.statistics().store;
  return store.evicted + store.dropped;
}

} // namespace

std::string toReply(const Warmed &warmed) {
  return toJson(warmed).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Warmed parseWarmed(const WorkerReply &reply) {
  if (reply.status != WorkerReply::Status::Finished)
    return {.reason = reply.text, .isFatal = true};
  return fromJson(nlohmann::json::parse(reply.text, nullptr, false));
}

Warmed warm(Device &device, const std::function<std::string()> &compile, WarmFlush flush) {
  const auto begin = processorTime();
  const PartCache &parts = device.partMaker().cache();
  const PartCacheStatistics before = parts.statistics();
  const uint64_t lostBefore = flush == WarmFlush::Now ? lostBy(device) : 0;
  Warmed warmed;
  {
    const OptimizingScope inTurn;
    warmed.reason = compile();
  }
  const PartCacheStatistics after = parts.statistics();
  warmed.made = after.made - before.made;
  warmed.known = after.stored - before.stored;
  if (warmed.made != 0 && flush == WarmFlush::Now)
    if (Result<void> flushed = device.flushStore(); !flushed && warmed.reason.empty())
      warmed.reason = flushed.error().text;
  warmed.lost = flush == WarmFlush::Now ? lostBy(device) - lostBefore : 0;
  warmed.microseconds = toSeconds(processorTime() - begin) * 1e6;
  return warmed;
}

// Evicted parts may be old and unwanted, so evictions are no failure.
void warnOfLost(uint64_t lost) {
  if (lost > 0)
    std::fputs(fmt::format("dovetail: warning: the store has no room for all: {} parts were evicted from it or not "
                           "kept; --max-bytes N lets it grow\n",
                           lost)
                   .c_str(),
               stderr);
}

std::string WarmedSum::print() const {
  return fmt::format("{} parts made, {} known, {} failed", made, known, failed) +
         (skipped == 0 ? "" : fmt::format(", {} skipped", skipped));
}

} // namespace dovetail
