// SPDX-License-Identifier: MIT
//
// The application's frames: how long each took, and what Dovetail did in it. A frame ends when the application presents
// a picture. A program that never presents has no frames; each submission of command buffers ends an interval that is
// judged like one. What comes before the first end is the start, and no frame.
#pragma once

#include "tools/programs/layer/session/bind_costs.h"
#include "tools/programs/layer/session/compiles.h"
#include <optional>
#include <thread>
#include <vector>

namespace dovetail::layer {

// A bind that made something or waited, or the making of a pipeline.
struct FrameWork {
  std::shared_ptr<const PipelineFacts> pipeline;
  uint64_t start = 0, nanoseconds = 0;
  bool isDraw = true; // or a dispatch; false: the pipeline was made
  // The frame could not go on meanwhile: a draw, or a pipeline that the thread made which ended the frame.
  bool isInTheWay = true;
  std::thread::id thread = std::this_thread::get_id();
  dovetail_bind_info bind = {}; // for a pipeline: of its first variant, if there was one
  std::vector<Compile> compiles;

  uint64_t end() const { return start + nanoseconds; }
};

struct Frame {
  uint64_t number = 0; // from 1; 0: the start
  uint64_t start = 0, nanoseconds = 0;
  uint64_t dovetailNanoseconds = 0; // while work was in the way, on one thread or on several
  std::vector<FrameWork> work;      // in order of its start
  uint64_t leftOut = 0;             // further work, beyond the number that is kept
};

enum class FrameEnd { Submission, Presentation };

struct FrameTimes {
  FrameEnd end = FrameEnd::Submission;
  Histogram times;
  Frame start;
  // The longest frames, and those with most of Dovetail's time, in order of their numbers.
  std::vector<Frame> kept;
  uint64_t longestLeftOut = 0; // nanoseconds

  uint64_t median() const { return times.percentile(0.5); }
  // A longer frame is a stutter: at least twice the median, and a millisecond more than the median.
  uint64_t longAt() const { return std::max(2 * median(), median() + 1000000); }
  bool isLong(const Frame &frame) const { return times.count() > 0 && frame.nanoseconds >= longAt(); }
  // Without Dovetail's time, it would not be.
  bool isLongByDovetail(const Frame &frame) const {
    return isLong(frame) && frame.nanoseconds - frame.dovetailNanoseconds < longAt();
  }
  bool areAllLongKept() const { return longestLeftOut < longAt(); }
};

// Thread-safe.
class FrameLog {
public:
  explicit FrameLog(uint64_t now) : m_begun(now) {}

  void add(FrameWork work);
  // Ends a frame. Submissions count only until the first presentation.
  void end(FrameEnd end, uint64_t now);
  uint64_t presented() const;
  // The longest frame since the last call; 0: none ended.
  uint64_t takeLongest();
  FrameTimes times() const;

private:
  mutable std::mutex m_mutex; // guards what follows
  uint64_t m_begun;           // when the current frame began
  uint64_t m_presented = 0, m_longest = 0;
  std::vector<FrameWork> m_work; // of the current frame
  uint64_t m_leftOut = 0;
  bool m_hasStarted = false;
  std::optional<FrameTimes> m_times = FrameTimes();    // without `kept`; there always is one
  Frame m_unpresented;                                 // everything until the first presentation
  std::vector<Frame> m_longestFrames, m_busiestFrames; // heaps, the least on top
};

} // namespace dovetail::layer
