// SPDX-License-Identifier: MIT
//
// What would have made a frame shorter, in time: parts that a store or an archive has need no compile; parts that the
// background compiles are ready when a draw needs them; first code takes less time than LLVM's. All of it is computed
// from what was measured in this process, for the compiles that this frame waited for.
#pragma once

#include "tools/programs/layer/session/frames.h"
#include "tools/programs/layer/session/options.h"
#include <map>

namespace dovetail::layer {

// What the process measured, as far as advice needs it.
struct Measured {
  CompileWhen compile = CompileWhen::Pipeline;
  uint32_t firstTier = DOVETAIL_TIER_NONE;
  uint32_t workers = 1; // threads in the background
  // A part that is read from a store or an archive; nothing: none was read by a bind.
  std::optional<uint64_t> readNanoseconds;
  std::vector<Compile> compiles; // of all threads

  uint64_t read() const { return readNanoseconds.value_or(StatedRead); }

  // For processes that read no part: twice the median that `findStored` of the benchmark of binds has for a part of
  // 9 KB (docs/performance.md), because the first read of a page is not from memory.
  static constexpr uint64_t StatedRead = 22000;
};

// The times of both tiers for the same parts, in nanoseconds.
struct TierTimes {
  uint64_t parts = 0, firstCode = 0, llvm = 0;
};

// In nanoseconds.
struct Advice {
  uint64_t time = 0; // Dovetail's in the frame
  // Compiles in the way: of the frame's own threads, and the time that they waited for compiles of other threads.
  CompileSum own;
  uint64_t waited = 0;
  uint64_t store = 0;      // that a store or an archive with all of these parts would have saved
  uint64_t background = 0; // that compiles in the background from the pipelines' making on would have saved
  // Parts whose code both tiers made: those that waited for first code, and those that waited for LLVM's.
  TierTimes firstCode, llvm;
  CompileSum unknown;                       // own compiles by LLVM of parts that first code did not make
  std::map<std::string, uint64_t> refusals; // why first code refused own compiles, and how many
};

Advice adviseOn(const std::vector<const Frame *> &frames, const Measured &measured);

// A sentence for each thing that would have helped, the one that would have saved most first.
std::vector<std::string> sentencesOf(const Advice &advice, const Measured &measured);

// "1.2 ms", "35 us"
std::string timeText(uint64_t nanoseconds);

} // namespace dovetail::layer
