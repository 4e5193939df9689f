// SPDX-License-Identifier: MIT
//
// The background beside a host that uses oneTBB, or does not, or goes away in the midst. What must not happen is a
// thread that is left inside the library: it would crash the process when the library is unloaded.
#include "src/base/thread_sanitizer.h"
#include "tests/variants/job_gates.h"
#include "variants/optimize/optimization_queue.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace dovetail;

namespace {

using IsCancelled = std::function<bool()>;

OptimizationQueue::Job jobOf(std::function<void()> work) {
  OptimizationQueue::Job job;
  job.run = [work = std::move(work)](const IsCancelled &) -> Result<void> {
    work();
    return {};
  };
  return job;
}

struct Workers : tbb::global_control {
  explicit Workers(size_t count) : tbb::global_control(max_allowed_parallelism, count + 1) {}
};

ptrdiff_t threadCount() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Once threads that were joined have gone, which the kernel's list still has for a moment, and ThreadSanitizer has the
// thread that it starts along with the first one.
ptrdiff_t settledThreadCount() {
  std::thread([] {}).join();
  ptrdiff_t count = threadCount();
  for (int unchanged = 0; unchanged < 20; ++unchanged) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (ptrdiff_t now = threadCount(); now != std::exchange(count, now))
      unchanged = 0;
  }
  return count;
}

// The kernel's list still has a thread for a moment after it was joined.
bool threadCountBecomes(ptrdiff_t count) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (threadCount() != count) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// A host that has used oneTBB and lives on. It is known to oneTBB as long as its thread runs.
class Host {
public:
  Host()
      : m_thread([this] {
          work();
          m_ready.open();
          m_end.wait();
          work();
        }) {
    m_ready.wait();
  }
  ~Host() { end(); }
  void end() {
    m_end.open();
    if (m_thread.joinable())
      m_thread.join();
  }
  int sum() const { return m_sum; }

private:
  // As in background_arena.cpp: ThreadSanitizer does not see what oneTBB hands over.
  struct AddOne {
    Host *host;
    __attribute__((no_sanitize("thread"))) void operator()() const { host->addOne(); }
  };
  void addOne() {
    takeOver(this);
    ++m_sum;
  }
  void work() {
    tbb::task_group group;
    for (int i = 0; i < 1000; ++i) {
      auto task = group.defer(AddOne{this});
      handOver(this);
      group.run(std::move(task));
    }
    group.wait();
  }

  std::atomic<int> m_sum = 0;
  Gate m_ready, m_end;
  std::thread m_thread;
};

} // namespace

TEST_CASE("a queue without jobs has no thread") {
  ptrdiff_t before = settledThreadCount();
  OptimizationQueue queue({});
  CHECK(threadCount() == before);
}

TEST_CASE("no thread is left when the last queue has gone") {
  ptrdiff_t before = settledThreadCount();
  {
    OptimizationQueue first({}), second({.threads = 2});
    CHECK(first.enqueue(jobOf([] {})));
    CHECK(second.enqueue(jobOf([] {})));
    first.drain();
    second.drain();
    CHECK(threadCount() > before);
  }
  CHECK(threadCountBecomes(before));
}

TEST_CASE("threads that enqueue and drain do not become known to oneTBB") {
  ptrdiff_t before = settledThreadCount();
  Gate end;
  std::thread drawing;
  {
    OptimizationQueue queue({});
    Gate done;
    drawing = std::thread([&] {
      queue.enqueue(jobOf([] {}));
      queue.drain();
      done.open();
      end.wait(); // a drawing thread that lives longer than the device
    });
    done.wait();
  }
  CHECK(threadCountBecomes(before + 1)); // if it were, its hold on the scheduler would keep the workers
  end.open();
  drawing.join();
}

TEST_CASE("a queue goes while the host uses oneTBB, and the host goes on") {
  Host host;
  {
    OptimizationQueue queue({});
    CHECK(queue.enqueue(jobOf([] {})));
    queue.drain();
  }
  host.end();
  CHECK(host.sum() == 2000);
}

TEST_CASE("queues come and go") {
  ptrdiff_t before = settledThreadCount();
  for (bool besideHost : {false, true}) {
    std::unique_ptr<Host> host = besideHost ? std::make_unique<Host>() : nullptr;
    for (int i = 0; i < 25; ++i) {
      std::atomic<int> ran = 0;
      OptimizationQueue queue({.threads = 2});
      CHECK(queue.enqueue(jobOf([&] { ++ran; })));
      CHECK(queue.enqueue(jobOf([&] { ++ran; })));
      if (i % 2 == 0) {
        queue.drain();
        CHECK(ran == 2);
      }
    }
  }
  OptimizationQueue last({}); // the host is gone: the last to use oneTBB takes the workers with it
  CHECK(last.enqueue(jobOf([] {})));
  last.drain();
  CHECK(threadCount() > before);
}

TEST_CASE("jobs run even if the host allows oneTBB a single thread") {
  tbb::global_control single(tbb::global_control::max_allowed_parallelism, 1);
  OptimizationQueue queue({.threads = 4});
  std::atomic<int> ran = 0;
  for (int i = 0; i < 10; ++i)
    CHECK(queue.enqueue(jobOf([&] { ++ran; })));
  queue.drain();
  CHECK(ran == 10);
}

TEST_CASE("a queue goes while the host keeps every worker busy") {
  Workers one(1);
  Gate busy, release, hostIsDone;
  std::thread host([&] {
    tbb::task_arena arena(1, 0);
    arena.enqueue([&] {
      busy.open();
      release.wait();
      hostIsDone.open();
    });
    hostIsDone.wait();
  });
  busy.wait();
  bool ran = false;
  int told = 0;
  {
    OptimizationQueue queue({});
    OptimizationQueue::Job job = jobOf([&] { ran = true; });
    job.onCancelled = [&] { ++told; };
    CHECK(queue.enqueue(std::move(job)));
  }
  CHECK_FALSE(ran);
  CHECK(told == 1);
  release.open();
  host.join();
}

TEST_CASE("the host's tasks go before jobs that wait") {
  Workers one(1);
  std::mutex mutex;
  std::string order;
  auto note = [&](const char *name) {
    std::lock_guard lock(mutex);
    order += name;
  };
  Gate entered, release, hostIsDone;
  OptimizationQueue queue({});
  CHECK(queue.enqueue(jobOf([&] {
    entered.open();
    release.wait();
  })));
  entered.wait();
  CHECK(queue.enqueue(jobOf([&] { note("job "); })));
  std::thread host([&] {
    tbb::task_arena arena(1, 0);
    arena.enqueue([&] {
      note("host ");
      hostIsDone.open();
    });
    release.open();
    hostIsDone.wait();
  });
  host.join();
  queue.drain();
  CHECK(order == "host job ");
}

// Run by the next test, in a process of its own.
TEST_CASE("helper: exit() while a job runs" * doctest::skip()) {
  static std::atomic<bool> jobHasLeft = false;
  std::atexit([] { _exit(jobHasLeft ? 42 : 43); });            // runs after what is registered later
  static OptimizationQueue *queue = new OptimizationQueue({}); // never destroyed, as in many a program
  static Gate entered;
  OptimizationQueue::Job job;
  job.run = [](const IsCancelled &isCancelled) -> Result<void> {
    entered.open();
    while (!isCancelled())
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // what is between two questions
    jobHasLeft = true;
    return {};
  };
  CHECK(queue->enqueue(std::move(job)));
  entered.wait();
  std::exit(0);
}

TEST_CASE("exit() waits for the job that runs, and for no other") {
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const char *arguments[] = {self.c_str(), "--no-skip", "--test-case=helper: exit() while a job runs", nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, self.c_str(), nullptr, nullptr, const_cast<char **>(arguments), environ) == 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}
