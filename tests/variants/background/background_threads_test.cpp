// SPDX-License-Identifier: MIT
//
// The threads of the background, in a process that belongs to the host: when there are any, at what priority, and how
// they end if the process forks or ends. No thread may be left inside the library: it would crash the process when the
// library is unloaded.
#include "tests/variants/background/background_device.h"
#include "tests/variants/background/job_gates.h"
#include "variants/optimize/optimization_queue.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
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

ptrdiff_t threadCount() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// The number of threads when it no longer changes. The kernel's list has joined threads for a moment longer, and
// ThreadSanitizer starts a thread of its own along with the first one.
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

struct Scheduling {
  int policy = sched_getscheduler(0);
  int nice = getpriority(PRIO_PROCESS, 0); // of the calling thread, on Linux
  bool operator==(const Scheduling &) const = default;
};

// While it lives, the system has no memory for the stack of a new thread.
class ThreadsRefused {
public:
  ThreadsRefused() {
    REQUIRE(pthread_getattr_default_np(&m_before) == 0);
    pthread_attr_t huge = m_before;
    REQUIRE(pthread_attr_setstacksize(&huge, size_t(1) << 48) == 0);
    REQUIRE(pthread_setattr_default_np(&huge) == 0);
  }
  ~ThreadsRefused() { pthread_setattr_default_np(&m_before); }

private:
  pthread_attr_t m_before;
};

// The value that `inChild` returns in a forked process; nothing if that process does not end.
std::optional<int> exitStatusOfFork(const std::function<int()> &inChild) {
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    _exit(inChild());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

// The same for a test case of this program, in a process of its own.
std::optional<int> exitStatusOfTest(const std::string &name) {
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string filter = "--test-case=" + name;
  const char *arguments[] = {self.c_str(), "--no-skip", filter.c_str(), nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, self.c_str(), nullptr, nullptr, const_cast<char **>(arguments), environ) == 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

} // namespace

TEST_CASE("a queue without jobs has no thread") {
  ptrdiff_t before = settledThreadCount();
  OptimizationQueue queue({.threads = 2});
  CHECK(threadCount() == before);
}

TEST_CASE("a queue that is prepared has its first thread, and starts none for the first job") {
  ptrdiff_t before = settledThreadCount();
  OptimizationQueue queue({.threads = 2});
  queue.prepare();
  queue.prepare();
  CHECK(threadCount() - before == 1);
  CHECK(queue.enqueue(jobOf([] {})));
  queue.drain();
  CHECK(threadCount() - before == 1);
}

TEST_CASE("the first thread of a device is started when a program is made, not by a bind") {
  const ptrdiff_t before = settledThreadCount();
  DeviceOptions options;
  std::unique_ptr<Device> plain = createDevice(options);
  options.policy = OptimizationPolicy::Hot;
  std::unique_ptr<Device> device = createDevice(options);
  CHECK(makeProgram(*plain, pairOfShaders(11)));
  CHECK(settledThreadCount() == before);
  const ProgramRef program = makeProgram(*device, pairOfShaders(11));
  CHECK(settledThreadCount() - before == 1);
  Binder binder(*device);
  bindNow(binder, program, pairState());
  CHECK(settledThreadCount() - before == 1);
}

TEST_CASE("a device whose binds never compile can have its first thread early, too") {
  const ptrdiff_t before = settledThreadCount();
  DeviceOptions options;
  options.background.startsEarly = true;
  std::unique_ptr<Device> device = createDevice(options);
  CHECK(makeProgram(*device, pairOfShaders(11)));
  CHECK(settledThreadCount() - before == 1);
}

TEST_CASE("a second thread is started only when a job waits and the first is busy") {
  ptrdiff_t before = settledThreadCount();
  OptimizationQueue queue({.threads = 3});
  for (int i = 0; i < 10; ++i) {
    CHECK(queue.enqueue(jobOf([] {})));
    queue.drain();
  }
  CHECK(threadCount() - before == 1);
  Gate entered, release;
  CHECK(queue.enqueue(jobOf([&] {
    entered.open();
    release.wait();
  })));
  entered.wait();
  CHECK(queue.enqueue(jobOf([] {})));
  CHECK(threadCount() - before == 2);
  release.open();
}

TEST_CASE("no thread is left when a queue has gone") {
  ptrdiff_t before = settledThreadCount();
  {
    OptimizationQueue first({}), second({.threads = 2});
    CHECK(first.enqueue(jobOf([] {})));
    CHECK(second.enqueue(jobOf([] {})));
    first.drain();
    second.drain();
    CHECK(threadCount() > before);
  }
  CHECK(settledThreadCount() == before);
}

TEST_CASE("queues come and go") {
  for (int i = 0; i < 50; ++i) {
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

TEST_CASE("jobs run at a lower priority than the thread that enqueues them, which keeps its own") {
  const Scheduling before;
  Scheduling inJob;
  OptimizationQueue queue({});
  CHECK(queue.enqueue(jobOf([&] { inJob = Scheduling(); })));
  queue.drain();
  CHECK(inJob.policy == SCHED_BATCH);
  CHECK(inJob.nice == std::min(before.nice + 10, 19));
  CHECK(Scheduling() == before);
}

TEST_CASE("the host's signals do not interrupt jobs, and reach the thread that enqueues as before") {
  sigset_t before, inJob, after;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  OptimizationQueue queue({});
  CHECK(queue.enqueue(jobOf([&] { pthread_sigmask(SIG_BLOCK, nullptr, &inJob); })));
  queue.drain();
  pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (int signal : {SIGINT, SIGALRM, SIGCHLD, SIGUSR1, SIGTERM}) {
    CHECK(sigismember(&inJob, signal) == 1);
    CHECK(sigismember(&after, signal) == sigismember(&before, signal));
  }
  CHECK(sigismember(&inJob, SIGSEGV) == 0); // a crash is handled as in any other thread
}

TEST_CASE("a queue that is refused its first thread refuses jobs, and asks again") {
  OptimizationQueue queue({});
  bool told = false;
  {
    ThreadsRefused refused;
    OptimizationQueue::Job job = jobOf([] { FAIL("it was refused"); });
    job.onCancelled = [&] { told = true; };
    CHECK_FALSE(queue.enqueue(std::move(job)));
  }
  CHECK_FALSE(told);
  CHECK(queue.statistics().refused == 1);
  CHECK(queue.statistics().queued == 0);
  CHECK(queue.enqueue(jobOf([] {})));
  queue.drain();
  CHECK(queue.statistics().finished == 1);
}

TEST_CASE("a queue that is refused its second thread does with one") {
  OptimizationQueue queue({.threads = 2});
  Gate entered, release;
  CHECK(queue.enqueue(jobOf([&] {
    entered.open();
    release.wait();
  })));
  entered.wait();
  {
    ThreadsRefused refused;
    CHECK(queue.enqueue(jobOf([] {})));
  }
  CHECK(queue.statistics().waiting == 1);
  release.open();
  queue.drain();
  CHECK(queue.statistics().finished == 2);
}

TEST_CASE("in a fork, a queue that has threads refuses jobs, waits for none and can be destroyed") {
  auto queue = std::make_unique<OptimizationQueue>(OptimizationQueueOptions{});
  Gate entered, release;
  int told = 0;
  CHECK(queue->enqueue(jobOf([&] {
    entered.open();
    release.wait();
  })));
  entered.wait();
  OptimizationQueue::Job waiting = jobOf([] {});
  waiting.onCancelled = [&] { ++told; };
  CHECK(queue->enqueue(std::move(waiting)));
  CHECK(exitStatusOfFork([&] {
          const bool isRefused = !queue->enqueue(jobOf([] {}));
          queue->drain();
          queue->cancelAll();
          const bool isEmpty = queue->statistics().queued == 0;
          queue.reset();
          return isRefused && isEmpty && told == 0 ? 42 : 43;
        }) == 42);
  release.open();
  queue->drain();
  CHECK(queue->statistics().finished == 2);
}

TEST_CASE("a queue can be destroyed in a fork whatever other threads were doing to it") {
  auto queue = std::make_unique<OptimizationQueue>(OptimizationQueueOptions{.maxQueued = 4});
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done)
      queue->enqueue(jobOf([] {}));
  });
  int destroyed = 0;
  for (int i = 0; i < 50; ++i)
    destroyed += exitStatusOfFork([&] {
                   queue.reset();
                   return 42;
                 }) == 42;
  done = true;
  busy.join();
  CHECK(destroyed == 50);
}

// The next test runs this in a process of its own, because this process has had threads.
TEST_CASE("helper: a fork before the first job" * doctest::skip()) {
  OptimizationQueue queue({});
  CHECK(exitStatusOfFork([&] {
          bool ran = false;
          const bool isAccepted = queue.enqueue(jobOf([&] { ran = true; }));
          queue.drain();
          return isAccepted && ran ? 42 : 43;
        }) == 42);
}

TEST_CASE("a process that forks before it uses the queue may use it in the child") {
  CHECK(exitStatusOfTest("helper: a fork before the first job") == 0);
}

// The next test runs this in a process of its own.
TEST_CASE("helper: exit() while a job runs" * doctest::skip()) {
  static std::atomic<bool> jobHasLeft = false;
  std::atexit([] { _exit(jobHasLeft ? 42 : 43); });            // runs after everything that is registered later
  static OptimizationQueue *queue = new OptimizationQueue({}); // never destroyed, as in many a program
  static Gate entered;
  OptimizationQueue::Job job;
  job.run = [](const IsCancelled &isCancelled) -> Result<void> {
    entered.open();
    while (!isCancelled())
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the time between two calls of isCancelled()
    jobHasLeft = true;
    return {};
  };
  CHECK(queue->enqueue(std::move(job)));
  entered.wait();
  std::exit(0);
}

TEST_CASE("exit() waits for the job that runs, and for no other") {
  CHECK(exitStatusOfTest("helper: exit() while a job runs") == 42);
}

// The next test runs this.
TEST_CASE("helper: exit() in a job" * doctest::skip()) {
  static std::atomic<bool> otherHasLeft = false;
  std::atexit([] { _exit(otherHasLeft ? 42 : 43); });
  static std::unique_ptr<OptimizationQueue> queue(new OptimizationQueue({.threads = 2})); // destroyed by exit()
  static Gate entered;
  OptimizationQueue::Job other;
  other.run = [](const IsCancelled &isCancelled) -> Result<void> {
    entered.open();
    while (!isCancelled())
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    otherHasLeft = true;
    return {};
  };
  CHECK(queue->enqueue(std::move(other)));
  entered.wait();
  CHECK(queue->enqueue(jobOf([] { std::exit(0); })));
  for (;;)
    pause();
}

TEST_CASE("a job that calls exit() is not waited for, but the others are") {
  CHECK(exitStatusOfTest("helper: exit() in a job") == 42);
}
