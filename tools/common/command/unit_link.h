// SPDX-License-Identifier: MIT
//
// What a worker process says to its pool within a unit of work: where it is, and what it wants to know. So a unit may
// have many steps, of which each has the pool's whole timeout, and a worker process needs no files or connections of
// its own.
#pragma once

#include "tools/common/command/worker_pool.h"

namespace dovetail {

// Units that have steps and ask questions. All functions are called in the process that calls runInWorkers().
class SteppedSource : public WorkSource {
public:
  // The answer to a question of this unit. The unit's time stands still meanwhile.
  virtual std::string answer(uint64_t unit, const std::string &question) = 0;
  // The process of this unit crashed or took too long, in this step. Called instead of done().
  virtual bool lost(uint64_t unit, uint64_t step, const WorkerReply &reply) = 0;
};

// Calls work(unit) for the units of a source in forked processes. Otherwise as the function for numbered units
// (worker_pool.h).
int runInWorkers(SteppedSource &source, const WorkerPoolOptions &options,
                 const std::function<std::string(const std::string &)> &work);

// For the work of such a unit, in its process: a step begins. Units begin in step 0.
void beginStep(uint64_t step);
// Waits for the answer. The process ends if the pool has ended.
std::string askPool(const std::string &question);

} // namespace dovetail
