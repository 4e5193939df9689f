// SPDX-License-Identifier: MIT
//
// The queue as the pool of worker processes sees it. Small items go to a worker process several at a time (item_unit.h)
// and are acknowledged many at a time; both are measured in time, so that large items go alone. If a process does not
// survive its unit, each of the items is tried alone, and only the one that fails alone has failed.
#pragma once

#include "tools/common/command/worker_pool.h"
#include "tools/programs/dovetail/corpus/warmed.h"
#include "tools/programs/dovetail/farm/item_unit.h"
#include <deque>
#include <map>
#include <set>

namespace dovetail::farm {

struct QueueSourceOptions {
  unsigned jobs = 1;
  std::chrono::milliseconds silence; // after which a worker that says nothing is lost
  size_t batch = 0;                  // items that are taken at once; 0: as many as take a quarter of a second
  bool untilEmpty = false;
};

class QueueSource final : public WorkSource {
public:
  QueueSource(WorkQueue &queue, const QueueSourceOptions &options);

  std::optional<std::string> take(bool mayWait) override;
  bool isOver() override;
  bool done(uint64_t unit, const WorkerReply &reply) override;
  void tick() override;

  // After the pool has ended: acknowledges what is done, and lets others have the rest. Errors: those of the queue.
  Result<void> finish();

  std::string print() const;
  const WarmedSum &sum() const { return m_sum; }
  // Whether a process ended within a unit. It may have sent parts to the server that it had not written to the store.
  bool hasLostProcess() const { return m_hasLostProcess; }
  // Of all items so far.
  std::vector<std::string> gpus() const { return {m_gpus.begin(), m_gpus.end()}; }

private:
  template <typename Value> void note(const Result<Value> &result);
  std::vector<std::string> idsInHand() const;
  size_t countThatTakes(std::chrono::duration<double> time, size_t most) const;
  Result<std::vector<TakenItem>> takeItems(bool mayWait);
  Result<void> fetch(bool mayWait);
  void noteOutcome(const ReadyItem &item, const Warmed &warmed);
  void acknowledge();

  WorkQueue &m_queue;
  const QueueSourceOptions m_options;
  std::string m_name;
  std::deque<ReadyItem> m_ready;
  std::deque<ReadyItem> m_alone;                        // to be tried alone
  std::map<uint64_t, std::vector<ReadyItem>> m_running; // by unit of the pool
  std::vector<WorkQueue::Outcome> m_outcomes;
  uint64_t m_taken = 0, m_done = 0, m_printed = 0, m_reconnects = 0;
  double m_microseconds = 0; // that items took
  std::chrono::steady_clock::time_point m_nextTouch, m_nextTakeOver, m_nextPrint, m_nextAcknowledgement;
  const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
  WarmedSum m_sum;
  bool m_hasLostProcess = false;
  std::set<std::string> m_gpus;
  std::optional<Error> m_error;
};

} // namespace dovetail::farm
