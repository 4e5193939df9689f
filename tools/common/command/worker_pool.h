// SPDX-License-Identifier: MIT
//
// Runs work that may crash or hang in worker processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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
  // Bytes of private memory of a worker process (RLIMIT_DATA); 0: no limit. AddressSanitizer's own memory would count,
  // so there is no limit in a build with it.
  uint64_t maxMemory = 0;
};

// Units of work that come one by one, in any number. All functions are called in the process that calls runInWorkers().
class WorkSource {
public:
  virtual ~WorkSource() = default;
  // The text of the next unit; nothing if there is none at present. With `mayWait`, no unit is running: the function
  // waits for a unit, but for about a second at most.
  virtual std::optional<std::string> take(bool mayWait) = 0;
  // Whether no unit will come any more.
  virtual bool isOver() = 0;
  // The reply to a unit; they are numbered from 0 in the order of take(), and end in any order. Returns whether to go
  // on.
  virtual bool done(uint64_t unit, const WorkerReply &reply) = 0;
  // Called about once a second, or more often.
  virtual void tick() {}
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

// Whether a signal has ended, or is ending, the current or the last run. For functions of a WorkSource that wait long.
bool areWorkersInterrupted();

} // namespace dovetail
