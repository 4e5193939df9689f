// SPDX-License-Identifier: MIT
//
// Counts the instructions of the calling thread, in user mode, from mark to mark. There are two ways: counters of the
// CPU, which cost nothing but exist on few virtual machines; and callgrind, which runs the process fifty times slower
// and counts the same on every machine.
#pragma once

#include "tools/bench/variant-bench/instructions/marks.h"
#include <filesystem>
#include <memory>

namespace dovetail {

enum class CounterKind { Perf, Callgrind };
std::string_view toString(CounterKind kind); // "perf", "callgrind"

// Whether this system lets a process count with it: perf_event_open(2) has a counter of instructions; this tool was
// built with callgrind's header. Errors: Unsupported, with the reason.
Result<void> checkCounter(CounterKind kind);

// The first kind for which checkCounter() has no Error; Callgrind if there is none.
CounterKind bestCounter();

class Counter {
public:
  // Of a process that runs under callgrind if the kind is Callgrind. `folder`: gets the files with the marks. Errors:
  // Unsupported.
  static Result<std::unique_ptr<Counter>> open(CounterKind kind, const std::filesystem::path &folder);
  virtual ~Counter() = default;

  // Counts from here on.
  virtual void begin() = 0;
  virtual void mark(const std::string &label) = 0;
  // No mark follows. Errors: Io.
  virtual Result<void> finish() = 0;
};

} // namespace dovetail
