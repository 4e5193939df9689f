// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/warmed.h"
#include "src/base/asking_thread.h"
#include <chrono>
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

std::string dump(const nlohmann::json &json) {
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

} // namespace

std::string toReply(const Warmed &warmed) {
  return dump(toJson(warmed));
}

Warmed parseWarmed(const WorkerReply &reply) {
  if (reply.status != WorkerReply::Status::Finished)
    return {.reason = reply.text, .isFatal = true};
  return fromJson(nlohmann::json::parse(reply.text, nullptr, false));
}

std::string toReply(const std::vector<Warmed> &warmed) {
  nlohmann::json list = nlohmann::json::array();
  for (const Warmed &each : warmed)
    list.push_back(toJson(each));
  return dump(list);
}

std::vector<Warmed> parseWarmed(const std::string &reply, size_t count) {
  const nlohmann::json list = nlohmann::json::parse(reply, nullptr, false);
  std::vector<Warmed> warmed;
  for (size_t index = 0; index < count; ++index)
    warmed.push_back(fromJson(list.is_array() && list.size() == count ? list[index] : nlohmann::json()));
  return warmed;
}

Warmed warm(Device &device, const std::function<std::string()> &compile, WarmFlush flush) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceStatistics before = device.statistics();
  Warmed warmed;
  {
    const OptimizingScope inTurn;
    warmed.reason = compile();
  }
  warmed.made = device.statistics().parts.made - before.parts.made;
  if (warmed.made != 0 && flush == WarmFlush::Now)
    if (Result<void> flushed = device.flushStore(); !flushed && warmed.reason.empty())
      warmed.reason = flushed.error().text;
  const DeviceStatistics after = device.statistics();
  warmed.known = after.parts.stored - before.parts.stored;
  warmed.lost = after.store.evicted + after.store.dropped - before.store.evicted - before.store.dropped;
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  warmed.microseconds = took.count();
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
