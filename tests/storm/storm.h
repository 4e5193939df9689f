// SPDX-License-Identifier: MIT
//
// The storm: threads draw with thousands of states in random order, while the background optimises their variants and
// memory is short. The storm records its findings as plain data; judge.h judges them.
#pragma once

#include "tests/storm/storm_states.h"
#include "variants/bind/binder.h"
#include <array>
#include <optional>

namespace dovetail::storm {

struct StormOptions {
  std::string gpuName = "gfx900";
  unsigned threads = 4;
  double seconds = 10; // every thread binds every state once, however long that takes, and goes on until the time is up
  uint64_t seed = 1;
  uint64_t memoryBudget = uint64_t(8) << 20;
  OptimizationQueueOptions background = {.threads = 1, .maxQueued = 32};
};

// How a bind came by its variant, as the binder counts it.
enum class TimedBind : uint8_t {
  Unchanged, // was bound last
  Known,     // is in the table
  Joined,    // was joined from parts that were there
  Compiled,  // a part was compiled for it, or its variant
  Waited,    // for another drawing thread
};
constexpr size_t TimedBindCount = 5;
const char *describe(TimedBind kind);

// The variants that all threads bound, or that were published, for one state. A hash covers the code and everything
// that goes with it to the GPU. Variants with first code are only counted: which of their parts are LLVM's depends on
// the moment.
struct StateRecord {
  std::optional<Hash128> joined, optimized;
  uint64_t firstCodeSightings = 0;
  uint64_t sightings = 0;
  unsigned differences = 0; // of these, with other bytes than the first of the same kind
};

struct MemorySample {
  double seconds = 0;
  uint64_t bytes = 0;      // that the device holds
  uint64_t referenced = 0; // by Binders, at most
};

struct StormReport {
  std::vector<std::vector<StateRecord>> states; // by program, state
  std::array<std::vector<float>, TimedBindCount> microseconds;
  std::vector<std::string> errors; // of binds, some of them
  uint64_t errorCount = 0;
  std::vector<std::string> warnings;
  std::vector<MemorySample> memory;
  uint64_t peakBytes = 0;
  uint64_t largestVariantBytes = 0;           // with its parts
  uint64_t publications = 0, misnumbered = 0; // announced; whose generation was announced before
  double seconds = 0, optimizingSeconds = 0;  // of the storm; of these, while the background had work
  DeviceStatistics statistics;                // at the end, when the background has been drained
};

// Hashes the bytes of an image and all that a driver hands to the GPU with them.
Hash128 hashImage(const Image &image);

// Errors: those of creating the device.
Result<StormReport> runStorm(const std::vector<ProgramOfStates> &programs, const StormOptions &options);

} // namespace dovetail::storm
