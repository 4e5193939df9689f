// SPDX-License-Identifier: MIT
#include "tools/common/command/progress.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>

namespace dovetail {

void TimeLeft::add(Clock::time_point now) {
  constexpr size_t MaxRecent = 200;
  m_recent.push_back(now);
  if (m_recent.size() > MaxRecent)
    m_recent.pop_front();
}

std::string TimeLeft::print(size_t units) const {
  const std::chrono::duration<double> each = (m_recent.back() - m_recent.front()) / double(m_recent.size() - 1);
  const auto seconds = uint64_t(each.count() * double(units) + 0.5);
  if (seconds >= 3600)
    return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
  return seconds >= 60 ? fmt::format("{} min {:02} s", seconds / 60, seconds % 60) : fmt::format("{} s", seconds);
}

void Progress::add(const std::function<std::string()> &summary, size_t unitsLeft) {
  ++m_done;
  const TimeLeft::Clock::time_point now = TimeLeft::Clock::now();
  m_timeLeft.add(now);
  if (unitsLeft != 0 && now - m_lastPrint < std::chrono::seconds(1))
    return;
  m_lastPrint = now;
  const std::string left = unitsLeft == 0 ? "" : fmt::format("; about {} left", m_timeLeft.print(unitsLeft));
  std::fputs(fmt::format("{} of {} {}: {}{}\n", m_done, m_units, m_noun, summary(), left).c_str(), stderr);
}

size_t unitsUntilLimit(size_t units, size_t done, size_t limit, size_t counted) {
  const size_t left = units - done;
  if (limit == 0 || counted == 0)
    return left;
  const double each = double(done) / double(counted);
  return std::min(left, size_t(std::ceil(each * double(limit - std::min(limit, counted)))));
}

} // namespace dovetail
