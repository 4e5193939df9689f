// SPDX-License-Identifier: MIT
//
// The frames of a report: how long they took, which pipelines made the long ones long, and what would have helped.
#pragma once

#include "tools/programs/layer/session/session.h"

namespace dovetail::layer {

// What Dovetail did for one pipeline in a frame.
struct PipelineInFrame {
  std::shared_ptr<const PipelineFacts> pipeline;
  uint64_t nanoseconds = 0;      // in the frame's way
  uint64_t asideNanoseconds = 0; // on other threads
  uint64_t binds = 0;            // that made something or waited
  bool isMade = false;           // the pipeline was made in this frame
  bool hasWaited = false;        // for another thread
  std::vector<Compile> compiles;

  // "made; 2 parts compiled: vertex shader 1.2 ms (LLVM), fragment shader 300 us (first code)"
  std::string describe() const;
};

struct FrameStory {
  uint64_t number = 0;
  double seconds = 0; // when it began, since the session did
  uint64_t nanoseconds = 0, dovetailNanoseconds = 0;
  bool isByDovetail = false;              // without Dovetail's time, it would not be long
  std::vector<PipelineInFrame> pipelines; // longest first
  uint64_t leftOut = 0;                   // binds and pipelines that were too many to keep
  Advice advice;
  std::vector<std::string> sentences; // what would have helped

  // "Dovetail took 30 ms of 40 ms, for 3 pipelines"
  std::string describe() const;
};

struct Stutter {
  bool isPresented = false; // frames end with a presentation; false: intervals that end with a submission
  uint64_t count = 0, median = 0, p99 = 0, longest = 0, longAt = 0;
  uint64_t longFrames = 0; // `areAll`: exactly so many; otherwise at least
  bool areAll = true;
  FrameStory start;
  std::vector<FrameStory> frames; // the long ones, those with most of Dovetail's time first
  Advice advice;                  // of the start and of all long frames
  std::vector<std::string> sentences;

  const char *noun() const { return isPresented ? "frame" : "submission"; }
};

Stutter summarizeFrames(const Session::Totals &totals, uint64_t sessionStart);

} // namespace dovetail::layer
