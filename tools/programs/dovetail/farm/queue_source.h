// SPDX-License-Identifier: MIT
//
// The queue as the pool of worker processes sees it. Small items go to a worker process several at a time (item_unit.h)
// and are acknowledged many at a time, after their parts; both are measured in time, so that large items go alone. If a
// process crashes, the item that it was at is tried alone, and has failed if it crashes again; one that takes too long
// has failed at once. The other items of the unit wait again.
#pragma once

#include "tools/common/command/unit_link.h"
#include "tools/programs/dovetail/farm/part_keeper.h"
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

class QueueSource final : public SteppedSource {
public:
  // Both must outlive it.
  QueueSource(WorkQueue &queue, PartKeeper &keeper, const QueueSourceOptions &options);

  std::optional<std::string> take(bool mayWait) override;
  bool isOver() override;
  std::string answer(uint64_t unit, const std::string &question) override;
  bool done(uint64_t unit, const WorkerReply &reply) override;
  bool lost(uint64_t unit, uint64_t step, const WorkerReply &reply) override;
  void tick() override;

  // After the pool has ended: acknowledges what is done, and lets others have the rest. Errors: those of the queue.
  Result<void> finish();

  std::string print() const;
  const WarmedSum &sum() const { return m_sum; }
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
  PartKeeper &m_keeper;
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
  std::set<std::string> m_gpus;
  std::optional<Error> m_error;
};

} // namespace dovetail::farm
