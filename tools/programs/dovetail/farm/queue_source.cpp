// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/queue_source.h"
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <random>
#include <unistd.h>

namespace dovetail::farm {

namespace {

using Clock = std::chrono::steady_clock;

// A lost worker loses the work of an AcknowledgementTime and a UnitTime, times its processes.
constexpr std::chrono::milliseconds BatchTime(250), UnitTime(100), AcknowledgementTime(1000);
// For an item of an empty queue. A worker that ends with the last item looks more often whether others still have some.
constexpr std::chrono::milliseconds LongWait(500), ShortWait(20);
constexpr size_t MostInBatch = 1000, MostInUnit = 64;
constexpr size_t LeastInBatch = 4; // for each process

} // namespace

QueueSource::QueueSource(WorkQueue &queue, PartKeeper &keeper, const QueueSourceOptions &options)
    : m_queue(queue), m_keeper(keeper), m_options(options) {
  char host[256] = "?";
  gethostname(host, sizeof(host) - 1);
  m_name = fmt::format("{}-{}-{:08x}", host, getpid(), std::random_device()());
}

template <typename Value> void QueueSource::note(const Result<Value> &result) {
  if (!result && !m_error)
    m_error = result.error();
}

// As many items as take so long in one process, as far as is known.
size_t QueueSource::countThatTakes(std::chrono::duration<double> time, size_t most) const {
  if (m_done == 0)
    return 1;
  const double each = std::max(m_microseconds / double(m_done), 1.0);
  return std::clamp<size_t>(size_t(time.count() * 1e6 / each), 1, most);
}

std::optional<std::string> QueueSource::take(bool mayWait) {
  if (m_alone.empty() && m_ready.empty())
    note(fetch(mayWait));
  std::vector<ReadyItem> items;
  if (!m_alone.empty()) {
    items.push_back(std::move(m_alone.front()));
    m_alone.pop_front();
  } else {
    // The last items of a batch are for all processes.
    const size_t share = (m_ready.size() + m_options.jobs - 1) / m_options.jobs;
    const size_t count = std::min(countThatTakes(UnitTime, MostInUnit), share);
    std::move(m_ready.begin(), m_ready.begin() + std::ptrdiff_t(count), std::back_inserter(items));
    m_ready.erase(m_ready.begin(), m_ready.begin() + std::ptrdiff_t(count));
  }
  if (items.empty())
    return std::nullopt;
  for (const ReadyItem &item : items)
    m_gpus.insert(item.taken.item.gpu);
  std::string unit = encode(ItemUnit::of(items));
  m_running.emplace(m_taken++, std::move(items));
  return unit;
}

bool QueueSource::isOver() {
  if (m_error)
    return true;
  if (!m_options.untilEmpty || !m_ready.empty() || !m_alone.empty() || !m_running.empty())
    return false;
  acknowledge();
  const Result<uint64_t> left = m_queue.left();
  note(left);
  return m_error || *left == 0;
}

void QueueSource::noteOutcome(const ReadyItem &item, const Warmed &warmed) {
  m_sum.add(warmed);
  ++m_done;
  m_microseconds += warmed.microseconds;
  if (!warmed.reason.empty())
    std::fprintf(stderr, "%s (%s): %s\n", item.pipeline->name.c_str(), item.taken.item.target().c_str(),
                 warmed.reason.c_str());
  m_outcomes.push_back({item.taken.id, item.taken.item, item.pipeline->name, warmed.reason, warmed.made,
                        uint64_t(warmed.microseconds), false});
}

std::string QueueSource::answer(uint64_t, const std::string &question) {
  return encode(m_keeper.find(decode<PartQuestion>(question).value_or(PartQuestion())));
}

bool QueueSource::done(uint64_t unit, const WorkerReply &reply) {
  const std::vector<ReadyItem> items = std::move(m_running.extract(unit).mapped());
  UnitReply made = decode<UnitReply>(reply.text).value_or(UnitReply());
  if (made.items.size() != items.size())
    made = {std::vector<Warmed>(items.size(), {.reason = "a worker's reply is not understood"}), {}, {}};
  m_keeper.take(made);
  for (size_t index = 0; index < items.size(); ++index)
    noteOutcome(items[index], made.items[index]);
  return !m_error;
}

// A crash may be the fault of what the process did before, for example if memory ran out.
bool QueueSource::lost(uint64_t unit, uint64_t step, const WorkerReply &reply) {
  std::vector<ReadyItem> items = std::move(m_running.extract(unit).mapped());
  const auto culprit = items.begin() + std::ptrdiff_t(std::min<uint64_t>(step, items.size() - 1));
  if (items.size() == 1 || reply.status == WorkerReply::Status::TimedOut)
    noteOutcome(*culprit, parseWarmed(reply));
  else
    m_alone.push_back(std::move(*culprit));
  items.erase(culprit);
  m_ready.insert(m_ready.begin(), items.begin(), items.end());
  return !m_error;
}

// Parts come first: an item that is done has its parts where they outlive this worker. If they cannot be kept, others
// get the items when this worker is silent.
void QueueSource::acknowledge() {
  m_nextAcknowledgement = Clock::now() + AcknowledgementTime;
  if (m_outcomes.empty())
    return;
  const Result<uint64_t> known = m_keeper.keep();
  note(known);
  if (!known)
    return;
  m_sum.made -= std::min(*known, m_sum.made);
  m_sum.known += *known;
  uint64_t rest = *known; // the server adds up what items made
  for (WorkQueue::Outcome &outcome : m_outcomes) {
    const uint64_t share = std::min(outcome.made, rest);
    outcome.made -= share;
    rest -= share;
  }
  const Result<void> finished = m_queue.finish(m_outcomes);
  note(finished);
  if (finished)
    m_outcomes.clear();
}

void QueueSource::tick() {
  const Clock::time_point now = Clock::now();
  if (now >= m_nextAcknowledgement || m_running.empty())
    acknowledge();
  if (now >= m_nextTouch) {
    m_nextTouch = now + m_options.silence / 4;
    note(m_queue.touch(m_name, idsInHand()));
  }
  if (now >= m_nextPrint && m_done != m_printed) {
    m_nextPrint = now + std::chrono::seconds(1);
    const double seconds = std::chrono::duration<double>(now - m_begin).count();
    std::fprintf(stderr, "%s; %.1f a second\n", print().c_str(), double(m_done) / seconds);
    m_printed = m_done;
  }
}

Result<void> QueueSource::finish() {
  acknowledge();
  if (!m_outcomes.empty())
    return tl::unexpected(*m_error);
  DOVETAIL_CHECK(m_queue.giveUp(m_name, idsInHand()));
  if (m_error)
    return tl::unexpected(*m_error);
  return {};
}

std::string QueueSource::print() const {
  return fmt::format("{} items: {}", m_done, m_sum.print());
}

std::vector<std::string> QueueSource::idsInHand() const {
  std::vector<std::string> ids;
  const auto add = [&](const auto &items) {
    for (const ReadyItem &item : items)
      ids.push_back(item.taken.id);
  };
  add(m_ready);
  add(m_alone);
  for (const auto &[unit, items] : m_running)
    add(items);
  return ids;
}

Result<std::vector<TakenItem>> QueueSource::takeItems(bool mayWait) {
  const size_t least = LeastInBatch * m_options.jobs;
  const size_t batch =
      m_options.batch ? m_options.batch : std::max(least, m_options.jobs * countThatTakes(BatchTime, MostInBatch));
  if (const uint64_t reconnects = m_queue.redis().reconnects(); reconnects != m_reconnects) {
    m_reconnects = reconnects;
    std::vector<std::string> known = idsInHand();
    for (const WorkQueue::Outcome &outcome : m_outcomes)
      known.push_back(outcome.id);
    std::vector<TakenItem> items = DOVETAIL_TRY(m_queue.takeOwn(m_name));
    std::erase_if(items, [&](const TakenItem &item) { return std::ranges::count(known, item.id) != 0; });
    if (!items.empty())
      return items;
  }
  if (Clock::now() >= m_nextTakeOver) {
    std::vector<TakenItem> items = DOVETAIL_TRY(m_queue.takeOver(m_name, batch, m_options.silence));
    if (!items.empty()) // there may be more
      return items;
    m_nextTakeOver = Clock::now() + m_options.silence / 4;
  }
  const std::chrono::milliseconds wait = m_options.untilEmpty ? ShortWait : LongWait;
  return m_queue.take(m_name, batch, mayWait ? wait : std::chrono::milliseconds(0));
}

Result<void> QueueSource::fetch(bool mayWait) {
  if (mayWait)
    acknowledge();
  const std::vector<TakenItem> items = DOVETAIL_TRY(takeItems(mayWait));
  std::vector<Hash128> hashes;
  for (const TakenItem &item : items)
    hashes.push_back(item.item.pipeline);
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  const std::vector<std::optional<QueuedPipeline>> values = DOVETAIL_TRY(m_queue.pipelines(hashes));
  std::map<Hash128, std::shared_ptr<const QueuedPipeline>> pipelines;
  for (const std::optional<QueuedPipeline> &value : values)
    if (value)
      pipelines.emplace(value->hash, std::make_shared<const QueuedPipeline>(*value));

  for (const TakenItem &item : items) {
    const auto found = pipelines.find(item.item.pipeline);
    const std::string name = found != pipelines.end() ? found->second->name : item.item.pipeline.toHex();
    if (item.deliveries > MaxDeliveries)
      m_outcomes.push_back(
          {item.id, item.item, name, fmt::format("{} workers were lost with it", MaxDeliveries), 0, 0, true});
    else if (found == pipelines.end())
      m_outcomes.push_back(
          {item.id, item.item, name, "the pipeline is missing on the server, or was tampered with", 0, 0, false});
    else
      m_ready.push_back({item, found->second});
  }
  return {};
}

} // namespace dovetail::farm
