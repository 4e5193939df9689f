// SPDX-License-Identifier: MIT
//
// How far a long command is, and how long the rest of it takes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace dovetail {

// By how long the latest units took: those that are found in a store take no time, and would make the others look fast.
class TimeLeft {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLeft(Clock::time_point start) : m_recent{start} {}

  // Another unit is done.
  void add(Clock::time_point now);
  // For so many units, "1 h 02 min", "3 min 07 s" or "12 s"; at least one must be done.
  std::string print(size_t units) const;

private:
  std::deque<Clock::time_point> m_recent; // when units were done, the newest last
};

// Lines on the standard error: "20 of 100 units: 19 compiled, 1 failed; about 3 min 07 s left".
class Progress {
public:
  // `noun`: what the units are called ("units").
  Progress(size_t units, std::string noun)
      : m_units(units), m_noun(std::move(noun)), m_timeLeft(TimeLeft::Clock::now()) {}

  // Another unit is done. Prints a line about once a second, and behind the last unit.
  void add(const std::function<std::string()> &summary) { add(summary, m_units - m_done - 1); }
  // The same of a command that ends before its last unit: so many are left.
  void add(const std::function<std::string()> &summary, size_t unitsLeft);

  size_t done() const { return m_done; }

private:
  const size_t m_units;
  const std::string m_noun;
  size_t m_done = 0;
  TimeLeft m_timeLeft;
  TimeLeft::Clock::time_point m_lastPrint;
};

// How many of `units` are left, of which `done` are done, if the command ends when it has `limit` of something (0: it
// has no limit) and has `counted` of it now.
size_t unitsUntilLimit(size_t units, size_t done, size_t limit, size_t counted);

} // namespace dovetail
