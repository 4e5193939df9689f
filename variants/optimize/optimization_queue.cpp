// SPDX-License-Identifier: MIT
//
// Jobs wait in a list for each priority, and a free thread takes the first one. Threads are started when jobs wait and
// no thread is free, up to the allowed number, and stay until the queue goes.
//
// A job moves from list to list by relinking, which takes no memory. So every accepted job is run or told that it was
// cancelled, whatever happens.
//
// A forked process has a copy of the queue, but no threads, and perhaps a lock that nobody will unlock. So it does not
// touch the copy.
#include "variants/optimize/optimization_queue.h"
#include "src/lgc/codegen/exit_order.h"
#include "variants/background_thread.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <new>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dovetail {

namespace {

using Job = OptimizationQueue::Job;
using Jobs = std::list<Job>;

const lgc::LlvmStaticObjects llvmStaticObjects; // used by jobs, so they must outlive them

// The queue whose job or callback this thread is running.
thread_local const void *queueOfThisThread = nullptr;

class InsideQueue {
public:
  explicit InsideQueue(const void *queue) : m_previous(std::exchange(queueOfThisThread, queue)) {}
  ~InsideQueue() { queueOfThisThread = m_previous; }
  InsideQueue(const InsideQueue &) = delete;
  InsideQueue &operator=(const InsideQueue &) = delete;

private:
  const void *m_previous;
};

bool hasSubject(const Job &job) {
  std::weak_ptr<const void> none;
  return job.subject.owner_before(none) || none.owner_before(job.subject);
}

bool subjectHasGone(const Job &job) {
  return hasSubject(job) && job.subject.expired();
}

bool isFor(const Job &job, const std::shared_ptr<const void> &subject) {
  return !job.subject.owner_before(subject) && !subject.owner_before(job.subject);
}

Result<void> callRun(const Job &job, const std::function<bool()> &isCancelled) {
  try {
    try {
      return job.run(isCancelled);
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &exception) {
      return makeError(ErrorCode::Internal, "a background build threw: {}", exception.what());
    } catch (...) {
      return makeError(ErrorCode::Internal, "a background build threw what is no std::exception");
    }
  } catch (const std::bad_alloc &) {
    return makeError(ErrorCode::Internal, "out of memory"); // so short that the text needs no memory
  }
}

// If one callback throws, the others must still be called.
template <typename Callback, typename... Args> void callBack(const Callback &callback, const Args &...args) {
  if (!callback)
    return;
  try {
    callback(args...);
  } catch (...) { // there is nobody to report it to
  }
}

} // namespace

struct OptimizationQueue::Impl {
  explicit Impl(const OptimizationQueueOptions &options);
  ~Impl();

  bool adopt();
  void stop();
  bool isCopyInFork() const;

  bool hasThreadForOneMore();
  void work();
  void runNext();

  void cancelIf(const std::function<bool(const Job &)> &isMeant);
  bool makeRoom(JobPriority priority, Jobs &cancelled);
  Jobs &jobsOf(JobPriority priority) { return lists[size_t(priority)]; }
  void takeIf(const std::function<bool(const Job &)> &isMeant, Jobs &cancelled);
  void cancel(Jobs &jobs, Jobs::iterator job, Jobs &cancelled);
  void settle(Jobs cancelled);
  void noteSettled(size_t count);

  size_t waiting() const {
    size_t count = 0;
    for (const Jobs &each : lists)
      count += each.size();
    return count;
  }
  bool isIdle() const { return waiting() == 0 && unsettled == 0; }
  bool hasWorkToDo() const { return waiting() > 0 || !dropped.empty(); }

  struct StopAtExit {
    ~StopAtExit();
  };
  // All queues. This data needs no destructor.
  static inline std::mutex allMutex;
  static inline Impl *all = nullptr;
  Impl *nextOfAll = nullptr;

  const OptimizationQueueOptions options;
  std::atomic<pid_t> process = 0; // the process that enqueued first

  mutable std::mutex mutex; // guards the members below; not held while a function of a job runs or is destroyed
  std::condition_variable becameIdle, hasWork;
  std::array<Jobs, JobPriorityCount> lists; // by priority
  Jobs dropped;                             // a worker calls their onCancelled
  OptimizationQueueStatistics counts;       // statistics() fills in `waiting`
  size_t unsettled = 0;                     // jobs that were taken out of the lists and still exist
  bool isStopping = false;
  std::vector<std::jthread> threads;
};

OptimizationQueue::Impl::Impl(const OptimizationQueueOptions &options) : options(options) {
  std::lock_guard lock(allMutex);
  nextOfAll = std::exchange(all, this);
}

OptimizationQueue::Impl::~Impl() {
  {
    std::lock_guard lock(allMutex);
    Impl **link = &all;
    while (*link != this)
      link = &(*link)->nextOfAll;
    *link = nextOfAll;
  }
  stop();
}

OptimizationQueue::Impl::StopAtExit::~StopAtExit() {
  std::lock_guard lock(allMutex);
  for (Impl *queue = all; queue; queue = queue->nextOfAll)
    if (!queue->isCopyInFork())
      queue->stop();
}

bool OptimizationQueue::Impl::isCopyInFork() const {
  const pid_t owner = process;
  return owner != 0 && owner != getpid();
}

// Returns false if the queue belongs to another process.
bool OptimizationQueue::Impl::adopt() {
  static StopAtExit stopAtExit; // made as late as possible: objects that are made earlier are destroyed later
  pid_t nobody = 0;
  process.compare_exchange_strong(nobody, getpid());
  return !isCopyInFork();
}

// Starts a thread if all free threads have their jobs already. If the system refuses it, the existing threads do the
// work.
bool OptimizationQueue::Impl::hasThreadForOneMore() {
  const size_t free = threads.size() - counts.running;
  if (free <= waiting() && threads.size() < std::max(options.threads, 1u)) {
    try {
      threads.reserve(threads.size() + 1); // nothing may fail once the thread runs
      threads.push_back(startBackgroundThread([this] { work(); }));
    } catch (const std::exception &) { // std::system_error, std::bad_alloc
    }
  }
  return !threads.empty();
}

bool OptimizationQueue::Impl::makeRoom(JobPriority priority, Jobs &cancelled) {
  if (waiting() < options.maxQueued)
    return true;
  takeIf(subjectHasGone, cancelled);
  for (size_t lower = 0; lower < size_t(priority) && waiting() >= options.maxQueued; ++lower) {
    Jobs &each = lists[lower];
    const auto youngest = std::find_if(each.rbegin(), each.rend(), [](const Job &job) { return job.mayBeDropped; });
    if (youngest == each.rend())
      continue;
    const bool isTold = youngest->onDropped != nullptr;
    if (isTold)
      youngest->onCancelled = std::move(youngest->onDropped);
    cancel(each, std::prev(youngest.base()), isTold ? dropped : cancelled);
  }
  return waiting() < options.maxQueued;
}

void OptimizationQueue::Impl::cancelIf(const std::function<bool(const Job &)> &isMeant) {
  Jobs cancelled;
  {
    std::lock_guard lock(mutex);
    takeIf(isMeant, cancelled);
  }
  settle(std::move(cancelled));
}

void OptimizationQueue::Impl::takeIf(const std::function<bool(const Job &)> &isMeant, Jobs &cancelled) {
  for (Jobs &each : lists)
    for (auto job = each.begin(); job != each.end();) {
      const auto next = std::next(job);
      if (isMeant(*job))
        cancel(each, job, cancelled);
      job = next;
    }
}

void OptimizationQueue::Impl::cancel(Jobs &jobs, Jobs::iterator job, Jobs &cancelled) {
  ++counts.cancelled;
  ++unsettled;
  cancelled.splice(cancelled.end(), jobs, job);
}

// Calls the callbacks of cancelled jobs, and destroys the jobs. No lock is held.
void OptimizationQueue::Impl::settle(Jobs cancelled) {
  size_t count = cancelled.size();
  if (count == 0)
    return;
  {
    InsideQueue inside(this);
    for (Job &job : cancelled)
      callBack(job.onCancelled);
    cancelled.clear();
  }
  noteSettled(count);
}

void OptimizationQueue::Impl::noteSettled(size_t count) {
  std::lock_guard lock(mutex);
  unsettled -= count;
  if (isIdle())
    becameIdle.notify_all();
}

void OptimizationQueue::Impl::stop() {
  std::vector<std::jthread> leaving;
  {
    std::lock_guard lock(mutex);
    isStopping = true;
    leaving.swap(threads);
    hasWork.notify_all();
  }
  cancelIf([](const Job &) { return true; });
  Jobs untold;
  {
    std::lock_guard lock(mutex);
    untold.swap(dropped);
  }
  settle(std::move(untold));
  for (std::jthread &thread : leaving)
    if (thread.get_id() == std::this_thread::get_id())
      thread.detach(); // its job has called exit(), which does not return
  // The other threads are joined here.
}

// The function of each thread.
void OptimizationQueue::Impl::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    hasWork.wait(lock, [this] { return isStopping || hasWorkToDo(); });
    if (isStopping)
      return;
    lock.unlock();
    runNext();
    lock.lock();
  }
}

// Calls the callbacks of dropped jobs, and runs the first job whose subject still exists, if there is one.
void OptimizationQueue::Impl::runNext() {
  Jobs taken, cancelled; // at most one is taken
  {
    std::lock_guard lock(mutex);
    cancelled.swap(dropped);
    while (taken.empty() && waiting() > 0) {
      Jobs &first = *std::find_if(lists.rbegin(), lists.rend(), [](const Jobs &each) { return !each.empty(); });
      if (subjectHasGone(first.front()))
        cancel(first, first.begin(), cancelled);
      else
        taken.splice(taken.end(), first, first.begin());
    }
    if (!taken.empty()) {
      ++counts.running;
      ++unsettled;
    }
  }
  settle(std::move(cancelled));
  if (taken.empty())
    return;

  Result<void> outcome;
  {
    InsideQueue inside(this);
    const Job &job = taken.front();
    outcome = callRun(job, [&] {
      std::lock_guard lock(mutex);
      return isStopping || subjectHasGone(job);
    });
    if (!outcome && outcome.error().code != ErrorCode::Cancelled)
      callBack(job.onFailed, outcome.error());
    taken.clear();
  }
  {
    std::lock_guard lock(mutex);
    --counts.running;
    ++(outcome ? counts.finished : outcome.error().code == ErrorCode::Cancelled ? counts.cancelled : counts.failed);
  }
  noteSettled(1);
}

OptimizationQueue::OptimizationQueue(const OptimizationQueueOptions &options)
    : m_impl(std::make_unique<Impl>(options)) {}

OptimizationQueue::~OptimizationQueue() {
  if (m_impl->isCopyInFork())
    static_cast<void>(m_impl.release()); // its threads do not exist here, so they cannot be joined
}

void OptimizationQueue::prepare() {
  if (!m_impl->adopt())
    return;
  std::lock_guard lock(m_impl->mutex);
  if (!m_impl->isStopping && m_impl->threads.empty())
    m_impl->hasThreadForOneMore();
}

bool OptimizationQueue::enqueue(Job job) {
  // Once the lock is free, a job may call exit(), which may destroy this object.
  Impl &impl = *m_impl;
  if (!impl.adopt())
    return false;
  const JobPriority priority = job.priority;
  Jobs entering, cancelled;
  entering.push_back(std::move(job));
  bool isAccepted;
  {
    std::lock_guard lock(impl.mutex);
    isAccepted = !impl.isStopping && impl.makeRoom(priority, cancelled) && impl.hasThreadForOneMore();
    if (isAccepted) {
      ++impl.counts.queued;
      Jobs &jobs = impl.jobsOf(priority);
      jobs.splice(jobs.end(), entering);
      impl.hasWork.notify_one();
    } else {
      ++impl.counts.refused;
    }
  }
  impl.settle(std::move(cancelled));
  return isAccepted;
}

bool OptimizationQueue::isOpen() const {
  if (m_impl->isCopyInFork())
    return false;
  std::lock_guard lock(m_impl->mutex);
  return !m_impl->isStopping;
}

void OptimizationQueue::tell(std::function<void()> callback) {
  if (m_impl->isCopyInFork())
    return;
  Jobs jobs(1);
  jobs.front().onCancelled = std::move(callback);
  {
    std::lock_guard lock(m_impl->mutex);
    if (m_impl->isStopping)
      return;
    ++m_impl->unsettled;
    if (m_impl->hasThreadForOneMore()) {
      m_impl->dropped.splice(m_impl->dropped.end(), jobs);
      m_impl->hasWork.notify_one();
    }
  }
  m_impl->settle(std::move(jobs));
}

void OptimizationQueue::raise(const std::shared_ptr<const void> &subject, JobPriority priority) {
  if (m_impl->isCopyInFork())
    return;
  std::lock_guard lock(m_impl->mutex);
  Jobs &higher = m_impl->jobsOf(priority);
  for (size_t lower = 0; lower < size_t(priority); ++lower)
    for (auto job = m_impl->lists[lower].begin(); job != m_impl->lists[lower].end();) {
      const auto next = std::next(job);
      if (isFor(*job, subject))
        higher.splice(higher.end(), m_impl->lists[lower], job);
      job = next;
    }
}

void OptimizationQueue::cancel(const std::shared_ptr<const void> &subject) {
  if (!m_impl->isCopyInFork())
    m_impl->cancelIf([&](const Job &job) { return isFor(job, subject); });
}

void OptimizationQueue::cancelAll() {
  if (!m_impl->isCopyInFork())
    m_impl->cancelIf([](const Job &) { return true; });
}

void OptimizationQueue::drain() {
  if (queueOfThisThread == m_impl.get() || m_impl->isCopyInFork())
    return;
  std::unique_lock lock(m_impl->mutex);
  m_impl->becameIdle.wait(lock, [this] { return m_impl->isIdle(); });
}

OptimizationQueueStatistics OptimizationQueue::statistics() const {
  if (m_impl->isCopyInFork())
    return {};
  std::lock_guard lock(m_impl->mutex);
  OptimizationQueueStatistics result = m_impl->counts;
  result.waiting = m_impl->waiting();
  return result;
}

} // namespace dovetail
