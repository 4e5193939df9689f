// SPDX-License-Identifier: MIT
#include "tools/common/command/processor_time.h"
#include "tools/common/command/unit_link.h"
#include <cassert>
#include <csignal>
#include <cstdio>
#include <doctest/doctest.h>
#include <map>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace dovetail;

namespace {

std::vector<WorkerReply> runAll(size_t count, const WorkerPoolOptions &options,
                                const std::function<std::string(size_t)> &work) {
  std::vector<WorkerReply> replies;
  runInWorkers(count, options, work, [&](size_t index, const WorkerReply &reply) {
    CHECK(index == replies.size());
    replies.push_back(reply);
    return true;
  });
  return replies;
}

} // namespace

TEST_CASE("replies come in the order of the units, whatever the number of processes") {
  for (unsigned jobs : {1u, 3u}) {
    auto replies = runAll(20, {.jobs = jobs}, [](size_t index) {
      std::this_thread::sleep_for(std::chrono::milliseconds(index % 3));
      return std::to_string(index);
    });
    REQUIRE(replies.size() == 20);
    for (size_t index = 0; index < replies.size(); ++index)
      CHECK(replies[index].text == std::to_string(index));
  }
}

TEST_CASE("no units are no replies") {
  CHECK(runAll(0, {}, [](size_t) { return std::string(); }).empty());
}

TEST_CASE("a unit that crashes is told of with its last words, and the others are done") {
  auto replies = runAll(5, {.jobs = 2}, [](size_t index) {
    if (index == 2) {
      fprintf(stderr, "x.cpp:1: f(): Assertion `false' failed.\n");
      ::raise(SIGKILL);
    }
    return std::string("good");
  });
  REQUIRE(replies.size() == 5);
  CHECK((replies[2].status == WorkerReply::Status::Crashed));
  CHECK(replies[2].text.find("Assertion `false' failed.") != std::string::npos);
  for (size_t index : {0, 1, 3, 4})
    CHECK(replies[index].text == "good");
}

TEST_CASE("a unit that hangs is ended after its time") {
  auto replies = runAll(3, {.jobs = 1, .timeout = std::chrono::milliseconds(200)}, [](size_t index) {
    if (index == 1)
      std::this_thread::sleep_for(std::chrono::seconds(60));
    return std::string("good");
  });
  REQUIRE(replies.size() == 3);
  CHECK(replies[0].text == "good");
  CHECK((replies[1].status == WorkerReply::Status::TimedOut));
  CHECK(replies[2].text == "good");
}

TEST_CASE("work that waits for the processor is not too slow") {
  auto replies = runAll(1, {.jobs = 1, .timeout = std::chrono::milliseconds(100)}, [](size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return std::string("done");
  });
  REQUIRE(replies.size() == 1);
  CHECK((replies[0].status == WorkerReply::Status::Finished));
}

TEST_CASE("the receiver's time is not that of a unit") {
  std::vector<WorkerReply> replies;
  runInWorkers(
      2, {.jobs = 2, .timeout = std::chrono::milliseconds(500)},
      [](size_t index) {
        std::this_thread::sleep_for(std::chrono::milliseconds(index * 100));
        return std::string("good");
      },
      [&](size_t, const WorkerReply &reply) {
        std::this_thread::sleep_for(std::chrono::milliseconds(replies.empty() ? 700 : 0));
        replies.push_back(reply);
        return true;
      });
  REQUIRE(replies.size() == 2);
  CHECK(replies[1].text == "good");
}

TEST_CASE("a long reply arrives whole") {
  auto replies = runAll(1, {}, [](size_t) { return std::string(3'000'000, 'y'); });
  REQUIRE(replies.size() == 1);
  CHECK(replies[0].text.size() == 3'000'000);
}

TEST_CASE("nothing is handed out any more once the receiver has enough") {
  size_t received = 0;
  runInWorkers(
      1000, {.jobs = 2}, [](size_t) { return std::string(); },
      [&](size_t, const WorkerReply &) { return ++received < 10; });
  CHECK(received == 10);
}

TEST_CASE("a signal ends it early, and replies that waited for an earlier one are not lost") {
  std::vector<size_t> received;
  // Job 0 does not answer. Job 2 tells this process to stop; its worker has answered job 1 by then.
  const pid_t self = ::getpid();
  const int signal = runInWorkers(
      3, {.jobs = 2},
      [&](size_t index) {
        if (index == 0)
          std::this_thread::sleep_for(std::chrono::minutes(5));
        if (index == 2)
          ::kill(self, SIGTERM);
        return std::to_string(index);
      },
      [&](size_t index, const WorkerReply &reply) {
        CHECK(reply.text == std::to_string(index));
        received.push_back(index);
        return true;
      });
  CHECK(signal == SIGTERM);
  REQUIRE_FALSE(received.empty());
  CHECK(received[0] == 1);
}

TEST_CASE("a hangup that is ignored, as under nohup, ends nothing") {
  auto *before = ::signal(SIGHUP, SIG_IGN);
  size_t received = 0;
  auto work = [self = ::getpid()](size_t) {
    ::kill(self, SIGHUP);
    return std::string();
  };
  CHECK(runInWorkers(5, {.jobs = 2}, work, [&](size_t, const WorkerReply &) { return ++received > 0; }) == 0);
  CHECK(received == 5);
  CHECK((::signal(SIGHUP, before) == SIG_IGN));
}

TEST_CASE("a run that nothing interrupts returns 0, and signals do again what they did before") {
  auto *before = ::signal(SIGINT, SIG_IGN);
  CHECK(runInWorkers(
            2, {.jobs = 2}, [](size_t) { return std::string(); }, [](size_t, const WorkerReply &) { return true; }) ==
        0);
  CHECK((::signal(SIGINT, before) == SIG_IGN));
}

namespace {

// Units with steps; `work` runs in a worker process. Replies are noted with the unit and the step.
class Steps final : public SteppedSource {
public:
  Steps(std::vector<std::string> units, std::chrono::milliseconds timeout,
        const std::function<std::string(const std::string &)> &work)
      : m_units(std::move(units)) {
    runInWorkers(*this, {.jobs = 2, .timeout = timeout}, work);
  }

  std::optional<std::string> take(bool) override { return isOver() ? std::nullopt : std::optional(m_units[m_taken++]); }
  bool isOver() override { return m_taken == m_units.size(); }
  std::string answer(uint64_t unit, const std::string &question) override { return m_units[unit] + " " + question; }
  bool done(uint64_t unit, const WorkerReply &reply) override {
    replies[unit] = reply.text;
    return true;
  }
  bool lost(uint64_t unit, uint64_t step, const WorkerReply &reply) override {
    replies[unit] =
        (reply.status == WorkerReply::Status::TimedOut ? "hangs in " : "crashes in ") + std::to_string(step);
    return true;
  }

  std::map<uint64_t, std::string> replies;

private:
  const std::vector<std::string> m_units;
  size_t m_taken = 0;
};

void burn(std::chrono::milliseconds time) {
  const auto begin = processorTime();
  while (processorTime() - begin < time)
    ;
}

} // namespace

TEST_CASE("units ask their pool, as often and as much as they want") {
  const Steps steps({"a", "b", "c"}, std::chrono::seconds(60), [](const std::string &unit) {
    const std::string longAnswer = askPool(std::string(300'000, unit.front()));
    return askPool("is here") + (longAnswer.size() == 300'002 ? " twice" : "");
  });
  CHECK((steps.replies ==
         std::map<uint64_t, std::string>{{0, "a is here twice"}, {1, "b is here twice"}, {2, "c is here twice"}}));
}

TEST_CASE("each step has the whole timeout, and a lost unit tells its step") {
  const Steps steps({"long", "hang", "crash"}, std::chrono::milliseconds(300), [](const std::string &unit) {
    for (uint64_t step = 0; step < 5; ++step) {
      beginStep(step);
      burn(std::chrono::milliseconds(150));
      if (unit == "hang" && step == 3)
        burn(std::chrono::seconds(60));
      if (unit == "crash" && step == 2)
        ::raise(SIGKILL);
    }
    return std::string("done");
  });
  CHECK((steps.replies == std::map<uint64_t, std::string>{{0, "done"}, {1, "hangs in 3"}, {2, "crashes in 2"}}));
}
