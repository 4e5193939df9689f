// SPDX-License-Identifier: MIT
//
// The background queue without a compiler. Jobs are gates that tests open, so nothing depends on how fast anything is.
#include "tests/variants/background/job_gates.h"
#include "variants/optimize/optimization_queue.h"
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace dovetail;

namespace {

using Job = OptimizationQueue::Job;
using IsCancelled = std::function<bool()>;

Job jobOf(std::function<void()> work) {
  Job job;
  job.run = [work = std::move(work)](const IsCancelled &) -> Result<void> {
    work();
    return {};
  };
  return job;
}

// Occupies a thread until the gate is opened. `entered` opens when a thread has the job.
Job blockerOf(Gate &entered, Gate &release) {
  return jobOf([&] {
    entered.open();
    release.wait();
  });
}

// Records which jobs ran, in order.
class Order {
public:
  Job note(std::string name, JobPriority priority = JobPriority::Optional) {
    Job job = jobOf([this, name = std::move(name)] {
      std::lock_guard lock(m_mutex);
      m_names += name;
    });
    job.priority = priority;
    return job;
  }
  std::string names() {
    std::lock_guard lock(m_mutex);
    return m_names;
  }

private:
  std::mutex m_mutex;
  std::string m_names;
};

// A queue whose only thread is busy until release is opened.
struct BusyQueue {
  explicit BusyQueue(unsigned maxQueued = 64) : queue({.threads = 1, .maxQueued = maxQueued}) {
    REQUIRE(queue.enqueue(blockerOf(entered, release)));
    entered.wait();
  }
  ~BusyQueue() { release.open(); }
  // Lets the queue do its jobs, and waits until it has finished them.
  void finish() {
    release.open();
    queue.drain();
  }

  Gate entered, release;
  OptimizationQueue queue;
};

} // namespace

TEST_CASE("a job runs on another thread, and counts as finished") {
  OptimizationQueue queue({});
  std::thread::id worker;
  CHECK(queue.enqueue(jobOf([&] { worker = std::this_thread::get_id(); })));
  queue.drain();
  CHECK(worker != std::thread::id());
  CHECK(worker != std::this_thread::get_id());
  CHECK(queue.statistics().queued == 1);
  CHECK(queue.statistics().finished == 1);
}

TEST_CASE("one worker runs jobs in the order in which they came") {
  BusyQueue busy;
  Order order;
  for (const char *name : {"a", "b", "c"})
    CHECK(busy.queue.enqueue(order.note(name)));
  busy.finish();
  CHECK(order.names() == "abc");
}

TEST_CASE("urgent jobs overtake those that wait, but not each other") {
  BusyQueue busy;
  Order order;
  CHECK(busy.queue.enqueue(order.note("a")));
  CHECK(busy.queue.enqueue(order.note("b")));
  CHECK(busy.queue.enqueue(order.note("1", JobPriority::Urgent)));
  CHECK(busy.queue.enqueue(order.note("2", JobPriority::Urgent)));
  busy.finish();
  CHECK(order.names() == "12ab");
}

TEST_CASE("jobs of a higher priority run first, and one that waits for a subject can be raised") {
  BusyQueue busy;
  Order order;
  std::vector<std::shared_ptr<int>> subjects;
  auto note = [&](std::string name, JobPriority priority) {
    Job job = order.note(std::move(name), priority);
    job.subject = subjects.emplace_back(std::make_shared<int>());
    CHECK(busy.queue.enqueue(std::move(job)));
  };
  note("a", JobPriority::Optional);
  note("b", JobPriority::Optional);
  note("1", JobPriority::Wanted);
  note("X", JobPriority::Urgent);
  busy.queue.raise(subjects[1], JobPriority::Wanted);
  busy.queue.raise(subjects[3], JobPriority::Wanted);             // its priority is above that already
  busy.queue.raise(std::make_shared<int>(), JobPriority::Urgent); // no job has this subject
  busy.finish();
  CHECK(order.names() == "X1ba");
}

TEST_CASE("what waits for a subject can be cancelled, and is told") {
  BusyQueue busy;
  Order order;
  auto subject = std::make_shared<int>();
  int told = 0;
  for (JobPriority priority : {JobPriority::Optional, JobPriority::Urgent}) {
    Job job = order.note("a", priority);
    job.subject = subject;
    job.onCancelled = [&] { ++told; };
    CHECK(busy.queue.enqueue(std::move(job)));
  }
  CHECK(busy.queue.enqueue(order.note("b")));
  busy.queue.cancel(subject);
  CHECK(told == 2);
  busy.finish();
  CHECK(order.names() == "b");
}

TEST_CASE("a full queue refuses, does not call back, and takes in again once there is room") {
  BusyQueue busy(2);
  bool calledBack = false;
  Job refused = jobOf([] {});
  refused.onCancelled = [&] { calledBack = true; };
  CHECK(busy.queue.enqueue(jobOf([] {})));
  CHECK(busy.queue.enqueue(jobOf([] {})));
  CHECK_FALSE(busy.queue.enqueue(refused));
  CHECK(busy.queue.statistics().refused == 1);
  CHECK(busy.queue.statistics().waiting == 2);
  busy.finish();
  CHECK(busy.queue.enqueue(refused));
  busy.queue.drain();
  CHECK_FALSE(calledBack);
  CHECK(busy.queue.statistics().finished == 4);
}

TEST_CASE("an urgent job that finds the queue full takes the place of the youngest that is not urgent") {
  BusyQueue busy(2);
  Order order;
  int told = 0;
  Job youngest = order.note("b");
  youngest.mayBeDropped = true;
  youngest.onCancelled = [&] { ++told; };
  CHECK(busy.queue.enqueue(order.note("a")));
  CHECK(busy.queue.enqueue(youngest));
  CHECK(busy.queue.enqueue(order.note("1", JobPriority::Urgent)));
  CHECK(told == 1);
  busy.finish();
  CHECK(order.names() == "1a");
}

TEST_CASE("a job that finds the queue full takes the place of one of lower priority, if that may be dropped") {
  BusyQueue busy(3);
  Order order;
  Job droppable = order.note("b");
  droppable.mayBeDropped = true;
  CHECK(busy.queue.enqueue(order.note("a")));
  CHECK(busy.queue.enqueue(droppable));
  CHECK(busy.queue.enqueue(order.note("1", JobPriority::Wanted)));
  CHECK(busy.queue.enqueue(order.note("X", JobPriority::Urgent)));
  CHECK_FALSE(busy.queue.enqueue(order.note("Y", JobPriority::Urgent)));
  busy.finish();
  CHECK(order.names() == "X1a");
}

TEST_CASE("a job that was dropped is told so, and not that it was cancelled") {
  BusyQueue busy(1);
  std::string told;
  Job droppable = jobOf([] {});
  droppable.mayBeDropped = true;
  droppable.onCancelled = [&] { told += "cancelled"; };
  droppable.onDropped = [&] { told += "dropped"; };
  CHECK(busy.queue.enqueue(droppable));
  CHECK_FALSE(busy.queue.enqueue(jobOf([] {}))); // of the same priority
  Job urgent = jobOf([] {});
  urgent.priority = JobPriority::Urgent;
  urgent.run = [&](const std::function<bool()> &) -> Result<void> {
    told += " run";
    return {};
  };
  CHECK(busy.queue.enqueue(urgent));
  CHECK(told == ""); // enqueue() does not wait for that call
  busy.finish();
  CHECK(told == "dropped run");
  told = "dropped";
  CHECK(busy.queue.enqueue(droppable));
  busy.finish();
  CHECK(told == "dropped");
}

TEST_CASE("a worker tells what it is given, in front of its next job") {
  BusyQueue busy;
  Order order;
  CHECK(busy.queue.enqueue(order.note("a")));
  std::string told;
  busy.queue.tell([&] { told = order.names() + "!"; });
  busy.finish();
  CHECK(told == "!");
  CHECK(order.names() == "a");
}

TEST_CASE("a queue full of urgent jobs refuses an urgent job") {
  BusyQueue busy(1);
  Order order;
  CHECK(busy.queue.enqueue(order.note("1", JobPriority::Urgent)));
  CHECK_FALSE(busy.queue.enqueue(order.note("2", JobPriority::Urgent)));
}

TEST_CASE("jobs whose subject has gone make room in a full queue") {
  BusyQueue busy(1);
  auto subject = std::make_shared<int>();
  Job job = jobOf([] {});
  job.subject = subject;
  CHECK(busy.queue.enqueue(job));
  subject.reset();
  CHECK(busy.queue.enqueue(jobOf([] {})));
  CHECK(busy.queue.statistics().cancelled == 1);
}

TEST_CASE("as many jobs run at the same time as the queue has threads, and no more") {
  OptimizationQueue queue({.threads = 2});
  std::latch together(2); // opens only if two are inside at once
  std::atomic<int> inside = 0, most = 0;
  auto work = [&](bool waits) {
    int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);)
      ;
    if (waits)
      together.arrive_and_wait();
    --inside;
  };
  CHECK(queue.enqueue(jobOf([&] { work(true); })));
  CHECK(queue.enqueue(jobOf([&] { work(true); })));
  for (int i = 0; i < 50; ++i)
    CHECK(queue.enqueue(jobOf([&] { work(false); })));
  queue.drain();
  CHECK(most == 2);
}

TEST_CASE("a job whose subject goes before it runs is cancelled, and told so once") {
  BusyQueue busy;
  auto subject = std::make_shared<int>();
  bool ran = false;
  int told = 0;
  Job job = jobOf([&] { ran = true; });
  job.subject = subject;
  job.onCancelled = [&] { ++told; };
  CHECK(busy.queue.enqueue(std::move(job)));
  subject.reset();
  busy.finish();
  CHECK_FALSE(ran);
  CHECK(told == 1);
  CHECK(busy.queue.statistics().cancelled == 1);
}

TEST_CASE("a job whose subject lives is not cancelled") {
  BusyQueue busy;
  auto subject = std::make_shared<int>();
  bool ran = false;
  Job job = jobOf([&] { ran = true; });
  job.subject = subject;
  CHECK(busy.queue.enqueue(std::move(job)));
  busy.finish();
  CHECK(ran);
}

TEST_CASE("a queue does not keep a subject alive") {
  BusyQueue busy;
  auto subject = std::make_shared<int>();
  Job job = jobOf([] {});
  job.subject = subject;
  CHECK(busy.queue.enqueue(std::move(job)));
  CHECK(subject.use_count() == 1);
}

TEST_CASE("a running job learns that its subject has gone") {
  OptimizationQueue queue({});
  auto subject = std::make_shared<int>();
  Gate entered, gone;
  bool before = true, after = false;
  Job job;
  job.subject = subject;
  job.run = [&](const IsCancelled &isCancelled) -> Result<void> {
    before = isCancelled();
    entered.open();
    gone.wait();
    after = isCancelled();
    return makeError(ErrorCode::Cancelled, "nobody wants it");
  };
  CHECK(queue.enqueue(std::move(job)));
  entered.wait();
  subject.reset();
  gone.open();
  queue.drain();
  CHECK_FALSE(before);
  CHECK(after);
  CHECK(queue.statistics().cancelled == 1);
  CHECK(queue.statistics().failed == 0);
}

TEST_CASE("cancelAll cancels what waits and leaves what runs") {
  BusyQueue busy;
  int told = 0;
  for (JobPriority priority : {JobPriority::Optional, JobPriority::Wanted, JobPriority::Urgent}) {
    Job job = jobOf([] { FAIL("it was cancelled"); });
    job.priority = priority;
    job.onCancelled = [&] { ++told; };
    CHECK(busy.queue.enqueue(std::move(job)));
  }
  busy.queue.cancelAll();
  CHECK(told == 3);
  CHECK(busy.queue.statistics().running == 1);
  busy.finish();
  CHECK(busy.queue.statistics().finished == 1);
  CHECK(busy.queue.statistics().cancelled == 3);
}

TEST_CASE("a queue takes in jobs after cancelAll") {
  OptimizationQueue queue({});
  queue.cancelAll();
  CHECK(queue.enqueue(jobOf([] {})));
  queue.drain();
  CHECK(queue.statistics().finished == 1);
}

TEST_CASE("a job that returns an Error counts as failed, and the Error is handed on") {
  OptimizationQueue queue({});
  std::string text;
  Job job;
  job.run = [](const IsCancelled &) -> Result<void> { return makeError(ErrorCode::CompileFailed, "no such luck"); };
  job.onFailed = [&](const Error &error) { text = error.text; };
  CHECK(queue.enqueue(std::move(job)));
  queue.drain();
  CHECK(text == "no such luck");
  CHECK(queue.statistics().failed == 1);
}

TEST_CASE("a job that throws is an Error, and the next one runs") {
  OptimizationQueue queue({});
  std::string text;
  Job thrower = jobOf([] { throw std::runtime_error("out of luck"); });
  thrower.onFailed = [&](const Error &error) { text = error.text; };
  CHECK(queue.enqueue(std::move(thrower)));
  CHECK(queue.enqueue(jobOf([] { throw 1; })));
  CHECK(queue.enqueue(jobOf([] {})));
  queue.drain();
  CHECK(text.find("out of luck") != std::string::npos);
  CHECK(queue.statistics().failed == 2);
  CHECK(queue.statistics().finished == 1);
}

TEST_CASE("a callback that throws does not keep the others from being called") {
  BusyQueue busy;
  int told = 0;
  for (int i = 0; i < 2; ++i) {
    Job job = jobOf([] {});
    job.onCancelled = [&] {
      ++told;
      throw std::runtime_error("a callback");
    };
    CHECK(busy.queue.enqueue(std::move(job)));
  }
  busy.queue.cancelAll();
  CHECK(told == 2);
}

TEST_CASE("drain waits for jobs that are enqueued by jobs") {
  OptimizationQueue queue({});
  int links = 0;
  std::function<void()> link = [&] {
    if (++links < 20)
      CHECK(queue.enqueue(jobOf(link)));
  };
  CHECK(queue.enqueue(jobOf(link)));
  queue.drain();
  CHECK(links == 20);
}

TEST_CASE("drain returns only when what jobs own has been destroyed") {
  OptimizationQueue queue({});
  auto owned = std::make_shared<int>();
  CHECK(queue.enqueue(jobOf([owned] {})));
  queue.drain();
  CHECK(owned.use_count() == 1);
}

TEST_CASE("drain of an empty queue returns") {
  OptimizationQueue queue({});
  queue.drain();
  CHECK(queue.statistics().queued == 0);
}

TEST_CASE("drain inside a job or a callback returns rather than wait for itself") {
  OptimizationQueue queue({});
  Job job = jobOf([&] { queue.drain(); });
  job.onFailed = [](const Error &) {};
  CHECK(queue.enqueue(job));
  job.run = [](const IsCancelled &) -> Result<void> { return makeError(ErrorCode::Internal, "fails"); };
  job.onFailed = [&](const Error &) { queue.drain(); };
  CHECK(queue.enqueue(job));
  queue.drain();
  CHECK(queue.statistics().finished == 1);
  CHECK(queue.statistics().failed == 1);
}

TEST_CASE("the destructor cancels what waits and lets finish what runs, which learns of it") {
  std::atomic<bool> finished = false;
  std::atomic<int> told = 0;
  {
    OptimizationQueue queue({});
    Gate entered;
    Job running;
    running.run = [&](const IsCancelled &isCancelled) -> Result<void> {
      entered.open();
      while (!isCancelled()) // the time limit of the test program ends it at the latest
        std::this_thread::yield();
      finished = true;
      return {};
    };
    Job waiting = jobOf([] { FAIL("it was cancelled"); });
    waiting.onCancelled = [&] { ++told; };
    CHECK(queue.enqueue(std::move(running)));
    entered.wait();
    CHECK(queue.enqueue(std::move(waiting)));
  }
  CHECK(finished);
  CHECK(told == 1);
}

TEST_CASE("a callback of a queue that shuts down cannot enqueue") {
  Gate entered, release;
  bool accepted = true;
  {
    OptimizationQueue queue({});
    CHECK(queue.enqueue(blockerOf(entered, release)));
    entered.wait();
    Job job = jobOf([] {});
    job.onCancelled = [&] {
      accepted = queue.enqueue(jobOf([] {}));
      release.open();
    };
    CHECK(queue.enqueue(std::move(job)));
  }
  CHECK_FALSE(accepted);
}

TEST_CASE("numbers add up at every moment while threads enqueue, cancel and drain") {
  OptimizationQueue queue({.threads = 2, .maxQueued = 8});
  std::atomic<int> accepted = 0, ended = 0;
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  auto count = [&] {
    while (!done) {
      OptimizationQueueStatistics now = queue.statistics();
      if (now.queued != now.finished + now.failed + now.cancelled + now.waiting + now.running || now.waiting > 8 ||
          now.running > 2)
        ++wrong;
    }
  };
  auto enqueue = [&](int number) {
    for (int i = 0; i < 500; ++i) {
      auto subject = std::make_shared<int>();
      Job job = jobOf([&ended, i] {
        ++ended;
        if (i % 7 == 0)
          throw std::runtime_error("seven");
      });
      job.onCancelled = [&ended] { ++ended; };
      job.priority = JobPriority(i % 5 % JobPriorityCount);
      if (i % 3 == 0)
        job.subject = subject; // the subject goes at once
      accepted += queue.enqueue(std::move(job));
      if (i % 50 == number)
        queue.cancelAll();
      if (i % 100 == number)
        queue.drain();
    }
  };
  std::thread counter(count);
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < 4; ++number)
      threads.emplace_back(enqueue, number);
  }
  queue.drain();
  done = true;
  counter.join();
  CHECK(wrong == 0);
  CHECK(accepted == ended); // each accepted job has either run or been told
  CHECK(queue.statistics().queued == uint64_t(accepted));
  CHECK(queue.statistics().queued + queue.statistics().refused == 2000);
}
