// SPDX-License-Identifier: MIT
//
// Shows how far a long command is, and how long the rest takes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace dovetail {

// Estimates from the latest units only. Units found in a store take no time; they would make the others look fast.
class TimeLeft {
public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLeft(Clock::time_point start) : m_recent{start} {}

  // To be called after each unit.
  void add(Clock::time_point now);
  // The time for so many units: "1 h 02 min", "3 min 07 s" or "12 s". At least one unit must be done.
  std::string print(size_t units) const;

private:
  std::deque<Clock::time_point> m_recent; // when the latest units were done, the newest last
};

// Lines on the standard error: "20 of 100 units: 19 compiled, 1 failed; about 3 min 07 s left".
class Progress {
public:
  // `noun`: what the units are called ("units").
  Progress(size_t units, std::string noun)
      : m_units(units), m_noun(std::move(noun)), m_timeLeft(TimeLeft::Clock::now()) {}

  // To be called after each unit. Prints a line about once a second, and after the last unit.
  void add(const std::function<std::string()> &summary) { add(summary, m_units - m_done - 1); }
  // For a command that ends before its last unit: so many units are left.
  void add(const std::function<std::string()> &summary, size_t unitsLeft);

  size_t done() const { return m_done; }

private:
  const size_t m_units;
  const std::string m_noun;
  size_t m_done = 0;
  TimeLeft m_timeLeft;
  TimeLeft::Clock::time_point m_lastPrint;
};

// How many of `units` are left, `done` of which are done. The command ends when `counted` reaches `limit` (0: no
// limit).
size_t unitsUntilLimit(size_t units, size_t done, size_t limit, size_t counted);

} // namespace dovetail
