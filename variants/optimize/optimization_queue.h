// SPDX-License-Identifier: MIT
//
// The background: builds that no draw waits for, in threads of low priority (background_thread.h). Jobs are cancelled
// when what they are for has gone, and their number is limited: what does not fit is refused, and may be asked for
// again.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <functional>
#include <memory>

namespace dovetail {

struct OptimizationQueueOptions {
  unsigned threads = 1;    // that work at the same time, at most; 0 is taken as 1
  unsigned maxQueued = 64; // not counting those that run
  // The device starts the first thread with its first program, whatever its policy: for binds that never compile.
  bool startsEarly = false;
};

struct OptimizationQueueStatistics {
  uint64_t queued = 0; // that were taken in
  uint64_t finished = 0, failed = 0, cancelled = 0;
  uint64_t refused = 0; // because the queue was full, or could not start a thread
  uint64_t waiting = 0, running = 0;
};

// In which order jobs are run, the later ones first.
enum class JobPriority : uint8_t {
  Optional, // optimised variants, main parts of new shaders, and what is not needed soon
  Wanted,   // there is something else to draw with
  Urgent,   // a draw is left out for it
};
constexpr size_t JobPriorityCount = 3;

// Thread-safe. The destructor cancels what waits, lets finish what runs, and joins the threads, so that the library may
// be unloaded. A process that calls exit() while a queue lives gets the same from a destructor of the library's static
// data: no job runs while LLVM's are destroyed.
//
// A queue belongs to the process that first enqueues or prepares. In one that is forked off later it has no threads: it
// refuses all jobs, holds none, and its destructor returns at once.
class OptimizationQueue {
public:
  struct Job {
    // Cancelled once this has expired: before it runs; run() asks isCancelled before it gives away its result. A job
    // that was given no subject at all lives until it has run.
    std::weak_ptr<const void> subject;
    // Called on a worker thread. `isCancelled` may be asked between two steps of a long build; it is true once the
    // subject has expired, and while the queue shuts down. An Error of ErrorCode::Cancelled counts as cancelled, others
    // as failed; what it throws becomes an Error.
    std::function<Result<void>(const std::function<bool()> &isCancelled)> run;
    // Called exactly once if the job does not come to run(), on any thread and without a lock held.
    std::function<void()> onCancelled;
    // Called with what makes the job count as failed, on the worker thread and without a lock held.
    std::function<void(const Error &error)> onFailed;
    JobPriority priority = JobPriority::Optional;
    // May be cancelled in favour of a job of higher priority that finds the queue full.
    bool mayBeDropped = false;
    // Called in place of onCancelled then, if somebody has to be told that does not ask again anyway: by a worker,
    // since who enqueues the other job is not to wait for that.
    std::function<void()> onDropped;
  };

  explicit OptimizationQueue(const OptimizationQueueOptions &options);
  ~OptimizationQueue();
  OptimizationQueue(const OptimizationQueue &) = delete;
  OptimizationQueue &operator=(const OptimizationQueue &) = delete;

  // Returns false if the queue is full or shutting down, or if the system refuses it its first thread; the job is not
  // kept then, and onCancelled not called. A queue is not full for a job while one of lower priority waits that may be
  // dropped: the youngest of the lowest is cancelled in its favour.
  // Costs a lock that is never held for long, and wakes a thread, or starts one.
  bool enqueue(Job job);
  // Starts the first thread, if there is none, so that enqueue() need not: that may take half a millisecond in a
  // process of many threads that are busy with memory.
  void prepare();
  // Has a worker call this before its next job; calls it itself if the system refuses all threads. A queue that shuts
  // down calls it no more.
  void tell(std::function<void()> callback);
  // Has what waits for a subject run no later than others of this priority.
  void raise(const std::shared_ptr<const void> &subject, JobPriority priority);
  // Cancels what waits for a subject. What runs is finished.
  void cancel(const std::shared_ptr<const void> &subject);
  // Cancels what waits.
  void cancelAll();
  // Waits until nothing waits or runs, and no callback does. Jobs that are enqueued meanwhile are waited for, too.
  // Inside a job or one of its callbacks it returns at once, because it would wait for itself.
  void drain();
  // At any moment: queued == finished + failed + cancelled + waiting + running.
  OptimizationQueueStatistics statistics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace dovetail
