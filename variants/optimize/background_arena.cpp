// SPDX-License-Identifier: MIT
#include "variants/optimize/background_arena.h"
#include "src/base/thread_sanitizer.h"
#include <algorithm>
#include <exception>
#include <new>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

namespace dovetail {

namespace {

// Who is in an arena. oneTBB calls the observer when a thread has left its last task.
class Presence : public tbb::task_scheduler_observer {
public:
  explicit Presence(tbb::task_arena &arena) : tbb::task_scheduler_observer(arena) {
    handOver(this);
    observe(true);
  }
  ~Presence() override { observe(false); }

  void on_scheduler_entry(bool) override {
    takeOver(this);
    std::lock_guard lock(m_mutex);
    ++m_inside;
  }

  void on_scheduler_exit(bool) override {
    std::lock_guard lock(m_mutex);
    --m_inside;
    m_changed.notify_all();
  }

  void waitUntilEmpty() {
    {
      std::unique_lock lock(m_mutex);
      m_changed.wait(lock, [this] { return m_inside == 0; });
    }
    observe(false); // waits for those who are inside the functions above; nobody is called any more
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  int m_inside = 0;
};

// oneTBB writes to stderr if it is asked for more workers than the host allows; its limit counts the caller, too.
int allowedWorkers(unsigned wanted) {
  size_t limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<size_t>(wanted, std::max<size_t>(limit, 2) - 1));
}

} // namespace

BackgroundArena::BackgroundArena(unsigned threads, std::function<void()> task)
    : m_threads(std::max(threads, 1u)), m_task(std::move(task)) {}

BackgroundArena::~BackgroundArena() {
  stop();
}

bool BackgroundArena::request() {
  std::lock_guard lock(m_mutex);
  if (m_isStopping)
    return false;
  if (!m_thread.joinable()) {
    try {
      m_thread = std::thread([this] { callOneTbb(); });
    } catch (const std::exception &) { // std::system_error, std::bad_alloc
      return false;
    }
  }
  ++m_requests;
  m_changed.notify_all();
  return true;
}

void BackgroundArena::stop() {
  std::thread thread;
  {
    std::lock_guard lock(m_mutex);
    m_isStopping = true;
    thread = std::move(m_thread);
    m_changed.notify_all();
  }
  if (thread.joinable())
    thread.join();
}

unsigned BackgroundArena::nextRequests() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_requests > 0 || m_isStopping; });
  return std::exchange(m_requests, 0);
}

// What oneTBB calls. It has no instructions of ThreadSanitizer, because it is read before it can be taken over.
struct BackgroundArena::RequestedTask {
  BackgroundArena *arena;
  __attribute__((no_sanitize("thread"))) void operator()() const { arena->runTask(); }
};

// The same for a wait, which a worker takes over if the arena is full.
struct WaitInside {
  tbb::task_group &group;
  __attribute__((no_sanitize("thread"))) void operator()() const { group.wait(); }
};

void BackgroundArena::runTask() {
  takeOver(this);
  m_task();
}

void BackgroundArena::callOneTbb() {
  tbb::task_scheduler_handle scheduler{tbb::attach{}};
  {
    // No place is reserved for outsiders, and tasks are enqueued rather than spawned: oneTBB then promises a worker
    // even where the host's limit leaves none.
    tbb::task_arena arena(allowedWorkers(m_threads), 0, tbb::task_arena::priority::low);
    Presence presence(arena);
    tbb::task_group group;
    while (unsigned requests = nextRequests()) {
      for (; requests > 0; --requests) {
        try {
          auto task = group.defer(RequestedTask{this});
          handOver(this);
          arena.enqueue(std::move(task));
        } catch (const std::bad_alloc &) {
          m_task(); // in this thread rather than not at all
        }
      }
    }
    // Inside the arena, this thread helps: what was requested ends even if the host keeps all workers busy.
    arena.execute(WaitInside{group});
    presence.waitUntilEmpty();
  }
  // Beyond this point, no worker is in our code.

  // False if somebody else uses oneTBB: the workers are theirs then.
  static_cast<void>(tbb::finalize(scheduler, std::nothrow));
}

} // namespace dovetail
