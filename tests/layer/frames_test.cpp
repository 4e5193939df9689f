// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/frames.h"
#include <doctest/doctest.h>

using namespace dovetail::layer;

namespace {

constexpr uint64_t Millisecond = 1000000;

FrameWork work(uint64_t start, uint64_t milliseconds, bool isDraw = true) {
  FrameWork made;
  made.start = start * Millisecond;
  made.nanoseconds = milliseconds * Millisecond;
  made.isDraw = isDraw;
  return made;
}

// A log with frames of these lengths, in milliseconds.
struct Frames : FrameLog {
  explicit Frames(std::initializer_list<uint64_t> lengths) : FrameLog(0) {
    uint64_t now = 0;
    end(FrameEnd::Presentation, now);
    for (const uint64_t length : lengths)
      end(FrameEnd::Presentation, now += length * Millisecond);
  }
};

} // namespace

TEST_CASE("a frame lasts from one presentation to the next, and before the first is the start") {
  FrameLog log(0);
  log.add(work(10, 5));
  log.end(FrameEnd::Presentation, 100 * Millisecond);
  CHECK(log.times().times.count() == 0);
  log.add(work(105, 2));
  log.end(FrameEnd::Presentation, 110 * Millisecond);
  const FrameTimes times = log.times();
  CHECK(times.end == FrameEnd::Presentation);
  CHECK(times.start.nanoseconds == 100 * Millisecond);
  CHECK(times.start.dovetailNanoseconds == 5 * Millisecond);
  CHECK(times.times.count() == 1);
  CHECK(times.times.most() == 10 * Millisecond);
  REQUIRE(times.kept.size() == 1);
  CHECK(times.kept[0].dovetailNanoseconds == 2 * Millisecond);
  CHECK(log.presented() == 2);
}

TEST_CASE("submissions stand for frames until something is presented") {
  FrameLog log(0);
  log.end(FrameEnd::Submission, 10 * Millisecond);
  log.add(work(12, 3));
  log.end(FrameEnd::Submission, 20 * Millisecond);
  CHECK(log.times().end == FrameEnd::Submission);
  CHECK(log.times().start.nanoseconds == 10 * Millisecond);
  CHECK(log.times().times.count() == 1);
  CHECK(log.presented() == 0);

  log.end(FrameEnd::Presentation, 30 * Millisecond);
  CHECK(log.times().end == FrameEnd::Presentation);
  CHECK(log.times().times.count() == 0);
  CHECK(log.times().start.nanoseconds == 30 * Millisecond);
  CHECK(log.times().start.dovetailNanoseconds == 3 * Millisecond);
  log.end(FrameEnd::Submission, 35 * Millisecond);
  log.end(FrameEnd::Presentation, 40 * Millisecond);
  CHECK(log.times().times.count() == 1);
  CHECK(log.times().times.most() == 10 * Millisecond);
}

TEST_CASE(
    "threads that are in the way at the same time count once, and a pipeline that another thread makes does not") {
  Frames log({});
  log.add(work(2, 4));
  log.add(work(4, 4)); // until 8
  FrameWork other = work(10, 5, false);
  other.thread = std::thread::id();
  log.add(std::move(other));
  log.add(work(20, 1, false));
  log.add(work(29, 10)); // of which 1 is in the frame
  log.end(FrameEnd::Presentation, 30 * Millisecond);
  const Frame frame = log.times().kept.at(0);
  CHECK(frame.dovetailNanoseconds == (6 + 1 + 1) * Millisecond);
  CHECK(frame.work.size() == 5);
  CHECK_FALSE(frame.work[2].isInTheWay);
}

TEST_CASE("a frame is long from twice the median on, and a millisecond more") {
  Frames slow({10, 10, 10, 10, 10, 19, 25});
  FrameTimes times = slow.times();
  CHECK(times.longAt() > 19 * Millisecond);
  CHECK(times.longAt() <= 25 * Millisecond);
  CHECK_FALSE(times.isLong(times.kept.at(5)));
  CHECK(times.isLong(times.kept.at(6)));

  FrameLog fast(0);
  for (uint64_t number = 0; number < 10; ++number)
    fast.end(FrameEnd::Presentation, number * 10000); // 10 us each
  CHECK(fast.times().longAt() > Millisecond);
}

TEST_CASE("a frame is long by Dovetail if it would not be long without Dovetail's time") {
  Frames log({10, 10, 10, 10, 10});
  log.add(work(51, 30));
  log.end(FrameEnd::Presentation, 90 * Millisecond); // 40, and 10 without
  log.add(work(91, 5));
  log.end(FrameEnd::Presentation, 140 * Millisecond); // 50, and 45 without
  const FrameTimes times = log.times();
  CHECK(times.isLongByDovetail(times.kept.at(5)));
  CHECK(times.isLong(times.kept.at(6)));
  CHECK_FALSE(times.isLongByDovetail(times.kept.at(6)));
}

TEST_CASE("the longest frames are kept, and those with most of Dovetail's time") {
  Frames log({});
  uint64_t now = 0;
  for (uint64_t number = 1; number <= 1000; ++number) {
    if (number == 5)
      log.add({.start = now, .nanoseconds = 100});
    log.end(FrameEnd::Presentation, now += number * 1000);
  }
  const FrameTimes times = log.times();
  CHECK(times.times.count() == 1000);
  REQUIRE(times.kept.size() == 65);
  CHECK(times.kept.front().number == 5);
  CHECK(times.kept[1].number == 1000 - 63);
  CHECK(times.kept.back().number == 1000);
  CHECK(times.longestLeftOut == (1000 - 64) * 1000);
  CHECK(times.areAllLongKept()); // a frame is long from 1.5 ms on
  CHECK(log.takeLongest() == 1000 * 1000);
  CHECK(log.takeLongest() == 0);
}

TEST_CASE("of a frame with very much work, the rest is counted") {
  Frames log({});
  for (uint64_t number = 0; number < 5000; ++number)
    log.add(work(number, 1));
  log.end(FrameEnd::Presentation, 6000 * Millisecond);
  const Frame frame = log.times().kept.at(0);
  CHECK(frame.work.size() + frame.leftOut == 5000);
  CHECK(frame.leftOut > 0);
}
