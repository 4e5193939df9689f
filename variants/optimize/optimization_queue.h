// SPDX-License-Identifier: MIT
//
// The background: builds that no draw waits for, on threads of low priority (background_thread.h). A job is cancelled
// when its subject has gone. The number of jobs is limited: a job that does not fit is refused, and may be requested
// again.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <functional>
#include <memory>

namespace dovetail {

struct OptimizationQueueOptions {
  unsigned threads = 1;    // the most that work at the same time; 0 counts as 1
  unsigned maxQueued = 64; // without the running ones
  // The device starts the first thread with its first program, whatever its policy: for binds that never compile.
  bool startsEarly = false;
};

struct OptimizationQueueStatistics {
  uint64_t queued = 0; // that were accepted
  uint64_t finished = 0, failed = 0, cancelled = 0;
  uint64_t refused = 0; // the queue was full, or could not start a thread
  uint64_t waiting = 0, running = 0;
};

// The order of jobs: later priorities are run first.
enum class JobPriority : uint8_t {
  Optional, // optimised variants, main parts of new shaders, and everything that is not needed soon
  Wanted,   // there is something else to draw with
  Urgent,   // a draw is left out until it is done
};
constexpr size_t JobPriorityCount = 3;

// Thread-safe. The destructor cancels waiting jobs, lets running ones finish, and joins the threads, so that the
// library may be unloaded. If a process calls exit() while a queue lives, a destructor of the library's static data
// does the same, so that no job runs while LLVM's static data is destroyed.
//
// A queue belongs to the process that first enqueues or prepares. In a process that is forked off later, the queue has
// no threads: it refuses all jobs, holds none, and its destructor returns at once.
class OptimizationQueue {
public:
  struct Job {
    // If this has expired before the job runs, the job is cancelled; run() asks isCancelled before it publishes its
    // result. A job without any subject lives until it has run.
    std::weak_ptr<const void> subject;
    // Called on a worker thread. `isCancelled` may be asked between two steps of a long build; it is true once the
    // subject has expired, and while the queue shuts down. An Error of ErrorCode::Cancelled counts as cancelled, others
    // as failed; what it throws becomes an Error.
    std::function<Result<void>(const std::function<bool()> &isCancelled)> run;
    // Called exactly once if run() is not called, on any thread, with no lock held.
    std::function<void()> onCancelled;
    // Called with the Error that makes the job count as failed, on the worker thread, with no lock held.
    std::function<void(const Error &error)> onFailed;
    JobPriority priority = JobPriority::Optional;
    // May be cancelled in favour of a job of higher priority that finds the queue full.
    bool mayBeDropped = false;
    // Called instead of onCancelled in that case, for subjects that do not ask again by themselves. A worker calls it,
    // so that the thread that enqueues the other job does not wait for it.
    std::function<void()> onDropped;
  };

  explicit OptimizationQueue(const OptimizationQueueOptions &options);
  ~OptimizationQueue();
  OptimizationQueue(const OptimizationQueue &) = delete;
  OptimizationQueue &operator=(const OptimizationQueue &) = delete;

  // Returns false if the queue is full or shutting down, or if the system refuses it its first thread. The job is then
  // not kept, and onCancelled is not called. If a job of lower priority waits that may be dropped, the queue is not
  // full: the youngest job of the lowest priority is cancelled. Takes a lock that is never held for long, and wakes or
  // starts a thread.
  bool enqueue(Job job);
  // Whether enqueue() may accept a job: not in a forked process, and not when the process ends.
  bool isOpen() const;
  // Starts the first thread, if there is none, so that enqueue() need not. Starting it may take half a millisecond in a
  // process of many threads that are busy with memory.
  void prepare();
  // Lets a worker call this before its next job; calls it directly if the system refuses all threads. Not called by a
  // queue that shuts down.
  void tell(std::function<void()> callback);
  // Lets waiting jobs of a subject run as early as others of this priority.
  void raise(const std::shared_ptr<const void> &subject, JobPriority priority);
  // Cancels the waiting jobs of a subject. Running ones are finished.
  void cancel(const std::shared_ptr<const void> &subject);
  // Cancels all waiting jobs.
  void cancelAll();
  // Waits until no job waits or runs, and no callback runs. Also waits for jobs that are enqueued meanwhile. Inside a
  // job or one of its callbacks it returns at once, because it would wait for itself.
  void drain();
  // At any moment: queued == finished + failed + cancelled + waiting + running.
  OptimizationQueueStatistics statistics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace dovetail
