// SPDX-License-Identifier: MIT
//
// The background: builds that no draw waits for, on oneTBB at low priority. Jobs are cancelled when what they are for
// has gone, and their number is limited: what does not fit is refused, and may be asked for again.
#pragma once

#include "src/base/error.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace dovetail {

struct OptimizationQueueOptions {
  unsigned threads = 1;    // that work at the same time
  unsigned maxQueued = 64; // not counting those that run
};

struct OptimizationQueueStatistics {
  uint64_t queued = 0, finished = 0, failed = 0, cancelled = 0;
  uint64_t refused = 0; // because the queue was full
  uint64_t waiting = 0, running = 0;
};

// Thread-safe. The destructor cancels what waits, lets finish what runs, and leaves no thread behind that executes code
// of this library.
class OptimizationQueue {
public:
  struct Job {
    // Cancelled once this has expired: before it runs, and after that its result is dropped.
    std::weak_ptr<const void> subject;
    // Called on a worker thread. `isCancelled` may be asked between two steps of a long build. An Error of
    // ErrorCode::Cancelled counts as cancelled, others as failed.
    std::function<Result<void>(const std::function<bool()> &isCancelled)> run;
    // Called exactly once if the job does not come to run(), on any thread and without a lock held.
    std::function<void()> onCancelled;
    // Forced-monolithic builds that a draw waits for with a fallback go before optimisations.
    bool urgent = false;
  };

  explicit OptimizationQueue(const OptimizationQueueOptions &options);
  ~OptimizationQueue();

  // Returns false if the queue is full or shutting down; the job is not kept then, and onCancelled not called.
  bool enqueue(Job job);
  // Cancels what waits.
  void cancelAll();
  // Waits until nothing waits or runs. Jobs that are enqueued meanwhile are waited for, too.
  void drain();
  OptimizationQueueStatistics statistics() const;
};

} // namespace dovetail
