// SPDX-License-Identifier: MIT
//
// Runs work that may crash or hang in worker processes.
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
  unsigned jobs = 1; // worker processes at a time
  // Processor time for one unit of work; a unit that waits gets ten times as long. So other load on the machine does
  // not make a unit too slow.
  std::chrono::milliseconds timeout{60'000};
};

// Calls work(0) … work(count - 1) in forked processes, and done(index, reply) in this process, in the order of the
// indices. A unit that crashes or takes too long loses its process, and the next unit gets a new one. `done` returns
// whether to go on. The calling process must have no threads yet, because a worker is a copy of it.
//
// SIGINT, SIGTERM and SIGHUP end the run early: done() gets the replies that have come, the workers are gone, and the
// function returns the signal's number; otherwise it returns 0. A SIGHUP that is ignored (nohup) stays ignored. Workers
// never outlive this process, however it ends.
int runInWorkers(size_t count, const WorkerPoolOptions &options, const std::function<std::string(size_t)> &work,
                 const std::function<bool(size_t, const WorkerReply &)> &done);

} // namespace dovetail
