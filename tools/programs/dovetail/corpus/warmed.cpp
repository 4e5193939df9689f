// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/warmed.h"
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dovetail {

std::string toReply(const Warmed &warmed) {
  return nlohmann::json{{"made", warmed.made},
                        {"known", warmed.known},
                        {"lost", warmed.lost},
                        {"microseconds", warmed.microseconds},
                        {"reason", warmed.reason}}
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Warmed parseWarmed(const WorkerReply &reply) {
  if (reply.status != WorkerReply::Status::Finished)
    return {.reason = reply.text, .isFatal = true};
  const nlohmann::json entry = nlohmann::json::parse(reply.text, nullptr, false);
  if (!entry.is_object())
    return {.reason = "a worker's reply is not understood"};
  return {entry.value("made", uint64_t(0)), entry.value("known", uint64_t(0)), entry.value("lost", uint64_t(0)),
          entry.value("microseconds", 0.0), entry.value("reason", std::string())};
}

Warmed warm(Device &device, const std::function<std::string()> &compile, WarmFlush flush) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceStatistics before = device.statistics();
  Warmed warmed;
  warmed.reason = compile();
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

std::string WarmedSum::print() const {
  return fmt::format("{} parts made, {} known, {} failed", made, known, failed) +
         (skipped == 0 ? "" : fmt::format(", {} skipped", skipped));
}

} // namespace dovetail
