// SPDX-License-Identifier: MIT
//
// What became of a pipeline whose parts were put into a store, as a worker process tells it.
#pragma once

#include "tools/common/command/worker_pool.h"
#include "variants/bind/device.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dovetail {

struct Warmed {
  uint64_t made = 0, known = 0; // parts made, and parts that the store had
  uint64_t lost = 0;            // parts that the store evicted to make room, or refused
  double microseconds = 0;      // of the process's time on processors, so other load does not count
  std::string reason;           // why it could not be compiled; empty: it compiled
  bool isFatal = false;         // it crashed the compiler, took too long or needed too much memory
};

std::string toReply(const Warmed &warmed);
Warmed parseWarmed(const WorkerReply &reply);

enum class WarmFlush : uint8_t { Now, Later };

// Runs in a worker. `compile` makes a pipeline's parts with the device, and returns why it could not (empty: it could).
// There is a worker for each core, so the stages of a pipeline are compiled one after the other.
// With WarmFlush::Now, the new parts are on disk afterwards, and those that the store lost are counted; otherwise the
// caller sees to both.
Warmed warm(Device &device, const std::function<std::string()> &compile, WarmFlush flush = WarmFlush::Now);

// Says how many parts had no room in the store; says nothing if none.
void warnOfLost(uint64_t lost);

// The sum over all pipelines.
struct WarmedSum {
  uint64_t made = 0, known = 0, lost = 0;
  size_t failed = 0, skipped = 0;

  void add(const Warmed &warmed) {
    made += warmed.made;
    known += warmed.known;
    lost += warmed.lost;
    failed += !warmed.reason.empty();
  }
  std::string print() const;
};

} // namespace dovetail
