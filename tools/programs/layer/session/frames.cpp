// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/frames.h"
#include <algorithm>
#include <functional>
#include <utility>

namespace dovetail::layer {

namespace {

constexpr size_t MaxWork = 4096; // of a frame
constexpr size_t MaxKept = 64;   // of each kind

// Keeps the frames with the largest of the values. Returns the value of the frame that is left out; 0: none is.
uint64_t keepLargest(std::vector<Frame> &frames, uint64_t Frame::*value, const Frame &frame) {
  uint64_t leftOut = 0;
  if (frames.size() == MaxKept) {
    if (frame.*value <= frames.front().*value)
      return frame.*value;
    std::ranges::pop_heap(frames, std::greater(), value);
    leftOut = frames.back().*value;
    frames.pop_back();
  }
  frames.push_back(frame);
  std::ranges::push_heap(frames, std::greater(), value);
  return leftOut;
}

// The time within the frame during which at least one work was in the way. The works are in order of their starts.
uint64_t timeInTheWay(const Frame &frame) {
  uint64_t sum = 0, until = frame.start;
  for (const FrameWork &work : frame.work) {
    const uint64_t end = std::min(work.end(), frame.start + frame.nanoseconds);
    if (!work.isInTheWay || end <= until)
      continue;
    sum += end - std::max(work.start, until);
    until = end;
  }
  return sum;
}

// Appends the interval after a frame to it.
void append(Frame &frame, const Frame &next) {
  if (frame.nanoseconds == 0)
    frame.start = next.start;
  frame.nanoseconds += next.nanoseconds;
  frame.dovetailNanoseconds += next.dovetailNanoseconds;
  const size_t room = MaxWork - std::min(MaxWork, frame.work.size());
  const size_t taken = std::min(room, next.work.size());
  frame.work.insert(frame.work.end(), next.work.begin(), next.work.begin() + static_cast<ptrdiff_t>(taken));
  frame.leftOut += next.leftOut + next.work.size() - taken;
}

} // namespace

void FrameLog::add(FrameWork work) {
  std::scoped_lock lock(m_mutex);
  if (m_work.size() < MaxWork)
    m_work.push_back(std::move(work));
  else
    ++m_leftOut;
}

void FrameLog::end(FrameEnd end, uint64_t now) {
  std::scoped_lock lock(m_mutex);
  const bool isPresented = end == FrameEnd::Presentation;
  if (!isPresented && m_presented > 0)
    return;
  Frame frame;
  frame.start = m_begun;
  frame.nanoseconds = now - m_begun;
  frame.work = std::exchange(m_work, {});
  frame.leftOut = std::exchange(m_leftOut, 0);
  m_begun = now;
  for (FrameWork &work : frame.work)
    work.isInTheWay = work.isDraw || work.thread == std::this_thread::get_id();
  std::ranges::sort(frame.work, {}, &FrameWork::start);
  frame.dovetailNanoseconds = timeInTheWay(frame);

  m_presented += isPresented;
  const bool isFirst = isPresented ? m_presented == 1 : !std::exchange(m_hasStarted, true);
  if (m_presented == 0 || isFirst)
    append(m_unpresented, frame);
  if (isFirst) { // forgets submissions before the first presentation
    m_times.emplace(FrameTimes{end, {}, isPresented ? std::exchange(m_unpresented, {}) : std::move(frame), {}, 0});
    m_longestFrames.clear();
    m_busiestFrames.clear();
    return;
  }
  m_times->times.add(frame.nanoseconds);
  frame.number = m_times->times.count();
  m_longest = std::max(m_longest, frame.nanoseconds);
  if (frame.dovetailNanoseconds > 0)
    (void)keepLargest(m_busiestFrames, &Frame::dovetailNanoseconds, frame);
  m_times->longestLeftOut = std::max(m_times->longestLeftOut, keepLargest(m_longestFrames, &Frame::nanoseconds, frame));
}

uint64_t FrameLog::presented() const {
  std::scoped_lock lock(m_mutex);
  return m_presented;
}

uint64_t FrameLog::takeLongest() {
  std::scoped_lock lock(m_mutex);
  return std::exchange(m_longest, 0);
}

FrameTimes FrameLog::times() const {
  std::scoped_lock lock(m_mutex);
  FrameTimes times = *m_times;
  times.kept = m_longestFrames;
  for (const Frame &frame : m_busiestFrames)
    if (std::ranges::find(times.kept, frame.number, &Frame::number) == times.kept.end())
      times.kept.push_back(frame);
  std::ranges::sort(times.kept, {}, &Frame::number);
  return times;
}

} // namespace dovetail::layer
