// SPDX-License-Identifier: MIT
//
// Work that may crash or hang, done in processes of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace dovetail {

struct WorkerReply {
  enum class Status { Finished, Crashed, TimedOut };
  Status status = Status::Finished;
  std::string
      text; // Finished: what the work returned. Otherwise: the reason, with the assertion that failed if there was one.
};

struct WorkerPoolOptions {
  unsigned jobs = 1; // processes at a time
  // For one unit of work, of the processor's time; one that waits has ten times as long. So what else runs on the
  // machine makes nothing too slow.
  std::chrono::milliseconds timeout{60'000};
};

// Calls work(0) … work(count - 1) in forked processes, and done(index, reply) here, in the order of the indices. A unit
// that crashes or takes too long loses its process, and the next unit gets a new one. `done` returns whether to go on.
// To be called from a process that has no threads yet: a worker is a copy of it.
//
// SIGINT, SIGTERM and SIGHUP end it early: done() gets the replies that have come, and the workers are gone when it
// returns the signal's number; otherwise it returns 0. A SIGHUP that is ignored (nohup) stays so. Workers do not
// outlive this process however it ends.
int runInWorkers(size_t count, const WorkerPoolOptions &options, const std::function<std::string(size_t)> &work,
                 const std::function<bool(size_t, const WorkerReply &)> &done);

} // namespace dovetail
